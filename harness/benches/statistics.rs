//! Throughput of the log-likelihood ratio. The sweep and the simulations of operating characteristics need many.

use criterion::{Criterion, criterion_group, criterion_main};
use harness::statistics::confidence::always_valid;
use harness::statistics::{
    AfterStop, Confidence, Model, PairModel, Pentanomial, Sample, Simulation, SprtBounds, Trinomial, elo, llr,
};
use std::hint::black_box;
use std::num::NonZeroU64;

/// An ordinary test, one with few decisive pairs and empty ends, one on which other solvers fail, and the one that
/// takes longest.
const COUNTS: [(&str, [u64; 5]); 4] = [
    ("ordinary", [320, 12_431, 27_275, 12_858, 316]),
    ("drawish", [0, 87, 4_819, 94, 0]),
    ("lopsided", [28, 274_557, 0, 5, 0]),
    ("all level", [0, 0, 192_561, 0, 0]),
];

fn statistics(criterion: &mut Criterion) {
    for (name, counts) in COUNTS {
        criterion.bench_function(&format!("logistic LLR, {name}"), |bencher| {
            bencher.iter(|| llr::logistic(&Sample::new(black_box(counts)), 0.0, 5.0));
        });
        criterion.bench_function(&format!("normalized LLR, {name}"), |bencher| {
            bencher.iter(|| llr::normalized(&Sample::new(black_box(counts)), 0.0, 5.0));
        });
        criterion.bench_function(&format!("normalized LLR of [-1.75, 0.25], {name}"), |bencher| {
            bencher.iter(|| llr::normalized(&Sample::new(black_box(counts)), -1.75, 0.25));
        });
    }
    let pairs = Pentanomial(COUNTS[0].1);
    criterion.bench_function("Elo", |bencher| {
        bencher.iter(|| elo::elo(&black_box(pairs).sample(), Confidence::DEFAULT));
    });
    criterion.bench_function("anytime-valid Elo", |bencher| {
        bencher.iter(|| always_valid(&black_box(pairs).0, Confidence::DEFAULT));
    });
    criterion.bench_function("Elo after stop", |bencher| {
        let (spec, games) = (SprtBounds::default(), Trinomial::default());
        bencher.iter(|| AfterStop::of(&spec, &black_box(pairs), &games, Confidence::DEFAULT));
    });
}

/// Whole tests of some 5,000 pairs each, a hundred at a time on all threads.
fn simulations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("100 simulated tests");
    group.sample_size(10);
    let pairs = PairModel::new(0.5, 0.0).expect("a possible draw ratio");
    for model in Model::ALL {
        let spec = SprtBounds::new(0.0, 4.0, 0.05, 0.05, model).expect("bounds in order");
        let odds = pairs.at(0.0);
        let batch = NonZeroU64::MIN;
        let simulation = Simulation { spec, odds, seed: 1, batch, overshoot: false, max_pairs: 1_000_000 };
        group.bench_function(model.as_str(), |bencher| bencher.iter(|| simulation.run(black_box(100))));
    }
    group.finish();
}

criterion_group!(benches, statistics, simulations);
criterion_main!(benches);
