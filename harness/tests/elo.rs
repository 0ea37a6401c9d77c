//! `harness elo`: the real program on counts that make sense, and on some that do not.

use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// What the program wrote, and its exit code.
struct Ended {
    code: i32,
    out: String,
    err: String,
}

fn elo_of(input: &str, arguments: &[&str]) -> Ended {
    let mut child = Command::new(env!("CARGO_BIN_EXE_harness"))
        .arg("elo")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that reads no input may have ended by now.
    _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn elo(arguments: &str) -> Ended {
    elo_of("", &arguments.split_whitespace().collect::<Vec<_>>())
}

fn report(arguments: &str) -> Value {
    let ended = elo(&format!("{arguments} --json"));
    assert_eq!((ended.code, ended.out.lines().count(), ended.err.as_str()), (0, 1, ""), "{arguments}");
    serde_json::from_str(&ended.out).unwrap()
}

#[track_caller]
fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - expected).abs() < 5e-3, "{value} instead of {expected}");
}

/// A result that fishtest published: Stockfish pull request 5013, fixed number of games.
#[test]
fn a_published_result() {
    let report = report("--ptnml 31,5598,13579,5754,38 --wld 12517,12347,25136");
    close(&report["elo"]["estimate"], 1.18);
    close(&report["nelo"]["estimate"], 2.45);
    close(&json!(100.0 * report["los"].as_f64().unwrap()), 94.3 - 0.04);
    assert_eq!(
        (&report["games"], &report["wins"], &report["model"]),
        (&json!(50000), &json!(12517), &json!("logistic"))
    );
    assert_eq!(report["pentanomial"], json!([31, 5598, 13579, 5754, 38]));
}

#[test]
fn the_keys_of_a_report_of_sprt() {
    let report = report("--wld 100,90,200");
    for key in [
        "model",
        "elo0",
        "elo1",
        "alpha",
        "beta",
        "llr",
        "lower",
        "upper",
        "games",
        "wins",
        "losses",
        "draws",
        "pentanomial",
        "elo",
        "elo_after_stop",
        "nelo",
        "los",
        "elo_anytime",
        "elo_exact",
        "draw_ratio",
        "pair_ratio",
    ] {
        assert!(report.get(key).is_some(), "{key}");
    }
}

#[test]
fn every_model_and_unit() {
    let counts = "--ptnml 53,51,275,83,112 --wld 559,409,180";
    let default = report(counts);
    for model in ["logistic", "normalized", "bayesian"] {
        let chosen = report(&format!("{counts} --model {model}"));
        assert_eq!(chosen["model"], model);
        assert_eq!(chosen["llr"], default["llr_by_model"][model], "the same figure wherever it stands");
    }
    let games = report("--wld 559,409,180");
    let trinomial = report(&format!("{counts} --trinomial"));
    assert_eq!((&games["llr"], &games["trinomial"]), (&trinomial["llr"], &json!(true)));
    assert_ne!(trinomial["llr"], default["llr"]);
    assert_eq!(trinomial["elo"], default["elo"], "estimates look at the pairs in any case");
    let wider = report(&format!("{counts} --confidence 0.99"));
    assert!(wider["elo"]["margin"].as_f64() > default["elo"]["margin"].as_f64());
    assert!(wider["elo_anytime"]["low"].as_f64() < default["elo_anytime"]["low"].as_f64());
}

#[test]
fn the_text_has_all_models_and_what_is_known() {
    let both = elo("--ptnml 53,51,275,83,112 --wld 559,409,180").out;
    let expected = "\
Elo   +45.7 ± 16.6 (95 %)   nElo +56.0 ± 20.6   LOS 100.0 %
      +44.8 [+27.8, +62.0] corrected for optional stopping
      [+15.3, +76.6] (95 %) anytime-valid
LLR   2.95 in (-2.94, 2.94) for [0, 5] logistic: H1 accepted, the candidate is stronger
      2.47 for [0, 5] normalized
      2.36 for [0, 5] bayesian
Games 1148: +559 =180 -409   pairs [53, 51, 275, 83, 112]
Draws 15.7 %   pair ratio 1.88   1-1 pairs 47.9 % (DD 4.0 %, WL 43.9 %)   RMS bias 152 Elo
Read as 559 won, 409 lost, 180 drawn; pairs with 0 points 53, ½ 51, 1 275, 1½ 83, 2 112
";
    assert_eq!(both, expected);
    let pairs = elo("--ptnml 53,51,275,83,112").out;
    assert!(pairs.contains("\nGames 1148   pairs [53, 51, 275, 83, 112]\n"), "{pairs}");
    assert!(pairs.ends_with("      - for [0, 5] bayesian\nGames 1148   pairs [53, 51, 275, 83, 112]\nDraws -   pair ratio 1.88   1-1 pairs 47.9 %\nRead as pairs with 0 points 53, ½ 51, 1 275, 1½ 83, 2 112\n"), "{pairs}");
    let games = elo("--wld 559,409,180 --elo0 -3 --elo1 1").out;
    assert!(games.contains(" for [-3, 1] logistic (trinomial): "), "{games}");
}

/// The correction assumes that the test stopped when the LLR reached a bound.
#[test]
fn the_correction_is_given_only_where_a_test_stopped() {
    for stopped in [
        "--ptnml 53,51,275,83,112",
        "--ptnml 44,61,253,100,95 --wld 514,373,219",
        "--ptnml 3,1,5,0,0 --elo1 100",
        "--wld 880,759,1863",
    ] {
        let report = report(stopped);
        let [low, estimate, high] =
            ["low", "estimate", "high"].map(|key| report["elo_after_stop"][key].as_f64().unwrap());
        assert!(low < estimate && estimate < high, "{report}");
        assert_eq!(report["elo_after_stop_reason"], Value::Null, "{report}");
        assert!(elo(stopped).out.contains("] corrected for optional stopping\n"), "{stopped}");
    }
    let past = "the test did not stop at its bound: the LLR is further past it than one pair can move it";
    let running = "the test has not stopped: the LLR is between its bounds";
    for (elsewhere, reason) in [
        ("--ptnml 2000,8000,20000,8000,2000", past),
        ("--ptnml 1000000000000,1000000000000,1000000000000,1000000000000,1000000000000", past),
        ("--ptnml 50,200,500,260,60 --elo0 0 --elo1 2000", past),
        ("--ptnml 0,0,400,150,50", past),
        ("--wld 1000,600,2000", past),
        ("--ptnml 53,51,275,83,112 --wld 559,409,180 --trinomial --elo1 40", past),
        ("--ptnml 1,2,3,2,1", running),
        ("--wld 100,90,200 --model bayesian", running),
        ("--ptnml 0,0,0,0,0", running),
        ("--ptnml 0,0,0,0,207", "the results are too one-sided for an estimate"),
    ] {
        let report = report(elsewhere);
        assert_eq!(report["elo_after_stop"], Value::Null, "{elsewhere}: {report}");
        assert_eq!(report["elo_after_stop_reason"], reason, "{elsewhere}: {report}");
        assert!(!elo(elsewhere).out.contains("corrected for optional stopping"), "{elsewhere}");
    }
}

/// The table in docs/statistics.md of how much wider the anytime-valid interval is.
#[test]
fn the_documented_widths_hold() {
    let document = include_str!("../../docs/statistics.md");
    for (pairs, text, ratio) in [
        (100, "| 100 | 4.25 |", 4.25),
        (1_000, "| 1,000 | 1.83 |", 1.83),
        (10_000, "| 10,000 | 1.55 |", 1.55),
        (100_000, "| 100,000 | 1.68 |", 1.68),
        (1_000_000, "| 1,000,000 | 1.84 |", 1.84),
        (10_000_000, "| 10,000,000 | 2.00 |", 2.00),
    ] {
        let counts = [5, 20, 50, 20, 5].map(|percent| (percent * pairs / 100).to_string());
        let report = report(&format!("--ptnml {}", counts.join(",")));
        let width = |key: &str| report[key]["high"].as_f64().unwrap() - report[key]["low"].as_f64().unwrap();
        close(&json!(width("elo_anytime") / width("elo")), ratio);
        assert!(document.contains(text), "{text}");
    }
}

/// Beyond some ±1200 Elo the scale is cut off, and where it is cut off is no figure.
#[test]
fn the_end_of_a_scale_is_never_a_figure() {
    for (counts, line) in [
        ("--ptnml 0,0,0,3,300", "Elo   +1042.1 [+910.6, +∞] (95 %)"),
        ("--ptnml 300,3,0,0,0", "Elo   -1042.1 [-∞, -910.6] (95 %)"),
        ("--ptnml 0,0,0,1,3000", "Elo   +1631.7 [+1443.2, +∞] (95 %)"),
        ("--ptnml 1,0,0,0,1", "Elo   +0.0 [-∞, +∞] (95 %)"),
        ("--wld 5000,1,0", "Elo   +1479.6 [+1291.0, +∞] (95 %)"),
        ("--ptnml 1,0,0,0,900000", "Elo   +2381.7 [+2193.2, +∞] (95 %)"),
        ("--wld 3,3000000,3", "Elo   -2329.6 ± 214.2 (95 %)"),
    ] {
        let text = elo(counts).out;
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with(line), "{counts}: {first}, not {line}");
        let report = report(counts);
        assert!(report["elo"]["estimate"].is_f64(), "{counts}: {report}");
        assert_eq!(report["elo"]["margin"].is_null(), line.contains('∞'), "{counts}: {report}");
        for interval in ["elo", "elo_anytime"] {
            for end in ["low", "high"] {
                let is_end =
                    report[interval][end].as_f64().is_some_and(|elo| (elo.abs() - 1200.0).abs() < 1.0);
                assert!(!is_end, "{counts}: {report}");
            }
        }
    }
    // Wide bounds and few pairs: the corrected interval has an open end too.
    let few = report("--ptnml 0,0,0,1,4 --elo0 0 --elo1 400");
    assert_eq!(
        (few["verdict"].as_str(), &few["elo_after_stop"]["high"]),
        (Some("h1"), &Value::Null),
        "{few}"
    );
    assert!(few["elo_after_stop"]["low"].is_f64(), "{few}");
    let biased = report("--ptnml 0,0,9,0,0 --wld 9,9,0");
    assert_eq!((&biased["rms_bias"], &biased["rms_bias_elo"]), (&json!(0.5), &Value::Null));
}

/// A verdict speaks of the unit in which the bounds were given.
#[test]
fn the_verdict_has_the_unit_of_the_bounds() {
    for (test, words) in [
        ("--elo1 5", "H0 accepted, the candidate is not stronger by 5 Elo or more\n"),
        ("--elo1 6 --model normalized", "not stronger by 6 normalized Elo or more\n"),
        ("--elo1 5 --model bayesian", "not stronger by 5 BayesElo or more\n"),
        (
            "--elo0 -60 --elo1 -50 --model normalized",
            "H1 accepted, the candidate is not weaker by 60 normalized Elo",
        ),
    ] {
        let text = elo(&format!("--ptnml 400,1000,2000,900,400 --wld 3200,3300,2900 {test}")).out;
        assert!(text.contains(words), "{test}: {text}");
    }
}

#[test]
fn results_in_one_category_have_bounds_and_no_estimate() {
    let won = report("--wld 20,0,0");
    assert_eq!((&won["elo"], &won["nelo"], &won["los"]), (&Value::Null, &Value::Null, &Value::Null));
    close(&won["elo_exact"]["low"], 316.64);
    assert_eq!(won["elo_exact"]["high"], Value::Null);
    let nothing = report("--ptnml 0,0,0,0,0");
    for key in ["elo", "elo_after_stop", "elo_exact", "draw_ratio", "pair_ratio", "wl_share", "rms_bias"] {
        assert_eq!(nothing[key], Value::Null, "{key}");
    }
    assert_eq!((&nothing["llr"], &nothing["verdict"]), (&json!(0.0), &json!("undecided")));
    let largest = report("--ptnml 1000000000000,1,0,3,1000000000000 --elo0 -2000 --elo1 2000");
    assert!(largest["llr"].is_f64() && largest["elo"]["margin"].is_f64(), "{largest}");
}

#[test]
fn many_lines_give_an_object_each() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.txt");
    let lines = "559,409,180\r\n\n53 51 275 83 112\n{\"ptnml\": [53, 51, 275, 83, 112], \"wdl\": [559, 409, 180], \
                 \"model\": \"bayesian\"}\n";
    std::fs::write(&file, lines).unwrap();
    let from_file = elo_of("", &[file.to_str().unwrap()]);
    assert_eq!((from_file.code, from_file.err.as_str()), (0, ""));
    let reports: Vec<Value> = from_file.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(reports[0], report("--wld 559,409,180"));
    assert_eq!(reports[1], report("--ptnml 53,51,275,83,112"));
    assert_eq!(reports[2], report("--ptnml 53,51,275,83,112 --wld 559,409,180 --model bayesian"));
    assert_eq!(elo_of(lines, &["-", "--json"]).out, from_file.out);

    // A report of this program is a line too.
    let again = elo_of(&reports[2].to_string(), &["-"]);
    assert_eq!(serde_json::from_str::<Value>(&again.out).unwrap(), reports[2]);
    // Its bounds give way to a preset of the command line, its model stays.
    let preset = elo_of(&reports[2].to_string(), &["-", "--preset", "gain-small"]);
    let preset: Value = serde_json::from_str(&preset.out).unwrap();
    assert_eq!((&preset["elo1"], &preset["model"]), (&json!(2.0), &json!("bayesian")));
}

#[test]
fn a_bad_line_is_named() {
    for (line, words) in [
        ("1,2,x", "standard input, line 3 has \"x\", which is no count"),
        ("1,2", "standard input, line 3 has 2 numbers"),
        ("{\"wdl\": [1, 2]}", "standard input, line 3 is no object with counts"),
        (
            "{\"wdl\": [1, 2, 3], \"elo0\": 9}",
            "standard input, line 3 cannot be tested: elo0 (9) is not below elo1 (5)",
        ),
        (
            "{\"ptnml\": [1, 2, 3, 4, 5], \"model\": \"bayesian\"}",
            "line 3 cannot be tested: the bayesian test",
        ),
    ] {
        let ended = elo_of(&format!("1,2,3\n\n{line}\n4,5,6\n"), &["-"]);
        assert_eq!((ended.code, ended.out.lines().count()), (2, 1), "{line}: {}", ended.err);
        assert!(ended.err.contains(words), "{line}: {}", ended.err);
    }
}

#[test]
fn nonsense_is_refused_in_a_sentence() {
    for (arguments, words) in [
        ("", "--wld <W,L,D>"),
        ("--wld -1,2,3", "'--wld <W,L,D>': has \"-1\", which is no count: give whole numbers, 0 or more"),
        ("--wld 1,2", "'--wld <W,L,D>': gives not three numbers"),
        ("--ptnml 1,2,3", "'--ptnml <LL,LD,DD,WD,WW>': gives not five numbers"),
        ("--ptnml 1,2,3,4,99999999999999999999", "is too large: give at most 1000000000000"),
        ("--wld 1,2,3 --ptnml 1,2,3,4,5", "cannot form the pairs [1, 2, 3, 4, 5]"),
        ("--ptnml 1,2,3,4,5 --trinomial", "the logistic (trinomial) test looks at single games"),
        ("--wld 1,2,3 --elo0 5 --elo1 5", "elo0 (5) is not below elo1 (5)"),
        ("--wld 1,2,3 --elo1 inf", "elo1 is inf"),
        ("--wld 1,2,3 --alpha 1.5", "alpha is 1.5"),
        ("--wld 1,2,3 --confidence 95", "a confidence level of 95 is impossible"),
        ("--wld 1,2,3 --confidence -1", "a confidence level of -1 is impossible"),
        ("--wld 1,2,3 --model pentanomial", "there is no model \"pentanomial\""),
        ("no-such-file", "no-such-file cannot be read"),
        ("file --wld 1,2,3", "cannot be used with"),
    ] {
        let ended = elo(arguments);
        assert_eq!((ended.code, ended.out.as_str()), (2, ""), "{arguments}");
        assert!(ended.err.contains(words), "{arguments}: {}", ended.err);
    }
}

/// What is level has no side.
#[test]
fn no_figure_is_minus_zero() {
    for counts in ["2000,8000,20000,8000,2000", "10,20,500,20,10", "5,10,40,10,5"] {
        let out = elo(&format!("--ptnml {counts}")).out;
        assert!(
            out.contains("Elo   +0.0 ±") && !out.contains("-0.0 ") && !out.contains("-0.0,"),
            "{counts}: {out}"
        );
    }
}

/// Blocks as people copy them, from this program and from others.
#[test]
fn blocks_are_read_as_they_are() {
    let ours = "pvs.toml against base.toml · 5000 nodes/move · seed 1 · 2 threads\nElo   +44.5 ± 16.3 (95 %)\nLLR   2.95 in (-2.94, 2.94) for \
                [0, 5] logistic: H1 accepted\nGames 1106: +514 =219 -373   pairs [44, 61, 253, 100, 95]\n\nElo   | 44.54 +- 16.35 (95%)\nSPRT  | \
                N=5000\nLLR   | 2.95 (-2.94, 2.94) [0.00, 5.00]\nGames | N: 1106 W: 514 L: 373 D: 219\nPenta | [44, 61, 253, 100, 95]\n";
    let openbench = "Elo   | 1.18 +- 1.21 (95%)\nLLR   | 2.97 (-2.94, 2.94) [0.00, 2.00]\nGames | N: 50000 W: 12517 L: 12347 D: 25136\nPenta | \
                     [31, 5598, 13579, 5754, 38]\nhttps://tests/1\n";
    let fastchess = "--------------------------------------------------\nResults of New vs Old (2000 nodes, 1t, 16MB, book.epd):\nElo: 1.18\n\
                     Games: 50000, Wins: 12517, Losses: 12347, Draws: 25136, Points: 25085.0 (50.17 %)\nPtnml(0-2): [31, 5598, 13579, 5754, 38], \
                     WL/DD Ratio: 9.00\nLLR: 2.95 (100.1%) (-2.94, 2.94) [0.00, 3.00]\n";
    let fishtest = "LLR: 2.95 (-2.94,2.94) <0.00,3.00>\nTotal: 50000 W: 12517 L: 12347 D: 25136\nPtnml(0-2): 31, 5598, 13579, 5754, 38\n";
    let cutechess =
        "Score of new vs old: 12517 - 12347 - 25136  [0.502] 50000\nElo difference: 1.2 +/- 1.2\n";
    let published = "--ptnml 31,5598,13579,5754,38 --wld 12517,12347,25136";
    for (text, same) in [
        (ours.to_owned(), vec!["--ptnml 44,61,253,100,95 --wld 514,373,219"]),
        (openbench.to_owned(), vec![&*format!("{published} --elo1 2")]),
        (fastchess.to_owned(), vec![&*format!("{published} --elo1 3 --model normalized")]),
        (fishtest.to_owned(), vec![&*format!("{published} --elo1 3 --model normalized")]),
        (cutechess.to_owned(), vec!["--wld 12517,12347,25136"]),
        // Several, also of several programs, and the same once.
        (
            format!("{fishtest}{fishtest}\n{openbench}"),
            vec![&*format!("{published} --elo1 3 --model normalized")],
        ),
        (
            format!("some words\n{ours}\n{cutechess}7,8,9\n"),
            vec!["--wld 7,8,9", "--ptnml 44,61,253,100,95 --wld 514,373,219", "--wld 12517,12347,25136"],
        ),
    ] {
        let ended = elo_of(&text, &["-"]);
        assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{text}");
        let mut read: Vec<Value> =
            ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut expected: Vec<Value> = same.iter().map(|arguments| report(arguments)).collect();
        let order = |value: &Value| value["games"].as_u64();
        read.sort_by_key(order);
        expected.sort_by_key(order);
        assert_eq!(read, expected, "{text}");
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), &text).unwrap();
        assert_eq!(elo_of("", &[file.path().to_str().unwrap()]).out, ended.out, "{text}");
    }
    // What fits nowhere is refused where there is no block, and counts of a block that cannot be.
    for (text, words) in [
        ("7,8,9\nsome words\n", "line 2 has \"some\""),
        ("x\nGames: 9, Wins: 9, Losses: 0, Draws: 0\nPtnml(0-2): [1, 0, 0, 0, 0]\n", "line 2 has 9 wins"),
    ] {
        let ended = elo_of(text, &["-"]);
        assert!(ended.code == 2 && ended.err.contains(words), "{text}: {}", ended.err);
    }
}

#[test]
fn what_each_number_was_taken_for_is_said() {
    for (arguments, words) in [
        ("--wld 640,480,880", "Read as 640 won, 480 lost, 880 drawn"),
        ("--wdl 640,480,880", "Read as 640 won, 480 lost, 880 drawn"),
        ("--ptnml 1,2,3,4,5", "Read as pairs with 0 points 1, ½ 2, 1 3, 1½ 4, 2 5"),
        (
            "--ptnml 44,61,253,100,95 --wld 514,373,219",
            "Read as 514 won, 373 lost, 219 drawn; pairs with 0 points 44, ½ 61, 1 253, 1½ 100, 2 95",
        ),
    ] {
        let text = elo(arguments).out;
        assert_eq!(text.lines().last(), Some(words), "{arguments}: {text}");
    }
}
