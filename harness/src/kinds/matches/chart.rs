//! Charts of a match: the ratings with their intervals, and how the points of each pairing were shared.

use super::summary::{MatchSummary, Pairing, Player};
use crate::report::pairs::{pairs_chart_between, pairs_in_letters_of};
use crate::report::svg::{Axis, Chart, IntervalMark, Series};

/// Pairings beyond this many have no picture of their own: the table has them all.
const MOST_PAIRINGS: usize = 12;

impl MatchSummary {
    /// The ratings of all players by rank; none before anybody is rated.
    pub(super) fn ratings_chart(&self) -> Option<Chart> {
        let ranked = self.ranked();
        let rated: Vec<_> = ranked.iter().map(|player| rating(player)).collect();
        let [least, most] = reach(rated.iter().flatten())?;
        let names: Vec<_> = ranked.iter().map(|player| player.named.name.clone()).collect();
        let x = Axis::linear("Elo, 95 % interval", least, most, 8);
        let mut chart = Chart::rows("Ratings", x, &names);
        chart.rule_at_x(0.0, "");
        for (row, rating) in (0..).zip(&rated) {
            if let Some(rating) = rating {
                chart.interval(Series::First, IntervalMark { at: f64::from(row) + 0.5, ..*rating });
            }
        }
        Some(chart)
    }

    /// The pairs of each pairing by result, of as many as are drawn.
    pub(super) fn pairings_charts(&self) -> Vec<Chart> {
        let chart = |Pairing { first, second, lead, .. }: &Pairing| {
            pairs_chart_between(&format!("{first} against {second}"), &lead.pentanomial, [second, first])
        };
        self.drawn_pairings().iter().map(chart).collect()
    }

    /// The same in letters.
    pub(super) fn pairings_in_letters(&self) -> String {
        let letters = |Pairing { first, second, lead, .. }: &Pairing| {
            format!("{first} against {second}, {}", pairs_in_letters_of(first, &lead.pentanomial))
        };
        self.drawn_pairings().iter().map(letters).collect::<Vec<_>>().join("\n\n")
    }

    /// What is said of pairings that are not drawn; nothing if all are.
    pub(super) fn pairings_left_out(&self) -> String {
        match self.pairings.len() - self.drawn_pairings().len() {
            0 => String::new(),
            more => format!("The table has {more} pairings more, of which there is no picture."),
        }
    }

    fn drawn_pairings(&self) -> &[Pairing] {
        &self.pairings[..self.pairings.len().min(MOST_PAIRINGS)]
    }
}

/// The rating with its interval, which is open where there is only a bound; none of who cannot be compared.
fn rating(player: &Player) -> Option<IntervalMark> {
    let open = IntervalMark { at: 0.0, value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };
    let estimated = player.rating.map(|rating| IntervalMark {
        value: rating.estimate,
        low: rating.low,
        high: rating.high,
        ..open
    });
    estimated.or_else(|| {
        let bound = player.rating_bound?;
        Some(IntervalMark {
            low: bound.low.unwrap_or(open.low),
            high: bound.high.unwrap_or(open.high),
            ..open
        })
    })
}

/// From where to where an axis goes that has zero and all ends on it, and room for those that are open; none without any.
fn reach<'a>(ratings: impl Iterator<Item = &'a IntervalMark> + Clone) -> Option<[f64; 2]> {
    let ends = ratings.flat_map(|rating| [rating.low, rating.high]);
    let finite = ends.clone().filter(|end| end.is_finite());
    finite.clone().next()?;
    let [least, most] = [finite.clone().fold(0.0, f64::min), finite.fold(0.0, f64::max)];
    let room = |infinity: f64| match ends.clone().any(|end| end == infinity) {
        true => 0.2 * (most - least),
        false => 0.0,
    };
    Some([least - room(f64::NEG_INFINITY), most + room(f64::INFINITY)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_end_goes_beyond_everything_that_is_known() {
        let rating = |low, high| IntervalMark { at: 0.0, value: f64::NAN, low, high };
        let reach = |ratings: &[IntervalMark]| reach(ratings.iter());
        assert_eq!(reach(&[]), None);
        assert_eq!(reach(&[rating(10.0, 50.0)]), Some([0.0, 50.0]));
        assert_eq!(reach(&[rating(-30.0, -10.0), rating(5.0, 20.0)]), Some([-30.0, 20.0]));
        assert_eq!(reach(&[rating(0.0, 0.0), rating(f64::NEG_INFINITY, 100.0)]), Some([-20.0, 100.0]));
        assert_eq!(reach(&[rating(200.0, f64::INFINITY)]), Some([0.0, 240.0]));
    }
}
