//! Search thread: how the reading thread gives it searches and gets the player back.
//!
//! One thread serves the whole session: a search of a few hundred nodes takes less time than starting a thread for it.

use super::answer::{Flags, answer};
use super::words::Request;
use crate::position::Game;
use crate::search::Searcher;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender, channel};

/// One `go`.
struct Job {
    searcher: Box<Searcher>,
    game: Game,
    request: Request,
    flags: Arc<Flags>,
    chess960: bool,
}

/// The player and the thread it searches on.
pub struct Worker {
    player: Player,
    jobs: Sender<Job>,
    /// The player after each search, unless the search broke down.
    players: Receiver<Option<Box<Searcher>>>,
}

/// The player is here, or with the thread that searches.
enum Player {
    Here(Box<Searcher>),
    Searching {
        flags: Arc<Flags>,
        /// Only a command ends it.
        endless: bool,
    },
}

impl Worker {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn start(searcher: Searcher) -> io::Result<Worker> {
        let (jobs, work) = channel::<Job>();
        let (done, players) = channel();
        std::thread::Builder::new().name("search".to_owned()).spawn(move || {
            for job in work {
                // The session has ended if the player is no longer received.
                let _ = done.send(job.search());
            }
        })?;
        Ok(Worker { player: Player::Here(Box::new(searcher)), jobs, players })
    }

    /// The player, once it has nothing to do; not for a search that only a later command ends. If the search broke
    /// down, the player was lost with it, and this one takes its place.
    pub fn wait_or(&mut self, another: impl FnOnce() -> Searcher) -> &mut Searcher {
        if let Player::Searching { .. } = self.player {
            let back = self.players.recv().ok().flatten();
            self.player = Player::Here(back.unwrap_or_else(|| Box::new(another())));
        }
        match &mut self.player {
            Player::Here(searcher) => searcher,
            Player::Searching { .. } => unreachable!("it has just been waited for"),
        }
    }

    /// Gives the player this search, if it is here.
    pub fn search(&mut self, game: Game, request: Request, chess960: bool) {
        let flags = Arc::new(Flags::default());
        flags.pondering.store(request.ponder, Ordering::Relaxed);
        let endless = request.infinite || request.ponder;
        let searching = Player::Searching { flags: Arc::clone(&flags), endless };
        match std::mem::replace(&mut self.player, searching) {
            Player::Here(searcher) => {
                // The thread lives as long as the session: a search that breaks down does not end it.
                let _ = self.jobs.send(Job { searcher, game, request, flags, chess960 });
            }
            already => self.player = already,
        }
    }

    /// Asks a search that runs to end.
    pub fn ask_to_stop(&self) {
        if let Player::Searching { flags, .. } = &self.player {
            flags.stop.store(true, Ordering::Relaxed);
        }
    }

    /// The move that was pondered has been played.
    pub fn ponder_hit(&self) {
        if let Player::Searching { flags, .. } = &self.player {
            flags.pondering.store(false, Ordering::Relaxed);
        }
    }

    /// Whether a search runs that only a command ends.
    pub fn is_endless(&self) -> bool {
        matches!(self.player, Player::Searching { endless: true, .. })
    }
}

impl Job {
    /// Gives the player back, unless the search broke down.
    fn search(self) -> Option<Box<Searcher>> {
        let Job { mut searcher, game, request, flags, chess960 } = self;
        // A player that was broken off in the middle is not used again.
        catch_unwind(AssertUnwindSafe(move || {
            answer(&mut searcher, &game, &request, &flags, chess960);
            searcher
        }))
        .ok()
    }
}
