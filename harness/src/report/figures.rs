//! Figures in words. The lines of a report that a person reads, and the two hypotheses of a test as sentences. Nothing is
//! computed here.

use crate::statistics::{AfterStop, Confidence, Estimate, Figures, Interval, Model, SprtBounds, Verdict};
use std::fmt::Display;

/// The lines about strength; after the stop of a test with the estimate that allows for it.
pub fn elo_lines(figures: &Figures) -> String {
    let Figures { elo, nelo, los, confidence, elo_anytime, elo_exact, .. } = *figures;
    let level = level(confidence);
    let (elo, nelo, los) = (signed_with_margin(elo), signed_with_margin(nelo), percent(los));
    let mut lines = format!("Elo   {elo} ({level})   nElo {nelo}   LOS {los}");
    if let Some(AfterStop { estimate, low, high, .. }) = figures.elo_after_stop {
        let ends = interval(Interval { low, high });
        lines += &format!("\n      {} {ends} corrected for optional stopping", signed(estimate));
    }
    if let Some(exact) = elo_exact {
        lines += &format!("\n      {} ({level}) as all fell in one category", interval(exact));
    }
    lines + &format!("\n      {} ({level}) anytime-valid", interval(elo_anytime))
}

/// The line about the test, with the verdict or why there is none.
pub fn llr_line(figures: &Figures, verdict: &str) -> String {
    let Figures { test, llr, lower, upper, .. } = figures;
    let llr = to_digits(*llr, 2);
    format!("LLR   {llr} in ({lower:.2}, {upper:.2}) for {}: {verdict}", test.bounds())
}

/// The line about the counts, as far as they are known.
pub fn games_line(figures: &Figures) -> String {
    let mut line = format!("Games {}", figures.games);
    if let (Some(wins), Some(draws), Some(losses)) = (figures.wins, figures.draws, figures.losses) {
        line += &format!(": +{wins} ={draws} -{losses}");
    }
    if let Some(pairs) = figures.pentanomial {
        line += &format!("   pairs {:?}", pairs.0);
    }
    line
}

/// The line about how games and pairs divide, as far as it is known.
pub fn pairs_line(figures: &Figures) -> String {
    let Figures { draw_ratio, pair_ratio, level_share, dd_share, wl_share, rms_bias_elo, .. } = *figures;
    let (draws, level) = (percent(draw_ratio), percent(level_share));
    let ratio = pair_ratio.map_or_else(dash, |ratio| format!("{ratio:.2}"));
    let mut line = format!("Draws {draws}   pair ratio {ratio}   1-1 pairs {level}");
    if let (Some(_), Some(_)) = (dd_share, wl_share) {
        let (drawn, exchanged) = (percent(dd_share), percent(wl_share));
        let bias = rms_bias_elo.map_or_else(dash, |bias| format!("{bias:.0} Elo"));
        line += &format!(" (DD {drawn}, WL {exchanged})   RMS bias {bias}");
    }
    line
}

/// What accepting a hypothesis says, as a sentence. H1 excludes a lead of `elo0` or less, H0 one of `elo1` or more.
pub fn accepted_in_words(verdict: Verdict, test: &SprtBounds) -> String {
    let (elo0, elo1, unit) = (test.elo0(), test.elo1(), unit(test.model()));
    match verdict {
        Verdict::H1 if elo0 < 0.0 => {
            format!("H1 accepted, the candidate is not weaker by {} {unit} or more", -elo0)
        }
        Verdict::H1 => "H1 accepted, the candidate is stronger".to_owned(),
        Verdict::H0 if elo1 <= 0.0 => "H0 accepted, the candidate is weaker".to_owned(),
        Verdict::H0 => format!("H0 accepted, the candidate is not stronger by {elo1} {unit} or more"),
    }
}

/// In what the bounds of a test are given.
pub const fn unit(model: Model) -> &'static str {
    match model {
        Model::Logistic => "Elo",
        Model::Normalized => "normalized Elo",
        Model::Bayesian => "BayesElo",
    }
}

/// What a test asks, as two sentences.
pub fn hypotheses_in_words(test: &SprtBounds) -> String {
    let unit = unit(test.model());
    let h0 = match test.elo0() {
        0.0 => "not stronger".to_owned(),
        elo if elo < 0.0 => format!("weaker by {} {unit} or more", -elo),
        elo => format!("stronger by no more than {elo} {unit}"),
    };
    let h1 = match test.elo1() {
        0.0 => "not weaker".to_owned(),
        elo if elo < 0.0 => format!("weaker by no more than {} {unit}", -elo),
        elo => format!("stronger by {elo} {unit} or more"),
    };
    format!("H0: the candidate is {h0}; H1: it is {h1}")
}

/// `+28.5`. What rounds to zero has no side: `+0.0`.
pub fn signed(figure: f64) -> String {
    signed_to(figure, 1)
}

/// The same with so many digits behind the point.
pub fn signed_to(figure: f64, digits: usize) -> String {
    let text = to_digits(figure, digits);
    if text.starts_with('-') || figure.is_nan() { text } else { format!("+{text}") }
}

/// The figure with so many digits behind the point; what rounds to zero has no minus.
pub fn to_digits(figure: f64, digits: usize) -> String {
    let text = format!("{figure:.digits$}");
    match text.strip_prefix('-') {
        Some(zero) if !zero.contains(|digit: char| digit != '0' && digit != '.') => zero.to_owned(),
        _ => text,
    }
}

/// `+28.5 ± 13.1`, or a dash where there is no figure; the interval where it has an open end, and so no margin.
pub fn signed_with_margin(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(dash, |figure| {
        let ends = figure.interval();
        match (figure.known(), ends) {
            (Some(estimate), Interval { low: Some(_), high: Some(_) }) => {
                format!("{} ± {:.1}", signed(estimate), figure.margin)
            }
            (Some(estimate), _) => format!("{} {}", signed(estimate), interval(ends)),
            (None, _) => interval(ends),
        }
    })
}

/// `[+15.2, +41.0]`; an end that is not known is infinitely far.
pub fn interval(Interval { low, high }: Interval) -> String {
    let end = |elo: Option<f64>, infinite: &str| elo.map_or(infinite.to_owned(), signed);
    format!("[{}, {}]", end(low, "-∞"), end(high, "+∞"))
}

/// `95 %`
pub fn level(confidence: Confidence) -> String {
    // Rounded, so that 0.999 does not come out as 99.90000000000001.
    format!("{} %", (confidence.level() * 1e8).round() / 1e6)
}

/// `46.0 %`, or a dash.
pub fn percent(share: Option<f64>) -> String {
    share.map_or_else(dash, |share| format!("{:.1} %", 100.0 * share))
}

/// The number, or a dash.
pub fn or_dash(number: Option<impl Display>) -> String {
    number.map_or_else(dash, |number| number.to_string())
}

fn dash() -> String {
    "-".to_owned()
}

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// `42 s`, `3 min 05 s`, `2 h 07 min`, `5 d 03 h`.
pub fn readable_seconds(seconds: f64) -> String {
    /// Hours are easily thought of up to here.
    const MOST_HOURS: u64 = 72;
    let whole = seconds.max(0.0).round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds:02} s"),
        (hours @ ..MOST_HOURS, minutes, _) => format!("{hours} h {minutes:02} min"),
        (hours, ..) => format!("{} d {:02} h", hours / 24, hours % 24),
    }
}

/// `10.1 games/s`, and of slow games `3.9 games/min` or `12.3 games/h`, so that a digit behind the point is enough.
pub fn readable_rate(games_per_second: f64) -> String {
    match games_per_second {
        rate if rate >= 1.0 || rate <= 0.0 || rate.is_nan() => format!("{rate:.1} games/s"),
        rate if 60.0 * rate >= 1.0 => format!("{:.1} games/min", 60.0 * rate),
        rate => format!("{:.1} games/h", 3600.0 * rate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hypotheses_of_the_usual_tests() {
        let words =
            |elo0, elo1, model| hypotheses_in_words(&SprtBounds::new(elo0, elo1, 0.05, 0.05, model).unwrap());
        assert_eq!(
            words(0.0, 5.0, Model::Logistic),
            "H0: the candidate is not stronger; H1: it is stronger by 5 Elo or more"
        );
        assert_eq!(
            words(-3.0, 1.0, Model::Normalized),
            "H0: the candidate is weaker by 3 normalized Elo or more; H1: it is stronger by 1 normalized Elo or more"
        );
        assert_eq!(
            words(-4.0, -1.0, Model::Bayesian),
            "H0: the candidate is weaker by 4 BayesElo or more; H1: it is weaker by no more than 1 BayesElo"
        );
        assert_eq!(
            words(2.0, 4.0, Model::Logistic),
            "H0: the candidate is stronger by no more than 2 Elo; H1: it is stronger by 4 Elo or more"
        );
        assert!(words(-5.0, 0.0, Model::Logistic).ends_with("H1: it is not weaker"));
    }

    #[test]
    fn zero_has_no_minus() {
        for (figure, digits, with_sign, without) in [
            (-0.0, 1, "+0.0", "0.0"),
            (-0.04, 1, "+0.0", "0.0"),
            (-0.06, 1, "-0.1", "-0.1"),
            (-0.004, 2, "+0.00", "0.00"),
            (-0.4, 0, "+0", "0"),
            (-10.0, 0, "-10", "-10"),
            (28.46, 1, "+28.5", "28.5"),
            (f64::NEG_INFINITY, 1, "-inf", "-inf"),
        ] {
            assert_eq!(
                (signed_to(figure, digits), to_digits(figure, digits)),
                (with_sign.to_owned(), without.to_owned())
            );
        }
    }

    #[test]
    fn levels_are_short() {
        let shown = |share| level(Confidence::new(share).unwrap());
        assert_eq!([shown(0.95), shown(0.999), shown(0.683)], ["95 %", "99.9 %", "68.3 %"]);
    }

    #[test]
    fn open_ends_are_said_to_be_open() {
        assert_eq!(interval(Interval { low: Some(1.25), high: None }), "[+1.2, +∞]");
    }
}
