//! `--syzygy`: games end with what tables of endgames know, and the tables are part of what a run is.

mod common;

use common::engines::pgn_extract_has_no_complaint;
use common::project::Project;
use harness::game::record::{GameResult, PairRecord, Termination};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A rook that takes the last pawn sooner or later, which leaves a table of three pieces.
const ROOK_TAKES: &str = "k7/8/8/8/8/8/3p4/K2R4 w - -\n";

/// A project with that book and the tables of three pieces.
fn project() -> Project {
    let project = Project::new();
    project.write("endings.epd", ROOK_TAKES);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/syzygy");
    for entry in fs::read_dir(shipped).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        project.write(&format!("tables/{name}"), fs::read(&path).unwrap());
    }
    project
}

fn played(project: &Project, arguments: &str) -> (Value, Vec<PairRecord>) {
    let report = project.sprt(&format!("--nodes 60 --max-pairs 1 --openings endings.epd {arguments}"));
    let pairs = project.pairs(&report);
    (report, pairs)
}

#[test]
fn a_game_ends_with_what_the_tables_know() {
    let project = project();
    let (report, pairs) = played(&project, "--syzygy tables --pgn games.pgn");
    for game in &pairs[0].games {
        let ending = (game.result, game.termination);
        assert_eq!(ending, (GameResult::WhiteWins, Termination::Adjudication), "{game:?}");
        let last = game.moves.last().map(|played| played.uci.to_string());
        assert_eq!(last.as_deref().map(|uci| &uci[2..]), Some("d2"), "the pawn is taken: {game:?}");
        assert_eq!(game.detail, "White wins by the Syzygy tables");
    }
    let pgn = project.read("games.pgn");
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 2);
    pgn_extract_has_no_complaint(&pgn);

    let run = report["run"].as_str().unwrap();
    let again = project.run(&format!("verify {run}"));
    assert!(again.out.contains("2 games of ") && again.out.contains("every move the same"), "{again:?}");
    project.run(&format!("report {run} --out told")).expect(0, &[]);
    let told = project.read("told/report.md");
    assert!(told.contains("--syzygy tables --syzygy-adjudicate both") && told.contains("5 Syzygy tables"));
    assert!(!told.contains(project.path().to_str().unwrap()), "{told}");

    // A win is not theirs to tell here, and the game goes on.
    let (_, pairs) = played(&project, "--syzygy tables --syzygy-adjudicate draws --max-moves 3");
    assert!(pairs[0].games.iter().all(|game| game.moves.len() == 6), "{pairs:?}");
}

#[test]
fn positions_of_more_pieces_are_not_theirs_to_decide() {
    let project = project();
    let (limited, pairs) = played(&project, "--syzygy tables --syzygy-pieces 3");
    assert!(pairs[0].games.iter().all(|game| game.termination == Termination::Adjudication), "{pairs:?}");
    // The stored run says of how many, and goes on so only.
    let run = limited["run"].as_str().unwrap();
    project.run(&format!("sprt --resume {run} --syzygy-pieces 4 --quiet")).expect(
        2,
        &[
            "is another experiment",
            "both of up to 3 pieces by 5 tables, ",
            " → both of up to 4 pieces by 5 tables, ",
        ],
    );
    project.run(&format!("report {run} --out told")).expect(0, &[]);
    assert!(project.read("told/report.md").contains("--syzygy-pieces 3"));
    for (arguments, words) in [
        ("--syzygy tables --syzygy-pieces 2", "2 is not a whole number from 3 to 7"),
        ("--syzygy tables --syzygy-pieces 8", "8 is not a whole number from 3 to 7"),
        ("--syzygy-pieces 4", "--syzygy-pieces says of which positions tables are asked, and none are named"),
    ] {
        project.run(&format!("sprt base pvs --openings endings.epd {arguments}")).expect(2, &[words]);
    }
}

#[test]
fn the_tables_are_part_of_the_run() {
    let project = project();
    let (report, _) = played(&project, "--syzygy tables");
    let resume = format!("sprt --resume {} --quiet", report["run"].as_str().unwrap());
    assert_eq!(project.run(&resume).code, 0, "they are where they were");
    project.run(&format!("{resume} --syzygy-adjudicate wins")).expect(
        2,
        &["is another experiment", "syzygy: both by 5 tables, sha256 ", " → wins by 5 tables, sha256 "],
    );

    fs::rename(project.at("tables"), project.at("moved")).unwrap();
    assert_eq!(project.run(&resume).code, 0, "what was found needs no tables");
    project.run(&format!("{resume} --seed 1")).expect(2, &["tables cannot be read: ", "check --syzygy"]);
    assert_eq!(project.run(&format!("{resume} --syzygy moved")).code, 0, "the same tables elsewhere");
    fs::remove_file(project.at("moved/KBvK.rtbw")).unwrap();
    project.run(&format!("{resume} --syzygy moved")).expect(2, &["→ both by 4 tables"]);
}

#[test]
fn tables_that_cannot_be_used_end_the_run_before_it_begins() {
    let project = project();
    project.write("empty/README", "no table");
    project.write("broken/KQvK.rtbw", "no table");
    project.write("harness.toml", "syzygy = \"empty\"\n");
    for (arguments, words) in [
        ("", ["there is no Syzygy table (such as KQvK.rtbw) in ", "--syzygy"]),
        ("--syzygy missing", ["missing cannot be read: ", "check --syzygy"]),
        ("--syzygy tables:missing", ["missing cannot be read: ", "check --syzygy"]),
        ("--syzygy broken", ["KQvK.rtbw is damaged or no Syzygy table", "fetch it again"]),
        ("--syzygy :", ["no folder of Syzygy tables is named", "DIR:DIR"]),
        ("--syzygy tables --syzygy-adjudicate losses", ["invalid value 'losses'", "wins, draws, both"]),
    ] {
        let ended = project.run(&format!("sprt base pvs --openings endings.epd {arguments}"));
        ended.expect(2, &words);
    }
    project.write("harness.toml", "");
    let alone = project.run("sprt base pvs --syzygy-adjudicate wins");
    alone.expect(2, &["--syzygy-adjudicate says what tables decide", "give --syzygy DIR with it"]);
    assert!(project.newest().is_none(), "no run was stored");
}
