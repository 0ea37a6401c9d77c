//! Command line of the engine: output of the commands, and messages for wrong arguments.

use engine::bench;
use engine::config::EngineConfig;
use engine::params::{PARAMS, SearchParams};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn engine(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_engine"));
    command.args(arguments).stdin(Stdio::null()).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn run(arguments: &[&str]) -> Output {
    engine(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// What a command that must succeed prints.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    text(&output.stdout).to_owned()
}

/// What a command that must be refused complains about.
fn refused(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {output:?}");
    assert_eq!(text(&output.stdout), "", "{arguments:?}");
    text(&output.stderr).to_owned()
}

/// The total of `<nodes> nodes <nps> nps`.
fn nodes_of(last_line: &str) -> u64 {
    match last_line.split(' ').collect::<Vec<_>>()[..] {
        [nodes, "nodes", nps, "nps"] => {
            nps.parse::<u64>().expect(last_line);
            nodes.parse().expect(last_line)
        }
        _ => panic!("{last_line:?}"),
    }
}

#[test]
fn bench_prints_the_signature_of_the_library() {
    let lines = printed(&["bench", "4"]);
    let lines: Vec<&str> = lines.lines().collect();
    let nodes = nodes_of(lines.last().unwrap());
    let expected = bench::bench(&EngineConfig::default(), 4);
    assert_eq!(nodes, expected.nodes);
    let by_position: Vec<u64> = lines[..lines.len() - 1]
        .iter()
        .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(by_position, expected.nodes_by_position);

    let json: Value = serde_json::from_str(&printed(&["bench", "4", "--json"])).unwrap();
    assert_eq!(json["nodes"], nodes);
    assert_eq!(json["depth"], 4);
    assert!(json["nps"].is_u64() && json["seconds"].is_f64());
}

#[test]
fn bench_takes_a_config_and_settings() {
    let nodes = |arguments: &[&str]| nodes_of(printed(arguments).lines().last().unwrap());
    let full = nodes(&["bench", "3"]);
    let pvs = nodes(&["bench", "3", "--config", "pvs"]);
    let base = nodes(&["bench", "3", "--config", "base"]);
    assert_ne!(pvs, base);
    assert_eq!(nodes(&["bench", "3", "--config", "full"]), full);
    assert_eq!(
        nodes(&["bench", "3", "--config", "base.toml", "--set", "pvs=true", "--set", "aspiration=true"]),
        pvs
    );
    assert_eq!(
        nodes(&["bench", "3", "--config", "pvs", "--set", "pvs=false", "--set", "aspiration=false"]),
        base
    );
}

#[test]
fn perft_counts_as_everyone_does() {
    for (fen, depth, expected) in [
        ("startpos", "0", 1),
        ("startpos", "1", 20),
        ("startpos", "4", 197_281),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "3", 97_862),
        ("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", "3", 12_189),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "3", 0),
    ] {
        let lines = printed(&["perft", fen, depth]);
        assert_eq!(nodes_of(lines.trim_end()), expected, "{fen}");
        let divided = printed(&["perft", fen, depth, "--divide"]);
        let lines: Vec<&str> = divided.lines().collect();
        let sum: u64 = lines[..lines.len() - 1]
            .iter()
            .map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap())
            .sum();
        assert_eq!(nodes_of(lines.last().unwrap()), expected);
        assert!(sum == expected || depth == "0", "{divided}");
    }
}

#[test]
fn explain_tells_windows_failures_and_counters() {
    let story = printed(&[
        "explain",
        bench::POSITIONS[4],
        "--depth",
        "6",
        "--set",
        "aspiration_min_depth=2",
        "--set",
        "aspiration_delta=5",
    ]);
    for depth in 1..=6 {
        assert!(story.contains(&format!("depth {depth}: window [")), "{story}");
    }
    assert!(story.contains("depth 1: window [-inf, inf]"), "{story}");
    assert!(story.contains("again with window ["), "{story}");
    assert!(story.contains("failed high: ") || story.contains("failed low: "), "{story}");
    assert!(story.contains(" beats alpha: searched again"), "{story}");
    assert_eq!(story.matches("  done: ").count(), 6);
    for counter in [
        "nodes, main search",
        "nodes, quiescence",
        "fail highs",
        "PVS re-searches",
        "aspiration fail lows",
        "table cutoff",
    ] {
        assert!(story.contains(counter), "{counter}: {story}");
    }
    assert!(story.trim_end().ends_with(bench::POSITIONS[4]));
}

#[test]
fn the_tree_of_explain_is_balanced_and_shows_the_last_iteration() {
    let story = printed(&["explain", "startpos", "--depth", "3", "--tree", "2"]);
    let last = &story[story.find("depth 3: window").unwrap()..];
    let mut open: Vec<String> = Vec::new();
    let (mut deepest, mut kinds) = (0, Vec::new());
    for line in last.lines() {
        let indent = line.len() - line.trim_start().len();
        let words: Vec<&str> = line.split_whitespace().collect();
        if line.ends_with(" {") {
            assert_eq!(indent, 2 * (open.len() + 1), "{line}");
            kinds.push(words[words.len() - 2].to_owned());
            open.push(words[0].to_owned());
            deepest = deepest.max(open.len());
        } else if words.first() == Some(&"}") {
            let opened = open.pop().expect("closed after being opened");
            assert_eq!(words[1], opened, "{line}");
            assert_eq!(words[2], "=");
        }
    }
    assert!(open.is_empty());
    assert_eq!(deepest, 3, "the root and two plies");
    for kind in ["PV", "cut", "all"] {
        assert!(kinds.iter().any(|seen| seen == kind), "{kind}");
    }
    let before = &story[..story.find("depth 3: window").unwrap()];
    assert!(!before.contains('{'), "only the last iteration: {before}");
}

#[test]
fn a_position_without_moves_is_explained() {
    let story = printed(&["explain", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--depth", "3"]);
    assert!(story.contains("no legal move"), "{story}");
}

#[test]
fn params_come_in_four_formats() {
    let table = printed(&["params"]);
    assert_eq!(table, printed(&["params", "--format", "table"]));
    for info in PARAMS {
        assert!(table.lines().any(|line| line.split_whitespace().next() == Some(info.name)), "{}", info.name);
    }

    let json: Vec<Value> = serde_json::from_str(&printed(&["params", "--format", "json"])).unwrap();
    assert_eq!(json.len(), PARAMS.len());
    for (object, info) in json.iter().zip(PARAMS) {
        assert_eq!(object["name"], info.name);
        for (key, value) in
            [("default", info.default), ("min", info.min), ("max", info.max), ("step", info.step)]
        {
            assert_eq!(object[key], value, "{object}");
        }
        assert_eq!(object["doc"], info.doc);
    }

    let open_bench = printed(&["params", "--format", "openbench"]);
    assert_eq!(open_bench.lines().count(), PARAMS.len());
    for line in open_bench.lines() {
        let fields: Vec<&str> = line.split(", ").collect();
        let [name, "int", numbers @ ..] = &fields[..] else { panic!("{line}") };
        assert!(SearchParams::default().get(name).is_some());
        let numbers: Vec<f64> = numbers.iter().map(|text| text.parse().unwrap()).collect();
        let [value, min, max, step, rate] = numbers[..] else { panic!("{line}") };
        assert!(min <= value && value <= max && step > 0.0 && rate > 0.0, "{line}");
    }
}

#[test]
fn weights_are_the_eval_section_of_a_config() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weights.toml");
    std::fs::write(&file, printed(&["weights", "--set", "tempo=[[31, -4]]"])).unwrap();
    let config = EngineConfig::load(&file).unwrap();
    assert_eq!(EngineConfig::default().differences(&config).len(), 1);
    for info in engine::evaluation::groups::GROUPS {
        assert!(printed(&["weights"]).contains(&format!("\n# {}\n{} = [", info.doc, info.name)));
    }
}

#[test]
fn params_as_toml_are_a_config() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tuned.toml");
    let toml = printed(&["params", "--format", "toml", "--set", "aspiration_delta=33"]);
    std::fs::write(&file, &toml).unwrap();
    assert_eq!(EngineConfig::load(&file).unwrap().params.aspiration_delta, 33);
    let again = printed(&["params", "--format", "toml", "--config", file.to_str().unwrap()]);
    assert_eq!(again, toml);
}

#[test]
fn wrong_usage_exits_with_two_and_says_what_to_do() {
    for (arguments, said) in [
        (&["bench", "0"][..], "1..=100"),
        (&["bench", "many"], "many"),
        (&["bench", "--config", "bsae"], "did you mean `base`"),
        (&["bench", "--config", "no/such/file.toml"], "no/such/file.toml"),
        (&["bench", "--set", "aspiration_dleta=3"], "did you mean `aspiration_delta`"),
        (&["bench", "--set", "aspiration_delta=0"], "1 to 500"),
        (&["bench", "--set", "pvs=maybe"], "true or false"),
        (&["bench", "--set", "pvs"], "pvs"),
        (&["bench", "--set", "alpha_beta=false"], "needs `alpha_beta`"),
        (&["bench", "--set", "pvs=false"], "set `pvs` to true"),
        (&["--config", "bsae"], "did you mean `base`"),
        (&["--set", "pvs=1"], "true or false"),
        (&["benhc"], "bench"),
        (&["explain", "startpos"], "--depth"),
        (&["explain", "startpos", "--depth", "0"], "1..=100"),
        (&["explain", "8/8/8/8/8/8/8/8 w - - 0 1", "--depth", "2"], "is no position"),
        (&["explain", "", "--depth", "2"], "is no position"),
        (&["perft", "startpos"], "DEPTH"),
        (&["perft", "startpos", "-1"], "-1"),
        (&["perft", "nonsense", "3"], "is no position"),
        (&["params", "--format", "xml"], "openbench"),
        (&["--no-such-flag"], "--no-such-flag"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(said), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
    }
}

#[test]
fn help_and_version_are_there() {
    let help = printed(&["--help"]);
    for command in ["bench", "explain", "params", "weights", "perft", "--config", "--set"] {
        assert!(help.contains(command), "{help}");
    }
    assert!(printed(&["--version"]).starts_with("engine "));
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    for arguments in [
        &["params"][..],
        &["params", "--format", "json"],
        &["bench", "1"],
        &["perft", "startpos", "2", "--divide"],
        &["explain", "startpos", "--depth", "5", "--tree", "4"],
    ] {
        let mut child = engine(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(!first.is_empty());
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", output.status);
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_a_failure() {
    let full = Path::new("/dev/full");
    let full = std::fs::OpenOptions::new().write(true).open(full).unwrap();
    let output = engine(&["params"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("standard output"), "{}", text(&output.stderr));
}
