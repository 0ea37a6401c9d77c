//! Lines of the output: how a game, a score and its figures are written, in fastchess's words and in cutechess-cli's.

use super::Dialect;
use super::engine::Engine;
use super::score::{Score, Strength};
use crate::game::clock::Overrun;
use crate::game::limit::{Period, TimeControl};
use crate::game::record::{GameRecord, GameResult, Termination};
use crate::statistics::{SprtBounds, Status, Verdict};
use std::path::Path;

/// Between two blocks of figures.
const RULE: &str = "--------------------------------------------------\n";

/// Narrowest column of names.
const NAMES: usize = 25;

/// A figure; what is none is `nan`, and what has no end `inf`.
pub fn figure(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "nan".to_owned();
    }
    let written = format!("{value:.decimals$}");
    // What rounds to zero has no sign.
    let is_zero = written.starts_with('-')
        && !written.contains(|digit: char| ('1'..='9').contains(&digit) || digit == 'f');
    if is_zero { written[1..].to_owned() } else { written }
}

/// Why a game ended, in fastchess's words.
pub fn reason(game: &GameRecord) -> String {
    let [winner, loser] = match game.result {
        GameResult::BlackWins => ["Black", "White"],
        GameResult::WhiteWins | GameResult::Draw => ["White", "Black"],
    };
    match game.termination {
        Termination::Checkmate => format!("{winner} mates"),
        Termination::Stalemate => "Draw by stalemate".to_owned(),
        Termination::Repetition => "Draw by 3-fold repetition".to_owned(),
        Termination::FiftyMoves => "Draw by fifty moves rule".to_owned(),
        Termination::InsufficientMaterial => "Draw by insufficient mating material".to_owned(),
        Termination::TimeForfeit => match Overrun::milliseconds_in(&game.detail) {
            Some(overrun) => format!("{loser} loses on time ({overrun}ms overrun)"),
            None => format!("{loser} loses on time"),
        },
        Termination::IllegalMove | Termination::NoMove => format!("{loser} makes an illegal move"),
        Termination::Crash => format!("{loser} disconnects"),
        Termination::Stall => format!("{loser}'s connection stalls"),
        Termination::Adjudication => {
            let by = if game.detail.contains("Syzygy") { ": SyzygyTB" } else { "" };
            match game.result {
                GameResult::Draw => format!("Draw by adjudication{by}"),
                _ => format!("{winner} wins by adjudication{by}"),
            }
        }
    }
}

/// What is printed of a fault before its game, on which fishtest's workers fail a test: a move that is not legal.
pub fn warning(game: &GameRecord, loser: &str) -> Option<String> {
    let played = match game.termination {
        Termination::IllegalMove => game.detail.split_whitespace().next().unwrap_or("<none>"),
        Termination::NoMove => "<none>",
        _ => return None,
    };
    Some(format!("Warning; Illegal move {played} played by {loser}\n"))
}

/// The line of the score, as cutechess-cli has it.
pub fn score_line([first, second]: [&str; 2], score: &Score) -> String {
    let games = score.games;
    format!(
        "Score of {first} vs {second}: {} - {} - {}  [{}] {}\n",
        games.wins,
        games.losses,
        games.draws,
        figure(score.mean(), 3),
        games.games()
    )
}

/// What stands in the heading of a block: limits, threads, tables and book of two engines.
pub fn surroundings(engines: [&Engine; 2], book: &Path) -> String {
    let both = |of: fn(&Engine) -> String| {
        let [first, second] = engines.map(of);
        if first == second { first } else { format!("{first} - {second}") }
    };
    let threads = |engine: &Engine| format!("{}t", engine.option("Threads").unwrap_or("1"));
    let hash = |engine: &Engine| format!("{}MB", engine.option("Hash").unwrap_or("16"));
    let book = book.file_name().unwrap_or_default().to_string_lossy();
    let book = if book.is_empty() { String::new() } else { format!(", {book}") };
    format!("{}, {}, {}{book}", both(limit), both(threads), both(hash))
}

/// A time control as it stands in output and tags: `40/90+0.5`; several periods have colons between them, as in PGN.
pub fn clock(control: TimeControl) -> String {
    let period = |Period { moves, base_ms, increment_ms }| {
        let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
        let increment = match increment_ms {
            0 => String::new(),
            milliseconds => format!("+{}", milliseconds as f64 / 1000.0),
        };
        format!("{moves}{}{increment}", base_ms as f64 / 1000.0)
    };
    control.periods().map(period).collect::<Vec<_>>().join(":")
}

fn limit(engine: &Engine) -> String {
    let limit = engine.limit;
    if let Some(control) = limit.tc {
        return clock(control);
    }
    if let Some(milliseconds) = limit.movetime {
        return format!("{}/move", milliseconds as f64 / 1000.0);
    }
    match (limit.depth, limit.nodes) {
        (Some(plies), _) => format!("{plies} plies"),
        (None, nodes) => format!("{} nodes", nodes.unwrap_or_default()),
    }
}

/// The figures of two engines and where their test stands.
pub fn block(
    (dialect, penta): (Dialect, bool),
    [first, second]: [&str; 2],
    surroundings: &str,
    score: &Score,
    test: Option<(&SprtBounds, &Status)>,
) -> String {
    let Strength { elo, elo_margin, nelo, nelo_margin, los } = score.strength(penta);
    let elo = format!("{} +/- {}", figure(elo, 2), figure(elo_margin, 2));
    let (los, draws) = (figure(100.0 * los, 2), figure(score.draw_percent(penta), 2));
    if dialect == Dialect::Cutechess {
        let test = test.map(|(_, status)| test_of_cutechess(status)).unwrap_or_default();
        return format!("Elo difference: {elo}, LOS: {los} %, DrawRatio: {draws} %\n{test}");
    }
    let games = score.games;
    let (pairs_ratio, ptnml) = match penta {
        false => Default::default(),
        true => (
            format!(", PairsRatio: {}", figure(score.pairs_ratio(), 2)),
            format!("Ptnml(0-2): {}, WL/DD Ratio: {}\n", ptnml(score), figure(score.exchanged_ratio(), 2)),
        ),
    };
    let test = test.map(|(bounds, status)| test_of_fastchess(bounds, status)).unwrap_or_default();
    format!(
        "{RULE}Results of {first} vs {second} ({surroundings}):\n\
         Elo: {elo}, nElo: {} +/- {}\n\
         LOS: {los} %, DrawRatio: {draws} %{pairs_ratio}\n\
         Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {} ({} %)\n\
         {ptnml}{test}{RULE}",
        figure(nelo, 2),
        figure(nelo_margin, 2),
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        figure(score.points(), 1),
        figure(100.0 * score.mean(), 2),
    )
}

/// The table of more than two engines, the strongest first.
pub fn ranking((dialect, penta): (Dialect, bool), engines: &[(&str, Score)]) -> String {
    let mut ranked: Vec<_> =
        engines.iter().map(|(name, score)| (*name, *score, score.strength(penta))).collect();
    // Those that have no figure stand last.
    ranked.sort_by(|(_, _, one), (_, _, other)| {
        let place = |elo: f64| if elo.is_nan() { f64::NEG_INFINITY } else { elo };
        place(other.elo).total_cmp(&place(one.elo))
    });
    let width = engines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max(NAMES);
    let with_pairs = dialect == Dialect::Fastchess;
    let head = ["Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"];
    let head: String = head.iter().map(|word| format!(" {word:>10}")).collect();
    let pairs = if with_pairs { format!(" {:>20}", "Ptnml(0-2)") } else { String::new() };
    let mut table = format!("{:<4} {:<width$}{head}{pairs}\n", "Rank", "Name");
    for (rank, (name, score, strength)) in (1..).zip(ranked) {
        let Strength { elo, elo_margin, nelo, nelo_margin, .. } = strength;
        let figures: String = [elo, elo_margin, nelo, nelo_margin]
            .iter()
            .map(|&value| format!(" {:>10}", figure(value, 2)))
            .collect();
        let percents: String = [100.0 * score.mean(), score.draw_percent(penta)]
            .iter()
            .map(|&value| format!(" {:>9}%", figure(value, 1)))
            .collect();
        let pairs = match with_pairs {
            true => format!(" {:>20}", if penta { ptnml(&score) } else { String::new() }),
            false => String::new(),
        };
        table += &format!("{rank:>4} {name:<width$}{figures} {:>10}{percents}{pairs}\n", score.games.games());
    }
    if with_pairs { format!("{RULE}{table}{RULE}") } else { table }
}

fn ptnml(score: &Score) -> String {
    format!("{:?}", score.pairs.0)
}

fn test_of_fastchess(bounds: &SprtBounds, status: &Status) -> String {
    let Status { llr, lower, upper, .. } = *status;
    let share = if llr >= 0.0 { llr / upper } else { -llr / lower };
    format!(
        "LLR: {} ({}%) ({}, {}) {}\n",
        figure(llr, 2),
        figure(100.0 * share, 1),
        figure(lower, 2),
        figure(upper, 2),
        hypotheses(bounds)
    )
}

/// `[0.00, 2.00]`.
pub fn hypotheses(bounds: &SprtBounds) -> String {
    format!("[{}, {}]", figure(bounds.elo0(), 2), figure(bounds.elo1(), 2))
}

/// The hypothesis that is accepted.
pub const fn accepted(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    }
}

fn test_of_cutechess(status: &Status) -> String {
    let Status { llr, lower, upper, verdict } = *status;
    let share = if llr < 0.0 { llr / lower } else { llr / upper };
    let verdict = verdict.map(|verdict| format!(" - {} was accepted", accepted(verdict))).unwrap_or_default();
    format!(
        "SPRT: llr {} ({}%), lbound {}, ubound {}{verdict}\n",
        figure(llr, 2),
        figure(100.0 * share, 1),
        figure(lower, 2),
        figure(upper, 2)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_no_sign_of_zero_and_a_word_where_there_is_none() {
        for (value, written) in [
            (-0.001, "0.00"),
            (0.0, "0.00"),
            (-0.009, "-0.01"),
            (f64::NAN, "nan"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (-10.0, "-10.00"),
        ] {
            assert_eq!(figure(value, 2), written, "{value}");
        }
    }

    #[test]
    fn limits_are_written_as_fastchess_does() {
        for (key, value, written) in [
            ("tc", "10+0.1", "10+0.1"),
            ("tc", "40/90", "40/90"),
            ("tc", "0.5+0.005", "0.5+0.005"),
            ("st", "0.2", "0.2/move"),
            ("nodes", "30", "30 nodes"),
            ("depth", "4", "4 plies"),
        ] {
            let mut engine = Engine::default();
            engine.set(key, value).unwrap();
            let shown = surroundings([&engine, &engine], Path::new("a/b.epd"));
            assert_eq!(shown, format!("{written}, 1t, 16MB, b.epd"));
        }
    }
}
