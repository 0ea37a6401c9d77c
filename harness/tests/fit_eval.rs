//! Fitting the evaluation, from the games to the weights: the real program on a tiny run.

mod common;

use common::project::{Ended, Project, Running};
use engine::config::EngineConfig;
use engine::evaluation::EvalWeights;
use serde_json::json;

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

/// A game is one observation, however often it is given.
#[test]
fn the_same_games_count_once() {
    let project = Project::new();
    let report = |arguments: &str| {
        let ended = fit(&project, &format!("{arguments} --keep-rare --json"));
        assert_eq!(ended.code, 0, "{arguments}: {}", ended.err);
        ended.json()
    };
    let without_time = |mut report: serde_json::Value| {
        for key in ["seconds", "runs", "repeated_games"] {
            report[key] = serde_json::Value::Null;
        }
        report
    };
    let sprt = |arguments: &str| {
        let report = project.sprt(&format!("--nodes 40 --seed 3 {arguments}"));
        report["run"].as_str().unwrap().to_owned()
    };
    let (one, again, more) = (sprt("--max-pairs 20"), sprt("--max-pairs 20"), sprt("--max-pairs 24"));
    let alone = report(&format!("{one} --prior 20"));
    assert_eq!((&alone["repeated_games"], &alone["games"]), (&json!([]), &json!(40)));

    // One run named twice, in full and by its beginning.
    for named in [format!("{one} {one}"), format!("{one} {}", &one[..one.len() - 1])] {
        let twice = report(&format!("{named} --prior 20"));
        assert_eq!(twice["runs"], json!([one]), "{named}");
        assert_eq!(without_time(twice), without_time(alone.clone()), "{named}");
    }
    let told = fit(&project, &format!("{one} {one} --keep-rare")).err;
    assert_eq!(told, "", "nothing with --quiet");

    // Two runs with the same games.
    let both = report(&format!("{one} {again} --prior 20"));
    assert_eq!(both["repeated_games"], json!([{ "run": again, "of": one, "games": 40 }]));
    assert_eq!(without_time(both), without_time(alone.clone()));

    // A longer one has them too.
    let longer = report(&format!("{one} {more}"));
    assert_eq!(longer["repeated_games"], json!([{ "run": more, "of": one, "games": 40 }]));
    assert_eq!(longer["games"], 48);
    let text = fit(&project, &format!("{one} {more} --keep-rare")).out;
    let line = format!("\nRepeated  40 games of {more}, which are also those of {one} and count once\n");
    assert!(text.contains(&line), "{text}");

    // The same player on both sides plays the same game twice.
    let own = project.run("sprt base base --nodes 40 --max-pairs 10 --quiet --json").json();
    let own = own["run"].as_str().unwrap();
    let report = report(own);
    assert_eq!(report["repeated_games"], json!([{ "run": own, "of": own, "games": 10 }]));
    assert_eq!(report["games"], 10);
}

/// All positions are one batch, so that a pass is one step, and a large one.
#[test]
fn a_prior_holds_the_weights_and_a_training_loss_that_rises_is_told() {
    let project = Project::new();
    fit(&project, "--play 40 --keep-rare");
    let run = project.newest().unwrap().id;
    let start = EngineConfig::load(&project.at("start.toml")).unwrap().eval;
    let fitted = |arguments: &str, file: &str| {
        let one_step = "--quiet --epochs 12 --validation 0.3 --batch 1000000 --keep-rare --from start.toml";
        let ended = project.run(&format!("fit-eval {run} {one_step} {arguments} --json --out {file}"));
        assert_eq!(ended.code, 0, "{arguments}: {}", ended.err);
        let report = ended.json();
        let [before, of_weights] =
            ["training_loss_before", "training_loss_of_weights"].map(|key| report[key].as_f64().unwrap());
        assert_eq!(report["training_loss_rose"].as_bool().unwrap(), of_weights > before, "{report}");
        let text = project.run(&format!("fit-eval {run} {one_step} {arguments}")).out;
        assert_eq!(text.contains("\nWarning   with these weights"), of_weights > before, "{text}");
        EngineConfig::load(&project.at(file)).unwrap().eval
    };
    for (number, strict) in
        ["--prior 0.01 --rate 5", "--prior 0.01 --rate 0.5", "--prior 0.02 --rate 50"].iter().enumerate()
    {
        assert_eq!(fitted(strict, &format!("strict-{number}.toml")), start, "{strict}");
    }
    assert_ne!(fitted("--prior 100 --rate 5", "loose.toml"), start);
    assert_ne!(fitted("--rate 5", "free.toml"), start);
}

/// What would be found out after the games have been played is looked at before.
#[test]
fn nothing_is_played_for_a_fit_that_cannot_be_written() {
    let project = Project::new();
    for (arguments, words) in [
        ("--play 5 --out no/folder.toml", "no/folder.toml cannot be written"),
        ("--play 5 --table /proc/shipped.rs", "/proc/shipped.rs cannot be written"),
        ("--play 81", "81 pairs need two openings each"),
        ("--play 99999999999999999", "need two openings each"),
    ] {
        fit(&project, arguments).expect(2, &[words]);
        assert!(project.newest().is_none(), "{arguments}");
    }
    fit(&project, "--play 5 --keep-rare --least 0").expect(0, &[]);
    let own = project.newest().unwrap();
    let ended = fit(&project, &format!("{} no-such-run --play 6", own.id));
    assert!(ended.code != 0 && ended.err.contains("no-such-run"), "{ended:?}");
    assert_eq!(project.newest().unwrap().pairs, 5, "nothing more was played");
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
    refused(&format!("{sprt} --play 3"), "is no selfplay run but a sprt run");
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
    refused(&format!("{own} --play 21 --seed 2"), "is another experiment");
}

/// A run of self-play is known by its name, like any other.
#[test]
fn self_play_goes_on_as_it_was_begun() {
    let project = Project::new();
    let tiny = "--epochs 2 --batch 256 --rate 0.3 --validation 0.3 --least 0 --keep-rare";
    let begin = format!("fit-eval --play 60 --nodes 70 --seed 3 --threads 1 --quiet {tiny}");
    let mut running = Running::start(&mut project.harness(&begin));
    let run = project.wait_for_pairs(&mut running, 3);
    running.signal("INT");
    let interrupted = running.end();
    assert_eq!(interrupted.code, 130);
    let again = interrupted.resume_command().join(" ");
    assert_eq!(again, begin.replace("fit-eval", &format!("fit-eval {run}")));
    project.run(&again).expect(0, &[]);
    assert_eq!(project.newest().unwrap().pairs, 60);
    // Neither nodes nor seed need be said again, and fewer pairs than there are leave out none.
    project.run(&format!("fit-eval {run} --play 64 {tiny}")).expect(0, &[]);
    project.run(&format!("fit-eval {run} --play 5 {tiny}")).expect(0, &["128 games"]);
    let stored = project.newest().unwrap();
    assert_eq!((stored.id, stored.pairs, stored.counted), (run, 64, Some(64)));
}
