//! Trial search: one answer of an engine under the limit of the games, before the first game.
//!
//! An engine that does not know `go nodes` stalls in every game, one that answers nonsense loses every game, and a verdict on
//! them would look like any other. The search is cut after two seconds: of a longer one it is only seen that the engine is
//! at it and has not gone beyond its limit.

use super::dialogue::Dialogue;
use super::info::{Best, Thoughts};
use super::last_line;
use super::process::Silence;
use super::text::printable;
use super::{Running, UciPlayer};
use crate::game::limit::{Limit, MoveLimit, is_about};
use crate::game::player::Player;
use crate::game::referee::Referee;
use crate::game::timing::Timing;
use crate::players::setup::Trial;
use shakmaty::ByColor;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A search that takes longer is told to stop.
const LONGEST: Duration = Duration::from_secs(2);

/// An engine that was told to stop must answer within this time.
const STOPPED: Duration = Duration::from_secs(1);

impl UciPlayer {
    /// Asks for one answer, and sees that it is a legal move.
    ///
    /// # Errors
    /// A sentence without its beginning: why no game is to be had from the engine under this limit.
    pub(super) fn try_search(&mut self, trial: &Trial) -> Result<(), String> {
        self.new_game(trial.opening, trial.stop).map_err(|fault| fault.to_string())?;
        let terms = (trial.limit, Duration::ZERO);
        let limit = Timing::new(ByColor { white: terms, black: terms }).limit(self.told.turn());
        let (best, words) = self.searched(limit, trial)?;
        let mut referee = Referee::new(trial.opening.position());
        match best {
            Best::Move(best) | Best::UpperCase(best) => {
                referee.play(best).map(drop).map_err(|illegal| format!("its move {illegal}"))
            }
            Best::None => Err(format!("it answered that it has no move in {}", trial.opening.fen)),
            Best::Unreadable => Err(format!("it answered `{words}`, which is no move in UCI's notation")),
        }
    }

    /// The answer and its text.
    fn searched(&mut self, asked: MoveLimit, trial: &Trial) -> Result<(Best, String), String> {
        let name = &self.engine.name;
        let Some(Running { process, .. }) = self.running.as_mut() else {
            return Err("it is not running".to_owned());
        };
        let mut dialogue = Dialogue { process, log: self.setup.log.as_ref(), name };
        let time = LONGEST.min(self.setup.move_timeout);
        let question = self.told.question(asked).to_owned();
        let late = format!("has not answered within {:.1} s after `{}`", time.as_secs_f64(), self.told.go());
        let mut thoughts = Thoughts::default();
        match answer((&mut dialogue, trial.stop), &question, time, &mut thoughts) {
            Ok(answer) => return Ok(answer),
            Err(Silence::Deadline) => {}
            Err(silence) => return Err(format!("it {}", dialogue.evidence(&silence, time, self.told.go()))),
        }
        let beyond = beyond(&thoughts, trial.limit);
        match (answer((&mut dialogue, trial.stop), "stop\n", STOPPED, &mut thoughts), beyond) {
            (Ok(answer), None) => Ok(answer),
            (Ok(_), Some(what)) => Err(format!("it {late}, {what}")),
            (Err(silence), _) => {
                Err(format!("it {late}, and then {}", dialogue.evidence(&silence, STOPPED, "stop")))
            }
        }
    }
}

/// Says something, and reads until the answer or until the time is up.
fn answer(
    (dialogue, stop): (&mut Dialogue, &AtomicBool),
    question: &str,
    time: Duration,
    thoughts: &mut Thoughts,
) -> Result<(Best, String), Silence> {
    let deadline = Instant::now() + time;
    dialogue.send(question, deadline)?;
    loop {
        let lines = dialogue.lines(deadline, stop)?;
        if let Some(best) = thoughts.read(lines) {
            return Ok((best, printable(last_line(lines))));
        }
    }
}

/// How a search that has lasted [`LONGEST`] has gone beyond its limit, or cannot be seen not to have.
fn beyond(thoughts: &Thoughts, limit: Limit) -> Option<String> {
    let Limit { nodes, depth, movetime, tc } = limit;
    let longest = LONGEST.as_millis() as u64;
    if movetime.is_some_and(|time| time <= longest)
        || tc.is_some_and(|clock| clock.first.base_ms + clock.first.increment_ms <= longest)
    {
        return Some("when its time was over".to_owned());
    }
    match (nodes, thoughts.nodes) {
        (Some(asked), Some(searched)) if searched > asked && !is_about(asked, searched) => {
            return Some(format!("and has searched {searched} nodes by then: it does not honour `go nodes`"));
        }
        (Some(_), None) => {
            return Some("and reports no nodes by which to see that it honours `go nodes`".to_owned());
        }
        _ => {}
    }
    match (depth, thoughts.depth) {
        (Some(asked), Some(reached)) if reached > asked => {
            Some(format!("and has reached depth {reached} by then: it does not honour `go depth`"))
        }
        (Some(_), None) => Some("and reports no depth by which to see that it honours `go depth`".to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_search_must_be_seen_to_be_within_its_limit() {
        let said = |nodes, depth| Thoughts { score: None, depth, nodes, time: None };
        let clock = |text: &str| Limit::tc(text.parse().unwrap());
        for (thoughts, limit, word) in [
            (said(Some(201), Some(1)), Limit::nodes(100), "searched 201 nodes"),
            (said(None, Some(1)), Limit::nodes(100), "reports no nodes"),
            (said(Some(1), Some(9)), Limit::depth(8), "depth 9"),
            (said(Some(1), None), Limit::depth(8), "reports no depth"),
            (said(None, None), Limit::movetime(2000), "its time was over"),
            (said(None, None), clock("1+1"), "its time was over"),
        ] {
            let what = beyond(&thoughts, limit).unwrap_or_else(|| panic!("{limit}: {thoughts:?}"));
            assert!(what.contains(word), "{what}");
        }
        for (thoughts, limit) in [
            (said(Some(150), None), Limit::nodes(100)),
            (said(Some(1), Some(2)), Limit::nodes(1 << 40)),
            (said(Some(1 << 40), Some(8)), Limit::depth(8)),
            (said(None, None), Limit::movetime(2001)),
            (said(None, None), clock("2+0.01")),
        ] {
            assert_eq!(beyond(&thoughts, limit), None, "{limit}: {thoughts:?}");
        }
    }
}
