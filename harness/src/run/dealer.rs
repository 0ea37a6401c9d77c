//! Dealer: makes pairs of a contest's turns, with the openings that the book has under their numbers.

use super::contest::{Contest, Turn};
use crate::conditions::Conditions;
use crate::game::opening::Opening;
use crate::openings::{Book, OpeningOrder};
use crate::players::spec::PlayerSpec;
use std::fmt;
use std::sync::Arc;

/// The book of a run and the order in which it is drawn.
pub struct Dealer {
    book: Arc<Book>,
    order: OpeningOrder,
    first: u64,
}

/// A contest asked for an opening that the book does not have, although the run's specification says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoOpening {
    /// Its number in the run, from 0.
    pub number: u64,
}

impl fmt::Display for NoOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the book has no opening number {}: it is not the book that the run was begun with",
            self.number + 1
        )
    }
}

impl std::error::Error for NoOpening {}

impl Dealer {
    /// Joins the conditions and the book they name.
    pub fn new(conditions: &Conditions, book: impl Into<Arc<Book>>) -> Dealer {
        let book = book.into();
        let order = conditions.opening_order(book.openings.len());
        Dealer { book, order, first: conditions.openings.first }
    }

    /// The pair of this number, if the contest has decided what it is.
    ///
    /// # Errors
    /// The book lacks one of its openings.
    pub fn deal(&self, contest: &impl Contest, index: u64) -> Result<Dealt, NoOpening> {
        Ok(match contest.turn(index) {
            Turn::Nothing => Dealt::Nothing,
            Turn::Undecided => Dealt::Undecided,
            Turn::Play { openings: [first, second], players: [base, candidate] } => {
                let openings = [self.opening(first)?.clone(), self.opening(second)?.clone()];
                Dealt::Pair(Pair { index, openings, base, candidate })
            }
        })
    }

    /// The opening of this number in the run, from 0.
    ///
    /// # Errors
    /// The book lacks it.
    pub fn opening(&self, number: u64) -> Result<&Opening, NoOpening> {
        let place = self.order.get(self.first + number).ok_or(NoOpening { number })?;
        Ok(&self.book.openings[place])
    }
}

/// A pair to be played: two games, the candidate first with White, then with Black.
#[derive(Clone, Debug)]
pub struct Pair {
    /// Its number in the run, from 0.
    pub index: u64,
    /// The openings of the two games, the same one but for games that a fit learns from.
    pub openings: [Opening; 2],
    /// The player whose opponent is measured.
    pub base: Arc<PlayerSpec>,
    /// The player that is measured.
    pub candidate: Arc<PlayerSpec>,
}

/// A turn with its openings.
#[derive(Clone, Debug)]
pub enum Dealt {
    /// This pair.
    Pair(Pair),
    /// It depends on pairs that have not been counted yet.
    Undecided,
    /// There is no pair of this number, nor of any after it.
    Nothing,
}
