//! `--limit-of PLAYER:LIMIT`: one player thinks longer, or less long, than the others.

use super::Failure;
use super::options::settings_file;
use super::told_apart::place_of;
use crate::game::limit::Limit;
use crate::options::settings::LIMIT_OF;
use crate::options::{self, Name, Options, TABLE};
use crate::players::spec::PlayerSpec;
use clap::{Args, Command, FromArgMatches};
use serde::Deserialize;
use std::path::Path;
use std::str::FromStr;

/// The limits, which are written as they are for all players.
const LIMITS: [Name; 5] = [Name::nodes, Name::depth, Name::movetime, Name::tc, Name::time_margin];

/// The limit of one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnLimit {
    /// Its configuration's path, its name, or its file's name with or without `.toml`.
    player: String,
    limit: Option<Limit>,
    /// How late its answers may come, ms.
    margin: Option<u64>,
}

impl FromStr for OwnLimit {
    type Err = String;

    /// Reads `base.toml:nodes=2500` or `pvs:tc=20+0.2,depth=12`.
    fn from_str(text: &str) -> Result<OwnLimit, String> {
        // The last colon that a limit follows: a file's name may have others.
        let keys = LIMITS.iter().map(|name| format!(":{}=", TABLE[*name as usize].long));
        let Some(colon) = keys.filter_map(|key| text.rfind(&key)).max() else {
            return Err("write PLAYER:nodes=N, PLAYER:depth=N, PLAYER:movetime=MS, PLAYER:tc=TC or PLAYER:time-margin=MS".to_owned());
        };
        let command =
            Options::<{ options::of(&LIMITS) }>::augment_args(Command::new("").no_binary_name(true));
        let mut given: Vec<String> = Vec::new();
        for part in text[colon + 1..].split(',') {
            match given.last_mut() {
                // A further period of the time control before it.
                Some(before) if before.starts_with("--tc=") && !part.contains('=') => {
                    *before += &format!(",{part}")
                }
                _ => given.push(format!("--{part}")),
            }
        }
        let read = command.disable_help_flag(true).try_get_matches_from(given);
        let read = read.and_then(|matches| Options::<{ options::of(&LIMITS) }>::from_arg_matches(&matches));
        // Of the error the line that says what is wrong.
        let wrong =
            |error: clap::Error| error.to_string().lines().next().map(|line| line.replace("error: ", ""));
        let read = read.map_err(|error| wrong(error).unwrap_or_default())?;
        Ok(OwnLimit { player: text[..colon].to_owned(), limit: read.given_limit(), margin: read.time_margin })
    }
}

/// Players of one command that think longer, or less long, than the others.
#[derive(Args)]
pub struct OwnLimits {
    /// Limit of one player (its path, name or file), instead of that of all: nodes=N, depth=N, movetime=MS, tc=TC,
    /// time-margin=MS; may be repeated
    #[arg(long, value_name = "PLAYER:KEY=VALUE[,KEY=VALUE]", help_heading = "Players")]
    limit_of: Vec<OwnLimit>,
}

impl OwnLimits {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        !self.limit_of.is_empty()
    }

    /// The same with those of the settings file that are for players of this command which have none here: the file holds for a
    /// folder, and not all that it names need play.
    ///
    /// # Errors
    /// The file cannot be read, or has something else there than limits.
    pub fn or_settings(&self, players: &[PlayerSpec], folder: &Path) -> Result<OwnLimits, Failure> {
        #[derive(Deserialize)]
        struct OnlyLimits {
            #[serde(rename = "limit-of", default)]
            limit_of: Vec<String>,
        }
        let mut limit_of = self.limit_of.clone();
        let Some(path) = settings_file(folder) else { return Ok(OwnLimits { limit_of }) };
        let name = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
        let read: OnlyLimits =
            toml::from_str(&text).map_err(|error| Failure::usage(format!("in {name}: {error}")))?;
        let place = |own: &OwnLimit| place_of(&own.player, LIMIT_OF, players, folder).ok();
        let given: Vec<_> = self.limit_of.iter().map(place).collect();
        for text in read.limit_of {
            let own: OwnLimit = text
                .parse()
                .map_err(|what| Failure::usage(format!("in {name}: limit-of = {text:?}: {what}")))?;
            if place(&own).is_some_and(|place| !given.contains(&Some(place))) {
                limit_of.push(own);
            }
        }
        Ok(OwnLimits { limit_of })
    }

    /// The players with their own limits.
    ///
    /// # Errors
    /// A limit is that of none of them, of several, or the second of one.
    pub fn applied(&self, mut players: Vec<PlayerSpec>, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let limited = self.limit_of.iter().map(|own| place_of(&own.player, "--limit-of", &players, folder));
        let limited: Vec<usize> = limited.collect::<Result<_, _>>()?;
        for (nth, (own, &place)) in self.limit_of.iter().zip(&limited).enumerate() {
            if limited[..nth].contains(&place) {
                return Err(Failure::usage(format!(
                    "--limit-of is given twice for {}: write all of its limits in one, with commas between them",
                    players[place].file
                )));
            }
            let player = &players[place];
            players[place] = player.clone().under(own.limit.or(player.limit), own.margin.or(player.margin));
        }
        Ok(players)
    }
}

/// Refuses clocks for all that nobody has: nobody would see the difference.
///
/// # Errors
/// There is a clock for all, and every player has a limit of its own without one.
pub fn refuse_idle_clock(players: &[PlayerSpec], common: Limit) -> Result<(), Failure> {
    let nobody_has_a_clock = players.iter().all(|player| player.limit.unwrap_or(common).is_deterministic());
    match common.has_clock() && nobody_has_a_clock {
        true => Err(Failure::usage(
            "every player has a limit of its own and none of them a clock: give one of the limits for all (--nodes, \
             --depth)",
        )),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::origin::player_options_of;
    use engine::config::EngineConfig;

    fn limits(of: &[&str]) -> OwnLimits {
        OwnLimits { limit_of: of.iter().map(|text| own(text)).collect() }
    }

    fn own(text: &str) -> OwnLimit {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn player(file: &str) -> PlayerSpec {
        PlayerSpec::new(Path::new(file), EngineConfig::default())
    }

    #[test]
    fn limits_are_read_and_written_the_same() {
        for text in [
            "base.toml:nodes=2500",
            "a:b:tc=40/1:30+0.5,depth=12",
            "x:movetime=7",
            "x:time-margin=40",
            "x:tc=1,time-margin=0",
        ] {
            let limited = player(&own(text).player).under(own(text).limit, own(text).margin);
            let written = player_options_of([&limited]);
            let again = written.strip_prefix(" --limit-of ").unwrap().trim_matches('\'');
            assert_eq!(own(again), own(text), "{text}: {written}");
        }
        assert_eq!(own("a:b:tc=40/1:30").player, "a:b");
        assert_eq!(own("a:nodes=5.toml:nodes=9").player, "a:nodes=5.toml");
        for (text, reason) in [
            ("base", "write PLAYER:nodes=N"),
            ("base:nodes", "write PLAYER:nodes=N"),
            ("base:nodes=0", "0 is not a whole number of 1 or more"),
            ("base:depth=128", "128 is not a whole number from 1 to 127"),
            ("base:tc=x", "no time control"),
            ("base:tc=1,movetime=5", "cannot be used with"),
            ("base:nodes=5,speed=3", "unexpected argument '--speed'"),
            ("base:nodes=5,nodes=6", "cannot be used multiple times"),
        ] {
            let error = text.parse::<OwnLimit>().unwrap_err();
            assert!(error.contains(reason), "{text}: {error}");
        }
    }

    #[test]
    fn a_limit_makes_another_player_of_the_same_configuration() {
        let base = player("configs/base.toml");
        for text in ["base:nodes=7", "base.toml:nodes=7"] {
            let limited = limits(&[text]).applied(vec![base.clone()], Path::new("/")).unwrap().remove(0);
            assert_eq!(limited.limit, Some(Limit::nodes(7)), "{text}");
            assert_ne!(limited.digest, base.digest);
            assert_eq!(limited.under(None, None), base);
        }
    }

    #[test]
    fn limits_that_change_nothing_are_refused() {
        let players = [player("base.toml"), player("pvs.toml")];
        let refused = |outcome: Result<(), Failure>| match outcome {
            Err(Failure::Usage(message)) => message,
            other => panic!("{other:?}"),
        };
        let unknown = limits(&["bsae:nodes=7"]).applied(players.to_vec(), Path::new("/"));
        let message = refused(unknown.map(drop));
        assert!(message.contains("bsae") && message.contains("base.toml, pvs.toml"), "{message}");
        let twice = limits(&["pvs:nodes=7", "pvs.toml:depth=3"]).applied(players.to_vec(), Path::new("/"));
        assert!(refused(twice.map(drop)).contains("given twice for pvs.toml"));

        let [base, pvs] = players.clone().map(|player| player.under(Some(Limit::nodes(3)), None));
        let clock = Limit::movetime(5);
        let message = refused(refuse_idle_clock(&[base.clone(), pvs], clock));
        assert!(message.contains("none of them a clock"), "{message}");
        assert!(refuse_idle_clock(&[base, players[1].clone()], clock).is_ok());
    }
}
