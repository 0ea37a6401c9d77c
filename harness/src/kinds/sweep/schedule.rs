//! Schedule of a sweep: which arm plays which opening under a number, what has been counted, and when it is enough.
//!
//! Pairs are dealt in blocks of equal length, each to one arm, which plays on through the openings where its last block
//! ended: the n-th pair of every arm has the n-th opening. Whoever gets block k is decided once block k-2 has been
//! counted, so that block k-1 keeps the threads busy meanwhile; nothing that comes later has a say. The n-th pair is
//! therefore the same for any number of threads and after any interruption. Each arm's test is looked at when one of
//! its blocks is complete.

use super::thompson::{Belief, top_two};
use crate::openings::stream::Stream;
use crate::run::tally::Tally;
use crate::statistics::elo::score_of_elo;
use crate::statistics::{Confidence, Interval, SprtBounds, Status, Verdict, elo};
use serde::{Deserialize, Serialize};

/// How many blocks are planned beyond the one that is being counted.
const BLOCKS_AHEAD: usize = 1;

/// How far from the base an arm is believed to be beforehand, in distances between the test's bounds. A third of it costs as
/// many pairs where arms differ as little as the bounds (simulated), and too many where they differ by more.
const PRIOR_WIDTH: f64 = 3.0;

/// Streams of random numbers of one seed: those before this one belong to the order of the openings.
const FIRST_STREAM: u64 = 1 << 40;

/// How the pairs are shared out among the arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// To those that may be better than the base, until one is shown to be.
    Find,
    /// Equally.
    Measure,
}

/// What decides the schedule, next to the counts.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How the pairs are shared out.
    pub mode: Mode,
    /// The test of each arm.
    pub test: SprtBounds,
    /// Pairs in a block.
    pub block: u64,
    /// Decides what is drawn.
    pub seed: u64,
    /// Openings that an arm may play; none if they come round again.
    pub openings: Option<u64>,
}

/// When to stop, next to a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Goal {
    /// After this many pairs of all arms together; where arms are measured, after the last whole round before.
    pub max_pairs: Option<u64>,
    /// Once every arm's 95 % margin is as small as this, Elo.
    pub margin: Option<f64>,
    /// Neither of the two before this many pairs: the run has been ended with so many.
    pub already: u64,
}

/// Where an arm stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArmState {
    /// Nothing is decided, or is to be.
    Open,
    /// Its test accepted H0: it gets no more pairs.
    Dropped,
    /// Its test accepted H1.
    Winner,
}

/// One arm's counts.
#[derive(Clone, Debug)]
pub struct ArmCounts {
    /// What was counted.
    pub tally: Tally,
    /// Where it stands.
    pub state: ArmState,
    /// Blocks it has been given, counted or not.
    blocks: u64,
}

impl ArmCounts {
    /// Its 95 % interval, as if the number of its pairs had been fixed; an exact one while all of them end alike.
    pub fn interval(&self) -> Interval {
        elo::interval(&self.tally.pairs.0, Confidence::DEFAULT)
    }
}

/// Why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// This arm is stronger than the base.
    Winner(usize),
    /// No arm is.
    AllDropped,
    /// Every arm is measured as well as was asked for.
    Margin,
    /// As many pairs were counted as were allowed.
    MaxPairs,
    /// No arm that is still open has openings left for another block.
    BookExhausted,
}

/// What is played under a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// This arm plays the opening of that number.
    Arm {
        /// Index of the arm.
        arm: usize,
        /// Number of the opening.
        opening: u64,
    },
    /// It depends on pairs that have not been counted yet.
    Undecided,
    /// Nothing, nor under any number after it.
    Nothing,
}

/// A block of pairs.
#[derive(Clone, Copy, Debug)]
struct Block {
    arm: usize,
    first_opening: u64,
}

/// The state of a sweep: a function of the rules and the outcomes counted so far.
#[derive(Clone, Debug)]
pub struct Schedule {
    rules: Rules,
    goal: Goal,
    arms: Vec<ArmCounts>,
    blocks: Vec<Block>,
    /// No block follows those planned.
    is_complete: bool,
    counted: u64,
    end: Option<End>,
}

impl Schedule {
    /// Nothing counted yet.
    pub fn new(rules: Rules, arms: usize, goal: Goal) -> Schedule {
        let arm = ArmCounts { tally: Tally::default(), state: ArmState::Open, blocks: 0 };
        let max_pairs = goal.max_pairs.map(|pairs| {
            let whole = match rules.mode {
                Mode::Find => pairs,
                Mode::Measure => pairs - pairs % (arms as u64 * rules.block),
            };
            whole.max(goal.already)
        });
        let mut schedule = Schedule {
            goal: Goal { max_pairs, ..goal },
            arms: vec![arm; arms],
            blocks: Vec::new(),
            is_complete: false,
            counted: 0,
            end: None,
            rules,
        };
        for _ in 0..=BLOCKS_AHEAD {
            schedule.plan();
        }
        schedule.end = schedule.end_without_verdict();
        schedule
    }

    /// The arms.
    pub fn arms(&self) -> &[ArmCounts] {
        &self.arms
    }

    /// Pairs counted.
    pub fn counted(&self) -> u64 {
        self.counted
    }

    /// Why it ended; none while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The test of an arm on what has been counted of it.
    pub fn status(&self, arm: usize) -> Status {
        let Tally { pairs, games, .. } = &self.arms[arm].tally;
        self.rules.test.evaluate(pairs, games)
    }

    /// What is played under this number. Once it is decided it stays.
    pub fn turn(&self, index: u64) -> Turn {
        match self.goal.max_pairs {
            Some(most) if index >= most => Turn::Nothing,
            _ => self.planned(index),
        }
    }

    /// The same if as many pairs as there are openings were allowed.
    fn planned(&self, index: u64) -> Turn {
        let block = usize::try_from(index / self.rules.block).ok().and_then(|block| self.blocks.get(block));
        match block {
            Some(&Block { arm, first_opening }) => {
                Turn::Arm { arm, opening: first_opening + index % self.rules.block }
            }
            None if self.is_complete => Turn::Nothing,
            None => Turn::Undecided,
        }
    }

    /// Counts the next pair: `add` adds it to its arm's counts. The arm is returned; none if nothing was to be counted.
    pub fn count(&mut self, add: impl FnOnce(&mut Tally)) -> Option<usize> {
        let Turn::Arm { arm, .. } = self.turn(self.counted) else { return None };
        add(&mut self.arms[arm].tally);
        self.counted += 1;
        if self.counted.is_multiple_of(self.rules.block) {
            self.end = self.look(arm);
            self.plan();
        }
        self.end = self.end.or_else(|| self.end_without_verdict());
        Some(arm)
    }

    /// After a block of this arm: has something been decided?
    fn look(&mut self, arm: usize) -> Option<End> {
        match self.rules.mode {
            Mode::Measure => self.is_measured().then_some(End::Margin),
            Mode::Find => {
                match self.status(arm).verdict {
                    Some(Verdict::H1) if self.arms[arm].state == ArmState::Open => {
                        self.arms[arm].state = ArmState::Winner;
                        return Some(End::Winner(arm));
                    }
                    Some(Verdict::H0) => self.arms[arm].state = ArmState::Dropped,
                    _ => {}
                }
                let is_dropped = |arm: &ArmCounts| arm.state == ArmState::Dropped;
                self.arms.iter().all(is_dropped).then_some(End::AllDropped)
            }
        }
    }

    /// Whether all arms have equally many pairs and margins that are small enough.
    fn is_measured(&self) -> bool {
        let Some(wanted) = self.goal.margin else { return false };
        let is_whole_round = self.counted.is_multiple_of(self.rules.block * self.arms.len() as u64);
        is_whole_round
            && self.counted >= self.goal.already
            && self.arms.iter().all(|arm| arm.interval().half_width() <= wanted)
    }

    fn end_without_verdict(&self) -> Option<End> {
        match (self.planned(self.counted), self.turn(self.counted)) {
            (Turn::Nothing, _) => Some(End::BookExhausted),
            (_, Turn::Nothing) => Some(End::MaxPairs),
            _ => None,
        }
    }

    /// Decides who gets the next block.
    fn plan(&mut self) {
        match self.next_arm() {
            Some(arm) if !self.is_complete => {
                let first_opening = self.arms[arm].blocks * self.rules.block;
                self.arms[arm].blocks += 1;
                self.blocks.push(Block { arm, first_opening });
            }
            _ => self.is_complete = true,
        }
    }

    fn next_arm(&self) -> Option<usize> {
        let Rules { mode, test, block, seed, openings } = &self.rules;
        let has_openings =
            |arm: &ArmCounts| openings.is_none_or(|openings| (arm.blocks + 1) * block <= openings);
        let eligible: Vec<usize> = (0..self.arms.len())
            .filter(|&arm| self.arms[arm].state == ArmState::Open && has_openings(&self.arms[arm]))
            .collect();
        match mode {
            Mode::Measure => {
                let next = self.blocks.len() % self.arms.len();
                eligible.contains(&next).then_some(next)
            }
            Mode::Find => {
                // First every arm is looked at once.
                if self.blocks.len() < self.arms.len() {
                    return eligible.contains(&self.blocks.len()).then_some(self.blocks.len());
                }
                let prior_deviation = PRIOR_WIDTH * (score_of_elo(test.elo1()) - score_of_elo(test.elo0()));
                let belief = |&arm: &usize| Belief::after(&self.arms[arm].tally.pairs, prior_deviation);
                let beliefs: Vec<_> = eligible.iter().map(belief).collect();
                let mut stream = Stream::new(*seed, FIRST_STREAM + self.blocks.len() as u64);
                top_two(&beliefs, &mut stream).map(|place| eligible[place])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::Model;
    use proptest::prelude::*;

    const BLOCK: u64 = 4;

    fn rules(mode: Mode, openings: Option<u64>) -> Rules {
        let test = SprtBounds::new(0.0, 100.0, 0.05, 0.05, Model::Logistic).unwrap().one_of(3);
        Rules { mode, test, block: BLOCK, seed: 1, openings }
    }

    fn unlimited(mode: Mode) -> Schedule {
        Schedule::new(rules(mode, None), 3, Goal::default())
    }

    /// Counts a pair of this score, if there is one to be counted.
    fn count(schedule: &mut Schedule, category: usize) {
        schedule.count(|tally| tally.pairs.0[category] += 1);
    }

    fn arm(schedule: &Schedule, index: u64) -> Option<usize> {
        match schedule.turn(index) {
            Turn::Arm { arm, .. } => Some(arm),
            Turn::Undecided | Turn::Nothing => None,
        }
    }

    proptest! {
        #[test]
        fn every_arm_plays_the_openings_in_their_order(outcomes in prop::collection::vec(0_usize..5, 0..400)) {
            for mode in [Mode::Find, Mode::Measure] {
                let mut schedule = unlimited(mode);
                let mut played = [0; 3];
                for &category in &outcomes {
                    if schedule.end().is_some() {
                        break;
                    }
                    let turn = schedule.turn(schedule.counted());
                    let Turn::Arm { arm, opening } = turn else { panic!("{turn:?}") };
                    prop_assert_eq!(opening, played[arm]);
                    played[arm] += 1;
                    count(&mut schedule, category);
                    prop_assert_eq!(schedule.turn(schedule.counted() - 1), turn, "what is decided stays");
                }
                let counted: Vec<_> = schedule.arms().iter().map(|arm| arm.tally.pairs.pairs()).collect();
                prop_assert_eq!(&counted, &played);
            }
        }

        #[test]
        fn the_block_before_has_no_say(
            outcomes in prop::collection::vec(1_usize..4, 40),
            others in prop::collection::vec(1_usize..4, BLOCK as usize),
            block in 1_u64..8,
        ) {
            let before = (block * BLOCK) as usize;
            let [mut ours, mut theirs] = [unlimited(Mode::Find), unlimited(Mode::Find)];
            for &category in &outcomes[..before] {
                count(&mut ours, category);
                count(&mut theirs, category);
            }
            let decided = arm(&ours, (block + 1) * BLOCK);
            prop_assert!(decided.is_some() || ours.end().is_some(), "one block is ready while another is counted");
            for (&category, &other) in outcomes[before..].iter().zip(&others) {
                count(&mut ours, category);
                count(&mut theirs, other);
            }
            prop_assert_eq!(arm(&ours, (block + 1) * BLOCK), decided);
            prop_assert_eq!(arm(&theirs, (block + 1) * BLOCK), decided);
        }
    }

    #[test]
    fn measuring_is_equal_and_ends_with_a_whole_round() {
        let goal = Goal { max_pairs: Some(3 * 2 * BLOCK + 7), ..Goal::default() };
        let mut schedule = Schedule::new(rules(Mode::Measure, None), 3, goal);
        while schedule.end().is_none() {
            let category = (schedule.counted() % 5) as usize;
            count(&mut schedule, category);
        }
        let counted: Vec<_> = schedule.arms().iter().map(|arm| arm.tally.pairs.pairs()).collect();
        assert_eq!((schedule.end(), counted), (Some(End::MaxPairs), vec![2 * BLOCK; 3]));
        assert_eq!(schedule.turn(schedule.counted()), Turn::Nothing);
    }

    #[test]
    fn measuring_ends_when_every_margin_is_small_enough() {
        let goal = Goal { margin: Some(60.0), ..Goal::default() };
        let mixed = |arm: usize, pair: u64| [2, 1, 3][(arm + pair as usize) % 3];
        // One arm draws every pair, one wins every pair: there the exact interval is looked at, and it takes longer.
        let alike = |arm: usize, pair: u64| if arm == 0 { mixed(arm, pair) } else { 2 * arm };
        let measured = |category: &dyn Fn(usize, u64) -> usize, goal| {
            let mut schedule = Schedule::new(rules(Mode::Measure, None), 3, goal);
            while schedule.end().is_none() {
                let Turn::Arm { arm, opening } = schedule.turn(schedule.counted()) else {
                    panic!("undecided")
                };
                count(&mut schedule, category(arm, opening));
            }
            assert_eq!(schedule.end(), Some(End::Margin));
            assert!(schedule.arms().iter().all(|arm| arm.interval().half_width() <= 60.0));
            assert!(schedule.counted().is_multiple_of(3 * BLOCK));
            schedule.counted()
        };
        let pairs = measured(&mixed, goal);
        assert!(pairs < measured(&alike, goal));
        // What has ended with more pairs does not end sooner when it is looked at again.
        let already = 2 * pairs;
        assert_eq!(measured(&mixed, Goal { already, ..goal }), already);
    }

    #[test]
    fn no_limit_ends_it_before_where_it_has_ended() {
        let goal = Goal { max_pairs: Some(5), already: 9, ..Goal::default() };
        let mut schedule = Schedule::new(rules(Mode::Find, None), 3, goal);
        while schedule.end().is_none() {
            count(&mut schedule, 2);
        }
        assert_eq!((schedule.end(), schedule.counted()), (Some(End::MaxPairs), 9));
    }

    #[test]
    fn a_winner_ends_it_and_losers_are_dropped() {
        let mut schedule = unlimited(Mode::Find);
        while schedule.end().is_none() {
            let category = if arm(&schedule, schedule.counted()) == Some(1) { 3 } else { 1 };
            count(&mut schedule, category);
        }
        assert_eq!(schedule.end(), Some(End::Winner(1)));
        assert_eq!(schedule.arms()[1].state, ArmState::Winner);

        let mut schedule = unlimited(Mode::Find);
        while schedule.end().is_none() {
            count(&mut schedule, 1);
        }
        assert_eq!(schedule.end(), Some(End::AllDropped));
        assert!(schedule.arms().iter().all(|arm| arm.state == ArmState::Dropped));
    }

    #[test]
    fn it_ends_with_the_book() {
        for mode in [Mode::Find, Mode::Measure] {
            let mut schedule = Schedule::new(rules(mode, Some(2 * BLOCK + 1)), 3, Goal::default());
            while schedule.end().is_none() {
                let category = 2 + (schedule.counted() % 2) as usize;
                count(&mut schedule, category);
            }
            let end = (schedule.end(), schedule.counted());
            assert_eq!(end, (Some(End::BookExhausted), 3 * 2 * BLOCK), "{mode:?}");
            assert_eq!(schedule.count(|_| panic!("nothing is left to count")), None);
            // Also if just so many pairs are allowed: more would not help.
            let goal = Goal { max_pairs: Some(schedule.counted()), ..Goal::default() };
            let mut limited = Schedule::new(rules(mode, Some(2 * BLOCK + 1)), 3, goal);
            while limited.end().is_none() {
                let category = 2 + (limited.counted() % 2) as usize;
                count(&mut limited, category);
            }
            assert_eq!(limited.end(), Some(End::BookExhausted), "{mode:?}");
        }
    }
}
