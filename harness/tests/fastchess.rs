//! `harness fastchess`: its options, each with its meaning, its reason or its note; its output as workers read it.

mod common;

use common::engines::toy;
use common::project::{Ended, Project, Running};
use common::workers::{Fishtest, OpenBench};
use harness::fastchess::options::{Fate, TABLE};
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

/// A project with two programs, `a` and `b`, and books.
fn project() -> Project {
    let project = Project::new();
    for name in ["a", "b", "engines/c"] {
        let path = project.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(toy(), path).unwrap();
    }
    symlink(project.at("openings/book.epd"), project.at("book.epd")).unwrap();
    project
}

/// The program, called by this name or as it is, with these words.
fn called(project: &Project, name: Option<&str>, words: &[&str]) -> Command {
    let program = match name {
        None => Path::new(env!("CARGO_BIN_EXE_harness")).to_owned(),
        Some(name) => {
            let link = project.at(name);
            if !link.exists() {
                symlink(env!("CARGO_BIN_EXE_harness"), &link).unwrap();
            }
            link
        }
    };
    let mut command = Command::new(program);
    if name.is_none() {
        command.arg("fastchess");
    }
    command.args(words).current_dir(project.path());
    command
}

fn run(project: &Project, line: &str) -> Ended {
    Running::start(&mut called(project, None, &split(line))).end()
}

/// Words of a line, of which `_` is a blank.
fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

const TWO: &str = "-engine cmd=./a name=A -engine cmd=./b name=B";
const SHORT: &str = "-each nodes=100 -openings file=book.epd -maxmoves 12 -recover";

/// What is expected of an option.
enum Expected {
    /// The translation has these words.
    Words(&'static str),
    /// Refused by name, for a reason with these words.
    Refused(&'static str),
    /// Said on standard error in these words.
    Said(&'static str),
    /// Neither a word nor a note.
    Silent,
}

use Expected::{Refused, Said, Silent, Words};

/// Every option; the line is put behind two engines with a limit and a book.
const OPTIONS: &[(&str, Expected)] = &[
    (
        "-engine cmd=c dir=engines name=C tc=1 option.Hash=3 args=tabs restart=on timemargin=9",
        Words("C=engines/c"),
    ),
    ("-engine cmd=c dir=engines name=C", Words("--dir C:engines")),
    ("-engine cmd=c dir=engines args=tabs", Words("--args c:tabs")),
    ("-engine cmd=./a option.Hash=3", Words("--option a:Hash=3")),
    ("-engine cmd=./a restart=on", Words("--restart a:every-game")),
    ("-engine cmd=./a nodes=7 tc=1+1", Words("--limit-of a:nodes=100,tc=1+1")),
    ("-engine cmd=base.toml name=ours", Words("ours=base.toml")),
    ("-engine name=C", Refused("cmd=PROGRAM")),
    ("-engine cmd=./a proto=xboard", Refused("speaks UCI only")),
    ("-engine cmd=./missing", Refused("there is no program `./missing`")),
    ("-engine cmd=./a ponder=on", Refused("ponder=on")),
    ("-each tc=10+0.1 timemargin=20", Words("--tc 10+0.1 --time-margin 20")),
    ("-each st=0.2", Words("--movetime 200 --time-margin 0")),
    ("-each plies=4", Words("--depth 4")),
    ("-each option.Hash=8", Words("--hash 8")),
    ("-each option.Style=Wild option.Hash=8", Words("--hash 8 --option Style=Wild")),
    ("-engine cmd=base.toml -each option.Hash=8 option.Threads=1", Words("--option B:Threads=1")),
    ("-engine cmd=base.toml -each option.Style=Wild", Words("--option base:Style=Wild")),
    ("-each tc=hg", Refused("hourglass")),
    (
        "-openings file=book.epd order=random start=5 plies=4 -srand 3",
        Words("--openings book.epd --order random --start 5 --seed 3"),
    ),
    ("-openings file=x.pgn format=pgn plies=8", Words("--openings x.pgn --order sequential --plies 8")),
    ("-openings order=random", Said("order=random without -srand: the seed is ")),
    ("-openings start=0", Refused("the first opening is 1")),
    ("-openings policy=encounter", Refused("policy=round")),
    ("-rounds 7", Words("--max-pairs 7")),
    ("-rounds 7 -games 2", Words("--max-pairs 7")),
    ("-rounds 7 -games 1", Words("--max-pairs 4")),
    ("-rounds 7 -games 1", Said("4 pairs in the place of 7 single games")),
    ("-games 10", Words("--max-pairs 10")),
    ("-games 10 -rounds 10", Refused("a pair has two games")),
    ("-rounds 0", Refused("no game to play")),
    ("-rounds 3 -repeat", Words("--max-pairs 3")),
    ("-engine cmd=./a -tournament gauntlet", Words("--gauntlet")),
    ("-tournament roundrobin", Words("match A=./a B=./b")),
    ("-tournament knockout", Refused("`knockout` is not played")),
    (
        "-engine cmd=./a -engine cmd=./a -tournament gauntlet -seeds 2",
        Refused("one engine that meets the others"),
    ),
    ("-engine cmd=./a -tournament gauntlet -seeds 2", Words("match A=./a B=./b a=./a --nodes")),
    ("-sprt elo0=0 elo1=2 alpha=0.05 beta=0.1", Words("sprt B=./b A=./a")),
    (
        "-sprt elo0=-1.5 elo1=2 alpha=0.05 beta=0.1",
        Words("--elo0=-1.5 --elo1 2 --alpha 0.05 --beta 0.1 --model normalized"),
    ),
    ("-sprt elo0=0 elo1=2 alpha=0.05 beta=0.1 model=logistic", Words("--model logistic")),
    ("-sprt elo0=0 elo1=2 alpha=0.05 beta=0.1 model=bayesian", Words("--model bayesian --trinomial=true")),
    ("-sprt elo0=0 elo1=2 alpha=0.05 beta=0.1 -rounds 0", Words("--max-pairs 500000")),
    ("-sprt elo0=0 elo1=2", Refused("alpha is 0")),
    ("-sprt elo0=0 elo1=2 alpha=0.1 beta=0.1 model=x", Refused("model=x")),
    ("-engine cmd=./a -sprt elo0=0 elo1=2 alpha=0.1 beta=0.1", Refused("one engine against another")),
    ("-resign movecount=3 score=600 twosided=true", Words("--resign 600,3,twosided")),
    ("-resign movecount=3 score=600", Words("--resign 600,3 ")),
    ("-resign movecount=3", Refused("give score=N")),
    ("-draw movenumber=34 movecount=8 score=20", Words("--draw 20,8,34")),
    ("-maxmoves 99", Words("--max-moves 99")),
    ("-maxmoves 0", Refused("at least one move")),
    ("-tb x;y", Words("--syzygy x:y")),
    ("-tb x -tbadjudicate WIN_LOSS", Words("--syzygy x --syzygy-adjudicate wins")),
    ("-tb x -tbadjudicate LOSS", Refused("`LOSS`: write BOTH")),
    ("-tb x -tbpieces 5", Words("--syzygy x --syzygy-pieces 5")),
    ("-tb x -tbpieces five", Refused("`five` is no number of pieces")),
    ("-tb x -tbignore50", Refused("fifty-move rule")),
    ("-concurrency 1", Words("--threads 1")),
    ("-concurrency 900", Said("-concurrency 900: there are ")),
    ("-concurrency -900", Words("--threads 1")),
    ("-concurrency 900 -force-concurrency", Silent),
    ("-variant standard", Silent),
    ("-variant fischerandom", Silent),
    ("-variant atomic", Refused("`atomic` is not played")),
    ("-srand 77", Words("--seed 77")),
    ("-srand x", Refused("`x` is no seed")),
    ("-recover", Silent),
    ("-ratinginterval 5", Silent),
    ("-ratinginterval x", Refused("`x` is no interval")),
    ("-scoreinterval 0", Silent),
    ("-report penta=false", Silent),
    ("-report penta=maybe", Refused("write true or false")),
    ("-output format=cutechess", Silent),
    ("-output format=html", Refused("format=html")),
    (
        "-pgnout file=x.pgn append=false nodes=true nps=true timeleft=true min=true notation=uci",
        Words("--pgn x.pgn"),
    ),
    ("-pgnout x.pgn fi", Words("--pgn x.pgn")),
    ("-pgnout file=x.pgn hashfull=true", Said("-pgnout hashfull: it is not kept")),
    ("-pgnout file=x.pgn tbhits=true", Said("-pgnout tbhits: it is not kept")),
    ("-pgnout file=x.pgn seldepth=true", Words("--pgn-detail --pgn x.pgn")),
    ("-pgnout file=x.pgn pv=true", Words("--pgn-detail --pgn x.pgn")),
    ("-pgnout file=x.pgn pv=false latency=true", Words("play-on --pgn x.pgn")),
    ("-pgnout file=x.pgn match_line=x", Said("-pgnout match_line: lines of the engines are not kept")),
    ("-pgnout file=x.pgn notation=lan", Refused("san and uci are")),
    ("-epdout file=x.epd append=false", Said("-epdout: no option of this program")),
    ("-epdout file=x.epd min=true", Refused("`min` is none of its keys")),
    ("-event x y", Silent),
    ("-site x", Silent),
    ("-crc32 pgn=true", Silent),
    ("-crc32 epd=true", Refused("`epd` is none of its keys")),
    ("-log file=x.log engine=true append=false", Words("--log x.log")),
    ("-log file=x.log level=trace", Said("-log: nothing is logged but the UCI dialogue")),
    ("-log level=loud", Refused("level=loud")),
    ("-startup-ms 2500", Words("--start-timeout 3")),
    ("-ping-ms 2000 -ucinewgame-ms 4000", Words("--ready-timeout 4")),
    ("-ucinewgame-ms 1", Words("--ready-timeout 1")),
    ("-config outname=x.json", Said("-config outname: no such file is written")),
    ("-config discard=true", Silent),
    ("-config file=x.json", Refused("--resume RUN")),
    ("-autosaveinterval 0", Silent),
    ("-testEnv", Silent),
    ("-wait 5", Said("-wait: games follow each other at once")),
    ("-wait 0", Silent),
    ("-reverse", Said("-reverse: the first game")),
    ("-use-affinity", Words("--affinity")),
    ("-use-affinity 0-3,6", Said("`taskset -c 0-3,6`")),
    ("-check-mate-pvs", Said("-check-mate-pvs: ")),
    ("-show-latency", Silent),
    ("-strict", Refused("no warning ends a run")),
    ("-noswap", Refused("colours swapped")),
    ("-debug", Refused("engine=true")),
    ("-version", Refused("it stands first")),
    ("-help", Refused("it stands first")),
    ("-compliance ./a", Refused("it stands first")),
    ("-translate", Silent),
    ("-quick cmd=./a", Refused("two engines")),
    ("-rond 3", Refused("did you mean -rounds?")),
    ("-bookmode disk", Refused("is no option of fastchess")),
];

#[test]
fn every_option_has_its_meaning_its_note_or_its_reason() {
    let project = project();
    let usual = run(&project, &format!("{TWO} {SHORT} -translate"));
    usual.expect(0, &[]);
    for (line, expected) in OPTIONS {
        let ended = run(&project, &format!("{TWO} {SHORT} {line} -translate"));
        let option = line.split(' ').next().unwrap();
        match expected {
            Words(words) => {
                assert!(ended.code == 0 && ended.out.contains(words), "{line}: {ended:?}");
            }
            Refused(reason) => {
                assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{line}: {ended:?}");
                assert!(ended.err.starts_with("error: ") && ended.err.contains(reason), "{line}: {ended:?}");
                let names_it = ended.err.contains(option) || option == "-engine" || line.contains(" -");
                assert!(names_it, "{line}: {ended:?}");
            }
            Said(note) => {
                assert_eq!((ended.code, ended.err.matches(note).count()), (0, 1), "{line}: {ended:?}");
            }
            Silent => {
                assert_eq!((ended.code, ended.err.as_str()), (0, usual.err.as_str()), "{line}: {ended:?}");
            }
        }
        // fishtest counts these words on standard error, too.
        for word in ["disconnect", "stall", "on time", "timeout", "Finished match", "Warning;"] {
            assert!(!ended.err.contains(word), "{line}: {ended:?}");
        }
    }
}

#[test]
fn every_option_is_tried_shown_and_documented() {
    let project = project();
    let tried: BTreeSet<&str> =
        OPTIONS.iter().flat_map(|(line, _)| split(line)).filter_map(|word| word.strip_prefix('-')).collect();
    let help = run(&project, "-help");
    let document =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/fastchess.md")).unwrap();
    for row in TABLE {
        assert!(tried.contains(row.name), "{} is not tried", row.name);
        assert!(help.out.contains(&format!("  -{}", row.name)), "{}", row.name);
        assert!(document.contains(&format!("`-{}`", row.name)), "{} is not documented", row.name);
        let refused = OPTIONS.iter().any(|(line, expected)| {
            matches!(expected, Refused(_)) && split(line).iter().any(|word| word[1..] == *row.name)
        });
        assert!(refused || row.fate != Fate::Refused, "{} is not refused", row.name);
    }
}

/// The command that is printed plays what is played.
#[test]
fn the_translation_plays_the_same_games() {
    let project = project();
    let line =
        format!("{TWO} {SHORT} -rounds 3 -pgnout file=games.pgn -sprt elo0=0 elo1=90 alpha=0.05 beta=0.05");
    run(&project, &line).expect(0, &[]);
    let ours = project.newest().unwrap();
    let translated = run(&project, &format!("{line} -translate")).out;
    fs::remove_file(project.at("games.pgn")).unwrap();
    let words = translated.trim().strip_prefix("harness ").unwrap();
    project.run(&format!("{words} --quiet")).expect(0, &[]);
    let again = project.newest().unwrap();
    assert!(again.id != ours.id && again.digest == ours.digest, "{translated}");
}

/// The command line of OpenBench's worker, from the folder and under the name that it uses.
#[test]
fn openbench_counts_what_was_played() {
    let project = project();
    let line = "-recover -variant standard -testEnv -concurrency 2 -rounds 4 -games 2 -resign movecount=3 score=400 \
                -draw movenumber=40 movecount=8 score=10 \
                -engine dir=engines/ cmd=./c proto=uci tc=4.00+0.04 timemargin=250 option.Hash=8 name=Toy-dev \
                -engine dir=engines/ cmd=./c proto=uci tc=4.00+0.04 timemargin=250 option.Hash=4 args=illegal_3 name=Toy-base \
                -openings file=book.epd format=epd order=random start=3 -srand 42 \
                -pgnout file=1.2.3.4.pgn seldepth=true nodes=true match_line=x";
    let words: Vec<String> = split(line).iter().map(|word| word.replace("illegal_", "illegal ")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let version = Running::start(&mut called(&project, Some("fastchess-ob"), &["--version"])).end();
    let number: String = version
        .out
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| "0123456789.".contains(*c))
        .collect();
    assert_eq!(number, "1.8.2,".trim_end_matches(','), "{version:?}");
    let ended = Running::start(&mut called(&project, Some("fastchess-ob"), &words)).end();
    ended.expect(0, &["match_line"]);
    let read = OpenBench::read(&ended.out);
    // The base plays an illegal move in every game.
    assert_eq!((read.trinomial, read.pentanomial), ([0, 0, 8], [0, 0, 0, 0, 4]), "{ended:?}");
    assert_eq!((read.illegal_moves, read.crashes, read.time_losses), (8, 0, 0));
    let pgn = project.read("1.2.3.4.pgn");
    assert_eq!(pgn.matches("[Termination \"illegal move\"]").count(), 8, "{pgn}");
    // Headers and moves are divided by single empty lines.
    assert_eq!(pgn.split("\n\n").filter(|part| !part.trim().is_empty()).count(), 16, "{pgn}");
    assert!(pgn.contains(", n=100"), "{pgn}");
}

/// The command line of fishtest's worker.
#[test]
fn fishtest_reports_every_batch() {
    let project = project();
    let line = "-testEnv -recover -repeat -games 2 -rounds 8 -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 \
                -report penta=true -pgnout file=games.pgn append=false -crc32 pgn=true -site https://tests/view/1 \
                -event Batch_1 -srand 7 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
                -variant standard -concurrency 2 -openings file=book.epd format=epd order=random plies=16 start=3 \
                -check-mate-pvs -engine name=New-abc tc=4+0.04 cmd=./a dir=. option.Hash=16 \
                -engine name=Base-def tc=4+0.04 cmd=./b dir=. option.Hash=16 -each proto=uci -maxmoves 20";
    project.write("games.pgn", "what was there before");
    let ended = Running::start(&mut called(&project, Some("fastchess"), &split(line))).end();
    ended.expect(0, &[]);
    let read = Fishtest::read(&ended.out, &ended.err, 16, 4);
    assert_eq!((read.reported.clone(), read.is_clean), (vec![4, 8, 12, 16], true), "{ended:?}");
    assert_eq!((read.crashes, read.time_losses, read.errors.clone()), (0, 0, Vec::new()), "{ended:?}");
    // Every pair has its block, so that batches of one pair would be reported as well.
    assert_eq!(Fishtest::read(&ended.out, &ended.err, 16, 2).reported, [2, 4, 6, 8, 10, 12, 14, 16]);
    let counted = OpenBench::read(&ended.out);
    assert_eq!(counted.pentanomial, read.pentanomial);
    assert_eq!(counted.trinomial, [read.results[1], read.results[2], read.results[0]]);
    let mut crc = flate2::Crc::new();
    crc.update(project.read("games.pgn").as_bytes());
    assert_eq!(read.crc32, Some(format!("{:#x}", crc.sum())));
    let pgn = project.read("games.pgn");
    assert!(pgn.contains("[Event \"Batch_1\"]") && pgn.contains("[Site \"https://tests/view/1\"]"), "{pgn}");
}

#[test]
fn faults_are_told_in_the_words_that_workers_count() {
    for (mode, limit, [crashes, time_losses, illegal]) in [
        ("crash 2", "nodes=100", [4, 0, 0]),
        ("illegal 2", "nodes=100", [0, 0, 4]),
        ("none 2", "nodes=100", [0, 0, 4]),
        ("late 2", "st=0.3", [0, 4, 0]),
    ] {
        let project = project();
        let args = format!("args={mode}");
        let mut words = vec!["-engine", "cmd=./a", "name=A", "-engine", "cmd=./b", "name=B", &args];
        words.extend(split(
            "-rounds 2 -ratinginterval 1 -openings file=book.epd -recover -concurrency 2 -each",
        ));
        words.push(limit);
        let ended = Running::start(&mut called(&project, None, &words)).end();
        ended.expect(0, &[]);
        let read = OpenBench::read(&ended.out);
        assert_eq!(
            [read.crashes, read.time_losses, read.illegal_moves],
            [crashes, time_losses, illegal],
            "{ended:?}"
        );
        assert_eq!(read.pentanomial, [0, 0, 0, 0, 2], "{mode}");
        let read = Fishtest::read(&ended.out, &ended.err, 4, 2);
        assert_eq!((read.crashes, read.time_losses), (crashes, time_losses), "{ended:?}");
        assert_eq!(read.errors.len() as u64, illegal, "{ended:?}");
    }
}

/// Several pairs become countable at once where an earlier one is waited for.
#[test]
fn pairs_that_are_counted_at_once_have_a_block_each() {
    let project = project();
    // The first engine needs its time for its first game only on one of the threads.
    let script = "#!/bin/sh\nif mkdir first 2>/dev/null; then exec ./a slow; fi\nexec ./a\n";
    project.write("uneven", script);
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(project.at("uneven"), executable).unwrap();
    let line = "-engine cmd=./uneven name=A -engine cmd=./b name=B -each nodes=100 -openings file=book.epd -rounds 12 \
                -concurrency 3 -force-concurrency -ratinginterval 2 -maxmoves 30 -recover";
    let ended = run(&project, line);
    ended.expect(0, &[]);
    let blocks = Fishtest::read(&ended.out, &ended.err, 24, 4);
    assert_eq!((blocks.reported, blocks.is_clean), (vec![4, 8, 12, 16, 20, 24], true), "{}", ended.out);
    let numbers: Vec<u64> = (ended.out.lines())
        .filter_map(|line| line.strip_prefix("Finished game "))
        .map(|line| line.split(' ').next().unwrap().parse().unwrap())
        .collect();
    assert!((1..=24).eq(numbers), "{}", ended.out);
}

#[test]
fn an_interrupt_ends_it_at_once() {
    for name in [None, Some("fastchess"), Some("cutechess-cli")] {
        let project = project();
        let mark = format!("TOY_ENGINE_OF={}", project.path().display());
        project.write("hangs", format!("#!/bin/sh\n{mark} exec ./a hang 2\n"));
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(project.at("hangs"), executable).unwrap();
        let line = "-engine cmd=./hangs name=A -engine cmd=./b name=B -each tc=80000 -openings file=book.epd -rounds 9 -recover";
        let mut running = Running::start(&mut called(&project, name, &split(line)));
        running.wait_until("an engine hangs", || project.at("stalled").exists());
        running.signal("INT");
        running.end().expect(130, &["to go on: ", "match --resume match-"]);
    }
}

#[test]
fn a_name_decides_whose_lines_are_printed() {
    let project = project();
    let line = format!("{TWO} {SHORT} -rounds 2 -games 2 -sprt elo0=0 elo1=9 alpha=0.05 beta=0.05");
    let fastchess = Running::start(&mut called(&project, Some("fastchess"), &split(&line))).end();
    assert!(fastchess.out.contains("Ptnml(0-2): [") && fastchess.out.contains("LLR: "), "{fastchess:?}");
    for name in ["cutechess-cli", "cutechess-ob"] {
        let ended = Running::start(&mut called(&project, Some(name), &split(&line))).end();
        ended.expect(0, &["add model=logistic"]);
        assert_eq!(ended.out.matches("Score of A vs B: ").count(), 4, "{ended:?}");
        assert!(ended.out.contains("Elo difference: ") && ended.out.contains("SPRT: llr "), "{ended:?}");
        assert!(!ended.out.contains("Ptnml"), "{ended:?}");
        // Without -games, one game a round.
        let words = format!("{TWO} {SHORT} -rounds 4 -translate");
        let ended = Running::start(&mut called(&project, Some(name), &split(&words))).end();
        assert!(ended.out.contains("--max-pairs 2"), "{ended:?}");
    }
    // A word without a dash is a command of this program.
    Running::start(&mut called(&project, Some("fastchess"), &["runs"])).end().expect(0, &[]);
    for words in [vec!["--version"], vec!["-version"], vec!["-help"], vec![]] {
        let ended = Running::start(&mut called(&project, Some("fastchess"), &words)).end();
        assert!(ended.code == 0 && ended.out.starts_with("fastchess 1.8.2"), "{words:?}: {ended:?}");
    }
    Running::start(&mut called(&project, Some("fastchess"), &["--compliance", "./a"])).end().expect(0, &[]);
}

#[test]
fn files_are_appended_to_unless_it_is_said_otherwise() {
    let project = project();
    let line =
        format!("{TWO} {SHORT} -rounds 1 -pgnout file=g.pgn -epdout file=e.epd -log file=l.log engine=true");
    run(&project, &line).expect(0, &[]);
    let (games, ends) = (project.read("g.pgn"), project.read("e.epd"));
    common::engines::pgn_extract_has_no_complaint(&games);
    assert_eq!((games.matches("[White ").count(), ends.lines().count()), (2, 2));
    assert!(project.read("l.log").contains("go nodes 100"));
    run(&project, &line).expect(2, &["-log: l.log exists", "append=false"]);
    run(&project, &line.replace("engine=true", "engine=true append=false")).expect(0, &[]);
    assert_eq!(project.read("g.pgn").matches("[White ").count(), 4);
    let anew = line.replace("g.pgn", "g.pgn append=false").replace("e.epd", "e.epd append=false");
    run(&project, &anew.replace("engine=true", "engine=true append=false")).expect(0, &[]);
    assert_eq!((project.read("g.pgn").matches("[White ").count(), project.read("e.epd")), (2, ends));
}

#[test]
fn files_tell_of_each_move_what_is_asked() {
    let project = project();
    let told = "args=says:info_depth_5_seldepth_9_score_cp_12_nodes_100_time_1_pv_{best}";
    let line = format!(
        "-engine cmd=./a {told} name=A -engine cmd=pvs.toml name=B -each tc=1+0.05 -maxmoves 4 -rounds 1 -recover \
         -openings file=book.epd -pgnout file=g.pgn append=false"
    );
    let all = ["tl=", "latency=", "n=", "sd=", "nps=", "pv=\""];
    for (asked, kept) in [
        ("", vec![]),
        ("pv=true", vec!["pv=\""]),
        ("seldepth=true latency=true", vec!["latency=", "sd="]),
        ("timeleft=true nodes=true nps=true", vec!["tl=", "n=", "nps="]),
    ] {
        run(&project, &format!("{line} {asked}")).expect(0, &[]);
        let games = project.read("g.pgn");
        for word in all {
            assert_eq!(
                games.contains(&format!(", {word}")),
                kept.contains(&word),
                "{asked}: {word}: {games}"
            );
        }
        let with_details = asked.contains("pv") || asked.contains("seldepth");
        assert_eq!(
            games.matches("[GameDuration \"00:0").count(),
            if with_details { 2 } else { 0 },
            "{games}"
        );
        assert_eq!(games.contains("[EngineWhiteName \"toy\"]"), with_details, "{games}");
        common::engines::pgn_extract_has_no_complaint(&games);
    }
    let latency = run(&project, &format!("{line} -show-latency")).out;
    // Of a player inside the program there is none.
    assert!(latency.contains("\nLatency A: ") && !latency.contains("Latency B"), "{latency}");
}

#[test]
fn the_start_position_is_a_book() {
    let project = project();
    let line = format!("{TWO} -each tc=9+1 -rounds 2 -maxmoves 3 -recover -pgnout file=g.pgn");
    run(&project, &line).expect(0, &["every game begins from the start position"]);
    let games = project.read("g.pgn");
    assert!(games.matches("[White ").count() == 4 && !games.contains("[FEN "), "{games}");
    // Without a clock the same games would come again.
    run(&project, &line.replace("tc=9+1", "nodes=9")).expect(0, &["every opening of the book was played"]);
}

#[test]
fn engines_of_one_program_and_odd_names_are_told_apart() {
    let project = project();
    for (line, names) in [
        ("-engine cmd=./a option.Hash=2 -engine cmd=./a name=dev option.Hash=3", ["a", "dev"]),
        ("-engine cmd=./a option.Hash=2 -engine cmd=./a option.Hash=3", ["a", "a_2"]),
        (
            "-engine cmd=./a name=x/y=z:1 option.Hash=2 -engine cmd=./b name=b:2 option.Hash=3",
            ["x/y=z:1", "b:2"],
        ),
        ("-engine cmd=./a name=b option.Hash=2 -engine cmd=./b name=a option.Hash=3", ["b", "a"]),
    ] {
        let ended = run(&project, &format!("{line} {SHORT} -rounds 1"));
        ended.expect(0, &[]);
        let [first, second] = names;
        assert!(
            ended
                .out
                .contains(&format!("Results of {first} vs {second} (100 nodes, 1t, 2MB - 3MB, book.epd):")),
            "{ended:?}"
        );
    }
}
