//! What must hold for any counts: symmetry, order, and figures that are finite or absent.

use harness::statistics::confidence::always_valid;
use harness::statistics::{
    AfterStop, Confidence, Figures, Interval, Model, Pentanomial, Results, Sample, SprtBounds, Trinomial,
    elo, llr,
};
use proptest::array::{uniform3, uniform5};
use proptest::prelude::*;

/// Counts as tests have them, and as nobody would: empty, tiny, huge, mixed.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![
        3 => Just(0_u64),
        2 => 1_u64..10,
        4 => 0_u64..5_000,
        1 => 0_u64..=1_000_000_000,
        1 => Just(1_000_000_000_u64),
    ]
}

fn bounds() -> impl Strategy<Value = (f64, f64)> {
    let ordinary = (-10.0..10.0, 0.5..10.0).prop_map(|(elo0, width)| (elo0, elo0 + width));
    let extreme = (-2000.0..2000.0, -2000.0..2000.0).prop_map(|(a, b): (f64, f64)| (a.min(b), a.max(b)));
    let ends = prop_oneof![
        Just((0.0, 2000.0)),
        Just((-2000.0, 2000.0)),
        Just((-2000.0, 0.0)),
        Just((0.0, 1e-9)),
        Just((-1e-300, 1e-300)),
        Just((1999.0, 2000.0)),
    ];
    prop_oneof![4 => ordinary, 2 => extreme, 1 => ends].prop_filter("in order", |(elo0, elo1)| elo0 < elo1)
}

fn spec((elo0, elo1): (f64, f64), model: Model) -> SprtBounds {
    SprtBounds::new(elo0, elo1, 0.05, 0.05, model).unwrap()
}

/// Rounding in sums of `size` logarithms, each exact to a few units in the last place.
fn rounding<const N: usize>(sample: &Sample<N>, llr: f64) -> f64 {
    1e-9 * (1.0 + llr.abs()) + 1e-14 * sample.size()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn llr_is_finite_for_pairs(counts in uniform5(count()), (elo0, elo1) in bounds()) {
        let sample = Sample::new(counts);
        prop_assert!(llr::logistic(&sample, elo0, elo1).is_finite());
        prop_assert!(llr::normalized(&sample, elo0, elo1).is_finite());
    }

    #[test]
    fn llr_is_finite_for_games(counts in uniform3(count()), (elo0, elo1) in bounds()) {
        let sample = Sample::new(counts);
        prop_assert!(llr::logistic(&sample, elo0, elo1).is_finite());
        prop_assert!(llr::normalized(&sample, elo0, elo1).is_finite());
        prop_assert!(llr::bayesian(&sample, elo0, elo1).is_finite());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn llr_changes_sign_when_everything_is_mirrored(counts in uniform5(count()), (elo0, elo1) in bounds()) {
        let sample = Sample::new(counts);
        for llr in [llr::logistic, llr::normalized] {
            let (ours, theirs) = (llr(&sample, elo0, elo1), llr(&sample.mirror(), -elo1, -elo0));
            prop_assert!((ours + theirs).abs() <= rounding(&sample, ours), "{counts:?} {elo0} {elo1}: {ours} {theirs}");
        }
    }

    #[test]
    fn bayesian_llr_changes_sign_when_everything_is_mirrored(counts in uniform3(count()), (elo0, elo1) in bounds()) {
        let sample = Sample::new(counts);
        let (ours, theirs) =
            (llr::bayesian(&sample, elo0, elo1), llr::bayesian(&sample.mirror(), -elo1, -elo0));
        prop_assert!((ours + theirs).abs() <= rounding(&sample, ours), "{counts:?} {elo0} {elo1}: {ours} {theirs}");
    }

    #[test]
    fn one_win_more_raises_the_llr_and_the_elo(mut counts in uniform5(count()), (elo0, elo1) in bounds()) {
        // An empty cell counts a little, so that the step from there is another one.
        counts[4] = counts[4].max(1);
        let mut better = counts;
        better[4] += 1;
        let (sample, better) = (Sample::new(counts), Sample::new(better));
        let (before, after) = (llr::logistic(&sample, elo0, elo1), llr::logistic(&better, elo0, elo1));
        prop_assert!(after >= before - rounding(&sample, before), "{counts:?} {elo0} {elo1}: {before} {after}");
        let strength = |sample| elo::elo(sample, Confidence::DEFAULT).map(|elo| elo.estimate);
        prop_assert!(strength(&better) >= strength(&sample).map(|elo| elo - 1e-9));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Holds only if both ratios represent the shared hypothesis by the same distribution.
    #[test]
    fn llr_adds_up_over_neighbouring_bounds(
        counts in uniform5(count()), (elo0, elo1) in bounds(), share in 0.01..0.99,
    ) {
        let sample = Sample::new(counts);
        let middle = elo0 + share * (elo1 - elo0);
        for llr in [llr::logistic, llr::normalized] {
            let whole = llr(&sample, elo0, elo1);
            let parts = llr(&sample, elo0, middle) + llr(&sample, middle, elo1);
            prop_assert!((whole - parts).abs() <= 4.0 * rounding(&sample, whole), "{whole} {parts}");
        }
    }

    #[test]
    fn better_results_raise_every_figure(counts in uniform5(1_u64..5_000), from in 0_usize..4, bounds in bounds()) {
        let mut better = counts;
        better[from] -= 1;
        better[from + 1] += 1;
        prop_assume!(better[from] > 0);
        let (sample, better) = (Sample::new(counts), Sample::new(better));
        prop_assert!(llr::logistic(&better, bounds.0, bounds.1) >= llr::logistic(&sample, bounds.0, bounds.1) - 1e-9);
        let strength = |sample| elo::elo(sample, Confidence::DEFAULT).unwrap().estimate;
        prop_assert!(strength(&better) >= strength(&sample));
    }

    #[test]
    fn elo_changes_sign_with_the_sides(counts in uniform5(count())) {
        let sample = Sample::new(counts);
        for figure in [elo::elo, elo::nelo] {
            let ours = figure(&sample, Confidence::DEFAULT);
            let theirs = figure(&sample.mirror(), Confidence::DEFAULT);
            prop_assert_eq!(ours.is_some(), sample.has_spread());
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                prop_assert!([ours.estimate, ours.margin].iter().all(|figure| figure.is_finite()));
                prop_assert!(ours.low <= ours.estimate && ours.estimate <= ours.high);
                let allowed = 1e-6 * (1.0 + ours.estimate.abs() + ours.margin);
                prop_assert!((ours.estimate + theirs.estimate).abs() < allowed);
                prop_assert!(ours.low == -theirs.high || (ours.low + theirs.high).abs() < allowed);
                prop_assert!((ours.margin - theirs.margin).abs() < allowed);
            }
        }
        if let (Some(ours), Some(theirs)) = (elo::los(&sample), elo::los(&sample.mirror())) {
            prop_assert!((ours + theirs - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn merging_counts_is_adding_them(a in uniform5(count()), b in uniform5(count()), c in uniform5(count())) {
        let [a, b, c] = [a, b, c].map(Pentanomial);
        prop_assert_eq!((a + b) + c, a + (b + c));
        prop_assert_eq!(a + b, b + a);
        prop_assert_eq!((a + b).pairs(), a.pairs() + b.pairs());
        prop_assert_eq!((a + b).half_points(), a.half_points() + b.half_points());
        prop_assert_eq!(a.mirror().half_points(), 4 * a.pairs() - a.half_points());
        let status = spec((0.0, 5.0), Model::Logistic).evaluate(&(a + b), &Trinomial::default());
        let merged = Pentanomial(std::array::from_fn(|index| a.0[index] + b.0[index]));
        prop_assert_eq!(status, spec((0.0, 5.0), Model::Logistic).evaluate(&merged, &Trinomial::default()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_estimate_after_stopping_is_finite_and_in_order(
        counts in uniform5(count()), games in uniform3(count()), bounds in bounds(),
    ) {
        let games = Trinomial { losses: games[0], draws: games[1], wins: games[2] };
        for model in Model::ALL {
            let after_stop = AfterStop::of(&spec(bounds, model), &Pentanomial(counts), &games, Confidence::DEFAULT);
            if let Some(AfterStop { estimate, low, high, los }) = after_stop {
                prop_assert!(estimate.abs() < 1000.0);
                prop_assert!(low.is_none_or(|low| low > -1000.0 && low <= estimate + 1e-6));
                prop_assert!(high.is_none_or(|high| high < 1000.0 && estimate <= high + 1e-6));
                prop_assert!((0.0..=1.0).contains(&los));
            }
        }
    }
}

// An anytime-valid interval takes about a millisecond.
proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_interval_valid_at_every_look_is_finite_and_holds_the_estimate(counts in uniform5(count())) {
        let Interval { low, high } = always_valid(&counts, Confidence::DEFAULT);
        prop_assert!(low.is_none_or(f64::is_finite) && high.is_none_or(f64::is_finite), "{counts:?}");
        if let Some(mean) = Pentanomial(counts).mean() {
            let estimate = elo::elo_of_score(mean);
            prop_assert!(low.is_none_or(|low| low <= estimate + 1e-6), "{counts:?}: {low:?} {estimate}");
            prop_assert!(high.is_none_or(|high| high >= estimate - 1e-6), "{counts:?}: {high:?} {estimate}");
        }
        let mut mirrored = counts;
        mirrored.reverse();
        let mirrored = always_valid(&mirrored, Confidence::DEFAULT);
        prop_assert_eq!((mirrored.low, mirrored.high), (high.map(|elo| -elo), low.map(|elo| -elo)));
    }

    #[test]
    fn every_figure_is_finite_or_absent(counts in uniform5(count()), games in uniform3(count()), bounds in bounds()) {
        let games = Trinomial { losses: games[0], draws: games[1], wins: games[2] };
        let pairs = Pentanomial(counts);
        for model in Model::ALL {
            for results in [Results::Pairs(pairs), Results::Games(games), Results::Both(pairs, games)] {
                let Some(figures) = Figures::of(&spec(bounds, model), &results, Confidence::DEFAULT) else {
                    prop_assert!(model == Model::Bayesian && results.games().is_none());
                    continue;
                };
                // The text of a number that is not finite would be `null` too, so the fields are looked at.
                let Figures { draw_ratio, pair_ratio, level_share, dd_share, wl_share, rms_bias, .. } = figures;
                let shares = [draw_ratio, pair_ratio, level_share, dd_share, wl_share, rms_bias, figures.los];
                prop_assert!(shares.iter().flatten().all(|share| share.is_finite() && *share >= 0.0));
                prop_assert!(figures.llr.is_finite() && figures.rms_bias_elo.is_none_or(f64::is_finite));
                prop_assert_eq!(figures.elo_exact.is_some() && figures.elo.is_some(), false);
            }
        }
    }
}
