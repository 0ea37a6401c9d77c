//! Every figure of a run, computed once, for the screen, for JSON and for the store.

use super::conduct;
use super::figures::{elo_lines, games_line, llr_line, or_dash, pairs_line, percent, unit};
use crate::experiment::{Conditions, Experiment, OpeningsSpec, PlayerSpec};
use crate::game::limit::Limit;
use crate::run::conduct::Watched;
use crate::run::faults::{Faults, FaultsWithSum};
use crate::run::node_use::NodesSearched;
use crate::run::sprt::{End, Progress};
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Figures, SprtSpec, Verdict};
use crate::store::Session;
use serde::Serialize;
use std::path::Path;

/// How a run was carried out, over all its sessions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Games in parallel, in the last session.
    pub threads: usize,
    /// Wall time.
    pub seconds: f64,
    /// Wall time, multiplied by the threads of each session.
    pub thread_seconds: f64,
    /// Time inside searches, all threads together.
    pub search_seconds: f64,
}

impl Effort {
    /// What these sessions took; the threads are those of the last.
    pub fn of(sessions: &[Session]) -> Effort {
        let mut effort = Effort::default();
        for session in sessions {
            let seconds = session.wall_micros as f64 / 1e6;
            effort.threads = session.threads as usize;
            effort.seconds += seconds;
            effort.thread_seconds += seconds * f64::from(session.threads);
            effort.search_seconds += session.search_micros as f64 / 1e6;
        }
        effort
    }
}

/// The report of an SPRT; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Name of the run in the store.
    pub run: String,
    /// `h1`, `h0` or `undecided`.
    pub verdict: &'static str,
    /// Who the candidate was measured against, with its own faults.
    pub base: Contender,
    /// Who was measured, with its own faults.
    pub candidate: Contender,
    /// Limit of each move.
    pub limit: Limit,
    /// The book.
    pub openings: Book,
    /// Decides the order of the openings.
    pub seed: u64,
    /// Games in parallel.
    pub threads: usize,
    /// The test, the counts and every figure.
    #[serde(flatten)]
    pub figures: Figures,
    /// Games lost by faults of either player.
    #[serde(flatten)]
    pub faults: Faults,
    /// Players that were not seen to honour their limit of nodes.
    pub node_limits: Vec<NodesSearched>,
    /// Wall time of all sessions.
    pub seconds: f64,
    /// Games counted per second of it; none if it took no time.
    pub games_per_second: Option<f64>,
    /// Share of the threads' time spent inside searches; none if nothing was played.
    pub utilization: Option<f64>,
    #[serde(skip)]
    question: Question,
}

/// A player as reports name it.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Name of the configuration.
    pub name: String,
    /// SHA-256 of its values.
    pub digest: String,
    /// Its own limit, if it has not that of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
}

/// A player of a test.
#[derive(Clone, Debug, Serialize)]
pub struct Contender {
    /// Name, digest and limit.
    #[serde(flatten)]
    pub named: Named,
    /// Games it lost by its own faults.
    #[serde(flatten)]
    pub faults: FaultsWithSum,
}

/// A book as reports name it.
#[derive(Clone, Debug, Serialize)]
pub struct Book {
    /// File name.
    pub file: String,
    /// SHA-256 of its bytes, unpacked.
    pub digest: String,
}

/// What is said in words.
#[derive(Clone, Debug)]
struct Question {
    players: String,
    limit: String,
    /// Threads and table size, each of base and candidate, as OpenBench writes them.
    settings: [[String; 2]; 2],
    end: End,
    watched: [Watched; 2],
}

impl Summary {
    /// Computes every figure.
    pub fn new(
        run: &str,
        experiment: &Experiment,
        progress: &Progress,
        end: End,
        effort: &Effort,
    ) -> Summary {
        let Experiment { base, candidate, conditions, test, .. } = experiment;
        let Conditions { limit, openings, seed, hash_megabytes, .. } = conditions;
        let Tally { pairs, games, conduct: [of_base, of_candidate] } = progress.tally;
        let watched = progress.watched(experiment);
        let figures = Figures::of_pairs(test, pairs, games, Confidence::DEFAULT);
        let ratio = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        Summary {
            run: run.to_owned(),
            verdict: match end {
                End::Decided(Verdict::H1) => "h1",
                End::Decided(Verdict::H0) => "h0",
                End::MaxPairs | End::BookExhausted | End::Interrupted => "undecided",
            },
            base: Contender { named: Named::of(base), faults: of_base.faults.into() },
            candidate: Contender { named: Named::of(candidate), faults: of_candidate.faults.into() },
            limit: *limit,
            openings: Book::of(openings),
            seed: *seed,
            threads: effort.threads,
            figures,
            faults: progress.tally.faults(),
            node_limits: conduct::node_limits(&watched),
            seconds: effort.seconds,
            games_per_second: ratio(games.games() as f64, effort.seconds),
            utilization: ratio(effort.search_seconds, effort.thread_seconds),
            question: Question {
                players: format!("{} against {}", candidate.label(), base.label()),
                limit: limit.to_string(),
                settings: [
                    [base, candidate].map(openbench_threads),
                    [base, candidate].map(|player| openbench_hash(player, *hash_megabytes)),
                ],
                end,
                watched,
            },
        }
    }

    /// The lines a person reads.
    pub fn text(&self) -> String {
        let Question { players, limit, .. } = &self.question;
        format!(
            "{players} · {limit} · seed {} · {} thread{}\n{}\n{}\n{}\n{}\n{}{}",
            self.seed,
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            elo_lines(&self.figures),
            llr_line(&self.figures, &self.verdict_in_words()),
            games_line(&self.figures),
            pairs_line(&self.figures),
            conduct::lines(&self.question.watched),
            self.effort_line(),
        )
    }

    /// The last word: who was measured, and what came of it, decided or not.
    pub fn conclusion(&self) -> String {
        format!("{}: {}{}", self.question.players, self.verdict_in_words(), self.caveat())
    }

    /// What the verdict must not be read without: how many games faults decided. Empty where there is nothing.
    pub fn caveat(&self) -> String {
        conduct::caveat(&self.question.watched)
    }

    /// The players with what they did.
    pub fn watched(&self) -> &[Watched] {
        &self.question.watched
    }

    fn verdict_in_words(&self) -> String {
        verdict_in_words(self.question.end, &self.figures.test)
    }

    fn effort_line(&self) -> String {
        let rate = self.games_per_second.map_or("- games/s".to_owned(), readable_rate);
        format!(
            "Time  {}   {rate}   {} of the threads' time inside the search   run {}",
            readable_seconds(self.seconds),
            percent(self.utilization),
            self.run
        )
    }

    /// The limit, threads and table size of both.
    fn openbench_settings(&self) -> String {
        let limits = [&self.base, &self.candidate].map(|player| player.named.limit.unwrap_or(self.limit));
        let of_both = [limits.map(openbench_limit)].into_iter().chain(self.question.settings.clone());
        of_both.map(of_both_or_each).collect::<Vec<_>>().join(" ")
    }

    /// The block that people paste into pull requests, in OpenBench's form, and what is needed to repeat the run.
    pub fn openbench_block(&self) -> String {
        let Figures { test, elo, llr, lower, upper, games, wins, losses, draws, pentanomial, .. } =
            self.figures;
        let (elo0, elo1) = (test.elo0(), test.elo1());
        let elo = elo.map_or("-".to_owned(), |elo| format!("{:.2} +- {:.2} (95%)", elo.estimate, elo.margin));
        format!(
            "Elo   | {elo}\n\
             SPRT  | {}\n\
             LLR   | {llr:.2} ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]\n\
             Games | N: {games} W: {} L: {} D: {}\n\
             Penta | {:?}\n\
             {} model, seed {}, book {} {:.12}, base {:.12}, candidate {:.12}",
            self.openbench_settings(),
            or_dash(wins),
            or_dash(losses),
            or_dash(draws),
            pentanomial.unwrap_or_default().0,
            test.scale(),
            self.seed,
            self.openings.file,
            self.openings.digest,
            self.base.named.digest,
            self.candidate.named.digest,
        )
    }
}

impl Named {
    /// A player's.
    pub fn of(player: &PlayerSpec) -> Named {
        Named { name: player.name().to_owned(), digest: player.digest.clone(), limit: player.limit }
    }
}

impl Book {
    /// The name and digest of the book that openings come from.
    pub fn of(openings: &OpeningsSpec) -> Book {
        let path = Path::new(&openings.file);
        let name = path.file_name().unwrap_or(path.as_os_str());
        Book { file: name.to_string_lossy().into_owned(), digest: openings.digest.clone() }
    }
}

/// A limit as OpenBench writes it.
fn openbench_limit(limit: Limit) -> String {
    let word = |(name, value): (&str, String)| match name {
        "nodes" => format!("N={value}"),
        "depth" => format!("D={value}"),
        "movetime" => format!("MT={value}"),
        _ => format!("{value}s"),
    };
    limit.named().map(word).collect::<Vec<_>>().join(" ")
}

/// The threads that a player was told to search on; what another engine does by itself is not known.
fn openbench_threads(player: &PlayerSpec) -> String {
    let threads =
        player.external_engine().map_or("1", |engine| engine.option("Threads").unwrap_or("default"));
    format!("Threads={threads}")
}

/// The table size that a player was told to use: that of its configuration, or that of the run.
fn openbench_hash(player: &PlayerSpec, of_run: u32) -> String {
    let own = player.external_engine().and_then(|engine| engine.option("Hash"));
    format!("Hash={}MB", own.map_or_else(|| of_run.to_string(), str::to_owned))
}

/// As OpenBench writes it where both have the same, and otherwise whose is which.
fn of_both_or_each([base, candidate]: [String; 2]) -> String {
    match base == candidate {
        true => base,
        false => format!("base {base} candidate {candidate}"),
    }
}

/// How the test ended, as a sentence. Accepting H1 excludes a lead of `elo0` or less, accepting H0 one of `elo1` or more.
pub fn verdict_in_words(end: End, test: &SprtSpec) -> String {
    let (elo0, elo1, unit) = (test.elo0(), test.elo1(), unit(test.model()));
    match end {
        End::Decided(Verdict::H1) if elo0 < 0.0 => {
            format!("H1 accepted, the candidate is not weaker by {} {unit} or more", -elo0)
        }
        End::Decided(Verdict::H1) => "H1 accepted, the candidate is stronger".to_owned(),
        End::Decided(Verdict::H0) if elo1 <= 0.0 => "H0 accepted, the candidate is weaker".to_owned(),
        End::Decided(Verdict::H0) => {
            format!("H0 accepted, the candidate is not stronger by {elo1} {unit} or more")
        }
        End::MaxPairs => "undecided, the allowed number of pairs has been played".to_owned(),
        End::BookExhausted => {
            "undecided, every opening of the book has been played; use a larger book".to_owned()
        }
        End::Interrupted => "undecided, interrupted".to_owned(),
    }
}

/// `42 s`, `3 min 05 s`, `2 h 07 min`, `5 d 03 h`.
pub fn readable_seconds(seconds: f64) -> String {
    /// Hours are easily thought of up to here.
    const MOST_HOURS: u64 = 72;
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours @ ..MOST_HOURS, minutes, _) => format!("{hours} h {minutes:02} min"),
        (hours, ..) => format!("{} d {:02} h", hours / 24, hours % 24),
    }
}

/// `10.1 games/s`, and of slow games `3.9 games/min` or `12.3 games/h`, so that a digit behind the point is enough.
pub fn readable_rate(games_per_second: f64) -> String {
    match games_per_second {
        rate if rate >= 1.0 || rate <= 0.0 || rate.is_nan() => format!("{rate:.1} games/s"),
        rate if 60.0 * rate >= 1.0 => format!("{:.1} games/min", 60.0 * rate),
        rate => format!("{:.1} games/h", 3600.0 * rate),
    }
}
