//! Options of other match runners, in the words of this program: what to type instead.
//!
//! The names are those of fastchess and cutechess-cli (both GPL-3.0-or-later), from their manuals.

use crate::report::shell_word;
use clap::Command;

/// The same thing under another name.
const RENAMED: [(&str, &str); 9] = [
    ("concurrency", "threads"),
    ("rounds", "max-pairs"),
    ("srand", "seed"),
    ("maxmoves", "max-moves"),
    ("tb", "syzygy"),
    ("pgnout", "pgn"),
    ("timemargin", "time-margin"),
    ("openings", "openings"),
    ("log", "log"),
];

/// What is so without any option, or has no meaning here.
const NEEDLESS: [(&str, &str); 6] = [
    ("repeat", "every opening is played twice, with colours exchanged: leave it out"),
    ("games", "a pair is two games: leave it out, and type --max-pairs for the number of pairs"),
    ("recover", "an engine that has crashed is started again: leave it out"),
    ("variant", "the openings say whether it is Chess960: leave it out"),
    ("ratinginterval", "progress is shown all the time: leave it out"),
    ("scoreinterval", "progress is shown all the time: leave it out"),
];

/// Keys of `-each` and `-engine` that are options of their own here; `st` and `option.NAME` are written anew.
const OF_AN_ENGINE: [(&str, &str); 7] = [
    ("tc", "tc"),
    ("nodes", "nodes"),
    ("depth", "depth"),
    ("timemargin", "time-margin"),
    ("args", "args"),
    ("dir", "dir"),
    ("hash", "hash"),
];

/// What to type in the place of another program's option, whose name comes first and its values behind it. None if it is none,
/// or the command has nothing like it.
pub fn in_our_words(command: &Command, option: &[&str]) -> Option<String> {
    let (&name, values) = option.split_first()?;
    let is_taken = |long: &str| command.get_arguments().any(|taken| taken.get_long() == Some(long));
    if let Some((_, why)) = NEEDLESS.iter().find(|(foreign, _)| *foreign == name) {
        return is_taken("max-pairs").then(|| (*why).to_owned());
    }
    let ours: Vec<String> = match name {
        "each" if values.is_empty() => {
            return Some("an option holds for every player: type it alone, as --tc 8+0.08".to_owned());
        }
        "each" | "sprt" => values.iter().filter_map(|pair| of_pair(pair)).collect(),
        "engine" => return is_taken("option").then(|| of_engine(values)),
        "st" => vec![format!(
            "--movetime {}",
            values.first().map_or("MS".to_owned(), |seconds| milliseconds(seconds))
        )],
        "resign" => vec![of_rule("resign", values, ["score", "movecount"])?],
        "draw" => vec![of_rule("draw", values, ["score", "movecount", "movenumber"])?],
        "use-affinity" => vec!["--affinity".to_owned()],
        _ => {
            let (_, long) = RENAMED.iter().find(|(foreign, _)| *foreign == name)?;
            let file = value_of("file", values);
            vec![match file.or(values.first().copied()) {
                Some(value) => format!("--{long} {}", shell_word(value)),
                None => format!("--{long}"),
            }]
        }
    };
    let is_known =
        |typed: &String| is_taken(typed.trim_start_matches('-').split(' ').next().unwrap_or_default());
    (!ours.is_empty() && ours.iter().all(is_known)).then(|| format!("type {}", ours.join(" ")))
}

/// `tc=8+0.08`, `option.Hash=16`, `elo1=5` as an option.
fn of_pair(pair: &str) -> Option<String> {
    let (key, value) = pair.split_once('=')?;
    let named = |long: &str| Some(format!("--{long} {}", shell_word(value)));
    match key {
        "st" => Some(format!("--movetime {}", milliseconds(value))),
        "elo0" | "elo1" | "alpha" | "beta" | "model" => named(key),
        _ => match key.strip_prefix("option.") {
            Some(option) => Some(format!("--option {}", shell_word(&format!("{option}={value}")))),
            None => named(OF_AN_ENGINE.iter().find(|(foreign, _)| *foreign == key)?.1),
        },
    }
}

/// `movecount=3 score=500` as a rule whose numbers stand in this order; none if one is missing.
fn of_rule<const N: usize>(long: &str, values: &[&str], keys: [&str; N]) -> Option<String> {
    let numbers: Option<Vec<&str>> = keys.into_iter().map(|key| value_of(key, values)).collect();
    Some(format!("--{long} {}", numbers?.join(",")))
}

/// `cmd=./new name=new` as the argument that names the player.
fn of_engine(values: &[&str]) -> String {
    let word = match (value_of("name", values), value_of("cmd", values)) {
        (Some(name), Some(program)) => format!("{name}={program}"),
        (_, program) => program.unwrap_or("NAME=PROGRAM").to_owned(),
    };
    format!(
        "players are named without an option: type {}; the whole line of another program is taken behind `harness fastchess`",
        shell_word(&word)
    )
}

/// The value of a key among `key=value`.
fn value_of<'a>(key: &str, pairs: &[&'a str]) -> Option<&'a str> {
    pairs.iter().find_map(|pair| pair.strip_prefix(key)?.strip_prefix('='))
}

/// Seconds as whole milliseconds; what is no number stands as it is.
fn milliseconds(seconds: &str) -> String {
    seconds.parse().map_or(seconds.to_owned(), |seconds: f64| (seconds * 1e3).round().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Arg;

    #[test]
    fn options_of_others_are_translated_as_far_as_the_command_has_them() {
        let longs = [
            "threads",
            "max-pairs",
            "seed",
            "movetime",
            "max-moves",
            "syzygy",
            "tc",
            "option",
            "openings",
            "resign",
            "draw",
            "affinity",
            "elo0",
            "elo1",
            "pgn",
        ];
        let command =
            longs.into_iter().fold(Command::new("x"), |command, long| command.arg(Arg::new(long).long(long)));
        for (words, ours) in [
            ("concurrency 4", Some("type --threads 4")),
            ("rounds", Some("type --max-pairs")),
            ("srand 7", Some("type --seed 7")),
            ("st 0.25", Some("type --movetime 250")),
            ("tb /a:/b", Some("type --syzygy /a:/b")),
            ("each tc=8+0.08 option.Hash=16 proto=uci", Some("type --tc 8+0.08 --option Hash=16")),
            ("sprt elo0=0 elo1=5", Some("type --elo0 0 --elo1 5")),
            ("sprt elo0=0 alpha=0.05", None),
            (
                "engine cmd=./new name=new",
                Some(
                    "players are named without an option: type new=./new; the whole line of another program is taken behind \
                     `harness fastchess`",
                ),
            ),
            ("openings file=x.epd format=epd order=random", Some("type --openings x.epd")),
            ("pgnout file=x.pgn notation=san", Some("type --pgn x.pgn")),
            ("pgnout x.pgn", Some("type --pgn x.pgn")),
            ("resign movecount=3 score=500", Some("type --resign 500,3")),
            ("draw movenumber=34 movecount=8 score=10", Some("type --draw 10,8,34")),
            ("draw movenumber=34", None),
            ("use-affinity 0,1", Some("type --affinity")),
            ("repeat", Some("every opening is played twice, with colours exchanged: leave it out")),
            ("timemargin 5", None),
            ("nonsense 4", None),
        ] {
            let words: Vec<&str> = words.split(' ').collect();
            assert_eq!(in_our_words(&command, &words).as_deref(), ours, "{words:?}");
        }
        assert_eq!(in_our_words(&Command::new("y"), &["concurrency", "4"]), None);
    }
}
