//! Root of a function that starts positive and ends negative.

/// More steps than bisection needs to exhaust the digits of a double.
const MOST_STEPS: usize = 200;

/// The point in `[low, high]` at which `function` turns from positive to negative, to within `tolerance`.
///
/// Chandrupatla's method (T. R. Chandrupatla, Advances in Engineering Software 28, 1997): inverse quadratic
/// interpolation where the three last points allow it, bisection otherwise, so a jump costs speed but not the root.
/// The values at the ends are taken from the caller, who often knows them; only their signs must be right.
pub fn falling_root(
    mut function: impl FnMut(f64) -> f64,
    (low, at_low): (f64, f64),
    (high, at_high): (f64, f64),
    tolerance: f64,
) -> f64 {
    // `a` is the newest point, `b` the other end of the bracket, `c` the point before them.
    let (mut a, mut value_a) = (high, at_high);
    let (mut b, mut value_b) = (low, at_low);
    let mut fraction = 0.5;
    for _ in 0..MOST_STEPS {
        let point = a + fraction * (b - a);
        let value = function(point);
        let (c, value_c);
        if (value > 0.0) == (value_a > 0.0) {
            (c, value_c) = (a, value_a);
        } else {
            (c, value_c) = (b, value_b);
            (b, value_b) = (a, value_a);
        }
        (a, value_a) = (point, value);

        let (best, best_value) = if value_a.abs() < value_b.abs() { (a, value_a) } else { (b, value_b) };
        let smallest = (tolerance + 2.0 * f64::EPSILON * best.abs()) / (b - a).abs();
        if best_value == 0.0 || smallest > 0.5 {
            return best;
        }
        let position = (a - b) / (c - b);
        let height = (value_a - value_b) / (value_c - value_b);
        let interpolates = height * height < position && (1.0 - height).powi(2) < 1.0 - position;
        fraction = if interpolates {
            let towards_b = value_a / (value_b - value_a) * (value_c / (value_b - value_c));
            let from_c =
                (c - a) / (b - a) * (value_a / (value_c - value_a)) * (value_b / (value_c - value_b));
            (towards_b + from_c).clamp(smallest, 1.0 - smallest)
        } else {
            0.5
        };
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solve(function: impl Fn(f64) -> f64 + Copy, low: f64, high: f64) -> f64 {
        falling_root(function, (low, function(low)), (high, function(high)), 1e-12)
    }

    #[test]
    fn smooth_flat_and_jumping_functions() {
        assert!((solve(|x| 2.0 - x * x, 0.0, 9.0) - 2.0_f64.sqrt()).abs() < 1e-11);
        assert!((solve(|x| -(x - 0.3).powi(9), -5.0, 7.0) - 0.3).abs() < 1e-9);
        assert!((solve(|x| if x < 1.25 { 1.0 } else { -3.0 }, 0.0, 2.0) - 1.25).abs() < 1e-11);
        assert!((solve(|x| 0.5 - 1.0 / (1.0 + (-80.0 * x).exp()), -1000.0, 777.0)).abs() < 1e-11);
    }

    #[test]
    fn few_evaluations_on_smooth_functions() {
        let mut evaluations = 0;
        let root = falling_root(
            |x: f64| {
                evaluations += 1;
                1.0 - x.exp()
            },
            (-1.0, 1.0 - (-1.0_f64).exp()),
            (2.0, 1.0 - 2.0_f64.exp()),
            1e-12,
        );
        assert!(root.abs() < 1e-12);
        assert!(evaluations <= 12, "{evaluations}");
    }
}
