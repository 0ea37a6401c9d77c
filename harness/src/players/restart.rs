//! Restart of an engine between games: never, after a crash, or for every game.

use serde::{Deserialize, Serialize};

/// When an engine is started again. As JSON `true`, `false` or `"every-game"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredRestart", into = "StoredRestart")]
pub enum Restart {
    /// Never: a crash ends the run.
    Never,
    /// For the next game when it has crashed or hung.
    #[default]
    AfterCrash,
    /// For every game, whose first move it then plays with nothing in its memory. It decides games.
    EveryGame,
}

impl From<bool> for Restart {
    fn from(restart: bool) -> Restart {
        if restart { Restart::AfterCrash } else { Restart::Never }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredRestart {
    AfterCrash(bool),
    Often(Often),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Often {
    EveryGame,
}

impl From<StoredRestart> for Restart {
    fn from(stored: StoredRestart) -> Restart {
        match stored {
            StoredRestart::AfterCrash(restart) => Restart::from(restart),
            StoredRestart::Often(Often::EveryGame) => Restart::EveryGame,
        }
    }
}

impl From<Restart> for StoredRestart {
    fn from(restart: Restart) -> StoredRestart {
        match restart {
            Restart::Never => StoredRestart::AfterCrash(false),
            Restart::AfterCrash => StoredRestart::AfterCrash(true),
            Restart::EveryGame => StoredRestart::Often(Often::EveryGame),
        }
    }
}
