//! Match as lines that a person reads: the table of players, who scored what against whom, each pairing.

use super::contest::Match;
use super::summary::{BOOK_EXHAUSTED, MatchSummary, Pairing, Player};
use crate::kinds::spec::RunSummary;
use crate::report::conduct;
use crate::report::figures::{
    interval, level, percent, readable_rate, readable_seconds, signed, signed_with_margin,
};
use crate::report::head::Head;
use crate::report::lead::Lead;
use crate::report::telemetry::Unit;
use crate::run::faults::Faults;
use crate::statistics::ratings::Rating;
use crate::statistics::{Estimate, Interval, Trinomial};
use std::fmt::Write;

impl RunSummary for MatchSummary {
    fn games(&self) -> u64 {
        self.games
    }

    fn verdict(&self) -> &str {
        self.end
    }

    fn text(&self) -> String {
        let ranked = self.ranked();
        let Head { seed, threads, watched, .. } = &self.head;
        let mut text = format!(
            "{} · seed {seed} · {threads} thread{}\n\n{}\n",
            self.question,
            if *threads == 1 { "" } else { "s" },
            table(&self.standing_rows())
        );
        if ranked.len() > 2 {
            let _ = writeln!(text, "Points against each\n{}", table(&self.cross_table_rows()));
        }
        text += &self.pairings.iter().map(|pairing| self.pairing_lines(pairing)).collect::<String>();
        text += &conduct::lines(watched);
        let _ = write!(
            text,
            "Games {}{}\n{}",
            self.games,
            match self.end {
                BOOK_EXHAUSTED => ": every opening of the book has been played",
                "interrupted" => ": interrupted",
                _ => "",
            },
            self.head.effort_line()
        );
        text
    }
}

impl MatchSummary {
    pub(super) fn ranked(&self) -> Vec<&Player> {
        let mut ranked: Vec<&Player> = self.players.iter().collect();
        ranked.sort_by_key(|player| player.rank);
        ranked
    }

    /// The table of players by rank, its heading first.
    pub(super) fn standing_rows(&self) -> Vec<Vec<String>> {
        let elo = format!("Elo ({})", level(self.confidence));
        let head = ["#", "player", &elo, "points", "games", "+", "=", "-", "faults", "nodes/s", "depth"];
        let line = |player: &&Player| {
            let Trinomial { wins, draws, losses } = player.results;
            let rating = Rating { estimate: player.rating, bound: player.rating_bound };
            vec![
                player.rank.to_string(),
                player.named.name.clone(),
                rating_in_words(&rating),
                player.points.to_string(),
                player.games.to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
                player.faults.faults.to_string(),
                Unit::Whole.write(player.nodes_per_second),
                player.mean_depth.map_or("-".to_owned(), |depth| format!("{depth:.1}")),
            ]
        };
        std::iter::once(head.map(str::to_owned).to_vec()).chain(self.ranked().iter().map(line)).collect()
    }

    /// A row and a column for each player, by rank; the heading first.
    pub(super) fn cross_table_rows(&self) -> Vec<Vec<String>> {
        let ranked = self.ranked();
        // Numbered by line: players of the same strength share a rank.
        let columns = (1..=ranked.len()).map(|line| line.to_string());
        let head = [String::new(), String::new()].into_iter().chain(columns).collect();
        let row = |(line, player): (usize, &&Player)| {
            let cells = ranked.iter().map(|other| self.points(&player.named.name, &other.named.name));
            [line.to_string(), player.named.name.clone()].into_iter().chain(cells).collect()
        };
        std::iter::once(head).chain((1..).zip(&ranked).map(row)).collect()
    }

    /// The points of one player against another.
    fn points(&self, player: &str, other: &str) -> String {
        let of = |pairing: &Pairing| match (pairing.first == player, pairing.second == player) {
            (true, _) if pairing.second == other => Some(pairing.points),
            (_, true) if pairing.first == other => Some(pairing.lead.games as f64 - pairing.points),
            _ => None,
        };
        self.pairings.iter().find_map(of).map_or("·".to_owned(), |points| points.to_string())
    }

    /// A row for each pairing, the heading first.
    pub(super) fn pairing_rows(&self) -> Vec<Vec<String>> {
        let head = ["first", "second", "+", "=", "-", "pairs by score", "Elo", "nElo", "LOS"];
        let row = |Pairing { first, second, lead, .. }: &Pairing| {
            let [wins, draws, losses] = [lead.wins, lead.draws, lead.losses].map(|games| games.to_string());
            let figures = [
                format!("{:?}", lead.pentanomial.0),
                lead.text(),
                signed_with_margin(lead.nelo),
                percent(lead.los),
            ];
            [first.clone(), second.clone(), wins, draws, losses].into_iter().chain(figures).collect()
        };
        std::iter::once(head.map(str::to_owned).to_vec()).chain(self.pairings.iter().map(row)).collect()
    }

    /// Each player's faults by kind, the heading first.
    pub(super) fn fault_rows(&self) -> Vec<Vec<String>> {
        let kinds = Faults::default().named().map(|(name, _)| name.to_owned());
        let head = std::iter::once("player".to_owned()).chain(kinds).collect();
        let row = |player: &&Player| {
            let counts = player.faults.kinds.named().map(|(_, count)| count.to_string());
            std::iter::once(player.named.name.clone()).chain(counts).collect()
        };
        std::iter::once(head).chain(self.ranked().iter().map(row)).collect()
    }

    fn pairing_lines(&self, Pairing { first, second, lead, .. }: &Pairing) -> String {
        let Lead { wins, draws, losses, pentanomial, nelo, los, .. } = lead;
        format!(
            "{first} against {second}: +{wins} ={draws} -{losses}   pairs {:?}\n      Elo {} ({})   nElo {}   LOS {}\n",
            pentanomial.0,
            lead.text(),
            level(self.confidence),
            signed_with_margin(*nelo),
            percent(*los),
        )
    }
}

/// How a match stands, with what is left of it at `rate` games a second.
pub fn match_line(tournament: &Match, rate: f64) -> String {
    let ratings = tournament.ratings();
    let players = tournament.spec().players.iter().zip(&ratings);
    let players: Vec<_> =
        players.map(|(player, rating)| format!("{} {}", player.name(), rating_in_words(rating))).collect();
    let left = 2 * tournament.left().unwrap_or(0);
    format!(
        "{}   {} games   {}   {left} games left ({})",
        players.join(", "),
        2 * tournament.counted(),
        readable_rate(rate),
        readable_seconds(left as f64 / rate)
    )
}

/// `+31.0 ± 12.5`, `0` for the player that is the zero of the scale, `> +316.6` where there is only a bound, the interval where
/// there is nothing else.
fn rating_in_words(rating: &Rating) -> String {
    match rating {
        Rating { estimate: Some(Estimate { margin: 0.0, .. }), .. } => "0".to_owned(),
        Rating { bound: Some(ends @ Interval { low: Some(_), high: Some(_) }), .. } => interval(*ends),
        Rating { bound: Some(Interval { low: Some(low), .. }), .. } => format!("> {}", signed(*low)),
        Rating { bound: Some(Interval { high: Some(high), .. }), .. } => format!("< {}", signed(*high)),
        Rating { estimate, .. } => signed_with_margin(*estimate),
    }
}

/// Rows of cells in columns: the second, which has the names, to the left, all others to the right.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let lengths = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        lengths.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| match column {
            1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    text
}
