//! Legend of a chart: the names of the series. Beside the title, or below it if they are too long for that.

use super::series::Series;
use super::{LINE, MARGIN, RIGHT, WIDTH};
use maud::{Markup, html};

/// Width of a letter, about.
const LETTER: f64 = 6.8;
/// The same in the title.
const TITLE_LETTER: f64 = 7.3;
/// A square of the series' colour, and room on both sides of the name.
const AROUND: f64 = 26.0;

/// The series that are named, and how.
#[derive(Default)]
pub struct Legend {
    entries: Vec<(Series, String)>,
}

impl Legend {
    pub fn add(&mut self, series: Series, name: &str) {
        self.entries.push((series, name.to_owned()));
    }

    /// How far it moves down what is below the title.
    pub fn height(&self, title: &str) -> f64 {
        self.places(title).last().map_or(0.0, |(_, y)| y - LINE)
    }

    pub fn draw(&self, title: &str) -> Markup {
        html! {
            @for ((series, name), (x, y)) in self.entries.iter().zip(self.places(title)) {
                rect class=(series.class()) x=(format!("{x:.1}")) y=(y - 9.0) width="10" height="10" rx="2" {}
                text x=(format!("{:.1}", x + 15.0)) y=(y) { (name) }
            }
        }
    }

    /// The left end and the base line of each entry: in the title's line, up to the right edge, if all of them fit there; or
    /// else in lines of their own.
    fn places(&self, title: &str) -> Vec<(f64, f64)> {
        let width = |name: &str| AROUND + LETTER * name.chars().count() as f64;
        let right = WIDTH - RIGHT;
        let beside = right - self.entries.iter().map(|(_, name)| width(name)).sum::<f64>();
        let fits = beside >= 2.0 * MARGIN + TITLE_LETTER * title.chars().count() as f64;
        let (mut x, mut y) = if fits { (beside, LINE) } else { (MARGIN, 2.0 * LINE) };
        let place = |(_, name): &(Series, String)| {
            // A hair of tolerance for what the sum rounds.
            if x > MARGIN && x + width(name) > right + 1e-6 {
                (x, y) = (MARGIN, y + LINE);
            }
            let place = (x, y);
            x += width(name);
            place
        };
        self.entries.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legend(names: &[&str]) -> Legend {
        let mut legend = Legend::default();
        names.iter().for_each(|name| legend.add(Series::First, name));
        legend
    }

    #[test]
    fn what_fits_beside_the_title_stands_there_and_the_rest_below() {
        assert_eq!(legend(&[]).height("title"), 0.0);
        let short = legend(&["base", "candidate"]);
        assert_eq!(short.height("title"), 0.0);
        let [first, second] = short.places("title")[..] else { panic!("two") };
        assert!(first.0 < second.0 && (first.1, second.1) == (LINE, LINE));

        assert_eq!(short.height(&"long title ".repeat(6)), LINE);
        let names = ["lmr_divisor=200"; 12];
        let many = legend(&names);
        assert_eq!(many.height("title"), 3.0 * LINE);
        let widest = many.places("title").iter().fold(0.0, |widest, (x, _)| x.max(widest));
        assert!(widest + AROUND + LETTER * 15.0 <= WIDTH, "{widest}");
        assert_eq!(legend(&[&"x".repeat(200)]).places("title"), [(MARGIN, 2.0 * LINE)]);
    }
}
