//! The shipped book is the one that was made, and can be made again.

mod common;

use common::project::Project;
use harness::game::fen::fen_of;
use harness::openings::Book;
use harness::openings::candidate::candidate;
use harness::openings::check::check_book;
use harness::openings::make::{MakeError, MakeOptions, make};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, iter};

/// Changes only with a new book, and a new book gets a new name: stored runs refer to this digest.
const DIGEST: &str = "7267ee97fea6c4572854c3f02b157b57c8ffca9a9fe1f750f43adf663b8eb366";

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../openings/balanced-40k.epd")
}

/// The fields, score and candidate's number of every line; each line must have exactly this form.
fn lines(text: &str) -> Vec<(&str, i32, u64)> {
    text.lines()
        .map(|line| {
            let read = || {
                let (position, rest) = line.split_once(" ce ")?;
                let (score, rest) = rest.split_once("; id \"")?;
                let number = rest.strip_suffix("\";")?;
                Some((position, score.parse().ok()?, number.parse().ok()?))
            };
            read().unwrap_or_else(|| panic!("{line}"))
        })
        .collect()
}

#[test]
fn the_shipped_book_is_clean() {
    let check = check_book(&shipped(), None).unwrap();
    assert!(check.is_clean(), "{check}");
    assert_eq!(check.digest, DIGEST);
    assert_eq!((check.openings, check.mirrored.total, check.chess960), (40_000, 0, 0), "{check}");
    assert!((18_000..=22_000).contains(&check.white_to_move), "{check}");
}

/// What no change of the engine touches: every line is the candidate it says, drawn from the seed.
#[test]
fn the_shipped_positions_come_from_the_seed() {
    let options = MakeOptions::default();
    let text = fs::read_to_string(shipped()).unwrap();
    let lines = lines(&text);
    assert_eq!(lines.len(), options.count);
    assert!(lines.windows(2).all(|pair| pair[0].2 < pair[1].2), "in the order of the candidates");
    assert!(lines.iter().all(|(_, score, _)| score.abs() <= options.requirements.limit));

    let book = Book::read(&shipped(), None).unwrap();
    for (opening, (fields, _, number)) in book.openings.iter().zip(&lines).step_by(50) {
        let position = candidate(options.seed, *number, options.plies, false).unwrap();
        assert_eq!(opening.fen, format!("{fields} 0 1"), "candidate {number}");
        assert_eq!(four_fields(&fen_of(&position)), *fields, "candidate {number}");
    }
}

fn four_fields(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

fn small() -> MakeOptions {
    let mut options = MakeOptions { count: 20, ..MakeOptions::default() };
    (options.requirements.fewer_nodes, options.requirements.more_nodes) = (200, 1_000);
    options
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let [one, three] = [1, 3].map(|threads| {
        let path = folder.path().join(format!("{threads}.epd"));
        let mut heard = Vec::new();
        let options = MakeOptions { threads, ..small() };
        let made = make(&path, &options, &AtomicBool::new(false), |tally| heard.push(tally.clone())).unwrap();
        assert_eq!(heard.last(), Some(&made.tally));
        let rejected: u64 = made.tally.rejected.values().sum();
        assert_eq!((made.tally.taken, made.tally.tried), (20, rejected + 20));

        let check = check_book(&path, None).unwrap();
        assert!(check.is_clean() && check.mirrored.total == 0, "{check}");
        assert_eq!((&check.digest, check.white_to_move), (&made.digest, made.tally.white_to_move));
        (fs::read(&path).unwrap(), made.digest, made.tally)
    });
    assert!(one == three);
}

/// A longer book of the same options begins with the shorter one: it can be extended.
#[test]
fn a_book_grows_at_its_end_and_a_seed_makes_another() {
    let folder = tempfile::tempdir().unwrap();
    let text = |name: &str, options: MakeOptions| {
        let path = folder.path().join(name);
        make(&path, &options, &AtomicBool::new(false), |_| {}).unwrap();
        fs::read_to_string(path).unwrap()
    };
    let short = text("short", small());
    let long = text("long", MakeOptions { count: 30, ..small() });
    assert!(long.starts_with(&short) && long.lines().count() == 30);
    let other = text("other", MakeOptions { seed: 2, ..small() });
    let positions: HashSet<_> = lines(&short).into_iter().map(|(position, ..)| position).collect();
    assert!(lines(&other).iter().all(|(position, ..)| !positions.contains(position)));
}

/// Strong engines draw from balanced positions: here one side is ahead, whichever.
#[test]
fn an_unbalanced_book_has_the_advantage_that_is_asked_for() {
    let project = Project::new();
    for (between, range) in [("60,90", 60..=90), ("0,30", 0..=30), ("100,200", 100..=200)] {
        let made = format!(
            "book make {between}.epd --between {between} --count 12 --fewer-nodes 200 --more-nodes 1000"
        );
        project.run(&format!("{made} --quiet")).expect(0, &[]);
        let text = project.read(&format!("{between}.epd"));
        let scores: Vec<i32> = lines(&text).into_iter().map(|(_, score, _)| score).collect();
        assert!(scores.len() == 12 && scores.iter().all(|score| range.contains(&score.abs())), "{scores:?}");
        // Of either side.
        assert!(
            *range.start() < 60
                || (scores.iter().any(|&score| score > 0) && scores.iter().any(|&score| score < 0))
        );
        project.run(&format!("book check {between}.epd")).expect(0, &[]);
    }
    for (wrong, reason) in [
        ("90,60", "no score is between 90 and 60"),
        ("5", "write two numbers"),
        ("-5,5", "give numbers from 0"),
    ] {
        project.run(&format!("book make x.epd --between={wrong}")).expect(2, &[reason]);
    }
    project.run("book make x.epd --between 1,2 --limit 5").expect(2, &["--limit"]);
}

#[test]
fn a_book_of_chess960_begins_from_all_its_positions_and_is_played() {
    let project = Project::new();
    for (plies, count) in [(0, 12), (4, 12), (8, 12)] {
        let made = format!(
            "book make {plies}.epd --chess960 --plies {plies} --count {count} --limit 300 --fewer-nodes 200 --more-nodes 1000"
        );
        project.run(&format!("{made} --quiet")).expect(0, &[]);
        let checked = project.run(&format!("book check {plies}.epd"));
        assert_eq!(checked.code, 0, "{checked:?}");
        let text = project.read(&format!("{plies}.epd"));
        let ranks: HashSet<&str> =
            lines(&text).into_iter().filter_map(|(position, ..)| position.split([' ', '/']).next()).collect();
        assert!(ranks.len() >= 10, "{text}");
        let report = project.sprt(&format!("--openings {plies}.epd --nodes 30 --max-moves 8 --max-pairs 4"));
        assert_eq!(report["games"], 8);
    }
}

#[test]
fn nothing_is_overwritten_and_nothing_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (there, new) = (folder.path().join("there.epd"), folder.path().join("new.epd"));
    fs::write(&there, "mine").unwrap();
    let never = AtomicBool::new(false);

    let error = make(&there, &small(), &never, |_| panic!("no work is done")).unwrap_err();
    assert!(matches!(error, MakeError::Exists(_)));
    assert!(
        error
            .to_string()
            .ends_with("there.epd exists and is not overwritten; name another file or remove it")
    );

    // The file appears while the work is under way.
    let error = make(&new, &small(), &never, |_| fs::write(&new, "theirs").unwrap()).unwrap_err();
    assert!(matches!(error, MakeError::Exists(_)), "{error}");
    assert_eq!(fs::read_to_string(&new).unwrap(), "theirs");
    assert_eq!(fs::read_to_string(&there).unwrap(), "mine");

    let missing = folder.path().join("missing/book.epd");
    let error = make(&missing, &small(), &never, |_| {}).unwrap_err().to_string();
    assert!(
        error.contains("missing/book.epd cannot be written") && error.contains("check its folder"),
        "{error}"
    );

    let stop = AtomicBool::new(false);
    let many = MakeOptions { count: 1_000_000, ..small() };
    let cancelled = folder.path().join("cancelled.epd");
    let error = make(&cancelled, &many, &stop, |_| stop.store(true, Ordering::Relaxed)).unwrap_err();
    assert!(matches!(&error, MakeError::Cancelled(tally) if tally.taken > 0), "{error}");
    assert!(error.to_string().contains("nothing was written; start again"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn options_that_cannot_work_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.epd");
    let refused = |change: fn(&mut MakeOptions)| {
        let mut options = small();
        change(&mut options);
        make(&path, &options, &AtomicBool::new(false), |_| {}).unwrap_err().to_string()
    };
    for (error, expected) in iter::zip(
        [
            refused(|options| options.count = 0),
            refused(|options| options.plies = u32::MAX),
            refused(|options| options.requirements.limit = -1),
            refused(|options| options.requirements.margin = -1),
            refused(|options| options.requirements.fewer_nodes = 0),
            refused(|options| options.requirements.more_nodes = 200),
            // Twenty-one positions at most.
            refused(|options| (options.plies, options.count) = (0, 22)),
        ],
        [
            "ask for at least 1",
            "ask for at most 100",
            "the limit -1 and the margin 60",
            "the margin -1",
            "of 0 and 1000 nodes",
            "of 200 and 200 nodes",
            "candidates were all rejected, with",
        ],
    ) {
        assert!(error.contains(expected), "{error}");
    }
    assert!(!path.exists());
}
