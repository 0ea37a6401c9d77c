//! Report of a measurement, as `harness ladder` and `harness reproduce` make many: how much stronger, and how sure is that.

use super::contest::Enough;
use super::spec::{MeasureSpec, PartOf};
use super::summary::Measured;
use crate::kinds::not_read::NotRead;
use crate::kinds::stored::{Stored, goal_of_ended, spec_of};
use crate::report::conduct;
use crate::report::document::{Document, Part};
use crate::report::figures::percent;
use crate::report::lead::Lead;
use crate::report::origin::{self, every_value, identity, options_of, origin};
use crate::report::pairs::{pairs_chart, pairs_in_letters};
use crate::report::shell_word;
use crate::report::svg::{Axis, Chart, Series};
use crate::report::written::Report;
use crate::run::conduct::Watched;
use crate::run::faults::FaultsWithSum;
use crate::statistics::Estimate;
use crate::store::{RunInfo, Store};
use serde_json::json;

/// Points of the picture of how the estimate settled.
const POINTS: usize = 200;

/// The interval of fewer pairs is so wide that nothing else would be seen.
const FIRST_DRAWN: usize = 50;

/// What is known of a measurement.
pub struct MeasureReport {
    run: Stored<MeasureSpec>,
    /// Every figure.
    pub measured: Measured,
    watched: [Watched; 2],
    /// The estimate after each pair.
    estimates: Vec<Option<Estimate>>,
    /// What it repeats, if anything.
    context: Context,
}

/// Of what a measurement is a part.
#[derive(Clone, Debug, Default)]
pub struct Context {
    /// The question as others asked it; none: whether one is stronger than the other.
    pub question: Option<String>,
    /// What others found: estimate and margin, Elo.
    pub published: Option<(f64, f64)>,
    /// What else is to be said of it, names and texts.
    pub facts: Vec<(String, String)>,
    /// The command that plays it; none: a match of the two.
    pub command: Option<String>,
}

impl MeasureReport {
    /// Counts the first pairs of a stored measurement again; not given how many, those behind its summary, or all before
    /// there is one.
    ///
    /// # Errors
    /// It was stored by another version, or cannot be read.
    pub fn read(store: &Store, info: RunInfo, pairs: Option<u64>) -> Result<MeasureReport, NotRead> {
        let spec: MeasureSpec = spec_of(&info)?;
        let ended = goal_of_ended(&spec, &info);
        let goal = pairs.map(|pairs| Enough { margin: None, pairs }).or(ended).unwrap_or_default();
        let mut estimates = Vec::new();
        let run = Stored::read_to((store, info), (spec, &goal), |_, measure| estimates.push(measure.elo()))?;
        let (measured, watched) = (run.summary(), run.spec.watched(run.contest.tally()));
        Ok(MeasureReport { run, measured, watched, estimates, context: Context::default() })
    }

    /// The same as a part of something.
    pub fn within(self, context: Context) -> MeasureReport {
        MeasureReport { context, ..self }
    }

    /// The report.
    ///
    /// # Errors
    /// A figure that is no number; there is none.
    pub fn report(&self) -> Result<Report, NotRead> {
        let mut json = origin::as_json(&self.measured, &self.run.info, &self.run.sessions)?;
        let games = &self.run.games;
        let [base, candidate] = &self.watched;
        let more = [
            ("verdict_in_words", json!(self.answer())),
            ("endings", games.endings_as_json()),
            ("faults", json!(games.faults(self.names()))),
            ("base_faults", json!(FaultsWithSum::from(base.conduct.faults))),
            ("candidate_faults", json!(FaultsWithSum::from(candidate.conduct.faults))),
            ("node_limits", json!(conduct::node_limits(&self.watched))),
            ("differences", json!(self.run.spec.base.differences(&self.run.spec.candidate))),
            ("telemetry", json!({ "base": games.base.as_json(), "candidate": games.candidate.as_json() })),
            ("command", json!(self.command())),
        ];
        json.extend(more.map(|(key, value)| (key.to_owned(), value)));
        Ok(Report { document: self.document(), json })
    }

    /// The estimate and its interval over the games, with what was published.
    ///
    /// None before there are enough pairs for an estimate.
    pub fn chart(&self) -> Option<Chart> {
        let step = self.estimates.len().div_ceil(POINTS).max(1);
        let first = FIRST_DRAWN.min(self.estimates.len() / 2);
        let drawn: Vec<(f64, Estimate)> = (self.estimates.iter().enumerate().skip(first))
            .filter(|(place, _)| (place + 1).is_multiple_of(step) || place + 1 == self.estimates.len())
            .filter_map(|(place, estimate)| Some((2.0 * (place + 1) as f64, (*estimate)?)))
            .collect();
        let (games, _) = drawn.last()?;
        let published = self.context.published.map(|(elo, margin)| [elo - margin, elo + margin]);
        let ends =
            drawn.iter().flat_map(|(_, elo)| [elo.low, elo.high]).chain(published.into_iter().flatten());
        let known = ends.filter(|end| end.is_finite());
        let (low, high) = known.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        let (x, y) = (Axis::linear("games", 0.0, *games, 8), Axis::linear("Elo", low, high, 8));
        let mut chart = Chart::new("Lead of the candidate over the games", x, y);
        chart.rule_at_y(0.0, "");
        let mut line = |series: Series, value: fn(&Estimate) -> f64| {
            let points: Vec<_> =
                drawn.iter().map(|(games, elo)| (*games, value(elo).clamp(low, high))).collect();
            chart.line(series, &points);
        };
        line(Series::Neutral, |elo| elo.low);
        line(Series::Neutral, |elo| elo.high);
        line(Series::Second, |elo| elo.estimate);
        for end in published.into_iter().flatten() {
            chart.line(Series::First, &[(0.0, end), (*games, end)]);
        }
        chart.name(Series::Second, "ours");
        chart.name(Series::Neutral, "its 95 %");
        if published.is_some() {
            chart.name(Series::First, "95 % as published");
        }
        Some(chart)
    }

    fn names(&self) -> [&str; 2] {
        [&self.run.spec.base.file, &self.run.spec.candidate.file]
    }

    fn question(&self) -> String {
        let MeasureSpec { base, candidate, conditions, .. } = &*self.run.spec;
        let of_its_own =
            || format!("How much stronger is {} than {} at {}?", candidate.file, base.file, conditions.limit);
        self.context.question.clone().unwrap_or_else(of_its_own)
    }

    fn answer(&self) -> String {
        let answer = match self.measured.lead.elo {
            Some(_) => {
                format!("{} Elo (95 %) after {} games", self.measured.lead.text(), self.measured.lead.games)
            }
            None if self.measured.lead.games == 0 => "Nothing is known after 0 games".to_owned(),
            None => format!(
                "All pairs alike after {} games: no estimate, {} Elo (95 %)",
                self.measured.lead.games,
                self.measured.lead.text()
            ),
        };
        answer + &conduct::caveat(&self.watched)
    }

    fn document(&self) -> Document {
        let Stored { info, spec, sessions, games, .. } = &self.run;
        let Lead { games: count, wins, draws, losses, pentanomial, los, .. } = &self.measured.lead;
        let mean = games.mean_length().map_or("-".to_owned(), |mean| format!("{mean:.1} plies"));
        let own_facts = [
            (
                "Elo; who was ahead did not decide when to stop, so it needs no correction",
                self.measured.lead.text(),
            ),
            ("Likelihood of superiority", percent(*los)),
            ("Games", format!("{count}: {wins} won, {draws} drawn, {losses} lost")),
            ("Mean length of a game", mean),
            ("Time", origin::time(&self.run.effort())),
        ];
        let own_facts = own_facts.map(|(name, text)| (name.to_owned(), text));
        let charts = [
            self.chart(),
            Some(pairs_chart(pentanomial)),
            games.lengths_chart(),
            games.depths_chart(self.names()),
        ];
        let players = [("base", &spec.base), ("candidate", &spec.candidate)];
        let mut parts = vec![
            Part::Facts(
                (self.context.facts.iter().cloned())
                    .chain(own_facts)
                    .chain(conduct::facts(&self.watched))
                    .collect(),
            ),
            Part::Pictures {
                charts: charts.into_iter().flatten().collect(),
                letters: pairs_in_letters(pentanomial),
            },
        ];
        parts.extend(games.parts_of_two([&spec.base, &spec.candidate]));
        parts.extend([
            Part::Heading("How to play it again"),
            Part::Code(self.command()),
            Part::Facts(identity(&players, &spec.conditions, info, sessions)),
            every_value(&spec.base),
            every_value(&spec.candidate),
        ]);
        Document {
            title: format!("{} against {}", spec.candidate.file, spec.base.file),
            question: self.question(),
            origin: origin(info),
            answer: self.answer(),
            parts,
        }
    }

    /// The command that plays it. A match of the two plays the same pairs in the same order.
    fn command(&self) -> String {
        let MeasureSpec { base, candidate, conditions, part_of } = &*self.run.spec;
        let (options, games) = (options_of(conditions), self.measured.lead.games);
        let of_its_own = || match part_of {
            Some(PartOf::Ladder(step)) => {
                format!("harness ladder {}{options} --max-pairs {}", shell_word(step), games / 2)
            }
            Some(PartOf::Reproduction(id)) => {
                format!("harness reproduce {} --budget {games}{options}", shell_word(id))
            }
            None => {
                let [candidate, base] = [candidate, base].map(|player| shell_word(player.as_typed()));
                format!("harness match {candidate} {base}{options} --max-pairs {}", games / 2)
            }
        };
        self.context.command.clone().unwrap_or_else(of_its_own)
    }
}
