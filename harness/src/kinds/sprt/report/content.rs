//! What stands in a report, as text.

use super::SprtReport;
use crate::kinds::sprt::spec::SprtSpec;
use crate::report::conduct;
use crate::report::figures::{interval, signed, to_digits};
use crate::report::origin::{identity, options_of, options_of_test, player_options_of};
use crate::report::shell_word;
use crate::report::telemetry::Unit;
use crate::report::{first_upper, origin};
use crate::run::contest::{Contest, End};
use crate::statistics::Interval;
use crate::store::RunState;

/// An interval that is shown, with its name.
pub struct NamedInterval {
    /// What it is, in a word or two.
    pub short: &'static str,
    /// What it is.
    pub name: &'static str,
    /// The estimate, Elo; none beyond the scale.
    pub estimate: Option<f64>,
    /// Its ends.
    pub ends: Interval,
}

impl NamedInterval {
    /// `+45.7 [+29.2, +62.4]`
    pub fn text(&self) -> String {
        let estimate = self.estimate.map_or(String::new(), |estimate| signed(estimate) + " ");
        estimate + &interval(self.ends)
    }
}

impl SprtReport {
    /// `pvs.toml against base.toml`
    pub fn title(&self) -> String {
        let SprtSpec { base, candidate, .. } = &*self.run.spec;
        format!("{} against {}", candidate.label(), base.label())
    }

    /// The question that was put to the games, a sentence.
    pub fn question(&self) -> String {
        let SprtSpec { base, candidate, conditions, .. } = &*self.run.spec;
        format!("Is {} stronger than {} at {}?", candidate.label(), base.label(), conditions.limit)
    }

    /// The answer in words, without a full stop.
    pub fn verdict(&self) -> String {
        let (run, summary) = (&self.run, &self.summary);
        if !run.contest.is_over() && run.info.state == RunState::Running {
            return "Undecided so far, the run is being played".to_owned();
        }
        first_upper(summary.verdict_in_words()) + &summary.caveat()
    }

    /// Elo as if the number of games had been fixed, and corrected for the stop where there was one; the interval of pairs that
    /// all ended alike.
    pub fn elo(&self) -> Vec<NamedInterval> {
        let summary = &self.summary;
        let naive = summary.figures.elo.map(|elo| NamedInterval {
            short: "naive",
            name: "Elo, as if the number of games had been fixed",
            estimate: elo.known(),
            ends: elo.interval(),
        });
        let after = summary.figures.elo_after_stop.map(|elo| NamedInterval {
            short: "corrected",
            name: "Elo corrected for optional stopping",
            estimate: Some(elo.estimate),
            ends: Interval { low: elo.low, high: elo.high },
        });
        let exact = summary.figures.elo_exact.map(|ends| NamedInterval {
            short: "exact",
            name: "Elo, as all pairs ended alike",
            estimate: None,
            ends,
        });
        naive.into_iter().chain(after).chain(exact).collect()
    }

    /// The figures of the test, a name and a text each.
    pub fn figures(&self) -> Vec<(String, String)> {
        let summary = &self.summary;
        let dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let mut figures: Vec<_> =
            self.elo().into_iter().map(|elo| (elo.name, format!("{} (95 %)", elo.text()))).collect();
        if figures.is_empty() {
            figures.push(("Elo", "-".to_owned()));
        }
        let nelo =
            summary.figures.nelo.map(|nelo| format!("{} ± {:.1} (95 %)", signed(nelo.estimate), nelo.margin));
        let (mean, games) = (self.run.games.mean_length(), &self.run.contest.tally().games);
        figures.extend([
            ("Elo, anytime-valid interval", format!("{} (95 %)", interval(summary.figures.elo_anytime))),
            ("Normalized Elo", dash(nelo)),
            ("Likelihood of superiority", Unit::Percent.write(summary.figures.los)),
            (
                "Log-likelihood ratio",
                format!(
                    "{} in ({:.2}, {:.2}) for {}",
                    to_digits(summary.figures.llr, 2),
                    summary.figures.lower,
                    summary.figures.upper,
                    self.run.spec.bounds()
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
        ]);
        let time = [("Time".to_owned(), origin::time(&self.run.effort()))];
        let figures = figures.into_iter().map(|(name, text)| (name.to_owned(), text));
        figures.chain(conduct::facts(&summary.head.watched)).chain(time).collect()
    }

    /// What the candidate has different from the base.
    pub fn differences(&self) -> Vec<String> {
        let SprtSpec { base, candidate, .. } = &*self.run.spec;
        base.differences(candidate)
    }

    /// What base and candidate are called.
    pub fn names(&self) -> [&str; 2] {
        let SprtSpec { base, candidate, .. } = &*self.run.spec;
        [&base.file, &candidate.file]
    }

    /// The command that plays the run again.
    pub fn command(&self) -> String {
        let SprtSpec { base, candidate, conditions, .. } = &*self.run.spec;
        format!(
            "harness sprt {} {}{}{}{}",
            shell_word(base.as_typed()),
            shell_word(candidate.as_typed()),
            options_of(conditions),
            player_options_of([base, candidate]),
            self.test_options(),
        )
    }

    /// What ends it, as options, with a blank before each.
    pub fn test_options(&self) -> String {
        let mut options = options_of_test(&self.run.spec.test);
        if self.run.contest.end() == Some(End::GoalReached) {
            options += &format!(" --max-pairs {}", self.run.contest.tally().pairs.pairs());
        }
        options
    }

    /// What must be the same to get the same games: name and digest or value.
    pub fn identity(&self) -> Vec<(String, String)> {
        let SprtSpec { base, candidate, conditions, .. } = &*self.run.spec;
        let players = [("base", base), ("candidate", candidate)];
        identity(&players, conditions, &self.run.info, &self.run.sessions)
    }
}
