//! What is printed is what is meant: names that are not there, options of other programs, numbers at their limits.

mod common;

use common::engines::{add_engine, toy};
use common::project::{Project, Running};
use serde_json::Value;

#[test]
fn options_of_other_programs_are_answered_with_what_to_type() {
    let project = Project::new();
    for (arguments, typed) in [
        ("sprt base pvs --concurrency 4", "type --threads 4"),
        ("sprt base pvs -concurrency 4", "type --threads 4"),
        ("match base pvs --rounds 100", "type --max-pairs 100"),
        ("sprt base pvs --rounds=100", "type --max-pairs 100"),
        ("sprt base pvs --srand 7", "type --seed 7"),
        ("sprt base pvs --st 0.5", "type --movetime 500"),
        ("sweep aspiration_delta=5,6 --maxmoves 80", "type --max-moves 80"),
        ("sprt base pvs --tb /tables:/more", "type --syzygy /tables:/more"),
        ("sprt base pvs --each tc=8+0.08 option.Hash=16", "type --tc 8+0.08 --option Hash=16"),
        ("sprt base pvs --each", "type it alone, as --tc 8+0.08"),
        ("sprt base pvs -each nodes=5000", "type --nodes 5000"),
        (
            "sprt base pvs -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
            "type --elo0 0 --elo1 5 --alpha 0.05 --beta 0.05",
        ),
        ("sprt -engine cmd=./new name=new", "type new=./new"),
        ("sprt base pvs -repeat", "every opening is played twice"),
        ("sprt base pvs -resign movecount=3 score=500", "type --resign 500,3"),
        ("match base pvs -draw movenumber=34 movecount=8 score=10", "type --draw 10,8,34"),
        ("sprt base pvs -openings file=book.epd format=epd", "type --openings book.epd"),
        ("sprt base pvs -pgnout file=games.pgn", "type --pgn games.pgn"),
        ("sprt base pvs -use-affinity", "type --affinity"),
        ("sprt base pvs --games 2", "type --max-pairs for the number of pairs"),
        ("sprt base pvs --timemargin 50", "type --time-margin 50"),
    ] {
        let ended = project.run(arguments);
        ended.expect(2, &["error: unexpected argument '-", typed]);
        assert!(!ended.err.contains("similar"), "{arguments}: {}", ended.err);
    }
    // A command without such an option has nothing to type.
    assert!(!project.run("nodes base --rounds 5").err.contains("type"));
}

#[test]
fn nothing_is_suggested_where_nothing_is_near() {
    let project = Project::new();
    project.sprt("--depth 1 --max-pairs 1");
    for far in [
        "sprt base pvs --set a=1",
        "sprt base pvs --xyz",
        "sprt base pvs --resources 5",
        "tune t.toml --a-ratio 1",
        "match base pvs --wait 2",
        "frobnicate",
        "show another-run",
        "show x",
        "verify nothing-like-it",
        "sprt base pvs --order any",
        "sprt wholly_different pvs",
    ] {
        let ended = project.run(far);
        assert_eq!(ended.code, 2, "{far}: {}", ended.err);
        assert!(
            !["similar", "did you mean", "as a value"].iter().any(|words| ended.err.contains(words)),
            "{far}: {}",
            ended.err
        );
        let others = ended.err.split(|c: char| c != '-' && !c.is_ascii_alphanumeric());
        let options: Vec<_> = others.filter(|word| word.starts_with("--") && !far.contains(word)).collect();
        assert_eq!(options, ["--help"].repeat(options.len()), "{far}: {}", ended.err);
    }
    let run = project.newest().unwrap().id;
    for (near, meant) in [
        ("sprt base pvs --node 5", "'--nodes'"),
        ("sprt base pvs --max-pair 5", "'--max-pairs'"),
        ("sptr base pvs", "'sprt'"),
        ("sprt base pvs --order randon", "'random'"),
        ("sprt base pvz", "did you mean `pvs`?"),
        (&format!("show {}x", run), &format!("did you mean \"{run}\"?")),
    ] {
        project.run(near).expect(2, &[meant]);
    }
}

#[test]
fn a_configuration_that_is_not_there_is_looked_for_under_its_own_name() {
    let project = Project::new();
    for name in ["nope.toml", "./nope.toml", "configs/nope.toml"] {
        for command in ["sprt base", "match base", "check-engine"] {
            let ended = project.run(&format!("{command} {name}"));
            ended.expect(2, &["there is no config", name]);
            assert!(!ended.err.contains(".toml.toml"), "{}", ended.err);
        }
    }
    project.run("sprt base nope").expect(2, &["configs/nope.toml"]);
}

#[test]
fn figures_to_compare_have_the_size_of_elo() {
    let project = Project::new();
    for (figures, named) in
        [("1e300±1e300 5±1", "1e300±1e300"), ("5±1 -1e7±3", "-1e7±3"), ("5±1 3±1e12", "3±1e12")]
    {
        let ended = project.run(&format!("compare -- {figures}"));
        ended.expect(2, &[named, "up to a million"]);
        assert!(ended.err.len() < 300 && ended.out.is_empty(), "{ended:?}");
    }
    project.run("compare 999999±1 5±1").expect(0, &[]);
}

#[test]
fn zero_has_no_minus() {
    let project = Project::new();
    for arguments in [
        "elo --ptnml 0,5,10,5,0",
        "elo --ptnml 1,2,3,2,1",
        "elo --ptnml 0,0,9,0,0",
        "elo --wdl 10,10,10",
        "elo --ptnml 0,0,2,0,0 --elo0=-0 --elo1 5",
        "simulate --runs 20 --elo=-0.001 --elo0 -5 --elo1 5",
        "compare -- -0.01±3 0.01±3",
        "compare -- 5±1 5.01±1",
    ] {
        for form in ["", "--json"] {
            let (command, rest) = arguments.split_once(' ').unwrap();
            let ended = project.run(&format!("{command} {form} {rest}"));
            assert_eq!(ended.code, 0, "{arguments}: {}", ended.err);
            let is_minus_zero = |word: &str| {
                word.strip_prefix('-').is_some_and(|zero| zero.parse::<f64>().is_ok_and(|zero| zero == 0.0))
            };
            let apart = |c: char| !c.is_ascii_digit() && c != '-' && c != '.';
            let found: Vec<_> = ended.out.split(apart).filter(|word| is_minus_zero(word)).collect();
            assert!(found.is_empty(), "{arguments} {form}: {}", ended.out);
        }
    }
}

/// One pair says the same wherever it is looked at.
#[test]
fn one_pair_has_one_interval() {
    let project = Project::new();
    let sprt = project.sprt("--nodes 40 --max-pairs 1");
    let counts: Vec<String> = sprt["pentanomial"].as_array().unwrap().iter().map(Value::to_string).collect();
    let counted = project.run(&format!("elo --json --ptnml {}", counts.join(","))).json();
    assert!(sprt["elo"].is_null() && !sprt["elo_exact"].is_null(), "{sprt}");
    assert_eq!(counted["elo_exact"], sprt["elo_exact"]);
    let played = project.run("match base pvs --nodes 40 --max-pairs 1 --json --quiet").json();
    let pairing = &played["pairings"][0];
    assert!(pairing["elo"].is_null(), "{pairing}");
    let mirrored = |end: &Value| end.as_f64().map(|elo| -elo + 0.0);
    let exact = &pairing["elo_exact"];
    assert!(played["players"][1]["rating"].is_null(), "{played}");
    assert_eq!(played["players"][1]["rating_bound"], sprt["elo_exact"], "{played}");
    // Seen from the other side, but for the last bits.
    for (end, other) in [("low", "high"), ("high", "low")] {
        let (of_match, of_test) = (mirrored(&exact[other]), sprt["elo_exact"][end].as_f64());
        let same = of_match.zip(of_test).is_some_and(|(one, two)| (one - two).abs() < 1e-9);
        assert!(same || (of_match.is_none() && of_test.is_none()), "{exact} {sprt}");
    }
}

/// In words, too: on every screen and in every report. A pair of each kind that games of few moves can have.
#[test]
fn one_pair_has_one_interval_in_words() {
    let project = Project::new();
    for limits in [
        "--nodes 40",
        "--nodes 40 --max-moves 2",
        "--depth 1 --start 7",
        "--nodes 60 --start 3 --resign 200,1",
    ] {
        let limits = format!("{limits} --max-pairs 1 --seed 3");
        let sprt = project.sprt(&limits);
        let counts: Vec<String> =
            sprt["pentanomial"].as_array().unwrap().iter().map(Value::to_string).collect();
        let counted = project.run(&format!("elo --ptnml {}", counts.join(","))).out;
        let line = counted.lines().nth(1).unwrap();
        let interval = &line[line.find('[').unwrap()..=line.find(']').unwrap()];
        assert_ne!(interval, "[-∞, +∞]", "{counted}");
        let run = sprt["run"].as_str().unwrap();
        let said = project.run(&format!("sprt --resume {run}"));
        assert!(said.out.contains(interval), "{limits}: {}", said.out);
        assert!(project.run(&format!("show {run}")).out.contains(interval), "{limits}");
        project.run(&format!("report {run}")).expect(0, &[]);
        let report = project.read(&format!("results/{run}/report.md")).replace('\\', "");
        assert!(report.contains(interval), "{limits}: {report}");

        let played = project.run(&format!("match base pvs {limits}")).out;
        let rating = played.lines().find(|line| line.contains("  pvs ")).unwrap();
        // Who lost or won everything has the end that excludes something.
        let ends: Vec<&str> = interval.trim_matches(['[', ']']).split(", ").collect();
        let bound = match ends[..] {
            ["-∞", high] => format!("< {high}"),
            [low, "+∞"] => format!("> {low}"),
            _ => interval.to_owned(),
        };
        assert!(rating.contains(&bound), "{limits}: {bound} in {played}");
    }
}

/// What is below the range, above it and no number is refused in the same words.
#[test]
fn numbers_out_of_range_are_refused_in_the_same_words() {
    let project = Project::new();
    for (arguments, range) in [
        ("sprt base pvs --threads", "from 1 to 4096"),
        ("sprt base pvs --max-pairs", "from 1 to "),
        ("match base pvs --nodes", "of 1 or more"),
        ("sweep aspiration_delta=5 --depth", "from 1 to 127"),
        ("tune t.toml --max-moves", "of 1 or more"),
        ("verify x --sample", "of 1 or more"),
        ("show x --game", "from 1 to "),
        ("simulate --elo 0 --batch", "of 1 or more"),
        ("distort base pvs --depth", "from 1 to 127"),
        ("nodes base --depth", "from 1 to 40"),
    ] {
        for wrong in ["-1", "0", "1.5", "many", "99999999999999999999"] {
            let ended = project.run(&format!("{arguments} {wrong}"));
            ended.expect(2, &[&format!("{wrong} is not a whole number {range}")]);
        }
    }
}

#[test]
fn a_program_that_may_not_be_executed_is_told_so() {
    let project = Project::new();
    for name in ["engine.sh", "tools/engine", "bin/in_path"] {
        project.write(name, "#!/bin/sh\n");
    }
    let path = format!("{}:/usr/bin:/bin", project.at("bin").display());
    for name in ["./engine.sh", "./tools/engine", "in_path"] {
        project.write("configs/it.toml", format!("[uci]\ncommand = [{:?}]\n", name.replace("./", "../")));
        for (command, code) in [
            (format!("sprt {name} base"), 2),
            (format!("check-engine {name}"), 2),
            ("sprt it base".to_owned(), 1),
            ("check-engine it".to_owned(), 1),
            (format!("fastchess -engine cmd={name} -engine cmd={name} -each nodes=5 -rounds 1"), 2),
        ] {
            let ended = Running::start(project.harness(&command).env("PATH", &path)).end();
            ended.expect(code, &["may not be executed", "chmod +x"]);
        }
    }
}

/// The report of check-engine on the toy engine in this mode.
fn checked(mode: &str) -> Value {
    Project::new().run(&format!("check-engine --json {} {mode}", toy().display())).json()
}

/// Outcome and detail of a step.
fn step(report: &Value, name: &str) -> (String, String) {
    let steps = report["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["name"] == name).unwrap();
    (step["outcome"].as_str().unwrap().to_owned(), step["detail"].as_str().unwrap().to_owned())
}

#[test]
fn every_malformed_option_is_listed_in_words() {
    let lines = [
        ("option_name_Book_type_string", "a string has a default"),
        (
            "option_name_Mood_type_combo_default_Odd_var_Calm_var_Wild",
            "its default Odd is none of its values",
        ),
        ("option_name_hash_type_spin_default_1_min_1_max_2", ""),
        ("option_name_Speed_type_spin_default_0.5_min_0_max_1.5", "its default 0.5 is no whole number"),
        ("option_name_Range_type_spin_default_5_min_9_max_1", "its min 9 is greater than its max 1"),
        ("option_name_Style_type_check_default_true", ""),
        ("option_name_Ponder_type_check_default_1", "is true or false, not 1"),
        ("option_Contempt_type_spin", "it does not begin with `option name`"),
    ];
    let all: Vec<_> = lines.iter().map(|(line, _)| *line).collect();
    let report = checked(&format!("declares:{}", all.join("|")));
    let (outcome, detail) = step(&report, "options are declared as the protocol writes them");
    assert_eq!(outcome, "warned");
    // The toy's own Hash and Style follow, and stand there twice.
    assert!(detail.starts_with("8 of 11 options: "), "{detail}");
    for (line, reason) in lines.iter().filter(|(_, reason)| !reason.is_empty()) {
        let part = detail.split("; `").find(|part| part.contains(&line.replace('_', " ")));
        assert!(part.is_some_and(|part| part.contains(reason)), "{line}: {detail}");
    }
    assert!(
        detail.contains("the option Hash is declared twice")
            && detail.contains("the option Style is declared twice")
    );

    let (outcome, detail) = step(&checked("declares:feature_usermove=1"), "uci is answered by uciok");
    assert_eq!(
        (outcome.as_str(), detail.as_str()),
        ("warned", "it starts in xboard mode, and sends `feature` before uciok")
    );
    let (outcome, detail) = step(&checked("xboard"), "uci is answered by uciok");
    assert_eq!(outcome, "failed");
    assert!(
        detail.contains("it starts in xboard mode") && detail.contains("argument that makes it speak UCI"),
        "{detail}"
    );
}

#[test]
fn an_engine_with_a_small_table_gets_its_largest_and_it_is_said_once() {
    let project = Project::new();
    add_engine(&project, "one", "", "");
    add_engine(&project, "two", "", "options = { Style = \"Wild\" }");
    for (hash, given, is_said) in
        [(1025, 1024, true), (2000, 1024, true), (1024, 1024, false), (64, 64, false)]
    {
        let log = format!("log{hash}");
        let ended = project
            .run(&format!("sprt one two --depth 1 --threads 2 --max-pairs 2 --hash {hash} --log {log}"));
        ended.expect(0, &[]);
        for name in ["one", "two"] {
            let said =
                format!("{name} takes at most 1024 MB for its table, and plays with them instead of {hash}");
            assert_eq!(ended.err.matches(&said).count(), usize::from(is_said), "{}", ended.err);
        }
        let dialogue = project.read(&log);
        assert!(dialogue.contains(&format!("setoption name Hash value {given}")), "{dialogue}");
    }
    // What its own configuration says is not changed.
    add_engine(&project, "wants", "", "options = { Hash = 4096 }");
    project
        .run("sprt one wants --depth 1")
        .expect(2, &["takes a number from 1 to 1024 for its option `Hash`, not `4096`"]);
}
