//! Players: the built-in engine, and others over UCI.

pub mod builtin;
pub mod cores;
pub mod external;
pub mod external_file;
pub mod restart;
mod setup;
pub mod spec;
pub mod uci;

pub use setup::{BUILT_IN_COMMAND, Setup, StartError, Trial};

use crate::game::player::Player;
use builtin::BuiltIn;
use external::ExternalEngine;
use spec::{EngineSpec, PlayerSpec};
use std::sync::atomic::Ordering;
use uci::{Declared, UciPlayer};

/// A player of this description, ready for its first game.
pub fn player(spec: &PlayerSpec, setup: &Setup) -> Box<dyn Player> {
    match process_of(spec, setup) {
        Some(engine) => Box::new(UciPlayer::new(engine, setup.clone())),
        None => {
            let config = spec.config().expect("`check` refuses what this version cannot play");
            Box::new(BuiltIn::new(config, setup.hash_megabytes as usize))
        }
    }
}

/// Sees that a player can play, before the first game. The built-in engine in this process can.
///
/// # Errors
/// Its engine does not start, does not take what the configuration wants of it, or has no answer.
pub fn check(spec: &PlayerSpec, setup: &Setup, trial: &Trial) -> Result<(), StartError> {
    match process_of(spec, setup) {
        Some(engine) => UciPlayer::new(engine, setup.clone()).check(trial).map_err(|error| {
            // An engine that was left in the middle of its answer is not to blame for it.
            if trial.stop.load(Ordering::Relaxed) { StartError::Interrupted } else { error }
        }),
        None => spec.is_playable().map_err(StartError::Config),
    }
}

/// The options that an external engine declares, asked of the program itself; none of the built-in engine, which has tables
/// of its own.
///
/// # Errors
/// As [`check`].
pub fn declared(spec: &PlayerSpec, setup: &Setup) -> Result<Option<Declared>, StartError> {
    let declared = |engine: &ExternalEngine| UciPlayer::new(engine.clone(), setup.clone()).declared();
    spec.external_engine().map(declared).transpose()
}

/// The program that plays for this player, if it is not this one.
fn process_of(spec: &PlayerSpec, setup: &Setup) -> Option<ExternalEngine> {
    match (&spec.engine, &setup.out_of_process) {
        (EngineSpec::External(engine), _) => Some(engine.clone()),
        (EngineSpec::BuiltIn { config, .. }, Some(program)) => {
            Some(ExternalEngine::built_in(program, BUILT_IN_COMMAND, config))
        }
        (EngineSpec::BuiltIn { .. }, None) | (EngineSpec::OtherVersion { .. }, _) => None,
    }
}
