//! `--option`, `--args`, `--dir`, `--env`, `--restart`: what is set of engines that are named on the command line, of all of
//! them or of one.

use super::Failure;
use super::told_apart::place_of;
use crate::players::external::ExternalEngine;
use crate::players::restart::Restart;
use crate::players::spec::{PlayerSpec, set_by};
use clap::Args;
use std::collections::HashMap;
use std::path::Path;

/// What is set of the players that are other engines than the built-in one.
#[derive(Args)]
pub struct PlayerOptions {
    /// Set a UCI option of all players that are external engines, or of one of them; may be repeated
    #[arg(long, value_name = "[PLAYER:]NAME=VALUE", help_heading = "Players")]
    option: Vec<String>,
    /// Arguments of their programs, in one word: "--threads 1"; may be repeated
    #[arg(long, value_name = "[PLAYER:]ARGS", help_heading = "Players", allow_hyphen_values = true)]
    args: Vec<String>,
    /// Folder that their programs run in; may be repeated
    #[arg(long, value_name = "[PLAYER:]DIR", help_heading = "Players")]
    dir: Vec<String>,
    /// Set a variable of their environment; may be repeated
    #[arg(long, value_name = "[PLAYER:]NAME=VALUE", help_heading = "Players")]
    env: Vec<String>,
    /// When they are started again: never (a crash ends the run), after-crash or every-game; may be repeated
    #[arg(long, value_name = "[PLAYER:]WHEN", help_heading = "Players")]
    restart: Vec<String>,
}

/// Sets one thing of an engine, read from its value.
///
/// # Errors
/// A sentence: the value is none.
type Change = fn(&mut ExternalEngine, &str, &Path) -> Result<(), String>;

impl PlayerOptions {
    /// Whether anything is set.
    pub fn are_given(&self) -> bool {
        self.each().next().is_some()
    }

    /// The players with what is set of them: what is set of one of them counts more than what is set of all.
    ///
    /// # Errors
    /// A value makes no sense, nobody can take it, or the same is set twice.
    pub fn applied(&self, mut players: Vec<PlayerSpec>, folder: &Path) -> Result<Vec<PlayerSpec>, Failure> {
        let addressed = |(option, given, change)| {
            let (player, value) = addressed(option, given, &players, folder)?;
            Ok(Setting { option, given, player, value, change })
        };
        let mut settings = self.each().map(addressed).collect::<Result<Vec<_>, Failure>>()?;
        settings.sort_by_key(|setting| setting.player.is_some());
        let mut seen: HashMap<_, &str> = HashMap::new();
        for Setting { option, given, player, value, .. } in &settings {
            if let Some(before) = seen.insert((*option, *player, set_by(option, value)), given) {
                return Err(Failure::usage(format!(
                    "--{option} {before} and --{option} {given} set the same: leave out one"
                )));
            }
        }
        for Setting { option, given, player, value, change } in settings {
            let places = match player {
                Some(place) => vec![place],
                None => {
                    (0..players.len()).filter(|&place| players[place].external_engine().is_some()).collect()
                }
            };
            let is_built_in = |&&place: &&usize| players[place].external_engine().is_none();
            if let Some(&place) = places.iter().find(is_built_in) {
                return Err(Failure::usage(format!(
                    "--{option} {given}: {} is the built-in engine, whose values are set in its configuration, its table by --hash",
                    players[place].as_typed()
                )));
            }
            if places.is_empty() {
                return Err(Failure::usage(format!(
                    "--{option} {given}: no player is an external engine, and the built-in one is set in its configuration"
                )));
            }
            for place in places {
                let changed =
                    players[place].clone().set(option, value, |engine| change(engine, value, folder));
                players[place] =
                    changed.map_err(|what| Failure::usage(format!("--{option} {given}: {what}")))?;
            }
        }
        Ok(players)
    }

    /// Every option as it was given, with what it changes.
    fn each(&self) -> impl Iterator<Item = (&'static str, &str, Change)> {
        let all: [(&'static str, &Vec<String>, Change); 5] = [
            ("option", &self.option, set_option),
            ("args", &self.args, set_args),
            ("dir", &self.dir, set_dir),
            ("env", &self.env, set_env),
            ("restart", &self.restart, set_restart),
        ];
        all.into_iter()
            .flat_map(|(name, given, change)| given.iter().map(move |one| (name, one.as_str(), change)))
    }
}

/// One of the options, as it was given.
struct Setting<'a> {
    option: &'static str,
    given: &'a str,
    /// Whom it is for; none: all.
    player: Option<usize>,
    value: &'a str,
    change: Change,
}

/// Whom a value is for, and the value: `new:Hash=32` is for one player, `Hash=32` for all. Before a `=` the last colon counts, since
/// paths may have some; elsewhere the first one, if a player stands before it.
fn addressed<'a>(
    option: &str,
    given: &'a str,
    players: &[PlayerSpec],
    folder: &Path,
) -> Result<(Option<usize>, &'a str), Failure> {
    let place = |player: &str| place_of(player, &format!("--{option}"), players, folder);
    if matches!(option, "option" | "env") {
        let name = given.split('=').next().unwrap_or_default();
        return match name.rfind(':') {
            Some(colon) => Ok((Some(place(&given[..colon])?), &given[colon + 1..])),
            None => Ok((None, given)),
        };
    }
    Ok(match given.split_once(':').map(|(player, value)| (place(player), value)) {
        Some((Ok(place), value)) => (Some(place), value),
        _ => (None, given),
    })
}

fn assignment(value: &str) -> Result<(&str, &str), String> {
    let pair = value.split_once('=').filter(|(name, _)| !name.trim().is_empty());
    let pair = pair.filter(|_| !value.contains(char::is_control));
    pair.ok_or_else(|| "write NAME=VALUE, or PLAYER:NAME=VALUE for one player".to_owned())
}

fn set_option(engine: &mut ExternalEngine, value: &str, _: &Path) -> Result<(), String> {
    let (name, value) = assignment(value)?;
    let name = name.trim();
    engine.set_option(name, value);
    // Its letter case is that of the last word on it, so that the command which a report prints gives the same engine.
    let named = engine.options.iter_mut().find(|(before, _)| before.eq_ignore_ascii_case(name));
    named.into_iter().for_each(|(before, _)| name.clone_into(before));
    Ok(())
}

fn set_args(engine: &mut ExternalEngine, value: &str, _: &Path) -> Result<(), String> {
    let words = shlex::split(value).ok_or_else(|| "a quotation mark is not closed".to_owned())?;
    engine.command.truncate(1);
    engine.command.extend(words);
    Ok(())
}

fn set_dir(engine: &mut ExternalEngine, value: &str, folder: &Path) -> Result<(), String> {
    let dir = folder.join(value);
    match dir.is_dir() {
        true => engine.dir = Some(dir),
        false => return Err(format!("there is no folder {}", dir.display())),
    }
    Ok(())
}

fn set_env(engine: &mut ExternalEngine, value: &str, _: &Path) -> Result<(), String> {
    let (name, value) = assignment(value)?;
    engine.env.insert(name.to_owned(), value.to_owned());
    Ok(())
}

fn set_restart(engine: &mut ExternalEngine, value: &str, _: &Path) -> Result<(), String> {
    engine.restart = match value {
        "never" => Restart::Never,
        "after-crash" => Restart::AfterCrash,
        "every-game" => Restart::EveryGame,
        _ => return Err("write never, after-crash or every-game".to_owned()),
    };
    Ok(())
}
