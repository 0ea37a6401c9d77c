//! Players that are programs: named on the command line, with their options, without a file.

mod common;

use common::engines::{add_engine, toy};
use common::project::Project;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// A project with two programs, `old` and `builds/new`.
fn project() -> Project {
    let project = Project::new();
    fs::create_dir_all(project.at("builds")).unwrap();
    for name in ["old", "builds/new"] {
        fs::copy(toy(), project.at(name)).unwrap();
    }
    project
}

fn spec(project: &Project) -> Value {
    serde_json::from_str(&project.newest().unwrap().spec_json).unwrap()
}

/// A newcomer's first command.
#[test]
fn a_program_is_a_player() {
    let project = project();
    let ended = project.run("sprt ./old builds/new --tc 1+0.01 --max-pairs 1 --json --quiet");
    ended.expect(0, &[]);
    let report = ended.json();
    assert_eq!((&report["base"]["name"], &report["candidate"]["name"]), (&"old".into(), &"new".into()));
    // The report's command plays it again.
    let run = report["run"].as_str().unwrap();
    project.run(&format!("report {run} --out report")).expect(0, &[]);
    let text = project.read("report/report.md");
    assert!(text.contains("harness sprt ./old builds/new --tc "), "{text}");
    project.run(&format!("sprt --resume {run} --max-pairs 2 --quiet")).expect(0, &[]);
    // Beside configurations, in every command that takes a player.
    project.run("match base ./old n=./builds/new --nodes 5 --max-pairs 1 --quiet").expect(0, &[]);
    project
        .run("sweep Hash=2,4 --base n=./builds/new --nodes 5 --measure --block 1 --max-pairs 2")
        .expect(0, &[]);
    project
        .run("plan ./old ./builds/new --nodes 5 --pilot-pairs 1")
        .expect(2, &["pilot: 1 pairs of new against old"]);
    project.run("check-engine ./old").expect(0, &[]);
}

#[test]
fn a_name_tells_programs_of_one_name_apart() {
    let project = project();
    fs::copy(toy(), project.at("new")).unwrap();
    let report = project.run("sprt one=./new two=./builds/new --nodes 5 --max-pairs 1 --json --quiet").json();
    assert_eq!((&report["base"]["name"], &report["candidate"]["name"]), (&"one".into(), &"two".into()));
    let told = project.run("sprt ./new ./builds/new --nodes 5 --max-pairs 1 --quiet").out;
    assert!(told.contains("./builds/new against ./new"), "{told}");
    // A configuration, too.
    let told = project.run("sprt base better=pvs --nodes 5 --max-pairs 1 --quiet").out;
    assert!(told.contains("better against base.toml"), "{told}");
}

/// A name that was typed for a player means it, whatever the programs of the others are called.
#[test]
fn a_typed_name_is_meant_before_the_name_of_a_program() {
    let project = project();
    for players in ["new=./old old=./builds/new", "old=./old new=./old", "new=./builds/new x=./builds/new"] {
        let set = "--option new:Hash=3 --limit-of new:nodes=7";
        project.run(&format!("match {players} {set} --nodes 5 --max-pairs 1 --quiet")).expect(0, &[]);
        let spec = spec(&project);
        for player in spec["players"].as_array().unwrap() {
            let is_meant = player["uci"]["name"] == "new";
            let hash = player["uci"]["options"].to_string();
            assert_eq!(
                (hash.contains('3'), !player["limit"].is_null()),
                (is_meant, is_meant),
                "{players}: {player}"
            );
        }
    }
}

#[test]
fn what_is_set_of_one_counts_more_and_nothing_is_set_twice() {
    let project = project();
    // What is set of one counts more than what is set of all, in whatever order they stand.
    let again = "--option new:hash=3 --option Hash=2 --nodes 5 --max-pairs 1 --quiet";
    project.run(&format!("match ./old builds/new {again}")).expect(0, &[]);
    let spec = spec(&project);
    let hash = |place: usize| spec["players"][place]["uci"]["options"][0][1].as_str().unwrap().to_owned();
    assert_eq!([hash(0), hash(1)], ["2", "3"]);
    for twice in [
        "--option Hash=8 --option hash=9",
        "--option new:Hash=8 --option builds/new:Hash=8",
        "--env A=1 --env A=2",
        "--dir builds --dir .",
        "--restart never --restart every-game",
    ] {
        project
            .run(&format!("match ./old builds/new {twice} --nodes 5"))
            .expect(2, &["set the same: leave out one"]);
    }
}

#[test]
fn options_are_those_of_all_or_of_one() {
    let project = project();
    add_engine(&project, "third", "", "options = { Hash = 1 }");
    let set = "--option Hash=2 --option new:hash=3 --env A=b:c --args new:tabs --dir third:builds --restart old:every-game";
    let players = "./old builds/new third";
    let ended = project.run(&format!("match {players} {set} --nodes 5 --max-pairs 1 --json --quiet"));
    ended.expect(0, &[]);
    let spec = spec(&project);
    let engine = |place: usize| spec["players"][place]["uci"].clone();
    let hash = |place: usize| engine(place)["options"][0][1].as_str().unwrap().to_owned();
    assert_eq!([hash(0), hash(1), hash(2)], ["2", "3", "2"]);
    assert_eq!(engine(1)["command"][1], "tabs");
    assert!(engine(2)["dir"].as_str().unwrap().ends_with("/builds") && engine(0)["dir"].is_null());
    assert_eq!((&engine(0)["restart"], &engine(1)["restart"]), (&"every-game".into(), &true.into()));
    assert_eq!(engine(0)["env"]["A"], "b:c");
    // What was set is set again in the report's command, and to go on with the run it need not be said.
    let run = ended.json()["run"].as_str().unwrap().to_owned();
    project.run(&format!("report {run} --out report")).expect(0, &[]);
    let text = project.read("report/report.md");
    let command = text.lines().find(|line| line.starts_with("harness match ")).unwrap();
    for word in [
        "--option ./old:Hash=2",
        "--option builds/new:hash=3",
        "--args builds/new:tabs",
        "--restart ./old:every-game",
    ] {
        assert!(command.contains(word), "{word}: {command}");
    }
    let again = project.run(&format!("{} --json --quiet", command.strip_prefix("harness ").unwrap()));
    again.expect(0, &[]);
    assert_eq!(project.newest().unwrap().digest, project.store().run(&run).unwrap().digest);
    project.run(&format!("match --resume {run} --max-pairs 2 --quiet")).expect(0, &[]);
    project
        .run(&format!("match --resume {run} --option Hash=9 --quiet"))
        .expect(2, &["is another experiment", "options: "]);
}

#[test]
fn what_cannot_be_set_is_refused() {
    let project = project();
    for (arguments, words) in [
        ("base pvs --option Hash=2", "no player is an external engine"),
        ("base ./old --option base:Hash=2", "base.toml is the built-in engine"),
        ("./old builds/new --option Hash", "write NAME=VALUE"),
        ("./old builds/new --option =3", "write NAME=VALUE"),
        ("./old builds/new --option nwe:Hash=2", "who does not play"),
        ("./old builds/new --option Hsah=2", "Hsah"),
        ("./old builds/new --dir new:nowhere", "there is no folder"),
        ("./old builds/new --restart always", "write never, after-crash or every-game"),
        ("./old builds/new --args 'a", "a quotation mark is not closed"),
    ] {
        project.run(&format!("sprt {arguments} --nodes 5 --max-pairs 1")).expect(2, &[words]);
    }
    assert!(project.newest().is_none());
}

#[test]
fn what_is_no_player_is_answered_with_what_to_type() {
    let project = project();
    fs::copy(toy(), project.at("locked")).unwrap();
    fs::set_permissions(project.at("locked"), fs::Permissions::from_mode(0o644)).unwrap();
    project.write("script", "#!/bin/sh\nexit 0\n");
    project.write("configs/named.toml", "cmd = \"./old\"\noptions = { Hash = 1 }\n");
    project.write("configs/listed.toml", "command = [\"stockfish\"]\n");
    for (word, words) in [
        ("old", "old is a program here: write ./old for it"),
        ("./locked", "may not be executed: chmod +x ./locked"),
        ("./script", "may not be executed: chmod +x ./script"),
        ("./builds", "./builds is a folder"),
        ("./nothing", "./nothing"),
        ("named", "below it command = [\"./old\"]"),
        ("listed", "another engine is described below [uci]"),
    ] {
        let ended = project.run(&format!("sprt base {word} --nodes 5 --max-pairs 1"));
        ended.expect(2, &[words]);
        assert!(!ended.err.contains("UTF-8"), "{}", ended.err);
    }
}

#[test]
fn a_bare_word_is_a_program_of_path_where_no_configuration_has_it() {
    let project = project();
    fs::rename(project.at("builds/new"), project.at("builds/zugzwang")).unwrap();
    let path = std::env::join_paths([project.at("builds"), "/usr/bin".into(), "/bin".into()]).unwrap();
    let run = |words: &str| {
        let mut command = project.harness(&format!("sprt base {words} --nodes 5 --max-pairs 1 --quiet"));
        common::project::Running::start(command.env("PATH", &path)).end()
    };
    run("zugzwang").expect(0, &["zugzwang is the program of this name in PATH"]);
    project.write("configs/zugzwang.toml", "extends = \"pvs.toml\"\n");
    let configured = run("zugzwang");
    assert_eq!((configured.code, configured.err.as_str()), (0, ""));
}

#[test]
fn a_configuration_extends_another() {
    let project = project();
    project.write(
        "builds/one.toml",
        "name = \"One\"\n[uci]\ncommand = [\"./new\"]\nargs = [\"tabs\"]\noptions = { Hash = 1 }\n",
    );
    project.write(
        "configs/two.toml",
        "extends = \"../builds/one.toml\"\n[uci]\noptions = { hash = 2 }\nstart_timeout = 20\n",
    );
    project.write("configs/three.toml", "name = \"Three\"\nextends = \"two.toml\"\n");
    project.run("match builds/one.toml two three --nodes 5 --max-pairs 1 --quiet").expect(0, &[]);
    let spec = spec(&project);
    let player = |place: usize| &spec["players"][place]["uci"];
    assert_eq!([&player(0)["name"], &player(1)["name"], &player(2)["name"]], ["One", "two", "Three"]);
    assert_eq!(player(2)["command"], serde_json::json!(["./new", "tabs"]));
    assert_eq!(player(2)["options"], serde_json::json!([["Hash", "2"]]));
    assert_eq!((&player(1)["start_timeout"], &player(0)["start_timeout"]), (&20.into(), &Value::Null));
    assert_eq!(spec["players"][1]["digest"], spec["players"][2]["digest"]);
    for (text, words) in [
        ("extends = \"circle.toml\"\n[uci]\ncommand = [\"x\"]\n", "the files extend each other"),
        (
            "extends = \"base.toml\"\n[uci]\ncommand = [\"x\"]\n",
            "`extends` names no configuration of an external engine",
        ),
        ("extends = \"two.toml\"\n[params]\nlmr_base = 3\n", "belongs to the built-in engine"),
        ("[uci]\ncommand = [\"x\"]\nrestart = \"often\"\n", "every-game"),
        ("[uci]\ncommand = [\"x\"]\nstart_timeout = 0\n", "1 to 3600 seconds"),
    ] {
        project.write("configs/circle.toml", text);
        project.run("sprt base circle --nodes 5 --max-pairs 1").expect(2, &["configs/circle.toml:", words]);
    }
}

#[test]
fn check_engine_writes_a_configuration() {
    let project = project();
    project.run("check-engine ./old --write mine.toml").expect(0, &["mine.toml describes this engine"]);
    let text = project.read("mine.toml");
    assert!(text.contains("#   option name Hash type spin"), "{text}");
    project.run("sprt base mine.toml --nodes 5 --max-pairs 1 --quiet").expect(0, &[]);
    project.run("check-engine ./old --write mine.toml").expect(2, &["mine.toml exists already"]);
}

/// Of one player alone.
#[test]
fn a_time_margin_is_that_of_one_player() {
    let project = Project::new();
    add_engine(&project, "slow", "late 1", "");
    let late = |more: &str| {
        let arguments = format!(
            "match base slow --movetime 20 --time-margin 1 --faults play-on --max-pairs 1 --threads 1 {more}"
        );
        project.run(&format!("{arguments} --json --quiet")).json()
    };
    let losses = |report: &Value| report["players"][1]["time_losses"].as_u64().unwrap();
    assert_eq!(losses(&late("")), 2);
    let forgiven = late("--limit-of slow:time-margin=5000 --max-moves 3");
    assert_eq!(losses(&forgiven), 0, "{forgiven}");
    assert!(spec(&project)["players"][1]["margin"] == 5000);
}
