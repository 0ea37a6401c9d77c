//! Engines that others wrote: long tests, for `./test --all`, which installs them.

mod common;

use common::project::Project;

/// Stockfish, found in the search path or where Debian puts games.
fn project() -> Project {
    let project = Project::new();
    let places = ["/usr/games/stockfish", "/usr/bin/stockfish", "/usr/local/bin/stockfish"];
    let program = places.into_iter().find(|place| std::path::Path::new(place).is_file());
    let program = program.expect("this test needs Stockfish: install it (Debian package stockfish)");
    for name in ["stockfish", "again"] {
        project.write(
            &format!("configs/{name}.toml"),
            format!("name = \"{name}\"\n[uci]\ncommand = [{program:?}]\n"),
        );
    }
    project
}

#[test]
#[ignore = "long, and needs Stockfish"]
fn stockfish_against_itself_is_level_and_plays_the_same_again() {
    let project = project();
    project.run("check-engine stockfish").expect(0, &[]);
    let played = project.run("match stockfish again --nodes 500 --max-pairs 20 --json --quiet").json();
    assert_eq!(played["pairings"][0]["pentanomial"], serde_json::json!([0, 0, 20, 0, 0]));
    let run = played["run"].as_str().unwrap();
    project.run(&format!("verify {run}")).expect(0, &[]);
}

#[test]
#[ignore = "long, and needs Stockfish"]
fn stockfish_keeps_its_clock_and_wins() {
    let project = project();
    let played =
        project.run("match stockfish base --tc 0.5+0.02 --max-pairs 4 --threads 1 --json --quiet").json();
    let [stockfish, _] = &played["players"].as_array().unwrap()[..] else { panic!("{played}") };
    assert_eq!(stockfish["time_losses"], 0, "{played}");
    assert!(stockfish["points"].as_f64().unwrap() >= 6.0, "{played}");
}
