//! Shipped configs: each is what its name says.

use engine::config::EngineConfig;
use engine::params::{ParamInfo, SearchParams};
use engine::techniques::{TECHNIQUES, Techniques};
use std::path::{Path, PathBuf};

/// Of all techniques, parameters and weights of the published engine.
const PUBLISHED_DIGEST: &str = "06f7df5011f87c9a7bae707d45a0a2af9267038e98f24e6133c6998cc6814e52";

fn configs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")
}

fn load(path: &Path) -> EngineConfig {
    EngineConfig::load(path).unwrap_or_else(|error| panic!("{error}"))
}

/// The files of a folder by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = folder.read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

fn on(techniques: &Techniques) -> Vec<&'static str> {
    techniques.iter().filter(|(_, on)| *on).map(|(info, _)| info.name).collect()
}

/// A config spells out every technique and parameter with its meaning, as the table has it.
fn assert_spelled_out(path: &Path, techniques: &Techniques, params: &SearchParams) {
    let text = std::fs::read_to_string(path).unwrap();
    for (info, on) in techniques.iter() {
        assert!(text.contains(&format!("\n# {}\n{} = {on}\n", info.doc, info.name)), "{}", info.name);
    }
    for (info, value) in params.iter() {
        let ParamInfo { name, min, max, doc, .. } = info;
        assert!(text.contains(&format!("\n# {doc} ({min} to {max})\n{name} = {value}\n")), "{name}");
    }
}

#[test]
fn full_is_the_engine_without_arguments_and_spells_it_out() {
    let path = configs().join("full.toml");
    assert_eq!(load(&path), EngineConfig { name: "full".to_owned(), ..EngineConfig::default() });
    assert_spelled_out(&path, &Techniques::default(), &SearchParams::default());
}

#[test]
fn published_is_the_published_set_of_the_tables_with_pinned_weights() {
    let path = configs().join("published.toml");
    let config = load(&path);
    assert_eq!((config.techniques, &config.params), (Techniques::published(), &SearchParams::published()));
    assert_spelled_out(&path, &config.techniques, &config.params);
    assert_eq!(config.eval, load(&configs().join("eval/published.toml")).eval);
    // Weights included: nothing of it may move, or the published results are those of another engine.
    assert_eq!(config.digest(), PUBLISHED_DIGEST);
}

/// What rests on the published set has its numbers and weights, but for the numbers that an experiment is about.
#[test]
fn base_pvs_and_the_ladder_have_the_published_numbers_and_weights() {
    let published = load(&configs().join("published.toml"));
    let mut paths =
        ["base", "base-open-windows", "pvs"].map(|name| configs().join(name).with_extension("toml")).to_vec();
    paths.extend(files(&configs().join("ladder")));
    let own = paths.pop().unwrap();
    for path in paths {
        let config = load(&path);
        assert_eq!(
            (&config.params, &config.eval),
            (&published.params, &published.eval),
            "{}",
            path.display()
        );
    }
    for path in files(&configs().join("experiments/states")) {
        assert_eq!(load(&path).eval, published.eval, "{}", path.display());
    }
    assert_eq!(load(&own).params, SearchParams::default());
}

#[test]
fn the_ladder_leads_from_alpha_beta_to_the_full_engine_one_technique_at_a_time() {
    let mut files = files(&configs().join("ladder"));
    let last = files.pop().unwrap();
    let full: Vec<&str> = TECHNIQUES.iter().filter(|info| info.default).map(|info| info.name).collect();
    assert_eq!(full[0], "alpha_beta");
    assert_eq!(files.len(), full.len());
    for (step, path) in files.iter().enumerate() {
        let config = load(path);
        assert_eq!(on(&config.techniques), full[..=step], "{}", path.display());
        assert_eq!(config.name, format!("{:02}-{}", step + 1, full[step].replace('_', "-")));
        assert_eq!(path.file_stem().unwrap().to_str(), Some(&*config.name));
    }
    // The last step has the same techniques, and the engine's own numbers and weights.
    let name = format!("{:02}-own-numbers", full.len() + 1);
    assert_eq!(last.file_stem().unwrap().to_str(), Some(&*name));
    assert_eq!(load(&last), EngineConfig { name, ..EngineConfig::default() });
}
