//! Maximum likelihood under a hypothesis: the distribution, among those it allows, that makes the counts likeliest.
//!
//! Two hypotheses are solved: a given mean score, and a given *t-value*, (mean - ½) / standard deviation.
//! Both answers have the form pᵢ = p̂ᵢ / wᵢ, with p̂ᵢ the observed shares and wᵢ positive *weights*; a
//! log-likelihood ratio needs only the weights, so those are what the functions return.
//!
//! # A given mean
//!
//! With φᵢ = aᵢ - s for outcome i of score aᵢ, the hypothesis is Σ pᵢφᵢ = 0, and Lagrange gives wᵢ = 1 + θφᵢ where θ
//! solves Σ p̂ᵢφᵢ/wᵢ = 0 (M. Van den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf; fishtest's
//! `LLRcalc.py`). Doc and code of `tilt` say how it is found.
//!
//! # A given t-value
//!
//! Let d = score - ½, δ = Σ pᵢdᵢ and M = Σ pᵢdᵢ². Since the variance is M - δ², a t-value of t is the
//! same as δ = τ√M with τ = t/√(1+t²). For τ > 0 the square root is the least of all tangents to it,
//! √M = min over r of ½(r + M/r), hence
//!
//! > δ - τ√M = max over r of Σ pᵢφᵢ(r), φᵢ(r) = dᵢ - ½τ(r + dᵢ²/r),
//!
//! and for each r there is a linear problem as above. The best r has r² = M of its own solution, an equation in one
//! unknown in which M - r² falls through zero:
//!
//! - if the counts exceed the t-value, the allowed distributions are a convex set, the answer is unique and so is the root;
//! - if they fall short, the allowed set is the outside of a convex one: there can be several local answers, each at
//!   such a root, so all of them are found and the likeliest is taken. By Pinsker's inequality an answer whose
//!   relative entropy from the counts is D moves M by at most ¼√(D/2), which narrows the search to almost nothing
//!   in ordinary tests; in others a bound on how much weight can move to or from the middle outcome does.
//!
//! fishtest's fixed-point iteration seeks the same answer, and raises where it has not converged in ten rounds.

use super::roots::falling_root;
use super::sample::Sample;

/// More Newton steps than any counts need (at most 21 in 100,000 random extreme ones); reached only if rounding keeps the last digits moving.
const MOST_NEWTON_STEPS: usize = 60;

/// Relative accuracy of the last Newton step. Its error is squared once more by that step, and the likelihood is flat there.
const NEWTON_TOLERANCE: f64 = 1e-8;

/// Accuracy of ln r; the likelihood is flat there too.
const SCALE_TOLERANCE: f64 = 1e-9;

/// Widest step in ln r when looking for several local answers.
const SCAN_STEP: f64 = 0.1;

/// The weights of the likeliest distribution whose mean score s has the odds s/(1-s); given as odds because near 1
/// a score has no digits left to say how near.
///
/// # Panics
/// Unless the odds are positive and finite: no distribution over all outcomes has a mean of 0 or 1.
pub fn with_mean<const N: usize>(sample: &Sample<N>, odds: f64) -> [f64; N] {
    // a - s as a·(1-s) - (1-a)·s, divided by √(s(1-s)): a common factor of the offsets changes nothing.
    let root = odds.sqrt();
    let offsets = std::array::from_fn(|index| {
        let score = Sample::<N>::score(index);
        score / root - (1.0 - score) * root
    });
    tilt(sample.cells(), &offsets).expect("positive and finite odds of the mean score")
}

/// The weights of the likeliest distribution whose t-value, (mean - ½) / standard deviation of one observation, is `t`.
///
/// Defined for every finite `t`; the search is laid out for |t| up to some 10.
pub fn with_t_value<const N: usize>(sample: &Sample<N>, t: f64) -> [f64; N] {
    if t == 0.0 {
        return with_mean(sample, 1.0);
    }
    if t < 0.0 {
        let mut weights = with_t_value(&sample.mirror(), -t);
        weights.reverse();
        return weights;
    }
    let family = Tangents { sample, tau: t / 1.0_f64.hypot(t) };
    let (mean, square) = (sample.average(|score| score - 0.5), sample.average(|score| (score - 0.5).powi(2)));
    if mean >= family.tau * square.sqrt() {
        family.only_answer(mean, square)
    } else {
        family.best_answer(square)
    }
}

/// The distribution that belongs to the weights.
pub fn probabilities<const N: usize>(sample: &Sample<N>, weights: &[f64; N]) -> [f64; N] {
    std::array::from_fn(|index| sample.cells()[index] / (sample.size() * weights[index]))
}

/// The linear problems, one for each r, whose best is the answer for the t-value with this τ.
struct Tangents<'a, const N: usize> {
    sample: &'a Sample<N>,
    tau: f64,
}

impl<const N: usize> Tangents<'_, N> {
    /// Weights at r; `None` if there Σ pᵢφᵢ(r) = 0 has no solution.
    fn weights(&self, r: f64) -> Option<[f64; N]> {
        let offsets = std::array::from_fn(|index| {
            let d = Sample::<N>::score(index) - 0.5;
            d - 0.5 * self.tau * (r + d * d / r)
        });
        tilt(self.sample.cells(), &offsets)
    }

    /// M/r² - 1: positive left of an answer, negative right of it.
    fn slope(&self, r: f64, weights: &[f64; N]) -> f64 {
        let shares = probabilities(self.sample, weights);
        let square: f64 = (0..N).map(|index| shares[index] * (Sample::<N>::score(index) - 0.5).powi(2)).sum();
        square / (r * r) - 1.0
    }

    /// Relative entropy of the observed distribution from the answer's: what the hypothesis costs per observation.
    fn cost(&self, weights: &[f64; N]) -> f64 {
        let total: f64 =
            self.sample.cells().iter().zip(weights).map(|(cell, weight)| cell * weight.ln()).sum();
        total / self.sample.size()
    }

    /// The least and the largest M of an answer that costs no more than this, given the observed M.
    fn squares_within(&self, cost: f64, square: f64, smallest_d: f64) -> (f64, f64) {
        let reach = 0.25 * (0.5 * cost).sqrt();
        let middle = self.sample.cells()[N / 2] / self.sample.size();
        let least = smallest_d * smallest_d * least_share([1.0 - middle, middle], cost);
        let most = 0.25 * (1.0 - least_share([middle, 1.0 - middle], cost));
        ((square - reach).max(least), (square + reach).min(most))
    }

    /// The answer when the counts exceed the t-value. It lies where the observed distribution is cut off by the
    /// tangent, Σ p̂ᵢφᵢ(r) > 0; at the ends of that interval the weights are all 1.
    fn only_answer(&self, mean: f64, square: f64) -> [f64; N] {
        let observed = [1.0; N];
        let slope = |ln_r: f64| {
            let r = ln_r.exp();
            self.slope(r, &self.weights(r).unwrap_or(observed))
        };
        let reach = mean + (mean * mean - self.tau * self.tau * square).max(0.0).sqrt();
        let middle = 0.5 * square.ln();
        let at_middle = slope(middle);
        let (left, right) = if at_middle > 0.0 {
            // √M is ½ at most.
            let right = (reach / self.tau).min(0.5).ln().max(middle);
            ((middle, at_middle), (right, slope(right)))
        } else {
            let left = (self.tau * square / reach).ln().min(middle);
            ((left, slope(left)), (middle, at_middle))
        };
        let r = falling_root(slope, left, right, SCALE_TOLERANCE).exp();
        self.weights(r).unwrap_or(observed)
    }

    /// The likeliest of the local answers when the counts fall short of the t-value.
    fn best_answer(&self, square: f64) -> [f64; N] {
        // A tangent has solutions only for r within a factor of 1/κ of some positive d; κ = tan(½·arcsin τ).
        let kappa = self.tau / (1.0 + (1.0 - self.tau * self.tau).sqrt());
        let smallest_d = 1.0 / (N - 1) as f64;
        // The answer is the best among all that are allowed, and every r that has weights gives an allowed one.
        let allowed_r = square.sqrt().max((2.0 * kappa * smallest_d).min(smallest_d));
        let mut best = self.weights(allowed_r);
        let mut best_cost = best.map_or(f64::INFINITY, |weights| self.cost(&weights));

        let (least, most) = self.squares_within(best_cost, square, smallest_d);
        // A little wider than the proofs need, so that rounding cannot push the answer out.
        let low = (least.sqrt() * (1.0 - 1e-3)).max(kappa * smallest_d).ln();
        let high = (most.sqrt() * (1.0 + 1e-3)).min(0.5).ln().max(low);
        let steps = ((high - low) / SCAN_STEP.min(-0.5 * kappa.ln())).ceil().max(1.0) as usize;

        // Left of the first solvable r the slope counts as positive, right of the last one as negative.
        let slope = |ln_r: f64| {
            let r = ln_r.exp();
            self.weights(r).map(|weights| self.slope(r, &weights))
        };
        let mut left = (low, slope(low));
        for step in 1..=steps {
            let ln_r = low + (high - low) * step as f64 / steps as f64;
            let right = (ln_r, slope(ln_r));
            let crosses = match (left.1, right.1) {
                (None, None) => false,
                (at_left, at_right) => at_left.unwrap_or(1.0) > 0.0 && at_right.unwrap_or(-1.0) <= 0.0,
            };
            if crosses {
                let outside = if left.1.is_none() { 1.0 } else { -1.0 };
                let ends = ((left.0, left.1.unwrap_or(1.0)), (right.0, right.1.unwrap_or(-1.0)));
                let root =
                    falling_root(|ln_r| slope(ln_r).unwrap_or(outside), ends.0, ends.1, SCALE_TOLERANCE);
                if let Some(weights) = self.weights(root.exp()) {
                    let cost = self.cost(&weights);
                    if cost < best_cost {
                        (best, best_cost) = (Some(weights), cost);
                    }
                }
            }
            left = right;
        }
        // At r = ½ the highest outcome alone satisfies every hypothesis, so there is always something.
        best.or_else(|| self.weights(0.5)).unwrap_or([1.0; N])
    }
}

/// The least share s of some outcomes in a distribution that costs no more than this, given the observed shares q of
/// these and 1-q of the others.
///
/// The cost is at least q·ln(q/s) + (1-q)·ln((1-q)/(1-s)), and the second logarithm at least ln(1-q).
fn least_share([observed, others]: [f64; 2], cost: f64) -> f64 {
    observed * ((others * others.ln() - cost) / observed).exp()
}

/// The weights wᵢ = 1 + θφᵢ, all positive, with Σ cellᵢ·φᵢ/wᵢ = 0; `None` unless the offsets φ have both signs.
///
/// θ lies between the poles -1/φ_max and 1/-φ_min, and with one-sided counts it lies so close to one of them that its
/// digits no longer tell the weights. So the unknown is the position x between the poles: wᵢ = (1-x)αᵢ + xβᵢ where α, β ≥ 0 are
/// the weights at the two poles, a sum without cancellation. Turned so that the root is in (0, ½],
/// h(x) = Σ cellᵢ·x(βᵢ-αᵢ)/wᵢ has no pole left at 0, is concave, positive at 0 and not positive at ½. Newton's method
/// from the right of the root (or from ½) therefore falls towards it and can neither overshoot nor stall.
fn tilt<const N: usize>(cells: &[f64; N], offsets: &[f64; N]) -> Option<[f64; N]> {
    let lowest = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(lowest < 0.0 && highest > 0.0) {
        return None;
    }
    let mut near = offsets.map(|offset| (highest - offset) / highest);
    let mut far = offsets.map(|offset| (offset - lowest) / -lowest);
    // Here all weights are 1: the first Newton step starts from the observed distribution.
    let mut x = -lowest / (highest - lowest);
    let direction_at_half: f64 =
        (0..N).map(|index| cells[index] * (far[index] - near[index]) / (far[index] + near[index])).sum();
    if direction_at_half > 0.0 {
        std::mem::swap(&mut near, &mut far);
        x = highest / (highest - lowest);
    }
    x = x.min(0.5);
    for _ in 0..MOST_NEWTON_STEPS {
        let (mut value, mut slope) = (0.0, 0.0);
        for index in 0..N {
            let change = far[index] - near[index];
            let inverse = 1.0 / (near[index] + x * change);
            let term = cells[index] * change * inverse;
            value += x * term;
            slope += term * near[index] * inverse;
        }
        if slope >= 0.0 {
            // Left of the top of h, where the tangent leads away from the root. At ½ it never does.
            x = 0.5;
            continue;
        }
        let next = (x - value / slope).clamp(1e-3 * x, 0.5);
        let step = (next - x).abs();
        x = next;
        if step <= NEWTON_TOLERANCE * x {
            break;
        }
    }
    Some(std::array::from_fn(|index| (1.0 - x) * near[index] + x * far[index]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and t-value of the distribution that belongs to the weights, and the sum of its probabilities.
    fn achieved<const N: usize>(sample: &Sample<N>, weights: &[f64; N]) -> (f64, f64, f64) {
        let shares = probabilities(sample, weights);
        let sum =
            |power: i32| (0..N).map(|i| shares[i] * (Sample::<N>::score(i) - 0.5).powi(power)).sum::<f64>();
        (0.5 + sum(1), sum(1) / (sum(2) - sum(1).powi(2)).sqrt(), sum(0))
    }

    const LOPSIDED: [[u64; 5]; 8] = [
        [0, 207_065, 0, 0, 0],
        [0, 0, 0, 0, 1_000_000_000],
        [1_000_000_000, 0, 0, 0, 1],
        [28, 274_557, 0, 5, 0],
        [140_033, 656, 9, 1, 0],
        [0, 0, 192_561, 0, 0],
        [0; 5],
        [1, 5, 20, 40, 30],
    ];

    #[test]
    fn the_mean_is_met() {
        for counts in LOPSIDED {
            let sample = Sample::new(counts);
            for mean in [1e-5, 0.2, 0.5, 0.507, 0.99, 0.99999] {
                let (reached, _, total) = achieved(&sample, &with_mean(&sample, mean / (1.0 - mean)));
                assert!((reached - mean).abs() < 1e-9, "{counts:?} {mean}: {reached}");
                assert!((total - 1.0).abs() < 1e-9, "{counts:?} {mean}: {total}");
            }
        }
    }

    #[test]
    fn the_t_value_is_met() {
        for counts in LOPSIDED {
            let sample = Sample::new(counts);
            for t in [-8.0, -1.3, -1e-3, 0.0, 1e-9, 0.008, 0.3, 2.0, 8.14] {
                let (_, reached, total) = achieved(&sample, &with_t_value(&sample, t));
                assert!((reached - t).abs() < 1e-6 * (1.0 + t.abs()), "{counts:?} {t}: {reached}");
                assert!((total - 1.0).abs() < 1e-8, "{counts:?} {t}: {total}");
            }
        }
    }

    /// Distributions that satisfy the t-value, drawn at random, are never likelier than the answer.
    #[test]
    fn no_random_distribution_is_likelier() {
        let mut state = 1_u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for counts in LOPSIDED {
            let sample = Sample::new(counts);
            for t in [0.05, 0.7, 3.0] {
                let likelihood = |shares: &[f64; 5]| {
                    (0..5).map(|i| sample.cells()[i] / sample.size() * shares[i].ln()).sum::<f64>()
                };
                let best = likelihood(&probabilities(&sample, &with_t_value(&sample, t)));
                for _ in 0..2000 {
                    // A random mixture with the last outcome, which raises the t-value from below t to far above it.
                    let weights: [f64; 5] = std::array::from_fn(|_| random().powi(8) + 1e-12);
                    let end = if random() < 0.5 { 3 } else { 4 };
                    let mix = |share: f64| {
                        let total: f64 = weights.iter().sum();
                        let mut shares = weights.map(|weight| (1.0 - share) * weight / total);
                        shares[end] += share;
                        shares
                    };
                    let t_of = |share: f64| {
                        let shares = mix(share);
                        let sum = |power: i32| {
                            (0..5).map(|i| shares[i] * (Sample::<5>::score(i) - 0.5).powi(power)).sum::<f64>()
                        };
                        sum(1) / (sum(2) - sum(1).powi(2)).sqrt()
                    };
                    if t_of(0.0) < t {
                        let share = falling_root(
                            |share| t - t_of(share),
                            (0.0, t - t_of(0.0)),
                            (1.0 - 1e-9, -1.0),
                            1e-13,
                        );
                        let rival = likelihood(&mix(share));
                        assert!(rival <= best + 1e-9, "{counts:?} {t}: {rival} > {best}");
                    }
                }
            }
        }
    }
}
