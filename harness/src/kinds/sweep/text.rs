//! Sweep as lines that a person reads: the table, the recommendation in a sentence, the line of its progress.

use super::contest::Sweep;
use super::schedule::{ArmState, End, Mode};
use super::summary::{ArmSummary, SweepSummary, Words};
use crate::kinds::spec::RunSummary;
use crate::report::conduct;
use crate::report::figures::{interval, percent, readable_rate, readable_seconds, to_digits, unit};
use crate::report::head::Head;
use crate::report::lead::Lead;

impl RunSummary for SweepSummary {
    fn games(&self) -> u64 {
        self.games
    }

    fn verdict(&self) -> &str {
        self.verdict
    }

    fn text(&self) -> String {
        let Head { limit, seed, threads, .. } = &self.head;
        let plural = if *threads == 1 { "" } else { "s" };
        format!(
            "{} against {} · {limit} · seed {seed} · {threads} thread{plural}\n\n{}\n{}\n{}\n{}\n{}",
            self.key,
            self.words.base_file,
            aligned(&self.rows()),
            self.notes(),
            self.chart().text(),
            self.verdict_in_words(),
            self.effort_line()
        )
    }
}

impl SweepSummary {
    /// The columns that say something, a line for the base and one for each arm below their names.
    pub(super) fn rows(&self) -> Vec<Vec<String>> {
        let llr = if self.mode == Mode::Find { "LLR" } else { "" };
        let head = ["", "Elo (95 %)", "all together 95 %", llr, "games", "nodes/move", "depth", ""];
        let head = head.map(str::to_owned);
        let base = self.words.base_label.as_ref().unwrap_or(&self.words.base_file);
        let reference = [
            format!("{base} (base)"),
            "0".to_owned(),
            String::new(),
            String::new(),
            String::new(),
            figure(self.base_nodes_per_move, 0),
            figure(self.base_depth_per_move, 1),
            String::new(),
        ];
        let arms = self.arms.iter().map(|arm| arm.row(self.mode));
        let rows: Vec<_> = [head, reference].into_iter().chain(arms).collect();
        let says: Vec<usize> =
            (0..rows[0].len()).filter(|&column| rows.iter().any(|row| !row[column].is_empty())).collect();
        rows.iter().map(|row| says.iter().map(|&column| row[column].clone()).collect()).collect()
    }

    /// How the intervals are to be read, and what else is off.
    pub(super) fn notes(&self) -> String {
        let intervals = match self.mode {
            Mode::Find => "anytime-valid, 95 % shared out among all arms (Bonferroni)",
            Mode::Measure => "for all arms at once (Šidák)",
        };
        let mut text = format!("\"all together\": {intervals}\n");
        if self.arms.iter().any(|arm| arm.lead.elo_exact.is_some()) {
            text += "an interval in the place of an estimate: all pairs ended alike\n";
        }
        let winner = self.arms.iter().find(|arm| arm.state == "winner");
        if winner.is_some_and(|arm| arm.simultaneous.low.is_none_or(|low| low <= 0.0)) {
            text += "the winner's interval holds 0: the verdict is that of its LLR; the interval, which is for all arms and every \
                     look at once, is wider\n";
        }
        for arm in self.arms.iter().filter(|arm| !arm.taken_along.is_empty()) {
            text += &format!("{}: {} off as well\n", arm.label, arm.taken_along.join(", "));
        }
        text += &conduct::lines(&self.head.watched);
        text
    }

    /// What is recommended, as a sentence, with what it must not be read without.
    pub(super) fn verdict_in_words(&self) -> String {
        self.recommendation() + &conduct::caveat(&self.head.watched)
    }

    fn recommendation(&self) -> String {
        let Words { base_file, base_label, is_ablation, end, best, .. } = &self.words;
        let base = match base_label {
            Some(label) => format!("{label} of {base_file}"),
            None => base_file.clone(),
        };
        let reason = match end {
            Some(End::BookExhausted) => "every opening of the book has been played; use a larger book",
            None => "interrupted",
            _ => "the allowed number of pairs has been played",
        };
        if let Some(best) = best {
            let subject = if *is_ablation { format!("{base_file} {best}") } else { best.clone() };
            return match end {
                Some(End::Winner(_)) => format!(
                    "Best: {subject}, which is {} (H1 accepted; a wrong winner has at most {})",
                    self.claim(&base),
                    percent(Some(self.alpha))
                ),
                _ => format!(
                    "Best: {subject}, which has the highest estimate of those shown to be stronger than {base}"
                ),
            };
        }
        let is_weaker = |arm: &&ArmSummary| arm.simultaneous.high.is_some_and(|high| high < 0.0);
        let weaker: Vec<_> = self.arms.iter().filter(is_weaker).map(|arm| arm.label.as_str()).collect();
        match (self.mode, end) {
            (Mode::Find, Some(End::AllDropped)) => {
                format!(
                    "No difference shown: nothing is stronger than {base} by {} {} or more",
                    self.elo1,
                    unit(self.model)
                )
            }
            (Mode::Find, _) | (_, None) => format!("No difference shown yet: {reason}"),
            (Mode::Measure, _) if weaker.is_empty() => {
                format!("No difference shown: every interval holds the strength of {base}")
            }
            (Mode::Measure, _) => {
                let weaker = weaker.join(", ");
                let weaker = match is_ablation {
                    true => format!("it is shown to be weaker {weaker}"),
                    false => format!("{weaker} to be weaker"),
                };
                format!("Keep {base}: nothing is shown to be stronger, and {weaker}")
            }
        }
    }

    /// What accepting H1 says of an arm.
    fn claim(&self, base: &str) -> String {
        match self.elo0 {
            elo0 if elo0 < 0.0 => format!("not weaker than {base} by {} {} or more", -elo0, unit(self.model)),
            _ => format!("stronger than {base}"),
        }
    }

    fn effort_line(&self) -> String {
        let Head { run, seconds, games_per_second, utilization, .. } = &self.head;
        format!(
            "Time {}   {} games, {}   {} of the threads' time inside the search   run {run}",
            readable_seconds(*seconds),
            self.games,
            games_per_second.map_or("- games/s".to_owned(), readable_rate),
            percent(*utilization),
        )
    }
}

impl ArmSummary {
    fn row(&self, mode: Mode) -> [String; 8] {
        let faults = self.faults.faults;
        let state = match (mode, self.state) {
            (Mode::Measure, _) | (_, "open") => "",
            (_, state) => state,
        };
        let faults = if faults > 0 { format!("{faults} games lost by a fault") } else { String::new() };
        [
            self.label.clone(),
            self.lead.text(),
            interval(self.simultaneous),
            if mode == Mode::Find { to_digits(self.llr, 2) } else { String::new() },
            self.lead.games.to_string(),
            figure(self.nodes_per_move, 0),
            figure(self.depth_per_move, 1),
            [state, &faults].join(" ").trim().to_owned(),
        ]
    }
}

/// A figure with so many decimals, or a dash.
fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| to_digits(value, decimals))
}

/// A table whose first column begins, and whose others end, at the same place in every line.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cell = |(column, text): (usize, &String)| match (column, widths[column]) {
            (0, width) => format!("{text:<width$}"),
            (_, width) => format!("{text:>width$}"),
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("   ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// How a sweep stands, at `rate` games a second.
pub fn sweep_line(sweep: &Sweep, rate: f64) -> String {
    let schedule = sweep.schedule();
    let stand = match sweep.spec().mode {
        Mode::Measure => margins(sweep),
        Mode::Find => {
            let arms = schedule.arms();
            let open = arms.iter().filter(|arm| arm.state == ArmState::Open).count();
            let most = (0..arms.len()).map(|arm| schedule.status(arm).llr).fold(f64::NEG_INFINITY, f64::max);
            format!(
                "LLR {} of {:.2}   {open} of {} still open",
                to_digits(most, 2),
                sweep.spec().arm_test().upper(),
                arms.len()
            )
        }
    };
    format!("{}   {stand}   {} games   {}", leader(sweep), 2 * schedule.counted(), readable_rate(rate))
}

/// The arm that has scored most, and how strong it seems.
fn leader(sweep: &Sweep) -> String {
    let spec = sweep.spec();
    let tallies = sweep.schedule().arms().iter().map(|arm| &arm.tally);
    let scores = tallies.zip(&spec.arms).filter_map(|(tally, arm)| Some((tally.pairs.mean()?, tally, arm)));
    let Some((_, tally, arm)) = scores.max_by(|(ours, ..), (theirs, ..)| ours.total_cmp(theirs)) else {
        return "no leader yet".to_owned();
    };
    format!("leader {} {}", spec.label(arm), Lead::of(tally).text())
}

/// How closely the arms are measured, once all of them have been played.
fn margins(sweep: &Sweep) -> String {
    let arms = sweep.schedule().arms();
    match arms.iter().filter(|arm| arm.tally.pairs.pairs() == 0).count() {
        0 => {
            let widest = arms.iter().map(|arm| arm.interval().half_width()).fold(0.0, f64::max);
            format!("margins up to {widest:.1}")
        }
        unplayed => format!("{unplayed} of {} not played yet", arms.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conditions::{Conditions, OpeningsSpec};
    use crate::game::adjudication::Adjudication;
    use crate::game::limit::Limit;
    use crate::game::record::{GameResult, PairRecord};
    use crate::kinds::spec::RunSpec;
    use crate::kinds::sweep::grid::{Axis, grid};
    use crate::kinds::sweep::schedule::{Goal, Turn};
    use crate::kinds::sweep::spec::{Question, SweepSpec};
    use crate::openings::order::Order;
    use crate::players::spec::PlayerSpec;
    use crate::report::head::Effort;
    use crate::run::collector::tests::pair;
    use crate::run::contest::Contest;
    use crate::statistics::SprtBounds;
    use engine::config::EngineConfig;
    use std::path::Path;
    use std::sync::Arc;

    const BLOCK: u64 = 8;

    /// A measurement of these values.
    fn spec(axes: &[&str]) -> Arc<SweepSpec> {
        let base = PlayerSpec::new(Path::new("base.toml"), EngineConfig::default());
        let axes: Vec<_> = axes.iter().map(|axis| Axis::parse(axis).unwrap()).collect();
        let openings = OpeningsSpec {
            file: "book.epd".to_owned(),
            digest: String::new(),
            count: 1000,
            order: Order::Random,
            plies: None,
            first: 0,
            skip_bad: false,
        };
        Arc::new(SweepSpec {
            question: Question::Values(axes.iter().map(|axis| axis.key.clone()).collect()),
            arms: grid(&base, &axes).unwrap().arms,
            base,
            base_file: None,
            conditions: Conditions {
                limit: Limit::nodes(100),
                openings,
                seed: 1,
                hash_megabytes: 1,
                time_margin: None,
                adjudication: Adjudication::default(),
            },
            test: SprtBounds::default(),
            mode: Mode::Measure,
            block: BLOCK,
        })
    }

    fn with_results(results: [GameResult; 2]) -> PairRecord {
        let mut pair = pair(0);
        [pair.games[0].result, pair.games[1].result] = results;
        pair
    }

    fn won() -> PairRecord {
        with_results([GameResult::WhiteWins, GameResult::BlackWins])
    }

    fn lost() -> PairRecord {
        with_results([GameResult::BlackWins, GameResult::WhiteWins])
    }

    #[test]
    fn progress_speaks_of_margins_once_every_arm_has_one() {
        let spec = spec(&["rfp_margin=50,120"]);
        let mut sweep = Sweep::new(&spec, Goal::default());
        assert_eq!(sweep_line(&sweep, 0.0), "no leader yet   2 of 2 not played yet   0 games   0.0 games/s");
        (0..BLOCK).for_each(|_| sweep.count(&won()));
        let line = sweep_line(&sweep, 2.0);
        assert!(line.starts_with("leader 50 [+137.1, +∞]   1 of 2 not played yet   16 games"), "{line}");
        (0..BLOCK).for_each(|_| sweep.count(&pair(0)));
        let line = sweep_line(&sweep, 2.0);
        // An open end counts as 1200 Elo.
        assert!(line.starts_with("leader 50 [+137.1, +∞]   margins up to 531.5   32 games"), "{line}");
    }

    #[test]
    fn whoever_wins_or_loses_every_pair_has_an_open_interval() {
        let spec = spec(&["rfp_margin=50,120"]);
        let goal = Goal { max_pairs: Some(2 * BLOCK), ..Goal::default() };
        let mut sweep = Sweep::new(&spec, goal);
        while !sweep.is_over() {
            let Turn::Arm { arm, .. } = sweep.schedule().turn(sweep.schedule().counted()) else { panic!() };
            sweep.count(&if arm == 0 { won() } else { lost() });
        }
        let summary = SweepSummary::new("run", &sweep, &Effort::default());
        let text = summary.text();
        let row = |label: &str| text.lines().find(|line| line.starts_with(label)).unwrap().to_owned();
        // 0.05^(1/8) = 0.688 and 0.0253^(1/8) = 0.632, as scores.
        assert!(row("50 ").contains("[+137.1, +∞]") && row("50 ").contains("[+93.6, +∞]"), "{text}");
        assert!(row("120 ").contains("[-∞, -137.1]") && row("120 ").contains("[-∞, -93.6]"), "{text}");
        assert!(text.contains("\nBest: 50, which has the highest estimate of those shown"), "{text}");
        let json = serde_json::to_value(&summary).unwrap();
        assert!(json["arms"][0]["elo"].is_null() && json["arms"][0]["elo_exact"]["high"].is_null(), "{json}");
    }

    #[test]
    fn the_question_of_a_grid_names_each_key_once_and_the_picture_sorts_numbers() {
        // The first cell is the base's, and no arm: all values are named all the same, in their order.
        let spec = spec(&["rfp_margin=80,120,60", "lmr_base=75,125,0"]);
        assert_eq!(spec.arms.len(), 8);
        assert!(spec.question().starts_with("rfp_margin=80,120,60 lmr_base=75,125,0 against base.toml"));
        let sweep = Sweep::new(&spec, Goal::default());
        let chart = SweepSummary::new("run", &sweep, &Effort::default()).chart();
        assert_eq!(chart.key, "rfp_margin");
        let series: Vec<_> = chart.points.chunk_by(|one, next| one.series == next.series).collect();
        assert_eq!(
            series.iter().map(|points| points[0].series.as_str()).collect::<Vec<_>>(),
            ["lmr_base=0", "lmr_base=75", "lmr_base=125"]
        );
        assert!(series.iter().all(|points| points.is_sorted_by_key(|point| point.at)));
    }
}
