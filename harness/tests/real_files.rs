//! Books as people have them: what has one meaning is read, and what has none is refused at its line or left out.

mod common;

use common::engines::{add_engine, pgn_extract_has_no_complaint};
use common::project::Project;
use serde_json::Value;

/// The opening of each pair of a run.
fn openings(project: &Project, report: &Value) -> Vec<String> {
    project.pairs(report).iter().map(|pair| pair.games[0].opening.clone()).collect()
}

/// The openings of a run from this book.
fn openings_of(project: &Project, book: &str, more: &str) -> Vec<String> {
    let report =
        project.sprt(&format!("--nodes 30 --max-moves 5 --order sequential --openings {book} {more}"));
    openings(project, &report)
}

#[test]
fn moves_are_read_as_people_write_them() {
    let project = Project::new();
    let promotes = "[fen \"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1\"]";
    let passing = "[FEN \"4k3/p7/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n[SetUp \"1\"]";
    let promoted = "3rQ2k/8/8/8/8/8/8/4K3 b - - 0 1";
    let passed = "4k3/p7/3P4/8/8/8/8/4K3 b - - 0 1";
    let bishop = "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2";
    for (tags, moves, expected) in [
        (promotes, "1. e8Q *", promoted),
        (promotes, "1. e8/Q+ 1/2", promoted),
        (promotes, "1.e8=q!? 1-0", promoted),
        (passing, "1. exd6e.p. *", passed),
        (passing, "1. exd6ep 1/2", passed),
        (passing, "1. exd6 e.p.+ ½", passed),
        ("[Event \"x\"]", "1. e4 e5 2. Bc4+- *", bishop),
        ("[Event \"x\"]", "1.e4+/- e5= 2.Bc4± 1/2", bishop),
        ("[Event \"x\"]", "1. e2-e4 (1. -- e5 (1... Z0)) e7-e5 2. Bf1-c4 (2. d4 --) 1/2-1/2", bishop),
    ] {
        project.write("book.pgn", format!("{tags}\n\n{moves}\n"));
        assert_eq!(openings_of(&project, "book.pgn", "--max-pairs 1"), [expected], "{moves}");
    }
}

#[test]
fn what_cannot_be_played_is_refused_naming_game_and_line() {
    let project = Project::new();
    for (tags, moves, words) in [
        (
            "[White \"x\"]",
            "1. e4\n-- 2. d4 *",
            ["bad.pgn:5: game 2, line 8: 1... -- is a null move", "cut the game before it"],
        ),
        ("[White \"x\"]", "1. Z0 *", ["bad.pgn:5: game 2, line 7: 1. Z0 is a null move", "cut"]),
        ("[White \"x\"]", "1. e4 0000 *", ["game 2, line 7: 1... 0000 is a null move", "cut"]),
        (
            "[Variant \"Atomic\"]",
            "1. e4 *",
            ["game 2, line 5: its variant is Atomic", "only standard chess and Chess960"],
        ),
        (
            "[White \"x\"]\n[variant \"Crazyhouse\"]",
            "1. e4 *",
            ["game 2, line 6: its variant is Crazyhouse", "leave it out"],
        ),
        (
            "[VARIANT \"King of the Hill\"]",
            "1. e4 *",
            ["game 2, line 5: its variant is King of the Hill", "leave it out"],
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[SetUp \"0\"]",
            "*",
            ["game 2, line 6: [SetUp \"0\"] says", "delete one"],
        ),
        ("[White \"x\"]", "1. e4 d5 2. exd5ep *", ["game 2, line 7: 2. exd5ep is no capture in passing", ""]),
    ] {
        project.write("bad.pgn", format!("[White \"good\"]\n\n1. d4 *\n\n{tags}\n\n{moves}\n"));
        let ended = project.run("sprt base pvs --openings bad.pgn");
        ended.expect(2, &words);
        ended.expect(2, &["has 1 bad entry", "--skip-bad-openings"]);
        project.run("book check bad.pgn").expect(2, &["is not clean"]);
    }
}

#[test]
fn bad_openings_are_left_out_if_that_is_asked_for() {
    let project = Project::new();
    let kings = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    project.write(
        "mixed.pgn",
        format!("1. e4 -- *\n\n[Event \"x\"]\n\n1. d4 *\n\n[FEN \"{kings}\"]\n\n*\n\n[FEN \"8/8 w\"]\n\n*\n"),
    );
    project.write("mixed.epd", format!("nothing\n{kings}\n8/8/8/8/8/8/8/8 w - -\n"));
    let d4 = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1";
    let limits = "--nodes 30 --order sequential --json";
    for (book, bad, good) in [("mixed.pgn", 2, vec![d4, kings]), ("mixed.epd", 2, vec![kings])] {
        let ended = project.run(&format!("sprt base pvs --openings {book} {limits} --skip-bad-openings"));
        ended.expect(
            0,
            &[
                &format!("warning: {bad} bad entries are left out of the book {book}:"),
                &format!("{book}:1: "),
            ],
        );
        let report = ended.json();
        let run = report["run"].as_str().unwrap();
        assert_eq!(openings(&project, &report), good);
        // It is a fact of the run: it is kept when the run goes on.
        project.run(&format!("sprt --resume {run} --quiet")).expect(0, &[]);
        let other = project.run(&format!("sprt --resume {run} --skip-bad-openings=false"));
        other.expect(2, &["has 2 bad entries"]);
    }
    // A good book is the same run with and without it, but for the fact.
    let [with, without] =
        ["--skip-bad-openings", ""].map(|more| project.sprt(&format!("--nodes 30 --max-pairs 1 {more}")));
    assert_eq!(with["pentanomial"], without["pentanomial"]);
    let digest = |report: &Value| {
        let shown = project.run(&format!("show --json {}", report["run"].as_str().unwrap())).json();
        shown["digest"].as_str().unwrap().to_owned()
    };
    assert_ne!(digest(&with), digest(&without));
    project.write("all_bad.epd", "nothing\n");
    project.run("sprt base pvs --openings all_bad.epd --skip-bad-openings").expect(2, &["has 1 bad entry"]);
}

#[test]
fn odd_positions_are_played_with_a_warning_by_engines_that_take_them() {
    let project = Project::new();
    add_engine(&project, "one", "", "");
    add_engine(&project, "two", "", "options = { Style = \"Wild\" }");
    let queens = "4k3/pppppppp/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1";
    let knights = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    let checked = "4k3/8/3N1N2/8/8/8/4R3/4K3 b - - 0 1";
    for (odd, oddity) in [
        (queens, "a side has more pieces than promotions can have made"),
        (knights, "a side has more pieces than promotions can have made"),
        (checked, "no move can have given this check"),
    ] {
        project.write("odd.epd", format!("{odd}\n"));
        let played = project.run("sprt one two --depth 1 --openings odd.epd --json");
        played.expect(0, &["warning: odd.epd:1: ", oddity, "it is played as it stands"]);
        assert_eq!(played.json()["games"], 2);
        let refused = project.run("sprt base one --depth 1 --openings odd.epd");
        refused.expect(2, &["odd.epd:1: ", oddity, "base is the built-in engine"]);
    }
    // Fewer pieces are no oddity: nothing is said.
    project.write("rook.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq -\n");
    assert_eq!(openings_of(&project, "rook.epd", "--max-pairs 1").len(), 1);
}

/// Games of Chess960 say so, in the word of the tag's registered value, and the file is a book again.
#[test]
fn games_of_chess960_are_marked_and_read_back() {
    let project = Project::new();
    for (nth, fen) in [
        "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq - 0 1",
        "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    ]
    .into_iter()
    .enumerate()
    {
        project.write("one.epd", format!("{fen}\n"));
        project.sprt(&format!("--nodes 30 --openings one.epd --max-moves 5 --pgn games{nth}.pgn"));
        let pgn = project.read(&format!("games{nth}.pgn"));
        assert_eq!(pgn.matches("[Variant \"Chess960\"]\n").count(), 2, "{pgn}");
        pgn_extract_has_no_complaint(&pgn);
        // Both games begin alike: the first is enough of a book.
        let first = &pgn[..pgn[1..].find("[Event").unwrap() + 1];
        project.write("again.pgn", first);
        assert_eq!(openings_of(&project, "again.pgn", "--plies 0 --max-pairs 1").len(), 1);
    }
    project.sprt("--nodes 30 --max-pairs 1 --max-moves 5 --pgn usual.pgn");
    let pgn = project.read("usual.pgn");
    assert!(!pgn.contains("Variant"), "{pgn}");
}

/// Mate in 0 is a mate on the board: who says it of itself has lost, whatever it is called in the PGN and by the resign rule.
#[test]
fn mate_in_zero_is_lost() {
    let project = Project::new();
    add_engine(&project, "quiet", "", "");
    for (score, written, resigns) in
        [("mate_0", "-M0", true), ("mate_-2", "-M2", true), ("mate_3", "+M3", false)]
    {
        add_engine(&project, "mated", &format!("says:info_depth_3_nodes_100_score_{score}"), "");
        let report = project.run(
            "sprt quiet mated --depth 1 --max-pairs 1 --resign 500,2 --max-moves 4 --json --quiet --pgn -",
        );
        report.expect(0, &[]);
        assert!(report.out.contains(&format!("{{{written}/")), "{score}: {}", report.out);
        assert!(report.out.contains("adjudication: "), "{}", report.out);
        assert_eq!(report.out.contains("[Result \"1/2-1/2\"]"), !resigns, "{score}: {}", report.out);
    }
}

#[test]
fn time_controls_are_read_as_people_write_them() {
    let project = Project::new();
    for (typed, meant, of_pgn) in [
        ("0+1", "0+1", "0+1"),
        ("10+.1", "10+0.1", "10+0.1"),
        (".5", "0.5", "0.5"),
        ("40/90:00+30,15:00+30", "40/5400+30,900+30", "40/5400+30:900+30"),
        ("40/7200:3600", "40/7200,3600", "40/7200:3600"),
        ("3/1,2/1,1+0.1", "3/1,2/1,1+0.1", "3/1:2/1:1+0.1"),
    ] {
        let report = project.run(&format!(
            "sprt base pvs --depth 1 --tc {typed} --max-pairs 1 --max-moves 9 --json --quiet --pgn {}.pgn",
            meant.replace(['/', ','], "_")
        ));
        report.expect(0, &[]);
        let report = report.json();
        assert_eq!((&report["limit"]["tc"], &report["time_losses"]), (&meant.into(), &0.into()), "{typed}");
        let pgn = project.read(&format!("{}.pgn", meant.replace(['/', ','], "_")));
        assert!(pgn.contains(&format!("[TimeControl \"{of_pgn}\"]")), "{pgn}");
        // Of one player, too; and what is stored is read again.
        project
            .run(&format!("sprt base pvs --limit-of pvs:tc={typed},depth=1 --nodes 9 --max-pairs 1 --quiet"))
            .expect(0, &[]);
        project.run(&format!("sprt --resume {} --quiet", report["run"].as_str().unwrap())).expect(0, &[]);
    }
    for (wrong, reason) in [
        ("0+0", "the base time or the increment must be more than zero"),
        ("10,5", "only the last period may be without a number of moves"),
        ("1/1,1/1,1/1,1/1,1", "it has more than four periods"),
        ("10+.", "not a number of seconds"),
    ] {
        project
            .run(&format!("sprt base pvs --tc {wrong}"))
            .expect(2, &[reason, "further periods after commas"]);
    }
}

#[test]
fn a_players_file_says_how_long_its_start_may_take() {
    let project = Project::new();
    add_engine(&project, "good", "", "start_timeout = 30");
    for (name, seconds) in [("one", "1"), ("quoted", "\"1\""), ("two", "2")] {
        add_engine(&project, name, "never-starts", &format!("start_timeout = {seconds}"));
        let seconds = seconds.trim_matches('"');
        // It holds before the option of all.
        let ended = project.run(&format!("sprt good {name} --depth 1 --start-timeout 60"));
        ended.expect(1, &[&format!("{name} is no UCI engine that works"), &format!("within {seconds}.0 s")]);
    }
    for wrong in ["0", "3601", "\"soon\"", "-5", "1.5"] {
        add_engine(&project, "wrong", "", &format!("start_timeout = {wrong}"));
        project.run("sprt good wrong --depth 1").expect(2, &["wrong.toml:", "1 to 3600 seconds"]);
    }
    project.run("sprt base good --depth 1 --max-pairs 1").expect(0, &[]);
}
