//! The report of a measurement, as `harness ladder` and `harness reproduce` make many: how much stronger, and how sure is
//! that? Counted again from the stored games.

use super::conduct;
use super::document::{Document, Part};
use super::figures::percent;
use super::games::Games;
use super::measured::Measured;
use super::origin::{self, every_value, identity, options_of, origin};
use super::pairs::{pairs_chart, pairs_in_letters};
use super::replay::pairs_behind_the_summary;
use super::report_of::Report;
use super::shell_word;
use super::stored_run::{NotRead, spec_of};
use super::summary::Effort;
use super::svg::{Axis, Chart, Series};
use crate::run::conduct::Watched;
use crate::run::faults::FaultsWithSum;
use crate::run::measure::{MeasureSpec, PartOf};
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, elo};
use crate::store::{RunInfo, Session, Store};
use serde_json::json;

/// Points of the picture of how the estimate settled.
const POINTS: usize = 200;

/// The interval of fewer pairs is so wide that nothing else would be seen.
const FIRST_DRAWN: usize = 50;

/// What is known of a measurement.
pub struct MeasureReport {
    info: RunInfo,
    spec: MeasureSpec,
    sessions: Vec<Session>,
    /// Every figure.
    pub measured: Measured,
    watched: [Watched; 2],
    games: Games,
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
        let sessions = store.sessions(&info.id)?;
        let most = pairs.or_else(|| pairs_behind_the_summary(&info)).unwrap_or(u64::MAX);
        let (mut tally, mut games, mut estimates) = (Tally::default(), Games::default(), Vec::new());
        for (_, pair) in (0..most).zip(store.pairs_in_order(&info.id)) {
            let pair = pair?;
            tally.add(&pair);
            games.add(&pair);
            estimates.push(elo::elo(&tally.pairs.sample(), Confidence::DEFAULT));
        }
        let (measured, watched) = (Measured::new(&info.id, &tally), spec.watched(&tally));
        let context = Context::default();
        Ok(MeasureReport { info, spec, sessions, measured, watched, games, estimates, context })
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
        let mut json = origin::as_json(&self.measured, &self.info, &self.sessions)?;
        let games = &self.games;
        let [base, candidate] = &self.watched;
        let more = [
            ("verdict_in_words", json!(self.answer())),
            ("endings", games.endings_as_json()),
            ("faults", json!(games.faults(self.names()))),
            ("base_faults", json!(FaultsWithSum::from(base.conduct.faults))),
            ("candidate_faults", json!(FaultsWithSum::from(candidate.conduct.faults))),
            ("node_limits", json!(conduct::node_limits(&self.watched))),
            ("differences", json!(self.spec.base.differences(&self.spec.candidate))),
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
        let (low, high) = ends.fold((0.0_f64, 0.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        let (x, y) = (Axis::linear("games", 0.0, *games, 8), Axis::linear("Elo", low, high, 8));
        let mut chart = Chart::new("Lead of the candidate over the games", x, y);
        chart.rule_at_y(0.0, "");
        let mut line = |series: Series, value: fn(&Estimate) -> f64| {
            let points: Vec<_> = drawn.iter().map(|(games, elo)| (*games, value(elo))).collect();
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
        [&self.spec.base.file, &self.spec.candidate.file]
    }

    fn question(&self) -> String {
        let MeasureSpec { base, candidate, conditions, .. } = &self.spec;
        let of_its_own =
            || format!("How much stronger is {} than {} at {}?", candidate.file, base.file, conditions.limit);
        self.context.question.clone().unwrap_or_else(of_its_own)
    }

    fn answer(&self) -> String {
        let answer = match self.measured.elo {
            Some(_) => format!("{} Elo (95 %) after {} games", self.measured.lead(), self.measured.games),
            None if self.measured.games == 0 => "Nothing is known after 0 games".to_owned(),
            None => format!(
                "All pairs alike after {} games: no estimate, {} Elo (95 %)",
                self.measured.games,
                self.measured.lead()
            ),
        };
        answer + &conduct::caveat(&self.watched)
    }

    fn document(&self) -> Document {
        let (spec, games) = (&self.spec, &self.games);
        let Measured { wins, draws, losses, pentanomial, los, .. } = &self.measured;
        let mean = games.mean_length().map_or("-".to_owned(), |mean| format!("{mean:.1} plies"));
        let own_facts = [
            (
                "Elo; who was ahead did not decide when to stop, so it needs no correction",
                self.measured.lead(),
            ),
            ("Likelihood of superiority", percent(*los)),
            ("Games", format!("{}: {wins} won, {draws} drawn, {losses} lost", self.measured.games)),
            ("Mean length of a game", mean),
            ("Time", origin::time(&Effort::of(&self.sessions))),
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
            Part::Facts(identity(&players, &spec.conditions, &self.info, &self.sessions)),
            every_value(&spec.base),
            every_value(&spec.candidate),
        ]);
        Document {
            title: format!("{} against {}", spec.candidate.file, spec.base.file),
            question: self.question(),
            origin: origin(&self.info),
            answer: self.answer(),
            parts,
        }
    }

    /// The command that plays it. A match of the two plays the same pairs in the same order.
    fn command(&self) -> String {
        let MeasureSpec { base, candidate, conditions, part_of } = &self.spec;
        let (options, games) = (options_of(conditions), self.measured.games);
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
