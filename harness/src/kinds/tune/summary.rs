//! Summary of a tuning run: how the values moved, for the screen, for JSON and for the store.

use super::contest::Tune;
use super::forecast::{Forecast, forecast};
use super::spec::TuneSpec;
use super::spsa::{Parameter, SpsaSchedule};
use crate::kinds::spec::{RunSpec, RunSummary};
use crate::kinds::sprt::summary::SprtSummary;
use crate::report::conduct;
use crate::report::figures::{readable_rate, readable_seconds, signed, to_digits};
use crate::report::head::{Effort, Head, Named};
use crate::run::contest::Contest;
use crate::run::faults::Faults;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::path::PathBuf;

/// A game's score has about 4σ² = this between even sides from balanced openings: half of the games are drawn.
const USUAL_VARIANCE: f64 = 0.5;

/// At most so many points of a trajectory are reported.
const POINTS: usize = 100;

/// Points of a trajectory that the terminal shows.
const SPARKS: usize = 30;

/// The report of a tuning run; serialised, it is the object that `--json` prints.
#[derive(Clone, Debug, Serialize)]
pub struct TuneSummary {
    /// How and where it was played.
    #[serde(flatten)]
    pub head: Head,
    /// The configuration that was tuned, at its start values.
    pub base: Named,
    /// How the steps shrank.
    pub schedule: SpsaSchedule,
    /// Iterations completed.
    pub iterations: u64,
    /// Games counted.
    pub games: u64,
    /// Pairs whose two sides were the same player, and which say nothing.
    pub pairs_of_same_sides: u64,
    /// What became of each parameter.
    pub parameters: Vec<Tuned>,
    /// The configuration with the values as they are now, rounded.
    pub config: Option<PathBuf>,
    /// The test of the tuned values against the start.
    pub validation: Option<SprtSummary>,
    /// The values as they are now, in the order of the specification.
    #[serde(skip)]
    pub values: Vec<f64>,
    /// Games that the tuned player lost by its own faults, on either side.
    #[serde(flatten)]
    pub faults: Faults,
}

/// What became of one parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Tuned {
    /// Where it began, and what moved it.
    #[serde(flatten)]
    pub parameter: Parameter,
    /// Where it is now; played rounded.
    pub value: f64,
    /// Its values from the start to now, evenly spaced over the iterations.
    pub trajectory: Vec<f64>,
}

impl Tuned {
    /// What has become of every parameter so far.
    pub fn all(tune: &Tune) -> Vec<Tuned> {
        let tuned = |(place, parameter): (usize, &Parameter)| Tuned {
            parameter: parameter.clone(),
            value: tune.values()[place],
            trajectory: thinned(tune.trajectory(), POINTS).map(|values| values[place]).collect(),
        };
        let spec = tune.spec();
        spec.places_as_shown().map(|place| tuned((place, &spec.parameters[place]))).collect()
    }

    /// How far a value is from the start, in steps of `c_end`, so that parameters of any scale can be compared.
    pub fn moved(&self, value: f64) -> f64 {
        (value - self.parameter.start) / self.parameter.c_end
    }
}

impl TuneSummary {
    /// The figures of a run as far as it went.
    pub fn new(run: &str, tune: &Tune, effort: &Effort) -> TuneSummary {
        let (spec, games) = (tune.spec(), 2 * tune.pairs());
        let head = Head::of((run, TuneSpec::KIND), &spec.conditions, (games, effort), tune.watched());
        let faults = head.watched.iter().map(|player| player.conduct.faults);
        TuneSummary {
            base: Named::of(&spec.base),
            schedule: spec.schedule,
            iterations: tune.iterations(),
            games,
            pairs_of_same_sides: tune.pairs_of_same_sides(),
            parameters: Tuned::all(tune),
            config: None,
            validation: None,
            values: tune.values().to_vec(),
            faults: faults.fold(Faults::default(), Faults::and),
            head,
        }
    }

    /// Whether every iteration has been played.
    pub fn is_finished(&self) -> bool {
        self.iterations >= self.schedule.iterations
    }

    /// That pairs were wasted, if any were.
    pub(super) fn same_sides(&self) -> Option<String> {
        let pairs = self.games / 2;
        (self.pairs_of_same_sides > 0).then(|| {
            format!(
                "{} of {pairs} pairs had the same player on both sides, since the values stood at an end of their ranges: they \
                 say nothing",
                self.pairs_of_same_sides
            )
        })
    }

    /// The test of the tuned values, if there is one.
    fn test_lines(&self) -> String {
        self.validation.as_ref().map_or(String::new(), |test| {
            format!("\nTuned against start, on openings the tuning has not played:\n{}\n", test.text())
        })
    }

    /// A line for each parameter, with its curve in letters.
    pub(super) fn parameter_lines(&self) -> String {
        let mut text = String::new();
        let width = self.parameters.iter().map(|tuned| tuned.parameter.name.len()).max().unwrap_or(0);
        for tuned in &self.parameters {
            let Tuned { parameter, value, trajectory } = tuned;
            text += &format!(
                "{:width$}  {:>7} → {:>7}  {:>6} c_end  {}\n",
                parameter.name,
                parameter.start,
                to_digits(*value, 1),
                signed(tuned.moved(*value)),
                sparkline(trajectory)
            );
        }
        text
    }
}

impl RunSummary for TuneSummary {
    fn games(&self) -> u64 {
        self.games
    }

    fn verdict(&self) -> &str {
        "tuned"
    }

    fn text(&self) -> String {
        let Head { run, limit, seed, seconds, watched, .. } = &self.head;
        let mut text = format!(
            "{} of {} iterations, {} games in {} · {limit} · seed {seed} · run {run}\n",
            self.iterations,
            self.schedule.iterations,
            self.games,
            readable_seconds(*seconds),
        );
        text += &self.parameter_lines();
        text += &self.same_sides().map_or(String::new(), |words| words + "\n");
        text += &conduct::lines(watched);
        if let Some(config) = &self.config {
            text += &format!("these values, rounded, are in {}\n", config.display());
        }
        text += &self.test_lines();
        text.trim_end().to_owned()
    }

    fn progress(&self) -> Option<(String, Map<String, Value>)> {
        let mut lines = format!("Iteration {} of {}\n", self.iterations, self.schedule.iterations);
        lines += &self.parameter_lines();
        lines += &self.same_sides().map_or(String::new(), |words| words + "\n");
        lines += &self.test_lines();
        let more = [
            ("iterations", json!(self.iterations)),
            ("parameters", json!(self.parameters)),
            ("pairs_of_same_sides", json!(self.pairs_of_same_sides)),
            ("validation", json!(self.validation)),
        ];
        Some((lines, more.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()))
    }
}

/// At most `points` of many, evenly spaced, with the first and the last.
fn thinned<T>(all: &[T], points: usize) -> impl Iterator<Item = &T> {
    let shown = all.len().min(points);
    (0..shown).map(move |point| &all[point * (all.len() - 1) / (shown - 1).max(1)])
}

/// A curve in one line of text, from its least to its greatest value.
fn sparkline(values: &[f64]) -> String {
    const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let level = |value: &f64| match greatest > least {
        true => LEVELS[((value - least) / (greatest - least) * 7.0).round() as usize],
        false => LEVELS[3],
    };
    thinned(values, SPARKS).map(level).collect()
}

/// From where and between what the parameters are tuned.
pub fn ranges_line(spec: &TuneSpec) -> String {
    let range = |place: usize| {
        let Parameter { name, start, min, max, .. } = &spec.parameters[place];
        format!("{name} from {start} between {min} and {max}")
    };
    spec.places_as_shown().map(range).collect::<Vec<_>>().join(", ")
}

/// What can be expected of a run, in words, with its time at `rate` games a second.
pub fn forecast_line(spec: &TuneSpec, rate: Option<f64>) -> String {
    let TuneSpec { parameters, schedule, .. } = spec;
    let games = 2 * spec.pairs();
    let time = rate.filter(|rate| *rate > 0.0).map_or(String::new(), |rate| {
        format!(", {} at {}", readable_seconds(games as f64 / rate), readable_rate(rate))
    });
    let Some(Forecast { mean_loss, worst_loss, least_effect, .. }) =
        forecast(parameters, schedule, USUAL_VARIANCE)
    else {
        return format!("{games} games{time}");
    };
    format!(
        "{games} games{time}. If half of them are drawn, the noise at the end costs {mean_loss:.1} Elo, in 95 % of runs \
         at most {worst_loss:.1}; a parameter has time to be tuned if moving it by c_end costs {least_effect:.1} Elo or \
         more"
    )
}

/// How a run stands, with what is left of it at `rate` games a second.
pub fn tune_line(tune: &Tune, rate: f64) -> String {
    let spec = tune.spec();
    let TuneSpec { schedule, parameters, .. } = spec;
    let left = 2 * (spec.pairs() - tune.pairs());
    let value = |place: usize| format!("{} {}", parameters[place].name, to_digits(tune.values()[place], 1));
    let values: Vec<String> = spec.places_as_shown().map(value).collect();
    format!(
        "iteration {} of {}   {}   {} left   {}",
        tune.iterations(),
        schedule.iterations,
        readable_rate(rate),
        readable_seconds(left as f64 / rate),
        values.join("  ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thinned_curve_keeps_its_ends() {
        let all: Vec<usize> = (0..1001).collect();
        let few: Vec<usize> = thinned(&all, 5).copied().collect();
        assert_eq!(few, [0, 250, 500, 750, 1000]);
        assert_eq!(thinned(&all[..3], 5).count(), 3);
        assert_eq!(thinned(&all[..1], 5).count(), 1);
        assert_eq!(thinned(&all[..0], 5).count(), 0);
    }

    #[test]
    fn a_sparkline_spans_its_values() {
        assert_eq!(sparkline(&[0.0, 3.5, 7.0]), "▁▅█");
        assert_eq!(sparkline(&[2.0, 2.0]), "▄▄");
    }
}
