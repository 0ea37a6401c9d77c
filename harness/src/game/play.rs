//! One game from its opening to its result. Asks the players in turn, lets the referee and the clocks decide, and writes
//! the record. Whatever a player does ends in a result with its evidence.

use super::adjudication::{Adjudication, Adjudicator, Ply};
use super::clock::MARGIN;
use super::details::{self, Details};
use super::fen::fen_of;
use super::limit::Limit;
use super::record::{GameRecord, GameResult, MoveRecord, Side, Telemetry, Termination};
use super::referee::{Ending, Referee};
use super::syzygy::Tables;
use super::timing::Timing;
use crate::game::opening::Opening;
use crate::game::player::{Fault, Player, Question};
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Color, Position};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A game played to its end.
#[derive(Clone, Debug)]
pub struct Played {
    /// What is kept of it.
    pub record: GameRecord,
    /// The time spent waiting for the players' answers.
    pub search_time: Duration,
}

/// The game was stopped and leaves no record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cancelled {
    /// Why no further game can be played; none if this one was stopped from outside.
    pub cause: Option<String>,
    /// The time spent waiting for the players' answers until then.
    pub search_time: Duration,
}

/// What ends a game besides the rules of chess.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How long each player may think.
    pub limit: Limit,
    /// What base and candidate have instead.
    pub own: [OwnTerms; 2],
    /// How late an answer may come before it counts as late.
    pub margin: Duration,
    /// What else ends it.
    pub adjudication: Adjudication,
    /// The tables that end it, open; none if there is no such rule.
    pub tables: Option<Arc<Tables>>,
    /// Whether details are kept of every game.
    pub details: bool,
}

/// What one player has instead of the terms for both.
#[derive(Clone, Copy, Debug, Default)]
pub struct OwnTerms {
    /// How long it may think.
    pub limit: Option<Limit>,
    /// How late its answers may come.
    pub margin: Option<Duration>,
}

impl From<Limit> for Terms {
    /// Every game is played to its end.
    fn from(limit: Limit) -> Terms {
        let adjudication = Adjudication::default();
        let own = [OwnTerms::default(); 2];
        Terms { limit, own, margin: MARGIN, adjudication, tables: None, details: false }
    }
}

/// Plays one game. `white` says who has White; `stop` ends the game without a result.
///
/// # Errors
///
/// The game was stopped.
pub fn play_game(
    opening: &Opening,
    white: Side,
    base: &mut dyn Player,
    candidate: &mut dyn Player,
    terms: impl Into<Terms>,
    stop: &AtomicBool,
) -> Result<Played, Cancelled> {
    let Terms { limit, own, margin, adjudication, tables, details } = terms.into();
    let [of_base, of_candidate] = own.map(|own| (own.limit.unwrap_or(limit), own.margin.unwrap_or(margin)));
    let players: ByColor<&mut dyn Player> = match white {
        Side::Base => ByColor { white: &mut *base, black: &mut *candidate },
        Side::Candidate => ByColor { white: &mut *candidate, black: &mut *base },
    };
    let terms = match white {
        Side::Base => ByColor { white: of_base, black: of_candidate },
        Side::Candidate => ByColor { white: of_candidate, black: of_base },
    };
    let mut game = Game {
        referee: Referee::new(opening.position()),
        timing: Timing::new(terms),
        adjudicator: Adjudicator::new(adjudication),
        tables,
        moves: Vec::new(),
        records: Vec::new(),
        details: details.then(|| Details { begun: details::now(), ..Details::default() }),
        search_time: Duration::ZERO,
    };
    let (result, termination, detail) = match game.play(opening, players, stop) {
        Ok((Ending { result, termination }, detail)) => (result, termination, detail),
        Err(Interruption::Forfeit { loser, termination, detail }) => {
            (GameResult::win_for(!loser), termination, detail)
        }
        Err(Interruption::Cancelled(cause)) => {
            return Err(Cancelled { cause, search_time: game.search_time });
        }
    };
    let details = game.details.map(|details| Details {
        ended: details::now(),
        base: base.engine_name(),
        candidate: candidate.engine_name(),
        ..details
    });
    let record = GameRecord {
        opening: opening.fen.clone(),
        white,
        moves: game.records,
        result,
        termination,
        detail,
        telemetry: Telemetry { base: base.counters(), candidate: candidate.counters() },
        details,
    };
    Ok(Played { record, search_time: game.search_time })
}

/// A game in progress.
struct Game {
    referee: Referee,
    timing: Timing,
    adjudicator: Adjudicator,
    tables: Option<Arc<Tables>>,
    moves: Vec<UciMove>,
    records: Vec<MoveRecord>,
    details: Option<Details>,
    search_time: Duration,
}

/// Why a game ended before the rules ended it.
enum Interruption {
    Forfeit {
        loser: Color,
        termination: Termination,
        detail: String,
    },
    /// With the reason why no further game can be played, if that is it.
    Cancelled(Option<String>),
}

impl Interruption {
    fn by(loser: Color, fault: Fault) -> Interruption {
        let (termination, detail) = match fault {
            Fault::Crash(evidence) => (Termination::Crash, evidence),
            Fault::Stall(evidence) => (Termination::Stall, evidence),
            Fault::Late(evidence) => (Termination::TimeForfeit, evidence),
            Fault::Unreadable(evidence) => (Termination::IllegalMove, evidence),
            Fault::NoMove(evidence) => (Termination::NoMove, evidence),
            Fault::Cancelled => return Interruption::Cancelled(None),
            Fault::Gone(cause) => return Interruption::Cancelled(Some(cause)),
        };
        Interruption::Forfeit { loser, termination, detail }
    }
}

impl Game {
    /// Plays to the end, which comes with its evidence if it is not the rules of chess that explain it.
    fn play(
        &mut self,
        opening: &Opening,
        mut players: ByColor<&mut dyn Player>,
        stop: &AtomicBool,
    ) -> Result<(Ending, String), Interruption> {
        for color in [Color::White, Color::Black] {
            players[color].new_game(opening, stop).map_err(|fault| Interruption::by(color, fault))?;
        }
        loop {
            let turn = self.referee.turn();
            let number = self.referee.position().fullmoves().get();
            self.ply(turn, &mut *players[turn], stop)?;
            if let Some(ending) = self.referee.ending() {
                return Ok((ending, String::new()));
            }
            if let Some(known) = self.known_ending()? {
                return Ok(known);
            }
            let score = self.records.last().and_then(|played| played.score);
            let is_zeroing = self.referee.position().halfmoves() == 0;
            if let Some(adjudicated) = self.adjudicator.after(Ply { mover: turn, score, is_zeroing, number })
            {
                return Ok(adjudicated);
            }
        }
    }

    /// How the tables say that the game will end.
    fn known_ending(&self) -> Result<Option<(Ending, String)>, Interruption> {
        let Some(tables) = &self.tables else { return Ok(None) };
        let result = tables.result(self.referee.position());
        let result = result.map_err(|cause| Interruption::Cancelled(Some(cause)))?;
        Ok(result.map(|result| {
            let known = match result {
                GameResult::WhiteWins => "White wins",
                GameResult::BlackWins => "Black wins",
                GameResult::Draw => "nobody wins",
            };
            let ending = Ending { result, termination: Termination::Adjudication };
            (ending, format!("{known} by the Syzygy tables"))
        }))
    }

    /// One player's move, from the question to the record.
    fn ply(&mut self, turn: Color, player: &mut dyn Player, stop: &AtomicBool) -> Result<(), Interruption> {
        let limit = self.timing.limit(turn);
        let (margin, details) = (self.timing.margin(turn), self.details.is_some());
        let question = Question { moves: &self.moves, limit, margin, details, stop };
        let begun = Instant::now();
        let answer = player.answer(&question);
        let used = begun.elapsed();
        self.search_time += used;
        // An answer given while stopping may be cut short, and must not count.
        if stop.load(Ordering::Relaxed) {
            return Err(Interruption::Cancelled(None));
        }
        let answer = answer.map_err(|fault| match fault {
            Fault::Unreadable(evidence) => {
                let fen = fen_of(self.referee.position());
                Interruption::by(
                    turn,
                    Fault::Unreadable(format!("{evidence}, which is no move in UCI's notation, in {fen}")),
                )
            }
            fault => Interruption::by(turn, fault),
        })?;

        let forfeit = |termination, detail| Interruption::Forfeit { loser: turn, termination, detail };
        self.timing.spend(turn, used).map_err(|overrun| {
            forfeit(Termination::TimeForfeit, format!("{overrun}, and then answered {}", answer.best))
        })?;
        if answer.best.is_null() {
            return Err(forfeit(Termination::NoMove, format!("answered {} as its move", answer.best)));
        }
        let uci = self
            .referee
            .play(answer.best)
            .map_err(|illegal| forfeit(Termination::IllegalMove, illegal.to_string()))?;

        self.moves.push(uci);
        self.records.push(MoveRecord {
            uci,
            score: answer.score,
            depth: answer.depth,
            nodes: answer.nodes,
            micros: u64::try_from(used.as_micros()).unwrap_or(u64::MAX),
            own_ms: answer.own_ms,
        });
        if let Some(details) = &mut self.details {
            details.moves.push(player.details());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::{Clocks, MoveLimit};
    use crate::game::player::Answer;
    use crate::game::record::Score;
    use std::thread::sleep;

    /// A player that does what its script says, step by step.
    struct Scripted<'a> {
        steps: Vec<Step<'a>>,
        asked: Vec<MoveLimit>,
        seen: Vec<UciMove>,
    }

    #[derive(Clone)]
    enum Step<'a> {
        Move(&'a str),
        After(Duration, &'a str),
        Fault(Fault),
        SetStopAndMove(&'a str),
    }

    fn script(moves: &str) -> Scripted<'_> {
        steps(moves.split_whitespace().map(Step::Move).collect())
    }

    fn steps(mut steps: Vec<Step<'_>>) -> Scripted<'_> {
        steps.reverse();
        Scripted { steps, asked: Vec::new(), seen: Vec::new() }
    }

    impl Player for Scripted<'_> {
        fn new_game(&mut self, _: &Opening, _: &AtomicBool) -> Result<(), Fault> {
            Ok(())
        }

        fn answer(&mut self, question: &Question) -> Result<Answer, Fault> {
            self.asked.push(question.limit);
            self.seen = question.moves.to_vec();
            let uci = match self.steps.pop().expect("the script is long enough") {
                Step::Move(uci) => uci,
                Step::After(time, uci) => {
                    sleep(time);
                    uci
                }
                Step::Fault(fault) => return Err(fault),
                Step::SetStopAndMove(uci) => {
                    question.stop.store(true, Ordering::Relaxed);
                    uci
                }
            };
            let score = Some(Score::Centipawns(7));
            Ok(Answer { best: uci.parse().unwrap(), score, depth: 3, nodes: 100, own_ms: None })
        }
    }

    struct Unstartable;

    impl Player for Unstartable {
        fn new_game(&mut self, _: &Opening, _: &AtomicBool) -> Result<(), Fault> {
            Err(Fault::Crash("exit status 1".to_owned()))
        }
        fn answer(&mut self, _: &Question) -> Result<Answer, Fault> {
            unreachable!("it never started")
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn start() -> Opening {
        Opening::parse(START, 1).unwrap()
    }

    /// The candidate has White.
    fn play(candidate: &mut dyn Player, base: &mut dyn Player, limit: Limit) -> Result<Played, Cancelled> {
        play_game(&start(), Side::Candidate, base, candidate, limit, &AtomicBool::new(false))
    }

    fn record(candidate: &mut dyn Player, base: &mut dyn Player, limit: Limit) -> GameRecord {
        play(candidate, base, limit).unwrap().record
    }

    #[test]
    fn a_whole_game_is_recorded() {
        let (mut candidate, mut base) = (script("f2f3 g2g4"), script("e7e5 d8h4"));
        let played = play(&mut candidate, &mut base, Limit::nodes(100)).unwrap();
        let record = played.record;
        assert_eq!(
            (record.result, record.termination, record.detail.as_str()),
            (GameResult::BlackWins, Termination::Checkmate, "")
        );
        assert_eq!((record.opening.as_str(), record.white), (START, Side::Candidate));
        assert_eq!(record.candidate_half_points(), 0);
        let moves: Vec<_> = record.moves.iter().map(|record| record.uci.to_string()).collect();
        assert_eq!(moves, ["f2f3", "e7e5", "g2g4", "d8h4"]);
        assert!(record.moves.iter().all(|m| m.depth == 3 && m.nodes == 100 && m.score.is_some()));
        let micros: u64 = record.moves.iter().map(|m| m.micros).sum();
        assert!(u128::from(micros) <= played.search_time.as_micros());
        assert_eq!(base.asked, [MoveLimit { nodes: Some(100), ..MoveLimit::default() }; 2]);
        assert_eq!(base.seen.len(), 3);
    }

    #[test]
    fn white_may_be_either_side_and_black_may_begin() {
        let opening = Opening::parse("K7/8/1k6/8/8/8/8/7r b - - 0 1", 1).unwrap();
        let (mut base, mut candidate) = (script(""), script("h1h8"));
        let stop = AtomicBool::new(false);
        let played =
            play_game(&opening, Side::Base, &mut base, &mut candidate, Limit::depth(1), &stop).unwrap();
        assert_eq!(played.record.result, GameResult::BlackWins);
        assert_eq!(played.record.candidate_half_points(), 2);
        assert_eq!(
            (base.asked, candidate.asked),
            (vec![], vec![MoveLimit { depth: Some(1), ..MoveLimit::default() }])
        );
    }

    #[test]
    fn a_game_may_end_by_the_players_scores() {
        let adjudication = Adjudication { draw: Some("7,1,1".parse().unwrap()), ..Adjudication::default() };
        let terms = Terms { adjudication, ..Terms::from(Limit::nodes(1)) };
        let (mut base, mut candidate) = (script("g8f6"), script("g1f3"));
        let stop = AtomicBool::new(false);
        let played =
            play_game(&start(), Side::Candidate, &mut base, &mut candidate, terms.clone(), &stop).unwrap();
        let record = played.record;
        assert_eq!((record.result, record.termination), (GameResult::Draw, Termination::Adjudication));
        assert!(record.detail.contains("level within 7 centipawns"), "{record:?}");
        // A mate is a mate, whatever was thought of it.
        let (mut base, mut candidate) = (script("e7e5 d8h4"), script("f2f3 g2g4"));
        let adjudication = Adjudication { max_moves: Some(2), ..Adjudication::default() };
        let terms = Terms { adjudication, ..terms };
        let played = play_game(&start(), Side::Candidate, &mut base, &mut candidate, terms, &stop).unwrap();
        assert_eq!(played.record.termination, Termination::Checkmate);
    }

    #[test]
    fn castling_is_handed_on_as_the_variant_writes_it() {
        let opening = Opening::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 1).unwrap();
        let (mut white, mut black) =
            (script("e1h1 a1a8"), steps(vec![Step::Move("h8f8"), Step::Fault(Fault::NoMove("none".into()))]));
        let limit = Limit::depth(1);
        let stop = AtomicBool::new(false);
        let record = play_game(&opening, Side::Base, &mut white, &mut black, limit, &stop).unwrap().record;
        assert_eq!(black.seen[0].to_string(), "e1g1");
        assert_eq!(record.moves[0].uci.to_string(), "e1g1");
        assert_eq!((record.termination, record.detail.as_str()), (Termination::NoMove, "none"));
    }

    #[test]
    fn an_illegal_move_loses_with_the_move_and_the_position() {
        let record = record(&mut script("e2e4"), &mut script("e7e4"), Limit::nodes(1));
        assert_eq!((record.result, record.termination), (GameResult::WhiteWins, Termination::IllegalMove));
        assert_eq!(
            record.detail,
            "e7e4 is not legal in rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
        );
        assert_eq!(record.moves.len(), 1, "only legal moves are recorded");
    }

    #[test]
    fn every_fault_is_a_loss_with_its_evidence() {
        let text = || "the evidence".to_owned();
        for (fault, termination) in [
            (Fault::Crash(text()), Termination::Crash),
            (Fault::Stall(text()), Termination::Stall),
            (Fault::Late(text()), Termination::TimeForfeit),
            (Fault::Unreadable(text()), Termination::IllegalMove),
            (Fault::NoMove(text()), Termination::NoMove),
        ] {
            let mut candidate = steps(vec![Step::Move("e2e4"), Step::Fault(fault)]);
            let record = record(&mut candidate, &mut script("e7e5"), Limit::nodes(1));
            assert_eq!((record.result, record.termination), (GameResult::BlackWins, termination));
            assert!(record.detail.starts_with(&text()), "{record:?}");
            assert_eq!(record.moves.len(), 2);
        }
        let null = record(&mut script("0000"), &mut script(""), Limit::nodes(1));
        assert_eq!(
            (null.result, null.termination, null.detail.as_str()),
            (GameResult::BlackWins, Termination::NoMove, "answered 0000 as its move")
        );
    }

    #[test]
    fn a_player_that_cannot_start_loses() {
        let record = record(&mut script(""), &mut Unstartable, Limit::nodes(1));
        assert_eq!((record.result, record.termination), (GameResult::WhiteWins, Termination::Crash));
        assert_eq!((record.detail.as_str(), record.moves.len()), ("exit status 1", 0));
    }

    #[test]
    fn a_cancelled_game_leaves_no_record() {
        for (fault, cause) in [(Fault::Cancelled, None), (Fault::Gone("why".into()), Some("why".to_owned()))]
        {
            let mut told = steps(vec![Step::Fault(fault)]);
            let cancelled = play(&mut told, &mut script(""), Limit::nodes(1)).unwrap_err();
            assert_eq!(cancelled.cause, cause);
        }
        // The last answer mates, but it may have been cut short.
        let mut base = steps(vec![Step::Move("e7e5"), Step::SetStopAndMove("d8h4")]);
        assert!(play(&mut script("f2f3 g2g4"), &mut base, Limit::nodes(1)).is_err());
    }

    #[test]
    fn a_fallen_flag_loses_and_the_late_move_is_not_played() {
        let late = || steps(vec![Step::After(Duration::from_millis(130), "e2e4")]);
        for limit in [Limit::movetime(10), Limit::tc("0.01".parse().unwrap())] {
            let record = record(&mut late(), &mut script(""), limit);
            assert_eq!(
                (record.result, record.termination),
                (GameResult::BlackWins, Termination::TimeForfeit)
            );
            assert!(record.moves.is_empty());
            assert!(
                record.detail.contains("past the margin of 0.100 s, and then answered e2e4"),
                "{record:?}"
            );
        }
        let record =
            record(&mut late(), &mut steps(vec![Step::Fault(Fault::Crash(String::new()))]), Limit::nodes(1));
        assert_eq!(record.termination, Termination::Crash, "without a clock nobody is late");
    }

    #[test]
    fn both_clocks_are_told() {
        let mut base = steps(vec![Step::After(Duration::from_millis(20), "e7e5"), Step::Move("d8h4")]);
        let mut candidate = script("f2f3 g2g4");
        record(&mut candidate, &mut base, Limit::tc("2/10+1".parse().unwrap()));
        let first = candidate.asked[0].clocks.unwrap();
        assert_eq!(
            first,
            Clocks {
                white_ms: 11_000,
                black_ms: 11_000,
                white_increment_ms: 1000,
                black_increment_ms: 1000,
                moves_to_go: Some(2)
            }
        );
        let last = base.asked[1].clocks.unwrap();
        assert!((11_000..=11_980).contains(&last.black_ms), "{last:?}");
        assert!(last.white_ms > 20_000, "White has made its control: {last:?}");
        assert_eq!(last.moves_to_go, Some(1));
    }

    #[test]
    fn each_may_have_limits_of_its_own_and_several_at_once() {
        let (mut base, mut candidate) = (script("e7e5 d8h4"), script("f2f3 g2g4"));
        let clock = Limit { depth: Some(9), ..Limit::tc("10+1".parse().unwrap()) };
        let terms = Terms {
            own: [OwnTerms { limit: Some(clock), margin: None }, OwnTerms::default()],
            ..Terms::from(Limit::nodes(7))
        };
        let stop = AtomicBool::new(false);
        play_game(&start(), Side::Candidate, &mut base, &mut candidate, terms, &stop).unwrap();
        assert_eq!(candidate.asked[0], MoveLimit { nodes: Some(7), ..MoveLimit::default() });
        let asked = base.asked[0];
        assert_eq!((asked.depth, asked.nodes), (Some(9), None));
        let clocks = asked.clocks.unwrap();
        assert_eq!((clocks.white_ms, clocks.black_ms), (11_000, 11_000), "White has no clock of its own");
    }

    #[test]
    fn the_margin_is_what_was_asked_for() {
        let late = || steps(vec![Step::After(Duration::from_millis(60), "f2f3")]);
        for (margin, termination) in [(10, Termination::TimeForfeit), (60_000, Termination::Crash)] {
            let terms = Terms { margin: Duration::from_millis(margin), ..Terms::from(Limit::movetime(10)) };
            let stop = AtomicBool::new(false);
            let mut base = steps(vec![Step::Fault(Fault::Crash(String::new()))]);
            let played = play_game(&start(), Side::Candidate, &mut base, &mut late(), terms, &stop).unwrap();
            assert_eq!(played.record.termination, termination);
        }
    }
}
