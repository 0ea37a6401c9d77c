//! Axis of a chart: where a value lies on it, and at which values it has ticks.

/// Nearer to each other, in parts of the axis, the names of two ticks would overlap.
const NEAREST: f64 = 0.05;

/// A linear axis with its ticks, or one of categories, which lie at 0.5, 1.5, 2.5, …
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is measured along it.
    pub label: String,
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis from a round value at or below `low` to one at or above `high`, with about `count` ticks between.
    ///
    /// Values that are no finite numbers count as 0; an axis without length is widened.
    pub fn linear(label: &str, low: f64, high: f64, count: usize) -> Axis {
        let [low, high] = [low, high].map(|value| if value.is_finite() { value } else { 0.0 });
        let (low, high) = (low.min(high), low.max(high));
        let (low, high) = if high - low > 1e-9 * high.abs().max(low.abs()) {
            (low, high)
        } else {
            let half = 0.5 * low.abs().max(1.0);
            (low - half, high + half)
        };
        let step = round_step((high - low) / count.max(1) as f64);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        let ticks = (0..=(last - first) as usize).map(|index| {
            let value = (first + index as f64) * step;
            // Rounded to its decimals, a tick next to zero has no sign.
            (value, format!("{:.decimals$}", if value.abs() < 0.5 * step { 0.0 } else { value }))
        });
        Axis { label: label.to_owned(), low: first * step, high: last * step, ticks: ticks.collect() }
    }

    /// An axis that names these values themselves, in any order, with some room at either end. Values too close to a named
    /// one are not named.
    pub fn of_values(label: &str, values: impl IntoIterator<Item = f64>) -> Axis {
        let mut values: Vec<_> = values.into_iter().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        let [first, last] = [values.first(), values.last()].map(|end| end.copied().unwrap_or_default());
        let room = if last > first { 0.06 * (last - first) } else { 1.0 };
        let mut axis =
            Axis { label: label.to_owned(), low: first - room, high: last + room, ticks: Vec::new() };
        for value in values {
            if axis.ticks.last().is_none_or(|(named, _)| axis.at(value) - axis.at(*named) >= NEAREST) {
                axis.ticks.push((value, value.to_string()));
            }
        }
        axis
    }

    /// An axis of named categories.
    pub fn categories<S: Into<String>>(label: &str, names: impl IntoIterator<Item = S>) -> Axis {
        let ticks: Vec<_> =
            (0..).zip(names).map(|(index, name)| (f64::from(index) + 0.5, name.into())).collect();
        Axis { label: label.to_owned(), low: 0.0, high: ticks.len().max(1) as f64, ticks }
    }

    /// Where the value lies, 0 at the low end of the axis, 1 at the high one; values beyond are kept at the ends, and what is no
    /// number at the low one.
    pub fn at(&self, value: f64) -> f64 {
        let part = (value - self.low) / (self.high - self.low);
        if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0) }
    }

    /// The lowest value of the axis.
    pub const fn low(&self) -> f64 {
        self.low
    }

    /// The highest value of the axis.
    pub const fn high(&self) -> f64 {
        self.high
    }

    /// The values that are named, ascending.
    pub fn ticks(&self) -> &[(f64, String)] {
        &self.ticks
    }
}

/// The smallest of 1, 2, 5, 10, … times a power of ten that is at least `step`.
fn round_step(step: f64) -> f64 {
    let power = 10_f64.powf(step.log10().floor());
    let rounded = [1.0, 2.0, 5.0].map(|digit| digit * power);
    // A hair of tolerance for what the logarithm rounds.
    rounded.into_iter().find(|&candidate| candidate >= step * (1.0 - 1e-9)).unwrap_or(10.0 * power)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(axis: &Axis) -> Vec<&str> {
        axis.ticks().iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(names(&Axis::linear("", 0.0, 97.0, 5)), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(names(&Axis::linear("", -2.944, 2.944, 6)), ["-3", "-2", "-1", "0", "1", "2", "3"]);
        assert_eq!(names(&Axis::linear("", 0.1, 0.34, 5)), ["0.10", "0.15", "0.20", "0.25", "0.30", "0.35"]);
        assert_eq!(names(&Axis::linear("", 7.0, 7.0, 2)), ["0", "5", "10", "15"]);
        assert_eq!(names(&Axis::linear("", f64::NAN, 4.0, 2)), ["0", "2", "4"]);
        assert_eq!(names(&Axis::categories("", ["a", "b"])), ["a", "b"]);
        assert_eq!(Axis::categories("", ["a", "b"]).at(1.5), 0.75);
    }

    #[test]
    fn values_are_named_where_there_is_room() {
        let axis = Axis::of_values("", [100.0, 3.0, 5.0, 0.5, 50.0, 3.0]);
        assert_eq!(names(&axis), ["0.5", "50", "100"]);
        assert!(axis.at(0.5) > 0.0 && axis.at(100.0) < 1.0);
        for few in [&[][..], &[7.0], &[f64::NAN, f64::INFINITY]] {
            let axis = Axis::of_values("", few.iter().copied());
            assert!(axis.low() < axis.high() && axis.low().is_finite(), "{axis:?}");
        }
    }

    proptest! {
        #[test]
        fn every_value_lies_on_its_axis(low in -1e9..1e9_f64, length in 0.0..1e9_f64, part in 0.0..=1.0_f64) {
            let axis = Axis::linear("", low, low + length, 6);
            let value = low + part * length;
            let tolerance = 1e-9 * value.abs().max(1.0);
            prop_assert!(axis.low <= value + tolerance && value <= axis.high + tolerance);
            prop_assert!((2..=16).contains(&axis.ticks().len()), "{:?}", axis.ticks());
            prop_assert!((0.0..=1.0).contains(&axis.at(value)));
        }
    }
}
