//! Numbers as options take them.

/// A size in Elo: a finite number above 0.
///
/// # Errors
/// A sentence that says what to give.
pub fn positive_elo(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.parse().ok().filter(|number| *number > 0.0 && f64::is_finite(*number));
    number.ok_or_else(|| "give a number of Elo above 0, such as 5".to_owned())
}
