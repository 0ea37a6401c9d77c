//! Fitting the evaluation, from the games to the weights: the real program on a tiny run.

mod common;

use common::project::{Ended, Project};
use engine::config::EngineConfig;
use engine::evaluation::EvalWeights;

/// Few games, few passes: what comes out is worth nothing, but it comes out.
const TINY: &str = "--nodes 40 --epochs 3 --batch 256 --rate 0.3 --validation 0.3 --quiet";

/// Where every fit starts: all pieces are worth a pawn, and any games say that they are not.
const START: &str = "[eval]\nmaterial = [[100, 100], [100, 100], [100, 100], [100, 100], [100, 100]]\n";

fn fit(project: &Project, arguments: &str) -> Ended {
    project.write("start.toml", START);
    project.run(&format!("fit-eval {TINY} --from start.toml {arguments}"))
}

/// Ends well, says nothing on standard error, and writes `file`, which loads.
fn fitted(project: &Project, arguments: &str, file: &str) -> EvalWeights {
    let ended = fit(project, &format!("{arguments} --keep-rare --json --out {file}"));
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{arguments}");
    let report = ended.json();
    assert!(report["validation_loss"].as_f64() <= report["validation_loss_before"].as_f64());
    assert!(report["training_positions"].as_u64() > report["validation_positions"].as_u64());
    EngineConfig::load(&project.at(file)).unwrap().eval
}

#[test]
fn games_are_played_stored_and_learnt_from_the_same_on_any_number_of_threads() {
    let project = Project::new();
    let first = fitted(&project, "--play 60 --threads 2 --table shipped.rs", "first.toml");
    let run = project.newest().unwrap();
    assert_eq!((run.kind.as_str(), run.pairs), ("selfplay", 60));
    assert_ne!(first, EngineConfig::load(&project.at("start.toml")).unwrap().eval);
    assert!(project.read("shipped.rs").contains("pub static SHIPPED"));

    // The run as it is, on one thread; then the same games played anew on one thread.
    assert_eq!(fitted(&project, &format!("{} --threads 1", run.id), "second.toml"), first);
    let elsewhere = Project::new();
    assert_eq!(fitted(&elsewhere, "--play 60 --threads 1", "third.toml"), first);

    // Going on adds games to the run, and what is there is not played again.
    let more = fitted(&project, &format!("{} --play 64 --lambda 0.5", run.id), "more.toml");
    assert_eq!(project.newest().unwrap().pairs, 64);
    assert_ne!(more, first);
}

#[test]
fn both_games_of_a_pair_have_openings_of_their_own() {
    let project = Project::new();
    fitted(&project, "--play 10", "weights.toml");
    let run = project.newest().unwrap().id;
    let mut openings: Vec<String> = (project.store().pairs(&run, 0))
        .flat_map(|pair| pair.unwrap().games.map(|game| game.opening))
        .collect();
    openings.sort();
    openings.dedup();
    assert_eq!(openings.len(), 20);
}

#[test]
fn what_cannot_be_is_refused_with_a_remedy() {
    let project = Project::new();
    let refused = |arguments: &str, named: &str| {
        let ended = project.run(&format!("fit-eval --quiet {arguments}"));
        assert_eq!(ended.code, 2, "{arguments}: {}", ended.err);
        assert!(ended.err.contains(named), "{arguments}: {}", ended.err);
    };
    refused("nothing", "there is no store");
    refused("", "<RUNS>");
    refused("--play 0", "--play");
    project.sprt("--nodes 40 --max-pairs 6 --threads 2");
    let sprt = project.newest().unwrap().id;
    refused(&format!("{sprt} --play 3"), "is no self-play run but a sprt run");
    refused("nothing", "nothing");
    refused(&format!("{sprt} --validation 0.3"), "the data do not determine");
    refused(&format!("{sprt} --validation 0 --keep-rare"), "no quiet position for validation");
    refused(&format!("{sprt} --skip-plies 9999"), "no quiet position for training");
    refused(&format!("{sprt} --lambda 2"), "give a share from 0 to 1");
    refused(&format!("{sprt} --rate 0"), "give a number above 0");
    refused(&format!("{sprt} --from bsae"), "did you mean `base`");
    project.write("there.toml", "");
    refused(&format!("{sprt} --out there.toml"), "exists already");
    fitted(&project, "--play 20 --least 0", "weights.toml");
    let own = project.newest().unwrap().id;
    refused(&format!("{own} --play 21 --seed 2"), "another engine or with other options");
}
