//! `harness nodes` counts what the search searches, in the shape that is expected.

mod common;

use common::project::Project;
use engine::config::EngineConfig;
use engine::position::{Game, Position};
use engine::search::observer::Unobserved;
use engine::search::{Limits, Searcher, Signals};
use harness::commands::nodes::{HASH_MEGABYTES, POSITIONS};
use serde_json::Value;

/// The nodes of a fresh search of every position.
fn counted_again(config: &EngineConfig, depth: u32) -> Vec<u64> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let count = |fen: &&str| {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let mut searcher = Searcher::new(config, HASH_MEGABYTES);
        searcher.search(&game, &[], &limits, Signals::none(), &mut Unobserved).nodes
    };
    POSITIONS.iter().map(count).collect()
}

fn counts(row: &Value) -> Vec<u64> {
    row["nodes_by_position"].as_array().unwrap().iter().map(|nodes| nodes.as_u64().unwrap()).collect()
}

#[test]
fn two_configs_are_taken_apart_and_the_counts_are_those_of_the_search() {
    let project = Project::new();
    let ended = project.run("nodes base.toml pvs.toml --depth 5 --json");
    ended.expect(0, &[]);
    let rows = ended.json();
    let rows = rows.as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["config"].as_str().unwrap()).collect();
    assert_eq!(names, ["base", "base + pvs", "base + aspiration", "pvs"]);

    let base = EngineConfig::load(&project.at("configs/base.toml")).unwrap();
    let both = EngineConfig::load(&project.at("configs/pvs.toml")).unwrap();
    let with = |technique| {
        let mut config = base.clone();
        config.techniques.set(technique, true).unwrap();
        config
    };
    for (row, config) in rows.iter().zip([&base, &with("pvs"), &with("aspiration"), &both]) {
        assert_eq!(counts(row), counted_again(config, 5), "{}", row["config"]);
        let total: u64 = counts(row).iter().sum();
        assert_eq!(row["nodes"], total);
        assert_eq!(row["depth"], 5);
        let first = rows[0]["nodes"].as_f64().unwrap();
        assert!((row["relative"].as_f64().unwrap() - total as f64 / first).abs() < 1e-12);
    }

    // Null windows save most, with an aspiration window or without; that alone saves nothing to speak of.
    let saved = |row: &Value| 1.0 - row["relative"].as_f64().unwrap();
    let (pvs, aspiration, together) = (saved(&rows[1]), saved(&rows[2]), saved(&rows[3]));
    assert!(pvs > 0.2 && together > 0.2 && aspiration < 0.05, "{pvs} {aspiration} {together}");
}

#[test]
fn one_config_many_configs_and_a_table_for_people() {
    let project = Project::new();
    let one = project.run("nodes pvs --depth 2 --json").json();
    assert_eq!((one.as_array().unwrap().len(), &one[0]["relative"]), (1, &1.0.into()));
    let three = project.run("nodes pvs base pvs --depth 2 --json").json();
    assert_eq!(three.as_array().unwrap().len(), 3, "only two are taken apart");
    assert_eq!(three[0]["nodes_by_position"], three[2]["nodes_by_position"]);

    let table = project.run("nodes base pvs --depth 2");
    table.expect(0, &[]);
    let lines: Vec<_> = table.out.lines().collect();
    assert_eq!((lines.len(), table.err.as_str()), (5, ""));
    assert!(lines[0].ends_with("by position, to depth 2") && lines[1].starts_with("base  "), "{}", table.out);
    assert!(lines[1].contains("100.0 %"), "{}", table.out);
}

#[test]
fn what_was_cut_off_is_not_known() {
    let project = Project::new();
    let whole = project.run("nodes base pvs base --depth 4 --json").json();
    let by_position = counts(&whole[1]);
    // The hardest position of `pvs` is cut off one node before its end, the others are not.
    let limit = by_position.iter().max().unwrap() - 1;
    assert!(counts(&whole[0]).iter().any(|&nodes| nodes > limit), "base needs more somewhere");
    let arguments = format!("pvs base pvs --depth 4 --max-nodes {limit}");
    let cut = project.run(&format!("nodes {arguments} --json")).json();
    for (row, full) in [(&cut[0], &whole[1]), (&cut[1], &whole[0]), (&cut[2], &whole[1])] {
        assert_eq!((&row["nodes"], &row["relative"]), (&Value::Null, &Value::Null));
        assert_eq!((&row["depth"], &row["depth_reached"]), (&4.into(), &3.into()));
        for (part, nodes) in row["nodes_by_position"].as_array().unwrap().iter().zip(counts(full)) {
            assert_eq!(part.as_u64(), Some(nodes).filter(|&nodes| nodes <= limit));
        }
    }
    assert_eq!(whole[0]["depth_reached"], 4);

    // Relative to a line that is whole, and the other way round.
    project.write("configs/full.toml", "name = \"full\"\n");
    let reached = project.run(&format!("nodes full {arguments} --json")).json();
    assert_eq!((&reached[0]["relative"], &reached[1]["relative"]), (&1.0.into(), &Value::Null));
    let table = project.run(&format!("nodes {arguments}"));
    table.expect(0, &[]);
    let total: u64 = by_position.iter().sum();
    let line = table.out.lines().nth(1).unwrap();
    assert!(
        line.contains(&format!("> {}", total - 1)) && line.ends_with("(depth 3 reached)"),
        "{}",
        table.out
    );
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let project = Project::new();
    project.run("nodes").expect(2, &["<CONFIGS>"]);
    project.run("nodes base --depth 0").expect(2, &["--depth", "from 1 to 40"]);
    project.run("nodes base --depth deep").expect(2, &["--depth", "deep"]);
    project.run("nodes base --max-nodes 0").expect(2, &["--max-nodes", "0"]);
    project.run("nodes base bsae").expect(2, &["there is no config `bsae`", "did you mean `base`?"]);
}
