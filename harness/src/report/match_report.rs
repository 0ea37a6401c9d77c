//! The report of a match: who is how strong, who scored what against whom, and what happened in the games?

use super::conduct;
use super::document::{Document, Part};
use super::figures::level;
use super::games::side_by_side;
use super::origin::{self, every_value, identity, options_of, origin, own_limits_of};
use super::report_of::Report;
use super::shell_word;
use super::stored_match::StoredMatch;
use super::stored_run::NotRead;
use super::summary::readable_seconds;
use super::svg::Chart;
use super::tournament::Pairing;
use crate::experiment::PlayerSpec;
use crate::run::tournament::Format;
use crate::statistics::elo::{interval, shown_stronger};
use crate::statistics::{Confidence, Interval};
use crate::store::{RunInfo, Store};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// The report of a stored match.
///
/// # Errors
/// See [`StoredMatch::read`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let run = StoredMatch::read(store, info)?;
    Ok(Report { document: document(&run), json: as_json(&run)? })
}

/// What `harness match --json` prints, and what else is in a report.
///
/// # Errors
/// A figure that is no number; there is none.
pub fn as_json(run: &StoredMatch) -> serde_json::Result<Map<String, Value>> {
    let mut json = origin::as_json(&run.summary, &run.info, &run.sessions)?;
    let telemetry = run.spec.players.iter().zip(&run.searches);
    let telemetry = telemetry.map(|(player, search)| (player.name().to_owned(), search.as_json()));
    let more = [
        ("verdict_in_words", json!(answer(run))),
        ("endings", run.games.endings_as_json()),
        ("faults", json!(faults(run))),
        ("telemetry", telemetry.collect::<Map<_, _>>().into()),
        ("command", json!(command(run))),
    ];
    json.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(json)
}

fn document(run: &StoredMatch) -> Document {
    let summary = &run.summary;
    let players: Vec<_> = run.spec.players.iter().map(|player| ("player", player)).collect();
    let mut parts = vec![
        Part::Heading("Standing"),
        table(summary.standing_rows()),
        Part::Pictures { charts: summary.ratings_chart().into_iter().collect(), letters: String::new() },
        Part::Heading("Points against each"),
        table(summary.cross_table_rows()),
        Part::Heading("Pairings, from the side of the first"),
        table(summary.pairing_rows()),
        Part::Pictures { charts: summary.pairings_charts(), letters: summary.pairings_in_letters() },
        Part::Text(summary.pairings_left_out()),
        Part::Heading("How the games ended"),
        run.games.endings_table(first(run)),
        Part::Text(mean_length(run)),
        Part::Pictures { charts: run.games.lengths_chart().into_iter().collect(), letters: String::new() },
        Part::Heading("What the searches did"),
        Part::Text(missing_telemetry(run)),
        telemetry_table(run),
        Part::Pictures { charts: depths_chart(run).into_iter().collect(), letters: String::new() },
        Part::Heading("Faults"),
        table(summary.fault_rows()),
        Part::Text(conduct::lines(&summary.watched).trim_end().replace('\n', "; ")),
        run.games.part_of_faults(faults(run)),
        Part::Heading("How to play it again"),
        Part::Code(command(run)),
        Part::Facts(identity(&players, &run.spec.conditions, &run.info, &run.sessions)),
    ];
    parts.extend(run.spec.players.iter().map(every_value));
    Document {
        title: run.info.question.clone(),
        question: question(run),
        origin: origin(&run.info),
        answer: answer(run),
        parts,
    }
}

/// What was asked, a sentence.
fn question(run: &StoredMatch) -> String {
    let (spec, limit) = (&run.spec, run.spec.conditions.limit);
    let labels: Vec<_> = spec.players.iter().map(PlayerSpec::label).collect();
    match (spec.format, &labels[..]) {
        (_, [one, other]) => format!("How strong is {one} against {other} at {limit}?"),
        (Format::Gauntlet, [first, others @ ..]) => {
            format!("How strong is {first} against each of {} at {limit}?", others.join(", "))
        }
        (_, all) => format!("How strong are {} against each other at {limit}?", all.join(", ")),
    }
}

/// Who is ahead of whom, and after how many games.
fn answer(run: &StoredMatch) -> String {
    let summary = &run.summary;
    let lead = match &summary.pairings[..] {
        [only] => lead_in_words(only),
        _ => leaders_in_words(run),
    };
    format!(
        "{lead} after {} games ({}) in {} on {} thread{}{}",
        summary.games,
        summary.end,
        readable_seconds(summary.seconds),
        summary.threads,
        if summary.threads == 1 { "" } else { "s" },
        conduct::caveat(&summary.watched)
    )
}

/// What the games of two players show of their strength.
fn lead_in_words(pairing: &Pairing) -> String {
    let Pairing { first, second, pentanomial, .. } = pairing;
    let lead = format!("{} Elo ({})", pairing.lead(), level(Confidence::DEFAULT));
    let is_level =
        |ends: Interval| ends.low.is_none_or(|low| low <= 0.0) && ends.high.is_none_or(|high| high >= 0.0);
    match shown_stronger(&pentanomial.0, Confidence::DEFAULT) {
        _ if pentanomial.pairs() == 0 => format!("Nothing is known of {first} and {second}"),
        Some(Ordering::Greater) => format!("{first} is stronger than {second}, {lead}"),
        Some(_) => format!("{first} is weaker than {second}, {lead}"),
        None if is_level(interval(&pentanomial.0, Confidence::DEFAULT)) => {
            format!("Neither of {first} and {second} is shown to be stronger, {lead}")
        }
        None => format!(
            "Neither of {first} and {second} is shown to be stronger, for {} pairs are too few, {lead}",
            pentanomial.pairs()
        ),
    }
}

/// Who of three or more players may be the strongest.
fn leaders_in_words(run: &StoredMatch) -> String {
    let summary = &run.summary;
    let names = |players: &[usize], last: &str| {
        let names: Vec<_> =
            players.iter().map(|&player| summary.players[player].named.name.as_str()).collect();
        match &names[..] {
            [first @ .., only] if !first.is_empty() => format!("{} {last} {only}", first.join(", ")),
            _ => names.join(", "),
        }
    };
    let mut by_rank: Vec<usize> = (0..summary.players.len()).collect();
    by_rank.sort_by_key(|&player| summary.players[player].rank);
    if summary.games == 0 {
        return format!("Nothing is known of {}", names(&by_rank, "and"));
    }
    let contenders = run.contenders(by_rank[0]);
    let (leading, behind): (Vec<usize>, Vec<usize>) =
        by_rank.iter().partition(|player| contenders.contains(player));
    let level = level(summary.confidence);
    match (&leading[..], &behind[..]) {
        (all, []) => format!("None of {} is shown to be the strongest ({level})", names(all, "and")),
        ([first], others) => format!(
            "{} is stronger than each of {} ({level} for all together)",
            names(&[*first], "and"),
            names(others, "and")
        ),
        ([one, other], _) => format!("Either {} is the strongest ({level})", names(&[*one, *other], "or")),
        (several, _) => format!("One of {} is the strongest ({level})", names(several, "and")),
    }
}

/// Whose wins the endings are counted by.
fn first(run: &StoredMatch) -> &str {
    match &run.summary.pairings[..] {
        [only] => &only.first,
        _ => "the first of a pairing",
    }
}

fn mean_length(run: &StoredMatch) -> String {
    let mean = run.games.mean_length();
    mean.map_or(String::new(), |mean| format!("A game had {mean:.1} plies on average."))
}

/// The search of every player.
fn telemetry_table(run: &StoredMatch) -> Part {
    let names = run.spec.players.iter().map(|player| player.name().to_owned());
    let head = std::iter::once(String::new()).chain(names).collect();
    Part::Table { head, rows: side_by_side(&run.searches.iter().collect::<Vec<_>>()) }
}

/// How deep the searches of two players came.
fn depths_chart(run: &StoredMatch) -> Option<Chart> {
    match &run.summary.pairings[..] {
        [only] => run.games.depths_chart([&only.second, &only.first]),
        _ => None,
    }
}

/// Of whose searches not all is known.
fn missing_telemetry(run: &StoredMatch) -> String {
    let searches = run.spec.players.iter().zip(&run.searches);
    let uncounted = searches.filter(|(_, search)| search.counted_games < search.games);
    let uncounted: Vec<_> = uncounted
        .map(|(player, search)| {
            format!("{} ({} of {} games)", player.name(), search.counted_games, search.games)
        })
        .collect();
    match uncounted.is_empty() {
        true => String::new(),
        false => format!(
            "The search's own counters are not stored for all games of {}: older versions of this program did not keep \
             them, and external engines do not tell them.",
            uncounted.join(", ")
        ),
    }
}

/// The first faults, a sentence each.
pub fn faults(run: &StoredMatch) -> Vec<String> {
    run.games.faults_of(|pair, side| run.player_of(pair, side).name())
}

/// Rows of cells, the first of them the heading.
fn table(mut rows: Vec<Vec<String>>) -> Part {
    let head = rows.remove(0);
    Part::Table { head, rows }
}

/// The command that plays it again.
fn command(run: &StoredMatch) -> String {
    let (spec, summary) = (&run.spec, &run.summary);
    let players: Vec<_> = spec.players.iter().map(|player| shell_word(player.as_typed())).collect();
    let gauntlet = if spec.format == Format::Gauntlet { " --gauntlet" } else { "" };
    let rounds = (summary.games / 2).div_ceil(summary.pairings.len() as u64).max(1);
    let options = options_of(&spec.conditions) + &own_limits_of(&spec.players);
    format!("harness match {}{gauntlet}{options} --max-pairs {rounds}", players.join(" "))
}
