//! Names that differ in letter case only are one name in UCI: refused where options are read, and set once; through the
//! real program.

mod common;

use common::engines::add_engine;
use common::project::Project;

/// A project with the toy engine, whose configuration sets `hash`.
fn project() -> Project {
    let project = Project::new();
    add_engine(&project, "toy", "threads", "options = { hash = 32 }");
    project.write("harness.toml", "nodes = 1\nthreads = 1\nmax-moves = 4\n");
    project
}

#[test]
fn options_that_are_one_to_the_engine_are_refused_at_their_line() {
    let project = project();
    for (options, place, words) in [
        ("options = { Hash = 32, hash = 64 }", "5:24", "`hash` is the option `Hash` again"),
        (
            "options = { STYLE = \"Wild\", Hash = 1, Style = \"Calm\" }",
            "5:39",
            "`Style` is the option `STYLE` again",
        ),
        (
            "[uci.options]\nHash = 1\n\"clear hash\" = true\n\"Clear Hash\" = true",
            "8:1",
            "`Clear Hash` is the option `clear hash`",
        ),
        ("options = { a = 1, A = 1, Hash = 1, HASH = 1 }", "5:37", "`HASH` is the option `Hash` again"),
    ] {
        add_engine(&project, "twice", "", options);
        let place = format!("twice.toml:{place}\n");
        project
            .run("sprt base twice")
            .expect(2, &[words, &place, "UCI ignores letter case", "keep one of the two"]);
    }
    // One of each is taken in any case.
    add_engine(&project, "once", "", "options = { hASH = 32, style = \"wild\" }");
    project.run("sprt base once --max-pairs 1 --quiet").expect(0, &[]);
    assert!(project.newest().unwrap().spec_json.contains("hASH"), "as it was written");
}

#[test]
fn parameters_that_are_one_to_the_engine_are_refused_at_their_line() {
    let project = project();
    let range = "start = 2, min = 1, max = 9, c_end = 1";
    let weather = |names: [&str; 2]| {
        let of_one = "{\"value\": 2, \"min_value\": 1, \"max_value\": 9, \"step\": 1}";
        format!("{{\n{}\n}}", names.map(|name| format!(" \"{name}\": {of_one}")).join(",\n"))
    };
    for (file, text, place, words) in [
        (
            "a.toml",
            format!("base = \"toy\"\n[parameters]\nHash = {{ {range} }}\nhash = {{ {range} }}\n"),
            "4:1",
            "`hash` is the option `Hash` again",
        ),
        (
            "b.toml",
            format!(
                "base = \"toy\"\n[parameters]\nthreads = {{ {range} }}\nHash = {{ {range} }}\nThreads = {{ {range} }}\n"
            ),
            "5:1",
            "`Threads` is the option `threads` again",
        ),
        (
            "c.txt",
            "Hash, int, 2, 1, 9, 1, 0.002\nHASH, int, 2, 1, 9, 1, 0.002\n".to_owned(),
            "2:1",
            "`HASH` is the option `Hash` again",
        ),
        (
            "d.txt",
            "hash,2,1,9,1,0.002\n\nHash,2,1,9,1,0.002\n".to_owned(),
            "3:1",
            "`Hash` is the option `hash` again",
        ),
        ("e.txt", "Hash,2,1,9,1,0.002\nHash,2,1,9,1,0.002\n".to_owned(), "2:1", "Hash is named twice"),
        ("f.json", weather(["Hash", "Hash"]), "3:2", "Hash is named twice"),
        ("g.json", weather(["Hash", "hash"]), "3:2", "`hash` is the option `Hash` again"),
        ("h.json", weather(["threads", "Threads"]), "3:2", "`Threads` is the option `threads` again"),
    ] {
        project.write(file, text);
        let place = format!("{file}:{place}\n");
        project.run(&format!("tune {file} --base toy")).expect(2, &[words, &place]);
    }
    assert!(project.newest().is_none(), "nothing was stored");
    for axes in ["hash=1,2 Hash=3,4", "Threads=1,2 THREADS=2,3", "hash=1,2 hash=3,4"] {
        project.run(&format!("sweep {axes} toy")).expect(2, &["is given twice"]);
    }
}

#[test]
fn an_option_is_set_in_the_place_of_that_of_the_base() {
    let project = project();
    for (name, expected) in [
        ("Hash", "\"hash\" = \"2\""),
        ("HASH", "\"hash\" = \"2\""),
        ("Threads", "\"hash\" = \"32\", \"Threads\" = \"2\""),
    ] {
        project.write("what.txt", format!("{name}, int, 2, 1, 9, 1, 0.002\n"));
        let exported = project.run("tune what.txt --base toy --export toml");
        assert!(exported.out.contains(&format!("options = {{ {expected} }}")), "{name}: {exported:?}");
    }
    project.write("what.txt", "HASH, int, 2, 1, 9, 1, 0.002\n");
    let run = project.run("tune what.txt --base toy --iterations 3 --no-validation --quiet --json").json();
    let tuned = project.read(&format!("results/{}/tuned.toml", run["run"].as_str().unwrap()));
    assert_eq!(tuned.to_lowercase().matches("\"hash\"").count(), 1, "{tuned}");
    let swept =
        project.run("sweep HASH=2,4 toy --measure --margin 900 --max-pairs 64 --log dialogue.txt --quiet");
    assert_eq!(swept.code, 0, "{swept:?}");
    let set = |line: &&str| line.contains("setoption name Hash value");
    let log = project.read("dialogue.txt");
    let processes = log.lines().filter(|line| line.ends_with("< uci")).count();
    assert_eq!(log.lines().filter(set).count(), processes, "each engine is told once: {log}");
}
