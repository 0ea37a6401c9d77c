//! Output of the fit: the weights as a config, and as the table that the engine ships.

use engine::config::format_weights;
use engine::evaluation::EvalWeights;
use std::fmt::Write;

/// A config file with these weights, which another config can extend.
pub fn config_file(name: &str, origin: &str, weights: &EvalWeights) -> String {
    let name = toml::Value::from(name);
    format!("# {origin}\nname = {name}\n\n{}", format_weights(weights))
}

/// The engine's `evaluation/shipped.rs`.
pub fn rust_table(weights: &EvalWeights) -> String {
    /// Pairs that stand on one line.
    const ON_A_LINE: usize = 8;
    let mut text = String::from(
        "//! Shipped weights: the value of every weight that a config does not set.\n\
         //!\n\
         //! Written by `harness fit-eval --table`, not by hand: see `docs/evaluation.md`.\n\
         \n\
         use super::groups::COUNT;\n\
         \n\
         /// Middlegame and endgame half of every weight, in the order of [`GROUPS`](super::groups::GROUPS).\n\
         #[rustfmt::skip]\n\
         pub static SHIPPED: [[i32; 2]; COUNT] = [\n",
    );
    for (info, pairs) in weights.iter() {
        writeln!(text, "    // {}", info.name).expect("a String takes all");
        for line in pairs.chunks(ON_A_LINE) {
            let line: Vec<String> = line.iter().map(|pair| format!("{pair:?}")).collect();
            writeln!(text, "    {},", line.join(", ")).expect("a String takes all");
        }
    }
    text + "];\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::config::EngineConfig;

    #[test]
    fn the_shipped_table_is_what_this_writes() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/src/evaluation/shipped.rs");
        let shipped = std::fs::read_to_string(path).unwrap();
        assert!(rust_table(&EvalWeights::default()) == shipped, "write it anew with fit-eval --table");
    }

    #[test]
    fn a_config_of_weights_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fitted.toml");
        let mut config = EngineConfig { name: "fitted".to_owned(), ..EngineConfig::default() };
        config.set("tempo=[[31, -4]]").unwrap();
        std::fs::write(&path, config_file("fitted", "from a test", &config.eval)).unwrap();
        assert_eq!(EngineConfig::load(&path).unwrap(), config);
    }
}
