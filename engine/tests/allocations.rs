//! Allocations: the search allocates no memory while it runs.
//!
//! This program counts what its thread asks of the allocator. None is allowed: an allocation costs as much as a
//! node, and makes the speed of one game depend on what others do.

mod common;

use common::{game, nodes, search, with};
use engine::bench;
use engine::config::EngineConfig;
use engine::search::Searcher;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

thread_local! {
    /// Requests of this thread: tests run side by side.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is handed on to the system's allocator as it came, so its promises are ours. Counting neither
// allocates (the cell needs no lazy start and no destructor) nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        REQUESTS.set(REQUESTS.get() + 1);
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's block came from `alloc` above, hence from the system's allocator.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn requests(task: impl FnOnce()) -> u64 {
    let before = REQUESTS.get();
    task();
    REQUESTS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(requests(|| drop(black_box(Box::new(3)))), 1);
}

#[test]
fn a_search_allocates_nothing() {
    let exact = with(&[
        "alpha_beta",
        "quiescence",
        "transposition_table",
        "capture_ordering",
        "killers",
        "history",
        "pvs",
        "aspiration",
    ]);
    for config in [EngineConfig::default(), exact] {
        let mut searcher = Searcher::new(&config, 1);
        for fen in bench::POSITIONS {
            let game = game(fen, "");
            // What is made once, and for a game no longer than this one, is kept.
            search(&mut searcher, &game, &nodes(100));
            searcher.new_game();
            let asked = requests(|| drop(black_box(search(&mut searcher, &game, &nodes(20_000)))));
            assert_eq!(asked, 0, "{fen}");
        }
    }
}
