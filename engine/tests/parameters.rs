//! Parameters and techniques: each acts, and only where its table entry says.
//!
//! What acts shows in the node counts of searches to a fixed depth. Names come from the tables, so that none
//! can be forgotten.

mod common;

use common::{game, search};
use engine::bench;
use engine::config::EngineConfig;
use engine::params::{PARAMS, ParamInfo};
use engine::search::{Limits, Searcher};
use engine::techniques::{TECHNIQUES, TechniqueInfo, Techniques};

/// Deep enough for the greatest least depth among the defaults to be met many times.
const DEPTH: u32 = 8;

/// One bench position in so many is searched.
const STRIDE: usize = 4;

/// Plain minimax would never end. Searches cut here still differ where it matters: before, or in other positions.
const MOST_NODES: u64 = 100_000;

/// The parameters that say how one technique uses what another one finds out, with that other one.
const SHARED: [(&str, &str); 2] =
    [("lmp_improving", "late_move_pruning"), ("rfp_improving", "reverse_futility")];

/// The nodes of each search.
fn tree(config: &EngineConfig) -> Vec<u64> {
    let limits = Limits { depth: Some(DEPTH), nodes: Some(MOST_NODES), ..Limits::default() };
    let mut searcher = Searcher::new(config, 1);
    let positions = bench::POSITIONS.iter().step_by(STRIDE);
    positions
        .map(|fen| {
            searcher.new_game();
            search(&mut searcher, &game(fen, ""), &limits).nodes
        })
        .collect()
}

/// The full engine with one technique on that may be off by default.
fn full_with(technique: &str) -> EngineConfig {
    let mut config = EngineConfig::default();
    config.techniques.set(technique, true).unwrap();
    assert_eq!(config.techniques.check(), []);
    config
}

/// The engine on which a technique's effect shows: the full one with the technique on, but where that has no effect.
fn showing(technique: &str) -> EngineConfig {
    let mut config = full_with(technique);
    // With PVS, every window off the leftmost line is a null window.
    if technique == "open_window_cutoffs" {
        config = without(&config, "pvs");
    }
    config
}

/// Turns off every technique that needs this one, directly or through others.
fn turn_off_dependants(techniques: &mut Techniques, name: &str) {
    for dependant in TECHNIQUES.iter().filter(|info| info.needs.contains(&name)) {
        techniques.set(dependant.name, false).unwrap();
        turn_off_dependants(techniques, dependant.name);
    }
}

/// The config without a technique and those that need it.
fn without(config: &EngineConfig, name: &str) -> EngineConfig {
    let mut config = config.clone();
    turn_off_dependants(&mut config.techniques, name);
    config.techniques.set(name, false).unwrap();
    assert_eq!(config.techniques.check(), []);
    config
}

/// The config with another value; none if that would not be legal.
fn changed(config: &EngineConfig, info: &ParamInfo, value: i32) -> Option<EngineConfig> {
    let mut config = config.clone();
    config.params.set(info.name, value.into()).ok()?;
    config.params.check().is_empty().then_some(config)
}

/// Other legal values, small changes first. The greatest changes are for numbers that depths or corrections of a
/// short search hardly reach.
fn other_values(info: &ParamInfo) -> impl Iterator<Item = i32> {
    let ParamInfo { default, step, min, max, .. } = *info;
    [default + step, default - step, default + 4 * step, default - 4 * step, min, max]
        .into_iter()
        .filter(move |value| *value != default)
}

#[test]
fn every_parameter_acts_with_its_technique_and_without_it_does_not() {
    for info in PARAMS {
        let config = full_with(info.technique);
        let reference = tree(&config);
        let acting = other_values(info)
            .filter_map(|value| changed(&config, info, value))
            .find(|other| tree(other) != reference)
            .unwrap_or_else(|| panic!("no value of `{}` changes anything", info.name));
        let partner = SHARED.iter().find(|(param, _)| *param == info.name).map(|&(_, technique)| technique);
        for technique in [Some(info.technique), partner].into_iter().flatten() {
            assert_eq!(
                tree(&without(&acting, technique)),
                tree(&without(&config, technique)),
                "`{}` acts although `{technique}` is off",
                info.name
            );
        }
    }
}

#[test]
fn every_technique_changes_the_tree_by_itself() {
    for info in TECHNIQUES {
        let mut on = showing(info.name);
        turn_off_dependants(&mut on.techniques, info.name);
        assert_ne!(tree(&on), tree(&without(&on, info.name)), "`{}` does nothing", info.name);
    }
}

/// What `bench` sees, the fingerprint sees: another build or another value is told apart in stored runs.
fn assert_fingerprint_sees(change: &str, [before, after]: [&EngineConfig; 2]) -> bool {
    let is_seen = |see: fn(&EngineConfig) -> u64| see(before) != see(after);
    let by_bench = is_seen(|config| bench::bench(config, bench::DEFAULT_DEPTH).nodes);
    assert!(!by_bench || is_seen(bench::fingerprint), "the fingerprint does not see {change}");
    by_bench
}

#[test]
fn the_fingerprint_sees_every_parameter_that_bench_sees() {
    let seen = PARAMS.iter().filter(|info| {
        let config = full_with(info.technique);
        other_values(info)
            .filter_map(|value| changed(&config, info, value))
            .any(|other| assert_fingerprint_sees(info.name, [&config, &other]))
    });
    // What begins late or is seldom met in short searches.
    let unseen = PARAMS.len() - seen.count();
    assert!(unseen <= 6, "bench does not see {unseen} parameters");
}

#[test]
fn the_fingerprint_sees_every_technique_that_bench_sees() {
    let unseen: Vec<_> = (TECHNIQUES.iter().map(|info| info.name))
        // Without cutoffs, a bench does not end.
        .filter(|&name| name != "alpha_beta")
        .filter(|name| {
            let on = showing(name);
            !assert_fingerprint_sees(name, [&on, &without(&on, name)])
        })
        .collect();
    assert!(unseen.is_empty(), "bench does not see {unseen:?}");
}

/// ProbCut begins at depth 5, which a search to depth 4 never reaches.
#[test]
fn the_fingerprint_sees_what_begins_at_depth_five() {
    let full = EngineConfig::default();
    for name in ["aspiration", "probcut"] {
        assert_ne!(bench::fingerprint(&full), bench::fingerprint(&without(&full, name)), "{name}");
    }
}

#[test]
fn open_window_cutoffs_change_nothing_under_pvs() {
    let full = full_with("open_window_cutoffs");
    assert_eq!(tree(&full), tree(&without(&full, "open_window_cutoffs")));
}

#[test]
fn improving_acts_through_its_parameters_alone() {
    let mut config = EngineConfig::default();
    config.set_all(&["rfp_improving=0", "lmp_improving=1"]).unwrap();
    assert_eq!(tree(&config), tree(&without(&config, "improving")));
}

#[test]
fn no_technique_can_be_on_without_what_it_needs() {
    for &TechniqueInfo { name, needs, .. } in TECHNIQUES {
        for &need in needs {
            let mut config = without(&EngineConfig::default(), need);
            let before = config.clone();
            let message = config.set(&format!("{name}=true")).unwrap_err().to_string();
            assert!(message.contains(&format!("`{name}` is on and needs `{need}`")), "{message}");
            assert_eq!(config, before);
        }
    }
}
