//! Config files: the shipped ones, and broken ones with their error messages.

use std::fs;
use std::path::{Path, PathBuf};

use engine::config::{EngineConfig, find_config};
use engine::params::SearchParams;
use engine::techniques::Techniques;
use proptest::prelude::*;
use tempfile::TempDir;

fn folder_with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The message that loading the first of the files gives, with paths relative to their folder.
fn refusal(files: &[(&str, &[u8])]) -> String {
    let folder = folder_with(files);
    let error = EngineConfig::load(&folder.path().join(files[0].0)).unwrap_err();
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

fn load(text: &str) -> EngineConfig {
    let folder = folder_with(&[("x.toml", text.as_bytes())]);
    EngineConfig::load(&folder.path().join("x.toml")).unwrap()
}

fn shipped(name: &str) -> EngineConfig {
    EngineConfig::load(&find_config(name, Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()).unwrap()
}

#[test]
fn base_is_the_engine_before_pvs_and_pvs_is_that_with_both_windows() {
    let base = EngineConfig {
        name: "base".to_owned(),
        techniques: Techniques {
            alpha_beta: true,
            quiescence: true,
            transposition_table: true,
            capture_ordering: true,
            killers: true,
            history: true,
            ..Techniques::none()
        },
        params: SearchParams::published(),
        eval: shipped("eval/published").eval,
    };
    assert_eq!(shipped("base"), base);
    assert_eq!(shipped("pvs").name, "pvs");
    assert_eq!(base.differences(&shipped("pvs")), ["pvs: false → true", "aspiration: false → true"]);
}

/// Stored results name configs by digest; if this fails, they no longer name these.
#[test]
fn digests_of_the_shipped_configs_are_stable() {
    let digest = |name| shipped(name).digest();
    assert_eq!(digest("base"), "182da1793f9bdf0cd8925266dde05c73489deff0f89097831923beaf8bc252c9");
    assert_eq!(digest("pvs"), "9d57cf5a4b1b2de59571365b0ee4389b150b11d4077c5533c87cdf2443a3a8f0");
}

#[test]
fn base_says_something_about_every_technique() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/base.toml");
    let table: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    let listed = table["techniques"].as_table().unwrap();
    for (info, _) in Techniques::none().iter() {
        assert!(listed.contains_key(info.name), "{}", info.name);
    }
}

#[test]
fn a_file_that_says_nothing_is_the_full_engine_under_its_stem() {
    for text in ["", "\n", "\u{feff}", "# nothing\r\n", "[techniques]\n[params]\n"] {
        assert_eq!(load(text), EngineConfig { name: "x".to_owned(), ..EngineConfig::default() }, "{text:?}");
    }
}

#[test]
fn what_toml_allows_is_understood() {
    for text in [
        "[params]\r\naspiration_delta = 3_0 # comment\r\n",
        "\u{feff}params.aspiration_delta = 0x1E",
        "params = { \"aspiration_delta\" = +30 }",
    ] {
        assert_eq!(load(text).params.aspiration_delta, 30, "{text}");
    }
}

#[test]
fn later_files_of_a_chain_override_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path: PathBuf = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("a.toml", "name = 'A'\nparams = { rfp_margin = 60, razor_margin = 1, lmp_base = 1 }");
    // Legal only together with the file that extends it.
    write(
        "sub/b.toml",
        "extends = '../a.toml'\nparams = { razor_margin = 2, lmp_base = 2 }\ntechniques.tt_pv_reductions = true",
    );
    write(
        "c.toml",
        "extends = 'sub/b.toml'\nparams.lmp_base = 3\ntechniques = { killers = false, tt_pv_reductions = false }",
    );
    let config = EngineConfig::load(&folder.path().join("c.toml")).unwrap();
    assert_eq!(config.name, "c");
    let expected = SearchParams { rfp_margin: 60, razor_margin: 2, lmp_base: 3, ..SearchParams::default() };
    assert_eq!(config.params, expected);
    assert_eq!(config.techniques, Techniques { killers: false, ..Techniques::default() });
}

#[test]
fn all_problems_of_a_file_are_reported_at_once() {
    let text = br#"extends = "base.toml"
nmae = "x"
[params]
aspiration_detla = 30
pvs = true
razor_margin = 3.5
lmp_base = -1
[techniques]
killers = flase
lmp_base = 2
aspirations = true
"#;
    assert_eq!(
        refusal(&[("x.toml", text), ("base.toml", b"[params]\nlmr_base = 0xffffffffffffffffffff\n")]),
        r#"error: `nmae` means nothing at the top of a config
 --> x.toml:2:1
  |
2 | nmae = "x"
  | ^^^^
  |
  = help: did you mean `name`?

error: no parameter is called `aspiration_detla`
 --> x.toml:4:1
  |
4 | aspiration_detla = 30
  | ^^^^^^^^^^^^^^^^
  |
  = help: did you mean `aspiration_delta`?

error: `pvs` is a technique and does not belong in [params]
 --> x.toml:5:1
  |
5 | pvs = true
  | ^^^
  |
  = help: it belongs in [techniques]

error: `razor_margin` takes an integer from 0 to 2000, not a float
 --> x.toml:6:16
  |
6 | razor_margin = 3.5
  |                ^^^
  |
  = help: write a plain number (the default is 300)

error: `lmp_base` is -1, which is outside its range 0 to 32
 --> x.toml:7:12
  |
7 | lmp_base = -1
  |            ^^
  |
  = help: choose an integer from 0 to 32 (the default is 3)

error: this is not TOML: invalid boolean, expected `false`
 --> x.toml:9:11
  |
9 | killers = flase
  |           ^^^^^
  |
  = help: see https://toml.io for the format

error: `lmp_base` is a parameter and does not belong in [techniques]
  --> x.toml:10:1
   |
10 | lmp_base = 2
   | ^^^^^^^^
   |
   = help: it belongs in [params]

error: no technique is called `aspirations`
  --> x.toml:11:1
   |
11 | aspirations = true
   | ^^^^^^^^^^^
   |
   = help: did you mean `aspiration`?

error: `lmr_base` is 0xffffffffffffffffffff, which is outside its range -100 to 300
 --> base.toml:2:12
  |
2 | lmr_base = 0xffffffffffffffffffff
  |            ^^^^^^^^^^^^^^^^^^^^^^
  |
  = help: choose an integer from -100 to 300 (the default is 75)"#
    );
}

#[test]
fn a_need_that_is_off_is_shown_where_both_were_set() {
    let parent = b"[techniques]\npvs = false\naspiration = false\nalpha_beta = false\n";
    let message = refusal(&[
        ("x.toml", b"extends = \"parent.toml\"\n\n[techniques]\npvs = true\n"),
        ("parent.toml", parent),
    ]);
    // Other techniques may be on and need `alpha_beta`, too.
    let expected = "error: `pvs` is on and needs `alpha_beta`, which is off
 --> x.toml:4:1
  |
4 | pvs = true
  | ^^^^^^^^^^
  |
 ::: parent.toml:4:1
  |
4 | alpha_beta = false
  | ------------------
  |
  = help: set `alpha_beta` to true or `pvs` to false";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_circle_is_shown_where_it_closes() {
    let files: [(&str, &[u8]); 3] = [
        ("a.toml", b"extends = 'b.toml'"),
        ("b.toml", b"extends = 'c.toml'"),
        ("c.toml", b"\nextends = './b.toml'"),
    ];
    assert_eq!(
        refusal(&files),
        "error: `extends` goes in a circle: b.toml → c.toml → ./b.toml
 --> c.toml:2:11
  |
2 | extends = './b.toml'
  |           ^^^^^^^^^^
  |
  = help: remove this `extends` or name another file"
    );
}

/// Each text with the title and the remedy of its only problem, and where it is.
#[test]
fn every_slip_gets_a_message_that_helps() {
    for (text, title, place, help) in [
        (
            "extends = 'bsae.toml'",
            "cannot read the config `bsae.toml`: there is no such file",
            "1:11",
            "did you mean `base.toml`?",
        ),
        (
            "extends = '.'",
            "cannot read the config `.`: it is a directory",
            "1:11",
            "give the path of a config file",
        ),
        (
            "extends = ''",
            "`extends` takes one line of text, not an empty one or",
            "1:11",
            "write a path such as",
        ),
        ("name = 3", "`name` takes text in quotes, not an integer", "1:8", "write a name such as \"pvs\""),
        ("name = \"a\\nb\"", "`name` takes one line of text, not", "1:8", "write a name such as"),
        (
            "[uci]\nHash = 1",
            "`uci` means nothing at the top",
            "1:2",
            "a config has the keys `name` and `extends` and",
        ),
        ("[techniqes]", "`techniqes` means nothing at the top", "1:2", "did you mean `techniques`?"),
        (
            "\n[[params]]",
            "`params` takes a table, not an array",
            "2:3",
            "write [params] on a line of its own",
        ),
        (
            "techniques = 1",
            "`techniques` takes a table, not an integer",
            "1:1",
            "write [techniques] on a line",
        ),
        (
            "pvs = true",
            "`pvs` is a technique and does not belong at the top",
            "1:1",
            "it belongs in [techniques]",
        ),
        (
            "lmr_bse = 1",
            "`lmr_bse` means nothing at the top",
            "1:1",
            "did you mean `lmr_base`, which belongs in [params]?",
        ),
        (
            "[params]\n  pvss = true",
            "no parameter is called `pvss`",
            "2:3",
            "did you mean `pvs`, which belongs in [techniques]?",
        ),
        ("[params]\n\"\" = 1", "no parameter is called ``", "2:1", "`engine params` lists every parameter"),
        (
            "techniques.telepathy = true",
            "no technique is called `telepathy`",
            "1:12",
            "the techniques are alpha_beta,",
        ),
        (
            "[techniques]\npvs = 'true'",
            "`pvs` takes true or false, not a string",
            "2:7",
            "write the bare word",
        ),
        ("[techniques]\npvs = 1", "`pvs` takes true or false, not an integer", "2:7", "write the bare word"),
        (
            "[params]\nlmr_base = true",
            "`lmr_base` takes an integer from -100 to 300, not true",
            "2:12",
            "write a plain",
        ),
        (
            "[params]\nlmr_base = 2020-01-01",
            "`lmr_base` takes an integer from -100 to 300, not a datetime",
            "2:12",
            "",
        ),
        ("[params.lmr_base]", "`lmr_base` takes an integer from -100 to 300, not a table", "1:1", ""),
        (
            "[params]\nlmr_base = 301",
            "`lmr_base` is 301, which is outside its range -100 to 300",
            "2:12",
            "choose an",
        ),
        (
            "[params]\nrfp_margin = 40",
            "`rfp_improving` is 40 and must stay below `rfp_margin`, which is 40",
            "2:1",
            "lower `rfp_improving` or raise `rfp_margin`",
        ),
        ("pvs.eval = 1", "`pvs` is a technique and does", "1:1", "it belongs in [techniques]"),
        (
            "[params]\noutpost = 1",
            "`outpost` are weights and do not belong in [params]",
            "2:1",
            "it belongs in [eval]",
        ),
        ("[eval]\noutposts = 1", "no weights are called `outposts`", "2:1", "did you mean `outpost`?"),
        (
            "[eval]\nqqqqqqqqqq = 1",
            "no weights are called `qqqqqqqqqq`",
            "2:1",
            "`engine weights` lists them all",
        ),
        (
            "[eval]\noutpost = [[1, 2]]",
            "`outpost` has 2 weights, not 1",
            "2:11",
            "write 2 pairs [[middlegame, endgame], …]",
        ),
        (
            "[eval]\noutpost = [[1, 2], [3]]",
            "`outpost` takes an array of pairs of integers, not an array",
            "2:11",
            "write 2 pairs",
        ),
        (
            "[eval]\ntempo = [[1, 4001]]",
            "`tempo` has 4001 at place 0, which is outside its range -4000 to 4000",
            "2:9",
            "choose integers from -4000 to 4000",
        ),
        ("[techniques]\npvs = false", "`lmr` is on and needs `pvs`, which is off", "2:1", "set `pvs`"),
        (
            "[params]\nlmr_base = 1\nlmr_base = 2",
            "this is not TOML: duplicate key",
            "3:1",
            "see https://toml.io",
        ),
        ("\u{feff}[params", "this is not TOML: unclosed table", "1:8", ""),
        ("a\r\nb = 'ü", "this is not TOML: ", "1:2", ""),
    ] {
        let message = refusal(&[("x.toml", text.as_bytes()), ("base.toml", b"")]);
        assert!(message.starts_with(&format!("error: {title}")), "{text}: {message}");
        assert!(message.contains(&format!("\n --> x.toml:{place}\n")), "{text}: {message}");
        assert!(message.contains(&format!("\n  = help: {help}")), "{text}: {message}");
    }
}

#[test]
fn what_is_no_text_file_is_refused() {
    let message = refusal(&[("x.toml", b"# \xC3\xBC\nname = \"a\xFFb\"")]);
    assert!(message.starts_with("error: this is not UTF-8 text\n --> x.toml:2:10\n"), "{message}");

    let folder = folder_with(&[("large.toml", &[b'#'; 300 * 1024])]);
    let refusal = |name: &str| {
        let message = EngineConfig::load(&folder.path().join(name)).unwrap_err().to_string();
        message.replace(&format!("{}/", folder.path().display()), "")
    };
    assert_eq!(
        refusal("large.toml"),
        "error: cannot read the config `large.toml`: it has more than 256 KiB: give the path of a config file"
    );
    assert_eq!(
        refusal("larg.toml"),
        "error: cannot read the config `larg.toml`: there is no such file: did you mean `large.toml`?"
    );
    assert_eq!(
        refusal(""),
        "error: cannot read the config ``: it is a directory: give the path of a config file"
    );
}

/// Long or deeply nested nonsense ends in a message of a length that can be read.
#[test]
fn monstrous_files_get_short_messages() {
    let monsters = [
        "[".repeat(200_000),
        format!("a = {}", "[".repeat(200_000)),
        format!("a = {}", "{a=".repeat(60_000)),
        format!("{}a = 1", "a.".repeat(100_000)),
        format!("[params]\nlmr_base = {}", "9".repeat(200_000)),
        format!("[params]\n{} = 1", "k".repeat(200_000)),
        format!("[params]\n{}", (0..20_000).map(|i| format!("k{i} = 1\n")).collect::<String>()),
        format!("params = {{ {} }}", (0..20_000).map(|i| format!("k{i} = 1, ")).collect::<String>()),
        "=\n".repeat(100_000),
        "\n".repeat(200_000) + "\"",
    ];
    for monster in monsters {
        let message = refusal(&[("x.toml", monster.as_bytes())]);
        assert!(message.starts_with("error: "), "{message}");
        assert!(message.len() < 50_000, "{} bytes", message.len());
    }
}

#[test]
fn a_message_has_no_control_characters() {
    let folder = folder_with(&[("x.toml", b"\"\x1b[31m\" = 1\n\"\\u001b[31m\" = 1\n")]);
    let error = EngineConfig::load(&folder.path().join("x.toml")).unwrap_err();
    assert!(error.to_string().chars().all(|c| c == '\n' || !c.is_control()), "{error:?}");
}

/// Text that looks enough like a config to reach every part of the reader.
fn almost_config() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("[params]"),
        Just("[techniques]"),
        Just("[[params]]"),
        Just("[x.params]"),
        Just("name"),
        Just("extends"),
        Just("pvs"),
        Just("lmr"),
        Just("lmr_base"),
        Just("rfp_margin"),
        Just("rfp_improvin"),
        Just(" = "),
        Just("."),
        Just("true"),
        Just("30"),
        Just("-99999999999999999999"),
        Just("1.5"),
        Just("'x.toml'"),
        Just("\"ü"),
        Just("'"),
        Just("{"),
        Just("}"),
        Just(","),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("\0"),
        Just("♞"),
        Just("#"),
        Just("\"\"\""),
        Just("\u{feff}"),
        Just("\u{202e}"),
        Just("\t"),
    ];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn loads_or_explains(content: &[u8]) {
    let folder = folder_with(&[("x.toml", content)]);
    if let Err(error) = EngineConfig::load(&folder.path().join("x.toml")) {
        assert!(!error.problems().is_empty());
        assert!(error.to_string().starts_with("error: "));
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(content in proptest::collection::vec(any::<u8>(), 0..200)) {
        loads_or_explains(&content);
    }

    #[test]
    fn arbitrary_text_never_panics(content in "\\PC{0,80}") {
        loads_or_explains(content.as_bytes());
    }

    #[test]
    fn almost_configs_never_panic(content in almost_config()) {
        loads_or_explains(content.as_bytes());
    }

    #[test]
    fn arbitrary_arguments_never_panic(argument in "(pvs|lmr_base|\\PC{0,8})(=|)(true|[-+0-9]{0,30}|\\PC{0,8})") {
        if let Err(error) = EngineConfig::default().set(&argument) {
            assert!(error.to_string().starts_with("error: in the argument `"));
        }
    }
}
