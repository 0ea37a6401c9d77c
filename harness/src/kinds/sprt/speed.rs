//! Speed of a run, carried over to another limit and another number of threads.
//!
//! What is searched takes as much more time as the new limit allows, all else as much as before. Under another limit of the
//! same kind that is the ratio of the two. Of unlike kinds, nodes are turned into time by the speed of the searches, and a
//! clock is taken as used up in games as long as those of the run.

use super::report::SprtReport;
use crate::game::limit::Limit;
use crate::kinds::stored::Stored;
use crate::players::spec::PlayerSpec;
use serde::Serialize;
use std::fmt;

/// What the games of a run took.
#[derive(Clone, Copy, Debug)]
pub struct Speed {
    games: f64,
    seconds: f64,
    /// Threads at work, on average over the sessions.
    threads: f64,
    /// Moves of both sides, and what was searched for them.
    moves: f64,
    nodes: f64,
    search_seconds: f64,
    /// Share of the threads' time that is searched, 0 to 1.
    search_share: f64,
    limit: Limit,
    has_own_limits: bool,
}

/// A limit of each move and games in parallel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Pace {
    /// Limit of each move.
    pub limit: Limit,
    /// Games in parallel.
    pub threads: usize,
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pace { limit, threads } = self;
        write!(f, "{limit} on {threads} thread{}", if *threads == 1 { "" } else { "s" })
    }
}

impl Speed {
    /// That of a stored run; none if it has no games or took no time.
    pub fn of(SprtReport { run, summary, .. }: &SprtReport) -> Option<Speed> {
        let Stored { spec, sessions, games, .. } = run;
        let thread_seconds: f64 = (sessions.iter())
            .map(|session| session.wall_micros as f64 / 1e6 * f64::from(session.threads))
            .sum();
        let sides = [&games.base, &games.candidate];
        let sum = |count: fn(&crate::report::telemetry::SideTelemetry) -> u64| {
            sides.iter().map(|side| count(side) as f64).sum::<f64>()
        };
        let speed = Speed {
            games: summary.figures.games as f64,
            seconds: summary.head.seconds,
            threads: thread_seconds / summary.head.seconds,
            moves: sum(|side| side.moves),
            nodes: sum(|side| side.nodes),
            search_seconds: sum(|side| side.micros) / 1e6,
            search_share: summary.head.utilization.unwrap_or(1.0).clamp(0.0, 1.0),
            limit: spec.conditions.limit,
            has_own_limits: [&spec.base, &spec.candidate]
                .into_iter()
                .any(|player: &PlayerSpec| player.limit.is_some()),
        };
        (speed.games > 0.0 && speed.seconds > 0.0).then_some(speed)
    }

    /// As it was measured, the threads rounded.
    pub fn pace(&self) -> Pace {
        Pace { limit: self.limit, threads: self.threads.round().max(1.0) as usize }
    }

    /// Games a second at another pace, on a machine with so many cores, beyond which no thread counts.
    ///
    /// # Errors
    /// Nothing follows for that limit; why, as the end of a sentence about the run.
    pub fn games_per_second(&self, Pace { limit, threads }: Pace, cores: usize) -> Result<f64, String> {
        let cores = cores as f64;
        let by_threads = match threads == self.pace().threads {
            true => 1.0,
            false => (threads as f64).min(cores) / self.threads.min(cores),
        };
        let by_limit = self.search_share * self.search_ratio(limit)? + 1.0 - self.search_share;
        Ok(self.games / self.seconds * by_threads / by_limit)
    }

    /// How much longer a move is searched under another limit.
    fn search_ratio(&self, limit: Limit) -> Result<f64, String> {
        if limit == self.limit {
            return Ok(1.0);
        }
        if self.has_own_limits {
            return Err("has players with limits of their own".to_owned());
        }
        let seconds = |limit: Limit| self.seconds_of_a_move(limit);
        let unknown = || format!("says nothing of the speed at {limit}");
        let asked = seconds(limit).ok_or_else(unknown)?;
        let is_of_one_kind = limit.named().map(|(name, _)| name).eq(self.limit.named().map(|(name, _)| name));
        let measured = || Some(self.search_seconds / self.moves).filter(|seconds| seconds.is_finite());
        let before = if is_of_one_kind { seconds(self.limit) } else { measured() };
        let ratio = asked / before.ok_or_else(unknown)?;
        if ratio.is_finite() { Ok(ratio) } else { Err(unknown()) }
    }

    /// What a limit of one kind allows for a move, seconds; none if that cannot be told.
    fn seconds_of_a_move(&self, limit: Limit) -> Option<f64> {
        let moves = self.moves / self.games / 2.0;
        match limit {
            Limit { nodes: Some(nodes), depth: None, movetime: None, tc: None } => {
                let of_node = self.search_seconds / self.nodes;
                (self.nodes > 0.0).then_some(nodes as f64 * of_node)
            }
            Limit { nodes: None, depth: None, movetime: Some(milliseconds), tc: None } => {
                Some(milliseconds as f64 / 1e3)
            }
            Limit { nodes: None, depth: None, movetime: None, tc: Some(control) } => {
                Some(control.ms_per_move(moves) / 1e3)
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 100 games of 50 moves a side in 500 s on two threads, 80 % of it searched.
    const SPEED: Speed = Speed {
        games: 100.0,
        seconds: 500.0,
        threads: 2.0,
        moves: 10_000.0,
        nodes: 5e7,
        search_seconds: 800.0,
        search_share: 0.8,
        limit: Limit::nodes(5000),
        has_own_limits: false,
    };

    fn rate(speed: &Speed, limit: Limit, threads: usize) -> Result<f64, String> {
        speed.games_per_second(Pace { limit, threads }, 4)
    }

    fn tc(text: &str) -> Limit {
        Limit::tc(text.parse().unwrap())
    }

    #[test]
    fn what_is_searched_takes_more_time_and_the_rest_does_not() {
        for (limit, threads, expected) in [
            (Limit::nodes(5000), 2, 0.2),
            (Limit::nodes(5000), 1, 0.1),
            (Limit::nodes(5000), 9, 0.4),
            (Limit::nodes(10_000), 2, 0.2 / 1.8),
            (Limit::nodes(2500), 4, 0.4 / 0.6),
            // 0.08 s a move before.
            (Limit::movetime(160), 2, 0.2 / 1.8),
            // 10 s for 50 moves and 0.2 s for each.
            (tc("10+0.2"), 2, 0.2 / (0.8 * 5.0 + 0.2)),
            (tc("40/16"), 2, 0.2 / (0.8 * 5.0 + 0.2)),
        ] {
            let found = rate(&SPEED, limit, threads).unwrap();
            assert!((found / expected - 1.0).abs() < 1e-12, "{limit} on {threads}: {found}, not {expected}");
        }
        // Of a clock engines use a part, the same of another.
        let clock = Speed { limit: tc("10+0.2"), ..SPEED };
        assert!((rate(&clock, tc("20+0.4"), 2).unwrap() - 0.2 / 1.8).abs() < 1e-12);
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        let silent = Speed { nodes: 0.0, limit: Limit::movetime(9), ..SPEED };
        let odds = Speed { has_own_limits: true, ..SPEED };
        let both = Limit { depth: Some(3), ..Limit::nodes(5000) };
        for (speed, limit) in
            [(SPEED, Limit::depth(8)), (SPEED, both), (silent, Limit::nodes(9)), (odds, Limit::nodes(9))]
        {
            assert!(rate(&speed, limit, 2).is_err(), "{limit}");
            assert!(rate(&speed, speed.limit, 3).is_ok());
        }
    }
}
