//! Conditions and book of the games, from the options that were given or from a stored run, all checked.

use super::Failure;
use super::options::RunOptions;
use crate::conditions::{Conditions, OpeningsSpec};
use crate::openings::Book;
use crate::openings::check::{Repeated, repeated};
use std::path::{Path, PathBuf};

/// The conditions that the options ask for, with the book they name.
///
/// # Errors
/// The book or the tables of endgames cannot be used under these conditions.
pub fn conditions(options: &RunOptions, folder: &Path) -> Result<(Conditions, Book), Failure> {
    let book = options.book(folder)?;
    let conditions = conditions_with(options, &book)?;
    refuse_repeated_openings(&conditions, &book)?;
    if conditions.limit.is_deterministic() && conditions.openings.left() == 0 {
        return Err(Failure::usage(format!(
            "--start {} is beyond the {} openings of {}: give a smaller number, or a larger book",
            conditions.openings.first + 1,
            conditions.openings.count,
            book.path.display()
        )));
    }
    Ok((conditions, book))
}

/// The conditions that the options ask for, with this book in the place of the one they name.
///
/// # Errors
/// The tables of endgames cannot be used.
pub fn conditions_with(options: &RunOptions, book: &Book) -> Result<Conditions, Failure> {
    Ok(Conditions {
        limit: options.limit(),
        openings: openings_spec(book, options),
        seed: options.seed.unwrap_or(1),
        hash_megabytes: options.hash.unwrap_or(16),
        time_margin: options.time_margin,
        adjudication: options.adjudication()?,
    })
}

/// The conditions of a stored run with everything replaced that the command line gives.
///
/// # Errors
/// Its book or its tables of endgames are not to be found.
pub fn overridden(
    stored: &Conditions,
    given: &RunOptions,
    folder: &Path,
) -> Result<(Conditions, Book), Failure> {
    let book = find_book(given, &stored.openings, folder)?;
    Ok((conditions_with(&given.clone().or(stored.into()), &book)?, book))
}

/// Refuses tables that no memory holds: they would end the process in the middle of the run.
///
/// # Errors
/// So much memory cannot be had.
pub fn check_memory(players: usize, threads: usize, hash_megabytes: u32) -> Result<(), Failure> {
    let megabytes = players * threads * hash_megabytes as usize;
    let mut tables = Vec::<u8>::new();
    // Asked for and given back, never touched; looked at, or else the compiler would not ask.
    let held = tables.try_reserve_exact(megabytes.saturating_mul(1 << 20));
    std::hint::black_box(&tables);
    held.map_err(|_| {
        Failure::usage(format!(
            "{players} tables of {hash_megabytes} MB on each of {threads} threads need {megabytes} MB, which cannot be had: \
             give fewer --threads or a smaller --hash"
        ))
    })
}

/// Where every pair is the same two games for ever, an opening that stands twice in the book would count twice.
fn refuse_repeated_openings(conditions: &Conditions, book: &Book) -> Result<(), Failure> {
    let repeated =
        if conditions.limit.is_deterministic() { repeated(&book.openings) } else { Repeated::default() };
    let Some((line, first)) = repeated.shown.first() else { return Ok(()) };
    Err(Failure::usage(format!(
        "the book {} repeats {} of its openings (line {line} is line {first}), and with {} a repeated opening is a \
         repeated pair: delete them (`book check` lists them), or play with a clock",
        book.path.display(),
        repeated.total,
        conditions.limit
    )))
}

/// The book of a stored run: the one named now, the one it was, or the one the project ships if that is the same.
fn find_book(given: &RunOptions, stored: &OpeningsSpec, folder: &Path) -> Result<Book, Failure> {
    let plies = given.plies.or(stored.plies);
    let skip_bad_openings = given.skip_bad_openings.or(Some(stored.skip_bad));
    let named_then = Some(PathBuf::from(&stored.file)).filter(|file| file.is_file());
    let openings = given.openings.clone().or(named_then);
    let is_named = openings.is_some();
    match (RunOptions { openings, plies, skip_bad_openings, ..RunOptions::default() }).book(folder) {
        Ok(book) if is_named || book.digest == stored.digest => Ok(book),
        Err(failure) if is_named => Err(failure),
        _ => Err(Failure::usage(format!(
            "the book of the run, {}, is no longer there; name it with --openings FILE",
            stored.file
        ))),
    }
}

fn openings_spec(book: &Book, options: &RunOptions) -> OpeningsSpec {
    OpeningsSpec {
        file: std::path::absolute(&book.path).as_ref().unwrap_or(&book.path).display().to_string(),
        digest: book.digest.clone(),
        count: book.openings.len(),
        order: options.order.unwrap_or_default(),
        plies: options.plies,
        first: options.start.map_or(0, |number| number - 1),
        skip_bad: options.skip_bad_openings.unwrap_or(false),
    }
}
