//! Speed of the parts of the engine. Each bench goes through all positions of `engine bench` once.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::bench::{POSITIONS, bench};
use engine::config::EngineConfig;
use engine::evaluation::{EvalWeights, Evaluator, evaluate, trace};
use engine::position::{MoveList, Position, perft};
use engine::search::Searcher;
use engine::search::see::see_at_least;
use std::hint::black_box;

fn positions() -> Vec<Position> {
    POSITIONS.iter().map(|fen| Position::from_fen(fen).expect("bench positions are valid")).collect()
}

fn evaluation(criterion: &mut Criterion) {
    let (positions, weights) = (positions(), EvalWeights::default());
    let mut evaluator = Evaluator::new(&weights);
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("pawn structures remembered", |bencher| {
        bencher.iter(|| -> i32 {
            positions.iter().map(|position| evaluator.evaluate(black_box(position))).sum()
        });
    });
    group.bench_function("afresh", |bencher| {
        bencher.iter(|| -> i32 {
            positions.iter().map(|position| evaluate(black_box(position), &weights)).sum()
        });
    });
    group.bench_function("traced", |bencher| {
        bencher.iter(|| {
            positions.iter().map(|position| trace(black_box(position), &weights).scale).sum::<usize>()
        });
    });
}

fn moves(criterion: &mut Criterion) {
    let positions = positions();
    criterion.bench_function("perft 3 of the starting position", |bencher| {
        bencher.iter(|| perft(black_box(&positions[0]), 3));
    });
    let searcher = Searcher::new(&EngineConfig::default(), 1);
    criterion.bench_function("every move picked in order", |bencher| {
        bencher.iter(|| -> usize {
            positions.iter().map(|position| searcher.moves_in_order(black_box(position)).count()).sum()
        });
    });
    criterion.bench_function("static exchange evaluation of every capture", |bencher| {
        bencher.iter(|| {
            let mut winning = 0;
            for position in &positions {
                let mut captures = MoveList::new();
                position.captures(&mut captures);
                winning += captures.iter().filter(|&&mv| see_at_least(black_box(position), mv, 0)).count();
            }
            winning
        });
    });
}

fn search(criterion: &mut Criterion) {
    let config = EngineConfig::default();
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(bench(&config, 5).nodes));
    group.bench_function("bench to depth 5, nodes", |bencher| {
        bencher.iter(|| bench(black_box(&config), 5).nodes)
    });
}

criterion_group!(benches, evaluation, moves, search);
criterion_main!(benches);
