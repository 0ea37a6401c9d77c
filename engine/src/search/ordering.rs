//! Move ordering: the staged move picker. The sooner the best move is tried, the less there is to search.
//!
//! A stage is generated only when the one before is used up: most nodes fail high on one of the first moves and never
//! generate their quiet ones.

use super::history::{History, Previous, QuietScores};
use super::see::see_at_least;
use crate::position::{Move, MoveList, Piece, Position};
use crate::techniques::Techniques;
use arrayvec::ArrayVec;

/// No legal position has more moves.
pub const MOST_MOVES: usize = 256;

/// Victim values of MVV-LVA, in units that leave room for the attacker.
const VICTIM_ORDER: [i32; 6] = [1, 3, 3, 5, 9, 0];

/// Refutations: quiet moves that cut in similar positions, the killers and then the countermove.
pub type Refutations = [Option<Move>; 3];

/// Inputs of the order of quiet moves, besides the moves themselves.
#[derive(Clone, Copy)]
pub struct Hints<'a> {
    /// Which techniques are on.
    pub techniques: &'a Techniques,
    /// History of the game so far.
    pub history: &'a History,
    /// The moves that led here.
    pub previous: Previous,
}

impl<'a> Hints<'a> {
    fn quiet_scores(&self, position: &Position) -> QuietScores<'a> {
        self.history.quiet_scores(position.side_to_move(), &self.previous, self.techniques)
    }
}

#[derive(Clone, Copy)]
struct Scored {
    mv: Move,
    score: i32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    GenerateCaptures,
    GoodCaptures,
    Refutation(usize),
    GenerateQuiets,
    Quiets,
    LosingCaptures,
    GenerateUnordered,
    Unordered,
    Done,
}

/// Move picker: gives the moves of one node one at a time, in stages.
pub struct MovePicker {
    stage: Stage,
    hash_move: Option<Move>,
    refutations: Refutations,
    tactical_only: bool,
    skips_quiets: bool,
    /// The moves of the present stage; those before `next` have been tried.
    scored: ArrayVec<Scored, MOST_MOVES>,
    next: usize,
    /// Captures that SEE found to lose material, kept for last, in the order found.
    losing: ArrayVec<Move, MOST_MOVES>,
}

impl MovePicker {
    /// All legal moves. The hash move may be any move; it is tried if it is legal here.
    pub fn all(hash_move: Option<Move>, refutations: Refutations) -> MovePicker {
        MovePicker::new(hash_move, refutations, false)
    }

    /// Captures and promotions only.
    pub fn tactical(hash_move: Option<Move>) -> MovePicker {
        MovePicker::new(hash_move, [None; 3], true)
    }

    fn new(hash_move: Option<Move>, refutations: Refutations, tactical_only: bool) -> MovePicker {
        MovePicker {
            stage: Stage::Hash,
            hash_move,
            refutations,
            tactical_only,
            skips_quiets: false,
            scored: ArrayVec::new(),
            next: 0,
            losing: ArrayVec::new(),
        }
    }

    /// The next move to try.
    pub fn next(&mut self, position: &Position, hints: Hints) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Hash => {
                    self.stage = match hints.techniques.capture_ordering {
                        true => Stage::GenerateCaptures,
                        false => Stage::GenerateUnordered,
                    };
                    self.hash_move = self.hash_move.filter(|&mv| {
                        position.is_legal(mv) && (!self.tactical_only || position.is_tactical(mv))
                    });
                    if self.hash_move.is_some() {
                        return self.hash_move;
                    }
                }
                Stage::GenerateCaptures => {
                    let mut moves = MoveList::new();
                    position.captures(&mut moves);
                    self.begin_stage(moves.iter(), |mv| capture_order(position, mv));
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.pick_best() {
                    Some(mv) if see_at_least(position, mv, 0) => return Some(mv),
                    Some(mv) => self.losing.push(mv),
                    None if self.tactical_only => self.begin_losing(),
                    None => self.stage = Stage::Refutation(0),
                },
                Stage::Refutation(3..) => self.stage = Stage::GenerateQuiets,
                Stage::Refutation(slot) => {
                    self.stage = Stage::Refutation(slot + 1);
                    let earlier = &self.refutations[..slot];
                    let mv = self.refutations[slot].filter(|mv| {
                        Some(*mv) != self.hash_move
                            && !earlier.contains(&Some(*mv))
                            && position.is_legal(*mv)
                            && !position.is_tactical(*mv)
                    });
                    self.refutations[slot] = mv;
                    if mv.is_some() && !self.skips_quiets {
                        return mv;
                    }
                }
                Stage::GenerateQuiets if self.skips_quiets => self.begin_losing(),
                Stage::GenerateQuiets => {
                    let mut moves = MoveList::new();
                    position.quiets(&mut moves);
                    let (refutations, scores) = (self.refutations, hints.quiet_scores(position));
                    let others = moves.iter().filter(|&&mv| !refutations.contains(&Some(mv)));
                    self.begin_stage(others, |mv| scores.of(position, mv));
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets if self.skips_quiets => self.begin_losing(),
                Stage::Quiets => match self.pick_best() {
                    Some(mv) => return Some(mv),
                    None => self.begin_losing(),
                },
                Stage::LosingCaptures => {
                    let mv = self.losing.get(self.next).copied();
                    self.next += 1;
                    return mv;
                }
                Stage::GenerateUnordered => {
                    let mut moves = MoveList::new();
                    position.captures(&mut moves);
                    if !self.tactical_only {
                        position.quiets(&mut moves);
                    }
                    let (refutations, scores) = (self.refutations, hints.quiet_scores(position));
                    self.begin_stage(moves.iter(), |mv| unordered_order(position, mv, refutations, &scores));
                    self.stage = Stage::Unordered;
                }
                Stage::Unordered => match self.pick_best() {
                    Some(mv) if self.skips_quiets && !position.is_tactical(mv) => {}
                    Some(mv) => return Some(mv),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Skips all quiet moves from now on.
    pub fn skip_quiets(&mut self) {
        self.skips_quiets = true;
    }

    /// Whether the picker is at the captures that lose material.
    pub fn is_at_losing_captures(&self) -> bool {
        self.stage == Stage::LosingCaptures
    }

    /// Whether the move picked last keeps material by static exchange evaluation.
    pub fn keeps_material(&self, position: &Position, mv: Move) -> bool {
        match self.stage {
            Stage::GoodCaptures => true,
            Stage::LosingCaptures => false,
            _ => see_at_least(position, mv, 0),
        }
    }

    fn begin_stage<'a>(&mut self, moves: impl Iterator<Item = &'a Move>, order: impl Fn(Move) -> i32) {
        self.next = 0;
        self.scored.clear();
        for &mv in moves.filter(|&&mv| Some(mv) != self.hash_move) {
            self.scored.push(Scored { mv, score: order(mv) });
        }
    }

    fn begin_losing(&mut self) {
        self.next = 0;
        self.stage = Stage::LosingCaptures;
    }

    /// One step of a selection sort: most nodes need only the first few moves in order.
    fn pick_best(&mut self) -> Option<Move> {
        let (first, rest) = self.scored[self.next..].split_first_mut()?;
        let (mut place, mut best) = (None, first.score);
        for (index, scored) in rest.iter().enumerate() {
            if scored.score > best {
                (place, best) = (Some(index), scored.score);
            }
        }
        if let Some(place) = place {
            std::mem::swap(first, &mut rest[place]);
        }
        self.next += 1;
        Some(first.mv)
    }
}

/// MVV-LVA: most valuable victim first, least valuable attacker among equals; a promotion wins what it adds.
fn capture_order(position: &Position, mv: Move) -> i32 {
    let victim = position.captured_piece(mv).map_or(0, |piece| VICTIM_ORDER[piece as usize]);
    let promoted = match mv.promotion() {
        None => 0,
        Some(Piece::Queen) => VICTIM_ORDER[Piece::Queen as usize],
        // An underpromotion is hardly ever the point.
        Some(_) => -VICTIM_ORDER[Piece::Queen as usize],
    };
    let attacker = position.piece_on(mv.from()).map_or(0, |piece| piece as i32);
    (victim + promoted) * 8 - attacker
}

/// Order without capture ordering: captures stand among the quiet moves by square, since generation has them first,
/// after refutations and quiet moves with a good history score.
fn unordered_order(position: &Position, mv: Move, refutations: Refutations, scores: &QuietScores) -> i32 {
    const PER_SQUARE: i32 = 64;
    let by_square = -(mv.from() as i32);
    if refutations.contains(&Some(mv)) {
        return i32::MAX;
    }
    match position.is_tactical(mv) {
        true => by_square,
        false => scores.of(position, mv) * PER_SQUARE + by_square,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIONS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    fn pick_all(mut picker: MovePicker, position: &Position, techniques: Techniques) -> Vec<Move> {
        let history = History::new();
        std::iter::from_fn(|| {
            picker.next(position, Hints { techniques: &techniques, history: &history, previous: [None; 2] })
        })
        .collect()
    }

    fn with(capture_ordering: bool) -> Techniques {
        Techniques { capture_ordering, history: true, killers: true, ..Techniques::none() }
    }

    #[test]
    fn every_legal_move_comes_once_whatever_the_hints() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            let mut legal = MoveList::new();
            position.legal_moves(&mut legal);
            let mut expected: Vec<u16> = legal.iter().map(|mv| mv.raw()).collect();
            expected.sort_unstable();
            for ordered in [false, true] {
                for hash in &legal {
                    for refutations in
                        [[legal[0], hash, legal[0]], [legal[legal.len() - 1], legal[1], legal[2]]]
                    {
                        let picker = MovePicker::all(Some(hash), refutations.map(Some));
                        let picked = pick_all(picker, &position, with(ordered));
                        assert_eq!(picked[0], hash);
                        let mut raw: Vec<u16> = picked.iter().map(|mv| mv.raw()).collect();
                        raw.sort_unstable();
                        assert_eq!(raw, expected, "{fen} hash {hash:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn stages_stand_in_the_order_promised() {
        let position = Position::from_fen(POSITIONS[1]).unwrap();
        let killer = position.parse_uci("a2a4").unwrap();
        let picked = pick_all(MovePicker::all(None, [Some(killer), None, None]), &position, with(true));
        let place = |uci: &str| picked.iter().position(|&mv| mv == position.parse_uci(uci).unwrap()).unwrap();
        assert!(place("e2a6") < place("a2a4"), "a winning capture before the killer");
        assert!(place("a2a4") < place("e1g1"), "the killer before quiets");
        assert!(place("e1g1") < place("f3f6"), "quiets before a queen given for a knight");
    }

    #[test]
    fn quiescence_sees_captures_and_promotions_only() {
        let position = Position::from_fen(POSITIONS[1]).unwrap();
        for ordered in [false, true] {
            let picked = pick_all(MovePicker::tactical(None), &position, with(ordered));
            assert!(!picked.is_empty() && picked.iter().all(|&mv| position.is_tactical(mv)));
        }
    }
}
