//! Options of a run: the command line, `harness.toml`, digests and the commands that are printed all follow from one table.

mod common;

use clap::{Args, Command, FromArgMatches};
use common::project::Project;
use harness::conditions::{Conditions, OpeningsSpec, test_facts};
use harness::game::adjudication::Adjudication;
use harness::game::limit::Limit;
use harness::game::syzygy::SyzygyRule;
use harness::openings::order::Order;
use harness::options::{self, ALL, HEADINGS, Name, Options, Role, RunOption, RunOptions, TABLE};
use harness::report::origin::{options_of, options_of_test};
use harness::statistics::SprtBounds;

/// An option, and a value that is not its default.
const VALUES: [(Name, &str); 43] = [
    (Name::nodes, "7"),
    (Name::depth, "3"),
    (Name::movetime, "20"),
    (Name::tc, "40/60+0.5"),
    (Name::openings, "a b.epd"),
    (Name::order, "sequential"),
    (Name::plies, "4"),
    (Name::skip_bad_openings, "true"),
    (Name::start, "9"),
    (Name::seed, "5"),
    (Name::hash, "2"),
    (Name::time_margin, "50"),
    (Name::resign, "600,3,twosided"),
    (Name::draw, "10,8,34"),
    (Name::max_moves, "90"),
    (Name::syzygy, "tables"),
    (Name::syzygy_adjudicate, "wins"),
    (Name::syzygy_pieces, "5"),
    (Name::elo0, "-3"),
    (Name::elo1, "2.5"),
    (Name::alpha, "0.1"),
    (Name::beta, "0.2"),
    (Name::model, "normalized"),
    (Name::trinomial, "true"),
    (Name::affinity, "true"),
    (Name::pgn_detail, "true"),
    (Name::preset, "non-regression"),
    (Name::threads, "3"),
    (Name::max_pairs, "12"),
    (Name::move_timeout, "6"),
    (Name::start_timeout, "7"),
    (Name::ready_timeout, "8"),
    (Name::faults, "play-on"),
    (Name::results, "kept"),
    (Name::resume, "sprt-1"),
    (Name::out_of_process, ""),
    (Name::pgn, "-"),
    (Name::events, "events.jsonl"),
    (Name::log, "-x.log"),
    (Name::expect, "h1"),
    (Name::json, ""),
    (Name::quiet, ""),
    // Once more, since two of them cannot be given together.
    (Name::seed, "0"),
];

/// The commands with a table of options, and the positional arguments that each needs.
const COMMANDS: [(&str, &str); 17] = [
    ("sprt", "a b"),
    ("match", "a b"),
    ("sweep", "a=1"),
    ("tune", "file"),
    ("ladder", ""),
    ("reproduce", ""),
    ("plan", ""),
    ("simulate", ""),
    ("elo", "--wdl 1,1,1"),
    ("fit-eval", "run"),
    ("distort", "a b"),
    ("nodes", "a"),
    ("verify", "run"),
    ("runs", ""),
    ("show", "run"),
    ("report", "run"),
    ("compare", "1±1 1±1"),
];

fn option(name: Name) -> &'static RunOption {
    &TABLE[name as usize]
}

/// What clap makes of these words.
fn parsed(words: &[String]) -> Result<RunOptions, clap::Error> {
    let command = Options::<ALL>::augment_args(Command::new("x").no_binary_name(true));
    let matches = command.try_get_matches_from(words)?;
    Ok(Options::<ALL>::from_arg_matches(&matches)?.clone())
}

/// The words that give an option its value.
fn words(name: Name, value: &str) -> String {
    let long = option(name).long;
    if value.is_empty() { format!("--{long}") } else { format!("--{long}={value}") }
}

/// The written options as a shell takes them apart.
fn split(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.trim_start().chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

#[test]
fn every_option_is_read_and_written_so_that_it_is_read_again() {
    let tested: Vec<_> =
        TABLE.iter().filter(|row| VALUES.iter().any(|(name, _)| *name == row.name)).collect();
    assert_eq!(tested.len(), TABLE.len(), "every option has a value above");
    for (name, value) in VALUES {
        let options = parsed(&[words(name, value)]).unwrap_or_else(|error| panic!("{value}: {error}"));
        let given: Vec<_> = options.given().collect();
        assert_eq!(
            given.len(),
            1,
            "{value}: {given:?}",
            given = given.iter().map(|given| &given.1).collect::<Vec<_>>()
        );
        assert_eq!(given[0].0.name, name);
        let again = parsed(&split(&options.written(|_| true))).unwrap();
        assert_eq!(format!("{again:?}"), format!("{options:?}"));
    }
}

/// The rows above are all keys but those of one call, and their values are read alike.
#[test]
fn settings_are_the_options_of_runs() {
    let is_one_of_a_call = |name| {
        [
            Name::resume,
            Name::out_of_process,
            Name::pgn,
            Name::events,
            Name::log,
            Name::expect,
            Name::json,
            Name::quiet,
        ]
        .contains(&name)
    };
    for (name, value) in VALUES {
        let long = option(name).long;
        assert_eq!(options::keys().contains(&long), !is_one_of_a_call(name), "{long}");
        let is_bare = value.parse::<f64>().is_ok() || value == "true";
        let line = if is_bare { format!("{long} = {value}") } else { format!("{long} = \"{value}\"") };
        match toml::from_str::<RunOptions>(&line) {
            Ok(settings) => {
                let given = parsed(&[words(name, value)]).unwrap();
                assert_eq!(format!("{settings:?}"), format!("{given:?}"), "{line}");
                assert!(!is_one_of_a_call(name), "{line}");
            }
            Err(error) => {
                assert!(is_one_of_a_call(name), "{line}: {error}");
                assert!(
                    error.to_string().contains(&format!("unknown field `{long}`, expected one of `nodes`"))
                );
            }
        }
    }
}

#[test]
fn limits_belong_together_and_a_preset_replaces_bounds() {
    let settings =
        || toml::from_str::<RunOptions>("nodes = 5\ndepth = 6\nelo0 = -9\nelo1 = 9\nseed = 3").unwrap();
    let of = |words: &str| parsed(&split(words)).unwrap().or(settings()).written(|_| true);
    assert_eq!(of("--seed 4"), " --nodes 5 --depth 6 --seed 4 --elo0=-9 --elo1 9");
    assert_eq!(of("--movetime 4"), " --movetime 4 --seed 3 --elo0=-9 --elo1 9");
    assert_eq!(of("--preset gain"), " --nodes 5 --depth 6 --seed 3 --preset gain");
}

fn conditions() -> Conditions {
    let rule =
        r#"{"folders": "/somewhere/tables", "decides": "wins", "pieces": 5, "tables": 1, "digest": "d"}"#;
    let syzygy: SyzygyRule = serde_json::from_str(rule).unwrap();
    Conditions {
        limit: Limit {
            nodes: Some(7),
            depth: Some(3),
            movetime: None,
            tc: Some("40/60+0.5".parse().unwrap()),
        },
        openings: OpeningsSpec {
            file: "/somewhere/a b.epd".to_owned(),
            digest: "of the book".to_owned(),
            count: 99,
            order: Order::Sequential,
            plies: Some(4),
            first: 8,
            skip_bad: true,
        },
        seed: 5,
        hash_megabytes: 2,
        time_margin: Some(50),
        adjudication: Adjudication {
            resign: Some("600,3,twosided".parse().unwrap()),
            draw: Some("10,8,34".parse().unwrap()),
            max_moves: Some(90),
            syzygy: Some(syzygy),
        },
    }
}

/// What decides games is in the digest and in the command that plays them again, both by the table.
#[test]
fn what_decides_games_is_a_fact_and_is_told() {
    let conditions = conditions();
    let facts: Vec<_> = conditions.facts().into_iter().map(|(name, _)| name).collect();
    let mut of_table: Vec<_> =
        TABLE.iter().filter(|row| row.role.is_of_games()).map(|row| row.role.fact()).collect();
    of_table.dedup();
    assert_eq!(of_table, facts, "in the order of the digest");

    let again = options_of(&conditions);
    let told = split(&again);
    for row in TABLE.iter().filter(|row| row.role.is_of_games() && row.name != Name::movetime) {
        let (_, value) = VALUES.iter().find(|(name, _)| *name == row.name).unwrap();
        let written = words(row.name, value);
        let is_told = told.windows(2).any(|pair| pair.join("=") == written || pair[0] == written);
        assert!(is_told, "{written} is not in {again}");
    }
    assert!(!again.contains("somewhere"), "no folder of a machine");

    let test =
        SprtBounds::new(-3.0, 2.5, 0.1, 0.2, "normalized".parse().unwrap()).unwrap().with_trinomial(true);
    let facts = test_facts(&test).map(|(name, _)| name);
    let of_test = |row: &&RunOption| matches!(row.role, Role::Test(_));
    for row in TABLE.iter().filter(of_test) {
        assert!(facts.contains(&row.role.fact()), "{}", row.long);
        assert!(row.name == Name::preset || options_of_test(&test).contains(&format!("--{}", row.long)));
    }
}

/// The lines of the help that begin an option, each with its heading.
fn helped(help: &str) -> Vec<(String, String)> {
    let mut heading = String::new();
    let mut options = Vec::new();
    for line in help.lines() {
        if let Some(name) = line.strip_suffix(':').filter(|name| !name.starts_with(' ')) {
            heading = name.to_owned();
        }
        // Further in stands what is said of them.
        let indent = line.len() - line.trim_start().len();
        let line = line.trim_start();
        let long = if line.starts_with('-') && (2..=6).contains(&indent) {
            line.split_once("--").map(|(_, long)| long)
        } else {
            None
        };
        if let Some(long) = long {
            let end = long.find([' ', '[', '=']).unwrap_or(long.len());
            options.push((heading.clone(), long[..end].to_owned()));
        }
    }
    options
}

#[test]
fn the_help_is_grouped_and_has_no_option_that_is_refused() {
    let project = Project::new();
    for (command, arguments) in COMMANDS {
        let help = helped(&project.run(&format!("{command} --help")).out);
        let mut shown: Vec<_> =
            help.iter().map(|(heading, _)| heading.as_str()).filter(|one| *one != "Options").collect();
        shown.dedup();
        let ordered: Vec<_> = HEADINGS.into_iter().filter(|heading| shown.contains(heading)).collect();
        assert_eq!(shown, ordered, "{command}");

        for row in TABLE {
            let is_shown = help.iter().find(|(_, long)| long == row.long);
            let (_, value) = VALUES.iter().find(|(name, _)| *name == row.name).unwrap();
            // No run of any command is to begin here: an argument more is refused by each.
            let ended = project.run(&format!(
                "{command} {arguments} {} --no-such-option",
                words(row.name, &value.replace(' ', ""))
            ));
            let named = format!("unexpected argument '--{}'", row.long);
            assert_eq!(ended.code, 2, "{ended:?}");
            assert_eq!(ended.err.contains(&named), is_shown.is_none(), "{command}: {}", ended.err);
            match is_shown {
                Some((heading, _)) if command == "simulate" && row.name == Name::seed => {
                    assert_eq!(heading, "Where and how")
                }
                // A command's own option of that name, such as the depth of `distort`.
                Some((heading, _)) if heading == "Options" => (),
                Some((heading, _)) => assert_eq!(heading, row.heading, "{command} --{}", row.long),
                None => {
                    let tip = ended.err.lines().find_map(|line| line.trim().strip_prefix("tip: "));
                    let tip = tip.unwrap_or_else(|| panic!("{}", ended.err));
                    assert!(tip.contains("harness") || tip.contains("says how many"), "{tip}");
                }
            }
        }
    }
    let shown = |command: &str, long: &str| {
        helped(&project.run(&format!("{command} --help")).out).iter().any(|(_, other)| other == long)
    };
    for (command, long) in [
        ("match", "elo1"),
        ("ladder", "preset"),
        ("reproduce", "elo0"),
        ("reproduce", "max-pairs"),
        ("elo", "nodes"),
    ] {
        assert!(!shown(command, long), "{command} --{long}");
    }
    for (command, long) in
        [("match", "max-pairs"), ("sprt", "elo1"), ("ladder", "max-pairs"), ("verify", "threads")]
    {
        assert!(shown(command, long), "{command} --{long}");
    }
}

#[test]
fn the_error_says_what_to_do_instead() {
    let project = Project::new();
    for (arguments, words) in [
        (
            "match base pvs --elo1 5",
            "--elo1 belongs to a test, and `harness match` has none: leave it out, or use `harness sprt`",
        ),
        ("reproduce 60 --preset=gain", "--preset belongs to a test, and `harness reproduce` has none"),
        ("reproduce 60 --max-pairs 5", "--budget says how many games an experiment may take"),
        ("show x --threads 5", "`harness show` has no --threads; these have: sprt, match, "),
        ("sprt base pvs --margin 5", "`harness sprt` has no --margin; these have: sweep"),
        ("tune --limit-of x", "`harness tune` has no --limit-of; these have: sprt, match"),
        ("ladder --resume x", "goes on with what is stored when the same command is given again"),
        ("fit-eval --resume x", "`harness fit-eval RUN --play N`"),
        ("fit-eval x --max-pairs 5", "--play says how many pairs are played"),
    ] {
        let ended = project.run(arguments);
        ended.expect(2, &[words]);
        assert!(!ended.err.contains("similar") && !ended.err.contains("as a value"), "{}", ended.err);
    }
    let ended = project.run("sprt base pvs --node 5");
    assert!(!ended.err.contains("these have"), "{}", ended.err);
}

/// The command that a report has to play the run again names a book so that it is found, and no folder of this machine.
#[test]
fn a_report_names_the_book_so_that_it_is_found() {
    let project = Project::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("copy.epd");
    let far = elsewhere.path().join("far.epd");
    std::fs::copy(project.at("openings/book.epd"), &copy).unwrap();
    for path in [&far, &project.at("books/own.epd")] {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, common::book::epd(20, 3)).unwrap();
    }
    let remark = "(outside the project: give its path with --openings)";
    for (given, told, is_outside) in [
        (String::new(), "pvs.toml --nodes 20 --order random", false),
        (format!("--openings {}", copy.display()), "pvs.toml --nodes 20 --order random", false),
        (
            "--openings books/own.epd".to_owned(),
            "pvs.toml --nodes 20 --openings books/own.epd --order",
            false,
        ),
        (format!("--openings {}", far.display()), "pvs.toml --nodes 20 --openings far.epd --order", true),
    ] {
        let report = project.sprt(&format!("--nodes 20 --max-pairs 1 {given}"));
        let run = report["run"].as_str().unwrap();
        project.run(&format!("report {run}")).expect(0, &[]);
        let text = project.read(&format!("results/{run}/report.md"));
        assert!(text.contains(told), "{given}: {text}");
        assert_eq!(text.contains(remark), is_outside, "{given}: {text}");
        assert!(!text.contains(elsewhere.path().to_str().unwrap()), "{text}");
    }
}

/// The lists of cores that engines of a run were bound to when they were started, without repetition.
fn cores_of_engines(project: &Project, arguments: &str) -> std::collections::BTreeSet<String> {
    let command = format!(
        "grep Cpus_allowed_list /proc/self/status >> cores.txt; exec {}",
        common::engines::toy().display()
    );
    project.write("configs/bound.toml", format!("[uci]\ncommand = [\"sh\", \"-c\", {command:?}]\n"));
    let _ = std::fs::remove_file(project.at("cores.txt"));
    project
        .run(&format!("match a=bound b=bound --nodes 20 --max-pairs 6 --max-moves 4 --quiet {arguments}"))
        .expect(0, &[]);
    let told = project.read("cores.txt");
    // The trial of each player is before the cores are claimed.
    told.lines().skip(2).map(|line| line.split_whitespace().last().unwrap().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn each_game_has_cores_of_its_own_if_that_is_wanted() {
    let project = Project::new();
    let cores = std::thread::available_parallelism().unwrap().get();
    let games = cores.min(2);
    let bound = cores_of_engines(&project, &format!("--threads {games} --affinity"));
    assert!(bound.len() == games && bound.iter().all(|list| list.parse::<usize>().is_ok()), "{bound:?}");
    let free = cores_of_engines(&project, &format!("--threads {games} --affinity=false"));
    assert!(free.len() == 1 && (cores == 1 || free != bound), "{free:?}");
    let too_many = cores + 1;
    project.run(&format!("sprt base pvs --threads {too_many} --affinity --nodes 20")).expect(
        2,
        &[
            "--affinity gives each search thread a core of its own",
            &format!("give --threads {cores}, or leave it out"),
        ],
    );
    // An engine's threads count.
    project.write("configs/wide.toml", "[uci]\ncommand = [\"true\"]\noptions = { Threads = 4096 }\n");
    project
        .run("sprt base wide --threads 1 --affinity --nodes 20")
        .expect(2, &["for 1 game of 4096 threads each: give the engines"]);
}
