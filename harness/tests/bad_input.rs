//! Whatever is wrong with what it is given, the program says what, where, and what to do, and never breaks down.

mod common;

use common::book;
use common::project::{Ended, Project, Running, findings, timeless};
use common::{Tmpfs, with_tmpfs};
use std::fs::{self, File};
use std::process::Stdio;

/// Every one of these ends with code 2, says these words on standard error, and nothing on standard output.
fn refused<'a>(project: &Project, cases: impl IntoIterator<Item = (&'a str, &'a [&'a str])>) {
    for (arguments, words) in cases {
        let ended = project.run(arguments);
        ended.expect(2, words);
        assert!(ended.err.starts_with("error: "), "{arguments}: {}", ended.err);
        assert_eq!(ended.out, "", "{arguments}");
    }
    assert!(!project.at("results").exists(), "nothing was stored");
}

#[test]
fn arguments_that_make_no_sense() {
    let project = Project::new();
    refused(
        &project,
        [
            ("sprt", ["<BASE>"].as_slice()),
            ("sprt base", &["<CANDIDATE>"]),
            ("sprt base pvs more", &["unexpected argument 'more'"]),
            ("sptr base pvs", &["unrecognized subcommand 'sptr'", "'sprt'"]),
            ("sprt base pvs --node 5", &["unexpected argument '--node'", "'--nodes'"]),
            ("sprt base pvs --nodes", &["--nodes <N>"]),
            ("sprt base pvs --nodes 0", &["invalid value '0' for '--nodes <N>'"]),
            ("sprt base pvs --nodes -1", &["'-1'"]),
            ("sprt base pvs --nodes 1e3", &["invalid value '1e3' for '--nodes <N>'"]),
            ("sprt base pvs --nodes 99999999999999999999", &["--nodes <N>"]),
            ("sprt base pvs --depth 0", &["--depth <N>", "from 1 to 127"]),
            ("sprt base pvs --depth 128", &["--depth <N>", "from 1 to 127"]),
            ("sprt base pvs --movetime 0", &["--movetime <MS>"]),
            ("sprt base pvs --tc 0", &["--tc <TC>", "the base time or the increment must be more than zero"]),
            (
                "sprt base pvs --tc ten",
                &["\"ten\" is no time control", "write [moves/][minutes:]seconds[+increment]"],
            ),
            ("sprt base pvs --tc 0/10", &["a control has at least one move"]),
            ("sprt base pvs --tc 1 --movetime 5", &["cannot be used with"]),
            ("sprt base pvs --threads 0", &["invalid value '0' for '--threads <N>'", "from 1 to 4096"]),
            ("sprt base pvs --threads two", &["invalid value 'two' for '--threads <N>'"]),
            ("sprt base pvs --max-pairs 0", &["invalid value '0' for '--max-pairs <N>'"]),
            ("sprt base pvs --hash 0", &["invalid value '0' for '--hash <MB>'", "from 1 to 65536"]),
            (
                "sprt base pvs --hash 65536 --threads 4096",
                &["need 536870912 MB", "fewer --threads or a smaller --hash"],
            ),
            ("sprt base pvs --order backwards", &["'backwards'", "random", "sequential"]),
            ("sprt base pvs --seed -1", &["'-1'"]),
            ("sprt base pvs --expect h2", &["'h2'", "h1", "h0"]),
            ("sprt base pvs --elo0 five", &["invalid value 'five' for '--elo0 <ELO>'"]),
            ("sprt base pvs --elo0 5", &["elo0", "elo1", "5"]),
            ("sprt base pvs --elo0 6 --elo1 5", &["elo0", "elo1", "6"]),
            ("sprt base pvs --elo0 nan", &["elo0", "NaN"]),
            ("sprt base pvs --elo1 inf", &["elo1", "inf"]),
            ("sprt base pvs --elo1 2001", &["elo1", "2001"]),
            ("sprt base pvs --alpha 0", &["alpha", "0"]),
            ("sprt base pvs --alpha 1.5", &["alpha", "1.5"]),
            ("sprt base pvs --beta=-0.1", &["beta", "-0.1"]),
            ("sprt base pvs --alpha 0.5 --beta 0.5", &["alpha", "beta"]),
        ],
    );
}

#[test]
fn a_folder_that_cannot_be_made_is_no_interrupted_run() {
    let ended = Project::new().run("sprt base pvs --max-pairs 1 --results /proc/none/results");
    ended.expect(1, &["/proc/none/results cannot be written", "or choose another results folder"]);
    assert!(!ended.err.contains("resume"), "{}", ended.err);
}

#[test]
fn configs_that_are_wrong() {
    let project = Project::new();
    let write = |name: &str, body: &str| {
        project.write(&format!("configs/{name}.toml"), format!("name = \"{name}\"\n{body}\n"));
    };
    write("key", "[techniques]\npvs = true\n[parms]\nx = 1");
    write("technique", "[techniques]\npvss = true");
    write("range", "extends = \"base.toml\"\n[params]\naspiration_delta = -5");
    write("type", "[techniques]\npvs = 3");
    write("unbuilt", "extends = \"base.toml\"\n[techniques]\nlmr = true");
    write("one", "extends = \"two.toml\"");
    write("two", "extends = \"one.toml\"");
    write("orphan", "extends = \"nowhere.toml\"");
    project.write("configs/syntax.toml", "name = \"syntax\"\n[techniques\n");
    project.write("configs/binary.toml", b"\xff\xfe\x00".as_slice());
    project.write("configs/empty_name.toml", "name = \"\"\n");
    refused(
        &project,
        [
            ("sprt base key", ["key.toml:4:", "parms", "did you mean `params`?"].as_slice()),
            (
                "sprt base technique",
                &["no technique is called `pvss`", "technique.toml:3:1", "did you mean `pvs`?"],
            ),
            ("sprt base range", &["range.toml:4:", "aspiration_delta", "-5"]),
            ("sprt base type", &["type.toml:3:", "pvs"]),
            ("sprt base unbuilt", &["unbuilt.toml:4:", "lmr"]),
            ("sprt base one", &["one.toml", "two.toml", "extends"]),
            ("sprt base orphan", &["orphan.toml:2:", "nowhere.toml"]),
            ("sprt base syntax", &["syntax.toml:2:"]),
            ("sprt base binary", &["binary.toml"]),
            ("sprt base pvz", &["there is no config `pvz` (tried ", "did you mean `pvs`?"]),
            ("sprt nothing_like_it pvs", &["there is no config `nothing_like_it`", "configs/"]),
            ("sprt base configs", &["there is no config `configs`"]),
        ],
    );
}

#[test]
fn books_that_are_wrong() {
    let project = Project::new();
    let whole = project.read("openings/book.epd");
    let mut lines: Vec<_> = whole.lines().collect();
    lines[6] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w - -";
    project.write("kingless.epd", lines.join("\n"));
    lines[6] = "7k/5Q2/6K1/8/8/8/8/8 b - -";
    project.write("over.epd", lines.join("\n"));
    project.write("empty.epd", "");
    project.write("comments.epd", "# only\n\n% comments\n");
    project.write("packed.epd", [0x1f, 0x8b, 8, 0]);
    project.write("cut.epd.zst", &book::zstd(&whole)[..1000]);
    project.write("illegal.pgn", "[Event \"x\"]\n\n1. e4 e5 2. Ke3 *\n");
    refused(
        &project,
        [
            ("sprt base pvs --openings kingless.epd", ["has 1 bad entry", "kingless.epd:7: "].as_slice()),
            (
                "sprt base pvs --openings over.epd",
                &["over.epd:7: the game is over before it begins: stalemate"],
            ),
            ("sprt base pvs --openings empty.epd", &["empty.epd holds no opening"]),
            ("sprt base pvs --openings comments.epd", &["comments.epd holds no opening"]),
            (
                "sprt base pvs --openings packed.epd",
                &["the book packed.epd cannot be unpacked (gzip: ", "compress or fetch it again"],
            ),
            ("sprt base pvs --openings cut.epd.zst", &["the book cut.epd.zst cannot be unpacked (zstd: "]),
            ("sprt base pvs --openings illegal.pgn", &["illegal.pgn:1: "]),
            ("sprt base pvs --openings missing.epd", &["missing.epd cannot be read", "check its path"]),
            ("sprt base pvs --openings openings", &["openings cannot be read"]),
        ],
    );
    fs::remove_dir_all(project.at("openings")).unwrap();
    refused(
        &project,
        [("sprt base pvs", ["no *.epd file in ", "name a book with --openings FILE"].as_slice())],
    );
}

#[test]
fn a_folder_without_configs() {
    let project = Project::new();
    fs::rename(project.at("configs"), project.at("kept")).unwrap();
    refused(
        &project,
        [
            (
                "sprt base pvs",
                ["there is no config `base`", "give a path, or the name of a file in `configs/`"].as_slice(),
            ),
            (
                "sprt kept/base.toml kept/pvs.toml",
                &["has a folder configs/", "name a book with --openings FILE"],
            ),
        ],
    );
    // Everything named by its path is all it needs.
    let ended = project.run(
        "sprt kept/base.toml kept/pvs.toml --openings openings/book.epd --nodes 20 --max-pairs 1 --json --quiet",
    );
    ended.expect(0, &[]);
    assert!(project.at("results/harness.db").is_file());
}

#[test]
fn settings_files_that_are_wrong() {
    let project = Project::new();
    for (settings, words) in [
        ("seed = 1\nnode = 5\n", ["line 2", "unknown field `node`", "`nodes`"].as_slice()),
        ("seed = 1\n\nnodes = \"many\"\n", &["line 3", "\"many\""]),
        ("nodes = -3\n", &["line 1", "-3"]),
        ("seed = 1\nthreads = 0\n", &["line 2", "0 is not a whole number from 1 to 4096"]),
        ("depth = 1000\n", &["line 1", "1000 is not a whole number from 1 to 127"]),
        ("nodes = 0\n", &["line 1", "0 is not a whole number of 1 or more"]),
        ("hash = 4294967296\n", &["line 1", "4294967296 is not a whole number from 1 to 65536"]),
        ("tc = \"soon\"\n", &["line 1", "\"soon\" is no time control"]),
        ("order = \"any\"\n", &["line 1", "`any`", "`random`"]),
        ("model = \"elo\"\n", &["line 1", "`elo`", "`normalized`"]),
        ("preset = \"win\"\n", &["line 1", "`win`", "`gain-small`"]),
        ("trinomial = 1\n", &["line 1", "expected a boolean"]),
        ("seed = \n", &["line 1"]),
        ("movetime = 5\ntc = \"1\"\n", &["gives a time for each move (movetime) and a clock (tc); keep one"]),
        ("elo0 = 10\n", &["elo0", "elo1"]),
    ] {
        project.write("harness.toml", settings);
        refused(&project, [("sprt base pvs", words)]);
        if !settings.starts_with("elo0") {
            project.run("sprt base pvs").expect(2, &["harness.toml"]);
            project.run("runs").expect(2, &["harness.toml"]);
        }
    }
    project.write("harness.toml", b"\xff".as_slice());
    refused(&project, [("sprt base pvs", ["harness.toml cannot be read"].as_slice())]);
}

#[test]
fn files_that_cannot_be_written() {
    let project = Project::new();
    let few = "sprt base pvs --nodes 20 --max-pairs 1 --quiet";
    project.write("file", "");
    project.run(&format!("{few} --results file")).expect(1, &["file", "choose another results folder"]);
    project.run(&format!("{few} --results file/below")).expect(1, &["choose another results folder"]);
    project
        .run(&format!("{few} --pgn no/such/folder.pgn"))
        .expect(2, &["no/such/folder.pgn cannot be written"]);
    project.run(&format!("{few} --pgn configs")).expect(2, &["configs cannot be written"]);
    assert!(project.newest().is_none(), "no refused run is stored");

    project.write("odd/harness.db", "a letter to someone ".repeat(99));
    project.run(&format!("{few} --results odd")).expect(1, &["harness.db cannot be read as a store"]);
    project.run("runs --results odd").expect(1, &["harness.db cannot be read as a store"]);
    project.run("sprt --resume x --results odd").expect(1, &["harness.db cannot be read as a store"]);
    assert_eq!(project.read("odd/harness.db").len(), 20 * 99);

    let full = || File::options().write(true).open("/dev/full").unwrap();
    let report = Running::start_with(project.harness(few).stdout(full()).stderr(Stdio::piped())).end();
    report.expect(1, &["the report cannot be written to standard output"]);
    let run = project.newest().unwrap();
    assert_eq!(run.verdict.as_deref(), Some("undecided"), "but the store has it");
}

#[test]
fn a_read_only_folder() {
    with_tmpfs("a_read_only_folder", "8m", |disk| {
        let project = Project::within(disk.path());
        let report = project.sprt("--nodes 20 --max-pairs 2");
        let run = report["run"].as_str().unwrap();
        disk.remount("ro");
        let unwritable = ["results", "make it writable, or choose another results folder"];
        project.run("sprt base pvs --nodes 20 --max-pairs 2").expect(1, &unwritable);
        project.run(&format!("sprt --resume {run} --max-pairs 4")).expect(1, &unwritable);
        project.run("sprt base pvs --results new/folder").expect(1, &["new/folder", unwritable[1]]);
        let listed = project.run("runs --json");
        listed.expect(0, &[]);
        assert_eq!(listed.json()[0]["run"], run);
        disk.remount("rw");
        project.run(&format!("sprt --resume {run} --max-pairs 4")).expect(0, &[]);
    });
}

/// Fails on the small disk, is given room, and goes on as it was told to.
fn goes_on_with_more_room(project: &Project, disk: &Tmpfs, failed: &Ended) -> serde_json::Value {
    disk.remount("size=32m");
    let resume = failed.resume_command();
    let ended = Running::start(project.harness("").args(resume).args(["--json", "--quiet"])).end();
    ended.expect(0, &[]);
    ended.json()
}

#[test]
fn a_disk_that_fills_up_during_the_run() {
    with_tmpfs("a_disk_that_fills_up_during_the_run", "400k", |disk| {
        let project = Project::new();
        let arguments = "--nodes 60 --max-pairs 120 --elo0 -1 --elo1 1 --threads 2";
        let results = disk.path().join("results");
        let failed = project.run(&format!("sprt base pvs {arguments} --results {}", results.display()));
        failed.expect(
            1,
            &["no space is left to write ", "harness.db", "every stored pair is safe", "to go on: "],
        );
        assert_eq!(failed.out, "");
        let resumed = goes_on_with_more_room(&project, disk, &failed);
        assert_eq!(findings(&resumed), findings(&project.sprt(arguments)));
    });
}

#[test]
fn a_disk_too_full_for_the_games_file() {
    with_tmpfs("a_disk_too_full_for_the_games_file", "200k", |disk| {
        let project = Project::new();
        let arguments = "--nodes 60 --max-pairs 60 --threads 2 --pgn";
        let pgn = disk.path().join("games.pgn");
        let failed = project.run(&format!("sprt base pvs {arguments} {}", pgn.display()));
        failed.expect(1, &["games.pgn cannot be written", "resume the run when it can", "to go on: "]);
        let resumed = goes_on_with_more_room(&project, disk, &failed);
        let undisturbed = project.sprt(&format!("{arguments} undisturbed.pgn"));
        assert_eq!(findings(&resumed), findings(&undisturbed));
        assert_eq!(timeless(&fs::read_to_string(pgn).unwrap()), timeless(&project.read("undisturbed.pgn")));
    });
}

#[test]
fn a_book_that_repeats_an_opening() {
    let project = Project::new();
    let line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n";
    project.write("twice.epd", format!("{line}8/8/4k3/8/8/3QK3/8/8 w - - 0 1\n{line}"));
    let words =
        ["twice.epd repeats 1 of its openings (line 3 is line 1)", "depth 2", "`book check` lists them"];
    project.run("sprt base pvs --depth 2 --openings twice.epd").expect(2, &words);
    // A clock never gives the same game twice.
    project.run("sprt base pvs --movetime 1 --openings twice.epd --max-pairs 3").expect(0, &[]);
}

#[test]
fn a_move_number_that_a_board_refuses() {
    let project = Project::new();
    project.write("late.epd", "8/8/4k3/8/8/3QK3/8/8 w - - 0 70000\n");
    let words = ["late.epd:1: the move number 70000 is greater than 9999"];
    project.run("sprt base pvs --depth 2 --openings late.epd").expect(2, &words);
}

#[test]
fn an_empty_name_of_a_run() {
    let project = Project::new();
    project.sprt("--depth 1 --max-pairs 1");
    let ended = project.harness("sprt --json --quiet").args(["--resume", ""]).output().unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
}

#[test]
fn a_store_that_is_deleted_during_the_run() {
    let project = Project::new();
    let mut running = project.start_sprt("--nodes 300 --threads 2 --max-pairs 150");
    project.wait_for_pairs(&mut running, 2);
    fs::remove_file(project.at("results/harness.db")).unwrap();
    running.end().expect(1, &["harness.db was deleted or replaced while games were played"]);
}

#[test]
fn a_lock_that_is_deleted_so_that_two_play_the_same_run() {
    let project = Project::new();
    let arguments = "--nodes 300 --threads 1 --max-pairs 20 --elo0 -1 --elo1 1";
    let mut first = project.start_sprt(arguments);
    let run = project.wait_for_pairs(&mut first, 1);
    fs::remove_file(project.at(&format!("results/{run}.lock"))).unwrap();
    let second = project.run(&format!("sprt --resume {run} --max-pairs 20 --json --quiet"));
    second.expect(0, &[]);
    first.end().expect(0, &[]);
    assert_eq!(findings(&second.json()), findings(&project.sprt(arguments)));
}
