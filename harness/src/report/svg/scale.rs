//! Where on the paper is a value, and which values are worth a label?

/// A linear scale from values to pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    domain: (f64, f64),
    range: (f64, f64),
}

/// A labelled value of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// The value.
    pub value: f64,
    /// As it is written.
    pub label: String,
}

impl Scale {
    /// Maps the ends of `domain` to those of `range`, in pixels. A domain without extent is given one.
    pub fn new(domain: (f64, f64), range: (f64, f64)) -> Scale {
        let (low, high) = domain;
        let domain = if high > low { domain } else { (low - 0.5, low + 0.5) };
        Scale { domain, range }
    }

    /// The place of a value, in pixels.
    pub fn at(&self, value: f64) -> f64 {
        let ((low, high), (from, to)) = (self.domain, self.range);
        from + (value - low) / (high - low) * (to - from)
    }

    /// Round values in the domain, about `count` of them: multiples of 1, 2 or 5 times a power of ten.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        let (low, high) = self.domain;
        let step = nice_step((high - low) / count.max(1) as f64);
        let decimals = (-step.log10().floor()).max(0.0) as usize;
        // A hair of room, so that rounding does not lose a tick at an end.
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        (first..=last)
            .map(|multiple| multiple as f64 * step)
            .map(|value| Tick { value, label: grouped(value, decimals) })
            .collect()
    }
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|step| *step >= least * (1.0 - 1e-9))
        .unwrap_or(10.0 * power)
}

/// A number with its thousands set apart by thin spaces: 20 000.
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) =
        text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let mut out = String::new();
    if value < 0.0 && text.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        out.push('\u{2212}');
    }
    for (index, digit) in whole.char_indices() {
        // Four digits are read at a glance.
        if index > 0 && whole.len() > 4 && (whole.len() - index).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(domain: (f64, f64), count: usize) -> Vec<String> {
        Scale::new(domain, (0.0, 100.0)).ticks(count).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn round_values_are_labelled() {
        assert_eq!(labels((-5.0, 10.0), 3), ["\u{2212}5", "0", "5", "10"]);
        assert_eq!(labels((0.0, 1.0), 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels((0.0, 41_000.0), 4), ["0", "20\u{2009}000", "40\u{2009}000"]);
        assert_eq!(labels((3.0, 3.0), 2), ["2.5", "3.0", "3.5"]);
    }

    #[test]
    fn ends_meet_ends() {
        let scale = Scale::new((-2.0, 2.0), (100.0, 0.0));
        assert_eq!([-2.0, 0.0, 2.0].map(|value| scale.at(value)), [100.0, 50.0, 0.0]);
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(grouped(-1234.5, 1), "\u{2212}1234.5");
        assert_eq!(grouped(1_234_567.0, 0), "1\u{2009}234\u{2009}567");
        assert_eq!(grouped(-0.001, 2), "0.00");
    }
}
