//! What stands in a report, as text in tables.

use super::RunReport;
use crate::experiment::{Experiment, PlayerSpec};
use crate::game::record::Side;
use crate::players::spec::EngineSpec;
use crate::report::command_line::{identity_of, options_of};
use crate::report::figures::interval;
use crate::report::replay::FaultyGame;
use crate::report::shell_word;
use crate::report::summary::{readable_seconds, verdict_in_words};
use crate::report::telemetry::{FIGURES, Unit};
use crate::run::sprt::End;
use crate::statistics::Model;
use crate::store::RunState;
use engine::search::observer::Pruning;

/// An interval that is shown, with its name.
pub struct NamedInterval {
    /// What it is, in a word or two.
    pub short: &'static str,
    /// What it is.
    pub name: &'static str,
    /// The estimate, Elo.
    pub estimate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl NamedInterval {
    /// `+45.7 [+29.2, +62.4]`
    pub fn text(&self) -> String {
        format!("{:+.1} [{:+.1}, {:+.1}]", self.estimate, self.low, self.high)
    }
}

/// The names of the pentanomial categories: the candidate's points in a pair.
pub const PAIR_SCORES: [&str; 5] = ["0", "½", "1", "1½", "2"];

impl RunReport<'_> {
    /// `pvs.toml against base.toml`
    pub fn title(&self) -> String {
        let Experiment { base, candidate, .. } = &self.run.experiment;
        format!("{} against {}", candidate.file, base.file)
    }

    /// The question that was put to the games, a sentence.
    pub fn question(&self) -> String {
        let Experiment { base, candidate, conditions, .. } = &self.run.experiment;
        format!("Is {} stronger than {} at {}?", candidate.file, base.file, conditions.limit)
    }

    /// The answer in words, without a full stop.
    pub fn verdict(&self) -> String {
        let summary = &self.run.summary;
        let end = self.run.replay.end;
        if end == End::Interrupted && self.run.info.state == RunState::Running {
            return "Undecided so far, the run is being played".to_owned();
        }
        let words = verdict_in_words(end, summary.figures.test.elo0(), summary.figures.test.elo1());
        let mut letters = words.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    }

    /// Elo as if the number of games had been fixed, and corrected for the stop where there was one.
    pub fn elo(&self) -> Vec<NamedInterval> {
        let summary = &self.run.summary;
        let naive = summary.figures.elo.map(|elo| NamedInterval {
            short: "naive",
            name: "Elo, as if the number of games had been fixed",
            estimate: elo.estimate,
            low: elo.low,
            high: elo.high,
        });
        let is_decided = matches!(self.run.replay.end, End::Decided(_));
        let after = summary.figures.elo_after_stop.filter(|_| is_decided).map(|elo| NamedInterval {
            short: "corrected",
            name: "Elo, corrected for having stopped when it did",
            estimate: elo.estimate,
            low: elo.low,
            high: elo.high,
        });
        naive.into_iter().chain(after).collect()
    }

    /// The figures of the test, a name and a text each.
    pub fn figures(&self) -> Vec<(&'static str, String)> {
        let summary = &self.run.summary;
        let dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let mut figures: Vec<_> =
            self.elo().into_iter().map(|elo| (elo.name, format!("{} (95 %)", elo.text()))).collect();
        if figures.is_empty() {
            figures.push(("Elo", "-".to_owned()));
        }
        let nelo =
            summary.figures.nelo.map(|nelo| format!("{:+.1} ± {:.1} (95 %)", nelo.estimate, nelo.margin));
        let (lengths, games) = (&self.run.replay.lengths, &self.run.replay.progress.tally.games);
        let mean = (!lengths.is_empty()).then(|| lengths.iter().sum::<usize>() as f64 / lengths.len() as f64);
        figures.extend([
            ("Elo, valid at every look", format!("{} (95 %)", interval(summary.figures.elo_anytime))),
            ("Normalized Elo", dash(nelo)),
            ("Likelihood of superiority", Unit::Percent.write(summary.figures.los)),
            (
                "Log-likelihood ratio",
                format!(
                    "{:.2} in ({:.2}, {:.2}) for {}",
                    summary.figures.llr,
                    summary.figures.lower,
                    summary.figures.upper,
                    self.run.experiment.bounds()
                ),
            ),
            (
                "Games",
                format!(
                    "{}: {} won, {} drawn, {} lost",
                    games.games(),
                    games.wins,
                    games.draws,
                    games.losses
                ),
            ),
            ("Mean length of a game", dash(mean.map(|mean| format!("{mean:.1} plies")))),
            (
                "Faults",
                format!(
                    "{} time losses, {} illegal moves, {} crashes",
                    summary.time_losses, summary.illegal_moves, summary.crashes
                ),
            ),
            ("Time", self.time()),
        ]);
        figures
    }

    fn time(&self) -> String {
        let summary = &self.run.summary;
        format!(
            "{} on {} thread{}, {} of the threads' time inside the search",
            readable_seconds(summary.seconds),
            summary.threads,
            if summary.threads == 1 { "" } else { "s" },
            Unit::Percent.write(summary.utilization)
        )
    }

    /// Kinds of ending with the candidate's wins, draws and losses; the most frequent first.
    pub fn endings(&self) -> Vec<(&'static str, [u64; 3])> {
        let mut endings: Vec<_> = (self.run.replay.endings.iter())
            .map(|(termination, [lost, drawn, won])| (termination.as_str(), [*won, *drawn, *lost]))
            .collect();
        endings.sort_by_key(|(name, results)| (std::cmp::Reverse(results.iter().sum::<u64>()), *name));
        endings
    }

    /// The search of base and candidate side by side: name, base, candidate.
    pub fn telemetry(&self) -> Vec<[String; 3]> {
        let (base, candidate) = (&self.run.replay.base, &self.run.replay.candidate);
        let figures = FIGURES.iter().map(|figure| {
            let text = |side| figure.unit.write((figure.value)(side));
            [figure.name.to_owned(), text(base), text(candidate)]
        });
        let prunings = Pruning::ALL.into_iter().map(|pruning| {
            let rates = [base, candidate].map(|side| side.pruning_rate(pruning));
            let happened = rates.into_iter().flatten().any(|rate| rate > 0.0);
            let [base, candidate] = rates.map(|rate| Unit::Percent.write(rate));
            happened.then(|| [format!("{} a node", pruning.name()), base, candidate])
        });
        figures.chain(prunings.flatten()).collect()
    }

    /// Of how many games the search's own counters are known, if not of all.
    pub fn missing_telemetry(&self) -> Option<String> {
        let (base, candidate) = (&self.run.replay.base, &self.run.replay.candidate);
        let counted = base.counted_games.min(candidate.counted_games);
        (counted < base.games).then(|| {
            format!(
                "The searches' own counters are stored for {counted} of these {} games: older versions of this \
                 program did not keep them, and external engines do not tell them.",
                base.games
            )
        })
    }

    /// What the candidate has different from the base.
    pub fn differences(&self) -> Vec<String> {
        let Experiment { base, candidate, .. } = &self.run.experiment;
        base.differences(candidate)
    }

    /// The faults that are listed, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let name = |side| match side {
            Side::Base => &self.run.experiment.base.file,
            Side::Candidate => &self.run.experiment.candidate.file,
        };
        let line = |fault: &FaultyGame| {
            format!(
                "game {}: {} lost by {}: {}",
                fault.game,
                name(fault.loser),
                fault.termination,
                fault.detail
            )
        };
        self.run.replay.faults.iter().map(line).collect()
    }

    /// The command that plays the run again.
    pub fn command(&self) -> String {
        let Experiment { base, candidate, conditions, test } = &self.run.experiment;
        let mut command = format!(
            "harness sprt {} {} {} --elo0={} --elo1={} --alpha {} --beta {}",
            shell_word(&base.file),
            shell_word(&candidate.file),
            options_of(conditions),
            test.elo0(),
            test.elo1(),
            test.alpha(),
            test.beta(),
        );
        if test.model() != Model::default() {
            command += &format!(" --model {}", test.model());
        }
        if test.asks_for_games() {
            command += " --trinomial";
        }
        if self.run.replay.end == End::MaxPairs {
            command += &format!(" --max-pairs {}", self.run.replay.progress.tally.pairs.pairs());
        }
        command
    }

    /// What must be the same to get the same games: name and digest or value.
    pub fn identity(&self) -> Vec<(String, String)> {
        let experiment = &self.run.experiment;
        let player = |name: &str, player: &PlayerSpec| {
            [
                (format!("{name} {}", player.file), format!("sha256 {}", player.digest)),
                match player.engine {
                    EngineSpec::BuiltIn { signature, .. } => {
                        (format!("engine of {}", player.file), format!("fingerprint {signature:012x}"))
                    }
                    EngineSpec::External(_) => {
                        (format!("program of {}", player.file), format!("sha256 {}", player.build()))
                    }
                },
            ]
        };
        let mut identity = Vec::new();
        identity.extend(player("base", &experiment.base));
        identity.extend(player("candidate", &experiment.candidate));
        identity.extend(identity_of(&experiment.conditions));
        identity.extend([
            ("experiment".to_owned(), format!("sha256 {}", self.run.info.digest)),
            ("run".to_owned(), self.run.info.id.clone()),
        ]);
        identity.extend(self.run.sessions.last().map(|last| ("program".to_owned(), last.program.clone())));
        identity
    }
}
