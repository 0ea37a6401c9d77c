//! Runs that version 0.1.0 stored: read, shown, compared and played again by this version, under the same digests.
//!
//! `fixtures/store-0.1.0.db.gz` is a store that version 0.1.0 wrote: a run of every kind, among them players with a limit of
//! their own, adjudication, and another engine. The digests below are what that version computed.

mod common;

use common::project::Project;
use flate2::read::GzDecoder;
use harness::kinds::AnySpec;
use harness::players::spec::EngineSpec;
use harness::store::RunInfo;
use rusqlite::Connection;
use std::io::Read;

/// Every run of the store with its digest.
const RUNS: [(&str, &str); 9] = [
    ("sprt-20261130-222530-wj2s", "1482e9d2751ce9c070628d5a5f0b2162b7f32502a0d8a17a9bd6d592e21cd025"),
    ("match-20261130-222532-nzea", "f08865ee2479f7779dd343a845338a196e6759e494cdb664c2c45db92f02be5b"),
    ("sweep-20261130-222533-p8bg", "13fbe8ec62b995a38a7bbc82ebf66e356e404e59cb2cf4cb01c79e814bffdf9e"),
    ("tune-20261130-222534-87dw", "55f241217b3f5730264654f548e5eaf11aa0abb493e93acd7bf02afa2a9e34da"),
    ("measure-20261130-222535-2fa4", "1a3c48a77b28731276c078fe9def524c4c2e49402bbb2493233c421840021faa"),
    ("measure-20261130-222536-4kk5", "c31d054cbc16bbad04cffc5110947303c8c2d8358dad722893c2b1d144389d81"),
    ("measure-20261130-222537-g78s", "e547a475704f7e4168edc891c7a6892ff6bc0cf0a2acaf5ac93ec665318239e9"),
    ("selfplay-20261130-222538-d9j9", "5c45cef5a999eef0abd96a983055bc766199b128c1bffdf8a957e067d3b975b0"),
    ("sprt-20261130-222547-zs90", "b49106db4e613834c75512311728e2948b5aeb33dc9393c86b4dff64560d2658"),
];

/// The runs whose players are all in this program.
fn built_in() -> impl Iterator<Item = &'static str> {
    RUNS.iter().map(|(run, _)| *run).filter(|run| !run.starts_with("match"))
}

/// A project with the store of version 0.1.0.
fn project() -> Project {
    let project = Project::new();
    let mut store = Vec::new();
    GzDecoder::new(&include_bytes!("fixtures/store-0.1.0.db.gz")[..]).read_to_end(&mut store).unwrap();
    project.write("results/harness.db", store);
    project
}

/// Changes something in the stored specification of a run.
fn change_spec(project: &Project, run: &str, change: &str) {
    let store = Connection::open(project.at("results/harness.db")).unwrap();
    let changed = store.execute(&format!("UPDATE runs SET spec = {change} WHERE id = '{run}'"), []).unwrap();
    assert_eq!(changed, 1);
}

/// What the program prints about a run.
fn told(project: &Project, arguments: &str) -> String {
    let ended = project.run(arguments);
    assert_eq!(ended.code, 0, "{arguments}: {}", ended.err);
    ended.out
}

fn digest(info: &RunInfo) -> String {
    AnySpec::of(info).unwrap_or_else(|error| panic!("{}: {error}", info.id)).digest()
}

#[test]
fn digests_are_what_they_were() {
    let runs = project().store().runs().unwrap();
    assert_eq!(runs.len(), RUNS.len());
    for info in &runs {
        let (_, literal) = RUNS.iter().find(|(run, _)| *run == info.id).expect(&info.id);
        assert_eq!((info.digest.as_str(), digest(info).as_str()), (*literal, *literal), "{}", info.id);
    }
}

/// A key that came later stands at the value which a configuration without it has, and is not hashed.
#[test]
fn configurations_keep_their_digests() {
    for info in &project().store().runs().unwrap() {
        for (_, player) in AnySpec::of(info).unwrap().players() {
            if let EngineSpec::BuiltIn { config, .. } = &player.engine {
                assert_eq!(config.params.lmp_pv, 1, "what version 0.1.0 did");
                let anew = player.clone().under(player.limit, player.margin);
                assert_eq!(anew.digest, player.digest, "{} of {}", player.file, info.id);
            }
        }
    }
}

#[test]
fn their_games_are_played_again_move_by_move() {
    let project = project();
    for run in built_in() {
        let verified = told(&project, &format!("verify {run}"));
        assert!(verified.ends_with(&format!("{run} played again, every move the same\n")), "{verified}");
    }
}

#[test]
fn they_are_shown_and_compared() {
    let project = project();
    for (run, _) in RUNS {
        assert!(told(&project, &format!("show {run}")).contains(run));
        // Games for a fit have no report.
        if run.starts_with("selfplay") {
            continue;
        }
        told(&project, &format!("report {run} --out shown/{run}"));
        assert!(project.read(&format!("shown/{run}/report.md")).contains(run));
    }
    let compared = told(&project, "compare sprt-20261130-222547-zs90 measure-20261130-222535-2fa4");
    assert!(compared.contains("zs90") && compared.contains("2fa4"), "{compared}");
}

/// The fingerprint of version 0.1.0 searched no deeper than four plies; runs with it are not continued.
#[test]
fn they_are_not_continued() {
    let project = project();
    project.run("sprt --resume sprt-20261130-222547-zs90 --max-pairs 8").expect(
        2,
        &["engine (of base)", "sprt-20261130-222547-zs90", "go on with the version that began it"],
    );
}

#[test]
fn what_another_version_knew_is_shown_as_stored_and_not_played() {
    let unknown = [
        ("json_set(spec, '$.base.config.params.quantum_margin', 7)", "quantum_margin = 7"),
        ("json_set(spec, '$.base.config.techniques.telepathy', json('true'))", "telepathy = true"),
        ("json_set(spec, '$.base.config.params.lmp_base', 4000)", "lmp_base = 4000"),
        (
            "json_set(spec, '$.base.config.network', json('{\"size\":16}'))",
            "# network = {&quot;size&quot;:16}",
        ),
        ("json_remove(spec, '$.base.config.params.rfp_margin')", "rfp_improving"),
    ];
    for (change, shown) in unknown {
        for run in ["sprt-20261130-222547-zs90", "measure-20261130-222535-2fa4", "tune-20261130-222534-87dw"]
        {
            let project = project();
            change_spec(&project, run, change);
            told(&project, &format!("show {run}"));
            told(&project, &format!("report {run} --out shown"));
            let page = project.read("shown/report.html");
            assert!(page.contains(shown), "{shown} of {run}: {page}");
            project
                .run(&format!("verify {run}"))
                .expect(1, &["is not one that this version of the engine can play"]);
        }
        let project = project();
        change_spec(&project, "sprt-20261130-222547-zs90", change);
        project
            .run("sprt --resume sprt-20261130-222547-zs90 --max-pairs 8")
            .expect(1, &["is not one that this version of the engine can play"]);
    }
}
