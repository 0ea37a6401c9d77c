//! Pentanomial counts as a picture: how the points were shared in the pairs. The five categories as bars, drawn and in
//! letters.

use super::svg::{Axis, Chart, Series};
use crate::statistics::Pentanomial;

/// The names of the categories: the candidate's points in a pair.
const SCORES: [&str; 5] = ["0", "½", "1", "1½", "2"];

/// Letters of the longest bar.
const LONGEST_BAR: u64 = 40;

/// A bar for each category.
pub fn pairs_chart(pairs: &Pentanomial) -> Chart {
    pairs_chart_between("Pairs by result", pairs, ["the base", "the candidate"])
}

/// The same under another title, for players of these names; the second is the one whose points are counted.
pub fn pairs_chart_between(title: &str, pairs: &Pentanomial, [base, candidate]: [&str; 2]) -> Chart {
    let most = pairs.0.into_iter().max().unwrap_or(0);
    let x = Axis::categories(&format!("{candidate}'s points in a pair"), SCORES);
    let mut chart = Chart::new(title, x, Axis::linear("pairs", 0.0, most as f64, 5));
    for (index, count) in (0..).zip(pairs.0) {
        let series = match index {
            0 | 1 => Series::First,
            2 => Series::Neutral,
            _ => Series::Second,
        };
        let left = f64::from(index);
        chart.bar(series, (left + 0.15, left + 0.85), count as f64, &count.to_string());
    }
    chart.name(Series::First, &format!("to {base}"));
    chart.name(Series::Neutral, "level");
    chart.name(Series::Second, &format!("to {candidate}"));
    chart
}

/// The same in letters, with what it shows above it.
pub fn pairs_in_letters(pairs: &Pentanomial) -> String {
    pairs_in_letters_of("the candidate", pairs)
}

/// The same for a player of this name.
pub fn pairs_in_letters_of(candidate: &str, pairs: &Pentanomial) -> String {
    let most = pairs.0.into_iter().max().unwrap_or(0).max(1);
    let line = |(name, count): (&str, u64)| {
        let bar = "█".repeat((count * LONGEST_BAR).div_ceil(most) as usize);
        format!("\n{name:<2} {count:>7} {bar}").trim_end().to_owned()
    };
    let bars: String = SCORES.into_iter().zip(pairs.0).map(line).collect();
    format!("pairs by {candidate}'s points{bars}")
}
