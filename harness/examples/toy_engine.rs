//! The engine that the end-to-end tests play against; see `tests/common/toy_engine.rs`.

#[path = "../tests/common/toy_engine.rs"]
mod toy_engine;

fn main() {
    toy_engine::run(std::env::args().skip(1));
}
