//! Evaluation of one position: the terms in the order in which they are added.

use super::attacks::Attacks;
use super::pawns::PawnFacts;
use super::recorder::{Recorder, Unrecorded};
use super::sums::{Sums, balance};
use super::trace::Trace;
use super::weights::EvalWeights;
use super::{groups, king, passed, pawns, pieces, scale, threats};
use crate::position::{Color, FULL_PHASE, Position};

/// No evaluation is greater, so that none is taken for a mate score.
pub const MAX_EVALUATION: i32 = 20_000;

/// Static evaluation in centipawns from the side to move, within ±[`MAX_EVALUATION`]; computed afresh.
/// A search uses its [`Evaluator`](super::Evaluator), which remembers pawn structures.
pub fn evaluate(position: &Position, weights: &EvalWeights) -> i32 {
    let white = white_value(position, &mut Sums::new(weights, Unrecorded), pawns_and_kings);
    own_view(position, white)
}

/// Trace of a position: how often each weight counts in it.
pub fn trace(position: &Position, weights: &EvalWeights) -> Trace {
    let mut sums = Sums::new(weights, Trace::new(position.phase().min(FULL_PHASE)));
    white_value(position, &mut sums, pawns_and_kings);
    sums.into_recorder()
}

/// Adds what follows from pawns and kings alone, which a search remembers.
pub fn pawns_and_kings<R: Recorder>(position: &Position, sums: &mut Sums<R>) -> PawnFacts {
    for color in Color::ALL {
        king::shelter(position, color, sums);
    }
    pawns::structure(position, sums)
}

/// The evaluation from White's side; `structure` adds what follows from pawns and kings alone.
///
/// Everything below is inlined, and each side written out instead of looped over: with the colour known when it
/// is compiled, half of the work is gone, and the attacks stay in registers (measured: `docs/performance.md`).
#[inline(always)]
pub fn white_value<R: Recorder>(
    position: &Position,
    sums: &mut Sums<R>,
    structure: impl FnOnce(&Position, &mut Sums<R>) -> PawnFacts,
) -> i32 {
    sums.add(position.side_to_move(), groups::TEMPO, 1);
    let facts = structure(position, sums);
    let mut attacks = Attacks::of_pawns_and_kings(position);
    pieces::activity(position, Color::White, &facts, &mut attacks, sums);
    pieces::activity(position, Color::Black, &facts, &mut attacks, sums);
    attack_terms(position, Color::White, &facts, &attacks, sums);
    attack_terms(position, Color::Black, &facts, &attacks, sums);
    let whole = sums.whole();
    let scale = scale::of(position, whole.endgame());
    balance(whole, sums.scale(scale), position.phase().min(FULL_PHASE))
}

/// Attack terms of one side, which need the attacks of both: king danger, threats and passed pawns.
#[inline(always)]
fn attack_terms<R: Recorder>(
    position: &Position,
    color: Color,
    facts: &PawnFacts,
    attacks: &Attacks,
    sums: &mut Sums<R>,
) {
    king::danger(position, color, attacks, sums);
    threats::threats(position, color, attacks, sums);
    passed::passers(position, color, facts, attacks, sums);
}

/// A value from White's side as the side to move sees it, clamped.
pub fn own_view(position: &Position, white: i32) -> i32 {
    let own = match position.side_to_move() {
        Color::White => white,
        Color::Black => -white,
    };
    own.clamp(-MAX_EVALUATION, MAX_EVALUATION)
}
