//! Summary of an SPRT: every figure, computed once, for the screen, for JSON and for the store.

use super::contest::Sprt;
use super::spec::SprtSpec;
use crate::game::limit::Limit;
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::players::spec::PlayerSpec;
use crate::report::conduct;
use crate::report::figures::{
    accepted_in_words, elo_lines, games_line, interval, llr_line, or_dash, pairs_line, readable_rate,
    readable_seconds, signed_with_margin, to_digits,
};
use crate::report::head::{Effort, Head, Named};
use crate::run::contest::{Contest, End};
use crate::run::faults::{Faults, FaultsWithSum};
use crate::run::tally::Tally;
use crate::statistics::remaining::{Remaining, remaining};
use crate::statistics::{Confidence, Figures, Verdict};
use serde::Serialize;

/// The report of an SPRT; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct SprtSummary {
    /// How and where it was played.
    #[serde(flatten)]
    pub head: Head,
    /// `h1`, `h0` or `undecided`.
    pub verdict: &'static str,
    /// Why it ended: `decided`, `complete` (as many pairs as were asked for), `book-exhausted`, `interrupted`.
    pub end: &'static str,
    /// Who the candidate was measured against, with its own faults.
    pub base: Contender,
    /// Who was measured, with its own faults.
    pub candidate: Contender,
    /// The test, the counts and every figure.
    #[serde(flatten)]
    pub figures: Figures,
    /// Games lost by faults of either player.
    #[serde(flatten)]
    pub faults: Faults,
    #[serde(skip)]
    question: Question,
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

/// What is said in words.
#[derive(Clone, Debug)]
struct Question {
    players: String,
    /// How the test ended, or that it has not.
    verdict: String,
    /// Threads and table size, each of base and candidate, as OpenBench writes them.
    settings: [[String; 2]; 2],
}

impl SprtSummary {
    /// Computes every figure.
    pub fn new(run: &str, sprt: &Sprt, effort: &Effort) -> SprtSummary {
        let SprtSpec { base, candidate, conditions, test } = sprt.spec();
        let Tally { pairs, games, conduct: [of_base, of_candidate] } = *sprt.tally();
        let head = Head::of((run, SprtSpec::KIND), conditions, (games.games(), effort), sprt.watched());
        let hash = conditions.hash_megabytes;
        SprtSummary {
            head,
            verdict: match sprt.status().verdict {
                Some(Verdict::H1) => "h1",
                Some(Verdict::H0) => "h0",
                None => "undecided",
            },
            end: match sprt.end() {
                Some(End::Decided) => "decided",
                Some(End::GoalReached) => "complete",
                Some(End::BookExhausted) => "book-exhausted",
                Some(End::Failed(_)) | None => "interrupted",
            },
            base: Contender { named: Named::of(base), faults: of_base.faults.into() },
            candidate: Contender { named: Named::of(candidate), faults: of_candidate.faults.into() },
            figures: Figures::of_pairs(test, pairs, games, Confidence::DEFAULT),
            faults: sprt.tally().faults(),
            question: Question {
                players: format!("{} against {}", candidate.label(), base.label()),
                verdict: verdict_in_words(sprt),
                settings: [
                    [base, candidate].map(openbench_threads),
                    [base, candidate].map(|player| openbench_hash(player, hash)),
                ],
            },
        }
    }

    /// How the test ended, or that it has not.
    pub fn verdict_in_words(&self) -> &str {
        &self.question.verdict
    }

    /// What the verdict must not be read without: how many games faults decided. Empty where there is nothing.
    pub fn caveat(&self) -> String {
        conduct::caveat(&self.head.watched)
    }

    /// The limit, threads and table size of both.
    fn openbench_settings(&self) -> String {
        let limits =
            [&self.base, &self.candidate].map(|player| player.named.limit.unwrap_or(self.head.limit));
        let of_both = [limits.map(openbench_limit)].into_iter().chain(self.question.settings.clone());
        of_both.map(of_both_or_each).collect::<Vec<_>>().join(" ")
    }

    /// The block that people paste into pull requests, in OpenBench's form, and what is needed to repeat the run.
    pub fn openbench_block(&self) -> String {
        let Figures { test, elo, llr, lower, upper, games, wins, losses, draws, pentanomial, .. } =
            self.figures;
        let (elo0, elo1) = (test.elo0(), test.elo1());
        let elo = elo.map_or("-".to_owned(), |elo| {
            format!("{} +- {:.2} (95%)", to_digits(elo.estimate, 2), elo.margin)
        });
        let llr = to_digits(llr, 2);
        format!(
            "Elo   | {elo}\n\
             SPRT  | {}\n\
             LLR   | {llr} ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]\n\
             Games | N: {games} W: {} L: {} D: {}\n\
             Penta | {:?}\n\
             {} model, seed {}, book {} {:.12}, base {:.12}, candidate {:.12}",
            self.openbench_settings(),
            or_dash(wins),
            or_dash(losses),
            or_dash(draws),
            pentanomial.unwrap_or_default().0,
            test.scale(),
            self.head.seed,
            self.head.openings.file,
            self.head.openings.digest,
            self.base.named.digest,
            self.candidate.named.digest,
        )
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

/// How the test ended, as a sentence.
fn verdict_in_words(sprt: &Sprt) -> String {
    match (sprt.status().verdict, sprt.end()) {
        (Some(verdict), _) => accepted_in_words(verdict, &sprt.spec().test),
        (None, Some(End::GoalReached)) => "undecided, the allowed number of pairs has been played".to_owned(),
        (None, Some(End::BookExhausted)) => {
            "undecided, every opening of the book has been played; use a larger book".to_owned()
        }
        (None, _) => "undecided, interrupted".to_owned(),
    }
}

impl RunSummary for SprtSummary {
    fn games(&self) -> u64 {
        self.figures.games
    }

    fn verdict(&self) -> &str {
        self.verdict
    }

    fn text(&self) -> String {
        let Head { limit, seed, threads, watched, .. } = &self.head;
        format!(
            "{} · {limit} · seed {seed} · {threads} thread{}\n{}\n{}\n{}\n{}\n{}{}",
            self.question.players,
            if *threads == 1 { "" } else { "s" },
            elo_lines(&self.figures),
            llr_line(&self.figures, &self.question.verdict),
            games_line(&self.figures),
            pairs_line(&self.figures),
            conduct::lines(watched),
            self.head.effort_line(),
        )
    }

    /// The block that OpenBench shows of a test, and the last word: who was measured, and what came of it, decided or not.
    fn ending(&self) -> String {
        let Question { players, verdict, .. } = &self.question;
        format!("\n\n{}\n\n{players}: {verdict}{}", self.openbench_block(), self.caveat())
    }
}

/// How an SPRT stands, with what is left of it at `rate` games a second.
pub fn sprt_line(sprt: &Sprt, rate: f64) -> String {
    let (test, status) = (&sprt.spec().test, sprt.status());
    let Tally { pairs, games, .. } = sprt.tally();
    let Figures { elo, elo_exact, elo_anytime, .. } =
        Figures::of_pairs(test, *pairs, *games, Confidence::DEFAULT);
    let left = remaining(test, status, pairs, games).map_or(String::new(), |left| {
        let Remaining { fewest_games, most_games } = left;
        let time = |games: f64| readable_seconds(games / rate);
        format!(
            "   {fewest_games:.0}–{most_games:.0} games left ({}–{})",
            time(fewest_games),
            time(most_games)
        )
    });
    format!(
        "LLR {} ({:.2}, {:.2})   Elo {}, anytime-valid {}   {} games   {}{left}",
        to_digits(status.llr, 2),
        status.lower,
        status.upper,
        elo_exact.map_or_else(|| signed_with_margin(elo), interval),
        interval(elo_anytime),
        games.games(),
        readable_rate(rate),
    )
}
