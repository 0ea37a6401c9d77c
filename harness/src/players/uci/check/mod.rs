//! Check of an engine's UCI. A list of steps, each passed or not, with the dialogue of those that were not.

mod declaration;
mod positions;
mod steps;
mod subject;

use super::super::external::ExternalEngine;
use serde::Serialize;
use steps::STEPS;
use subject::Subject;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// As the protocol wants it.
    Passed,
    /// A habit that the harness can live with, but others may not.
    Warned,
    /// Games cannot be played, or not under this limit.
    Failed,
    /// Not tried: the engine cannot do it, or is not there.
    Skipped,
}

/// One step of the check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What was tried.
    pub name: &'static str,
    /// How it ended.
    pub outcome: Outcome,
    /// What was seen, in words; may be empty.
    pub detail: String,
    /// What was said, `<` to the engine and `>` from it; empty where it passed.
    pub dialogue: Vec<String>,
}

/// Takes the engine through all steps. After one that it does not survive it is started again. With the lines by which it introduced
/// itself, up to `uciok`.
pub fn check(engine: &ExternalEngine) -> (Vec<Step>, Vec<String>) {
    let mut subject = Subject::new(engine);
    let mut steps: Vec<Step> = Vec::new();
    for (name, step) in STEPS {
        let has_never_started = steps.iter().take(2).any(|step| step.outcome == Outcome::Failed);
        let (outcome, detail) = match has_never_started {
            true => (Outcome::Skipped, String::new()),
            false => subject
                .begin_step()
                .and_then(|()| step(&mut subject))
                .unwrap_or_else(|failed| (Outcome::Failed, failed)),
        };
        let dialogue = subject.take_dialogue();
        let is_of_interest = matches!(outcome, Outcome::Warned | Outcome::Failed);
        steps.push(Step {
            name,
            outcome,
            detail,
            dialogue: if is_of_interest { dialogue } else { Vec::new() },
        });
    }
    (steps, subject.introduction)
}
