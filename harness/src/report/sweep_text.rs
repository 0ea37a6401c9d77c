//! What a person reads of a sweep: the table, the recommendation in a sentence, the line of its progress.

use super::figures::{percent, signed_with_margin};
use super::summary::readable_seconds;
use super::sweep::{ArmSummary, SweepSummary, Words};
use crate::statistics::{Confidence, elo};
use crate::tuning::sweep::contest::Sweep;
use crate::tuning::sweep::schedule::{ArmState, End, Mode};

impl SweepSummary {
    /// The lines a person reads.
    pub fn text(&self) -> String {
        let Words { base_file, .. } = &self.words;
        let plural = if self.threads == 1 { "" } else { "s" };
        let header = format!(
            "{} against {base_file} · {} · seed {} · {} thread{plural}",
            self.key, self.limit, self.seed, self.threads
        );
        format!(
            "{header}\n\n{}\n{}\n{}\n{}\n{}",
            aligned(&self.rows()),
            self.notes(),
            self.chart().text(),
            self.verdict_in_words(),
            self.effort_line()
        )
    }

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
            Mode::Find => "valid at every look, 95 % shared out among all arms (Bonferroni)",
            Mode::Measure => "for all arms at once (Šidák)",
        };
        let mut text = format!("\"all together\": {intervals}\n");
        for arm in self.arms.iter().filter(|arm| !arm.taken_along.is_empty()) {
            let without = if self.words.is_ablation { "without " } else { "" };
            text += &format!("{without}{}: {} off as well\n", arm.label, arm.taken_along.join(", "));
        }
        text
    }

    /// What is recommended, as a sentence.
    pub(super) fn verdict_in_words(&self) -> String {
        let Words { base_file, base_label, is_ablation, end, best, .. } = &self.words;
        let base = match base_label {
            Some(label) => format!("{label} of {base_file}"),
            None => base_file.clone(),
        };
        let reason = match end {
            End::BookExhausted => "every opening of the book has been played; use a larger book",
            End::Interrupted => "interrupted",
            _ => "the allowed number of pairs has been played",
        };
        if let Some(best) = best {
            let subject = if *is_ablation { format!("{base_file} without {best}") } else { best.clone() };
            return match end {
                End::Winner(_) => format!(
                    "Best: {subject}, which is {} (H1 accepted; a wrong winner has at most {})",
                    self.claim(&base),
                    percent(Some(self.alpha))
                ),
                _ => format!(
                    "Best: {subject}, the strongest of those that are shown to be stronger than {base}"
                ),
            };
        }
        let is_weaker = |arm: &&ArmSummary| arm.simultaneous.high.is_some_and(|high| high < 0.0);
        let weaker: Vec<_> = self.arms.iter().filter(is_weaker).map(|arm| arm.label.as_str()).collect();
        match (self.mode, end) {
            (Mode::Find, End::AllDropped) => {
                format!("No difference shown: nothing is stronger than {base} by {} Elo or more", self.elo1)
            }
            (Mode::Find, _) | (_, End::Interrupted) => format!("No difference shown yet: {reason}"),
            (Mode::Measure, _) if weaker.is_empty() => {
                format!("No difference shown: every interval holds the strength of {base}")
            }
            (Mode::Measure, _) => {
                format!(
                    "Keep {base}: nothing is shown to be stronger, and {} to be weaker",
                    weaker.join(", ")
                )
            }
        }
    }

    /// What accepting H1 says of an arm.
    fn claim(&self, base: &str) -> String {
        match self.elo0 {
            elo0 if elo0 < 0.0 => format!("not weaker than {base} by {} Elo or more", -elo0),
            _ => format!("stronger than {base}"),
        }
    }

    fn effort_line(&self) -> String {
        format!(
            "Time {}   {} games, {} a second   {} of the threads' time inside the search   run {}",
            readable_seconds(self.seconds),
            self.games,
            figure(self.games_per_second, 1),
            percent(self.utilization),
            self.run
        )
    }
}

impl ArmSummary {
    fn row(&self, mode: Mode) -> [String; 8] {
        let end = |end: Option<f64>| end.map_or("-".to_owned(), |elo| format!("{elo:+.1}"));
        let faults = self.time_losses + self.illegal_moves + self.crashes;
        let state = match (mode, self.state) {
            (Mode::Measure, _) | (_, "open") => "",
            (_, state) => state,
        };
        let faults = if faults > 0 { format!("{faults} games lost by a fault") } else { String::new() };
        [
            self.label.clone(),
            signed_with_margin(self.elo),
            format!("[{}, {}]", end(self.simultaneous.low), end(self.simultaneous.high)),
            if mode == Mode::Find { format!("{:.2}", self.llr) } else { String::new() },
            self.games.to_string(),
            figure(self.nodes_per_move, 0),
            figure(self.depth_per_move, 1),
            [state, &faults].join(" ").trim().to_owned(),
        ]
    }
}

/// A figure with so many decimals, or a dash.
fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
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
    let (spec, schedule) = (sweep.spec(), sweep.schedule());
    let arms = schedule.arms();
    let estimates =
        arms.iter().map(|arm| elo::elo(&arm.tally.pairs.sample(), Confidence::DEFAULT)).enumerate();
    let known = estimates.filter_map(|(arm, elo)| Some((arm, elo?)));
    let leader = known.clone().max_by(|(_, ours), (_, theirs)| ours.estimate.total_cmp(&theirs.estimate));
    let label = |arm: usize| spec.label(&spec.variants[arm]);
    let leader = leader
        .map_or("-".to_owned(), |(arm, elo)| format!("{} {}", label(arm), signed_with_margin(Some(elo))));
    let stand = match spec.mode {
        Mode::Measure => {
            let widest = known.map(|(_, elo)| elo.margin).fold(0.0, f64::max);
            format!("margins up to {widest:.1}")
        }
        Mode::Find => {
            let open = arms.iter().filter(|arm| arm.state == ArmState::Open).count();
            let most = (0..arms.len()).map(|arm| schedule.status(arm).llr).fold(f64::NEG_INFINITY, f64::max);
            format!("LLR {most:.2} of {:.2}   {open} of {} still open", spec.arm_test().upper(), arms.len())
        }
    };
    format!("leader {leader}   {stand}   {} games   {rate:.1} games/s", 2 * schedule.counted())
}
