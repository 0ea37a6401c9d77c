//! Report of a match: who is how strong, who scored what against whom, and what happened in the games.

use super::spec::{Format, MatchSpec};
use super::summary::{MatchSummary, Pairing};
use crate::game::record::Side;
use crate::kinds::not_read::NotRead;
use crate::kinds::shown::Shown;
use crate::kinds::spec::RunSummary;
use crate::kinds::stored::Stored;
use crate::players::spec::PlayerSpec;
use crate::report::conduct;
use crate::report::document::{Document, Part};
use crate::report::figures::{level, readable_seconds};
use crate::report::games::side_by_side;
use crate::report::origin::{self, every_value, identity, options_of, origin, player_options_of};
use crate::report::shell_word;
use crate::report::svg::Chart;
use crate::report::telemetry::SideTelemetry;
use crate::report::written::Report;
use crate::statistics::elo::{interval, shown_stronger};
use crate::statistics::leaders::contenders;
use crate::statistics::{Confidence, Interval};
use crate::store::{RunInfo, Store};
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// A stored match with its figures.
struct MatchReport {
    run: Stored<MatchSpec>,
    summary: MatchSummary,
    /// What each player's search did.
    searches: Vec<SideTelemetry>,
}

/// The report of a stored match.
///
/// # Errors
/// See [`NotRead`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let run = MatchReport::read(store, info)?;
    Ok(Report { document: document(&run), json: as_json(&run)? })
}

/// What `harness show` tells of a stored match.
///
/// # Errors
/// See [`NotRead`].
pub fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
    let report = MatchReport::read(store, info)?;
    let text = report.summary.text() + &report.run.games.list_of_faults(faults(&report));
    Ok(Shown { question: report.run.info.question.clone(), text, json: as_json(&report)? })
}

impl MatchReport {
    fn read(store: &Store, info: RunInfo) -> Result<MatchReport, NotRead> {
        let mut searches: Vec<SideTelemetry> = Vec::new();
        let run = Stored::<MatchSpec>::read(store, info, |pair, contest| {
            searches.resize_with(contest.standings().len(), SideTelemetry::default);
            let [candidate, base] = contest.players_of(pair.record.index);
            for game in &pair.record.games {
                searches[candidate].add(game, Side::Candidate);
                searches[base].add(game, Side::Base);
            }
        })?;
        searches.resize_with(run.spec.players.len(), SideTelemetry::default);
        Ok(MatchReport { summary: run.summary(), run, searches })
    }

    fn spec(&self) -> &MatchSpec {
        &self.run.spec
    }

    /// The players, by number, that may be the strongest: all that are not shown to be weaker than this one.
    fn contenders(&self, leader: usize) -> Vec<usize> {
        let encounters = self.run.contest.encounters();
        contenders(self.spec().players.len(), &encounters, leader, self.summary.confidence)
    }
}

/// What `harness match --json` prints, and what else is in a report.
fn as_json(run: &MatchReport) -> serde_json::Result<Map<String, Value>> {
    let mut json = origin::as_json(&run.summary, &run.run.info, &run.run.sessions)?;
    let telemetry = run.spec().players.iter().zip(&run.searches);
    let telemetry = telemetry.map(|(player, search)| (player.name().to_owned(), search.as_json()));
    let more = [
        ("verdict_in_words", json!(answer(run))),
        ("endings", run.run.games.endings_as_json()),
        ("faults", json!(faults(run))),
        ("telemetry", telemetry.collect::<Map<_, _>>().into()),
        ("command", json!(command(run))),
    ];
    json.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(json)
}

fn document(run: &MatchReport) -> Document {
    let summary = &run.summary;
    let players: Vec<_> = run.spec().players.iter().map(|player| ("player", player)).collect();
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
        run.run.games.endings_table(first(run)),
        Part::Text(mean_length(run)),
        Part::Pictures {
            charts: run.run.games.lengths_chart().into_iter().collect(),
            letters: String::new(),
        },
        Part::Heading("What the searches did"),
        Part::Text(missing_telemetry(run)),
        telemetry_table(run),
        Part::Pictures { charts: depths_chart(run).into_iter().collect(), letters: String::new() },
        Part::Heading("Faults"),
        table(summary.fault_rows()),
        Part::Text(conduct::lines(&summary.head.watched).trim_end().replace('\n', "; ")),
        run.run.games.part_of_faults(faults(run)),
        Part::Heading("How to play it again"),
        Part::Code(command(run)),
        Part::Facts(identity(&players, &run.spec().conditions, &run.run.info, &run.run.sessions)),
    ];
    parts.extend(run.spec().players.iter().map(every_value));
    Document {
        title: run.run.info.question.clone(),
        question: question(run),
        origin: origin(&run.run.info),
        answer: answer(run),
        parts,
    }
}

/// What was asked, a sentence.
fn question(run: &MatchReport) -> String {
    let (spec, limit) = (run.spec(), run.spec().conditions.limit);
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
fn answer(run: &MatchReport) -> String {
    let summary = &run.summary;
    let lead = match &summary.pairings[..] {
        [only] => lead_in_words(only),
        _ => leaders_in_words(run),
    };
    format!(
        "{lead} after {} games ({}) in {} on {} thread{}{}",
        summary.games,
        summary.end,
        readable_seconds(summary.head.seconds),
        summary.head.threads,
        if summary.head.threads == 1 { "" } else { "s" },
        conduct::caveat(&summary.head.watched)
    )
}

/// What the games of two players show of their strength.
fn lead_in_words(pairing: &Pairing) -> String {
    let Pairing { first, second, lead, .. } = pairing;
    let pentanomial = &lead.pentanomial;
    let lead = format!("{} Elo ({})", lead.text(), level(Confidence::DEFAULT));
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
fn leaders_in_words(run: &MatchReport) -> String {
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
fn first(run: &MatchReport) -> &str {
    match &run.summary.pairings[..] {
        [only] => &only.first,
        _ => "the first of a pairing",
    }
}

fn mean_length(run: &MatchReport) -> String {
    let mean = run.run.games.mean_length();
    mean.map_or(String::new(), |mean| format!("A game had {mean:.1} plies on average."))
}

/// The search of every player.
fn telemetry_table(run: &MatchReport) -> Part {
    let names = run.spec().players.iter().map(|player| player.name().to_owned());
    let head = std::iter::once(String::new()).chain(names).collect();
    Part::Table { head, rows: side_by_side(&run.searches.iter().collect::<Vec<_>>()) }
}

/// How deep the searches of two players came.
fn depths_chart(run: &MatchReport) -> Option<Chart> {
    match &run.summary.pairings[..] {
        [only] => run.run.games.depths_chart([&only.second, &only.first]),
        _ => None,
    }
}

/// Of whose searches not all is known.
fn missing_telemetry(run: &MatchReport) -> String {
    let searches = run.spec().players.iter().zip(&run.searches);
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
fn faults(run: &MatchReport) -> Vec<String> {
    run.run.games.faults_of(|pair, side| {
        let [candidate, base] = run.run.contest.players_of(pair);
        let player = if side == Side::Base { base } else { candidate };
        run.spec().players[player].name()
    })
}

/// Rows of cells, the first of them the heading.
fn table(mut rows: Vec<Vec<String>>) -> Part {
    let head = rows.remove(0);
    Part::Table { head, rows }
}

/// The command that plays it again.
fn command(run: &MatchReport) -> String {
    let (spec, summary) = (run.spec(), &run.summary);
    let players: Vec<_> = spec.players.iter().map(|player| shell_word(player.as_typed())).collect();
    let gauntlet = if spec.format == Format::Gauntlet { " --gauntlet" } else { "" };
    let rounds = (summary.games / 2).div_ceil(summary.pairings.len() as u64).max(1);
    let options = options_of(&spec.conditions) + &player_options_of(&spec.players);
    format!("harness match {}{gauntlet}{options} --max-pairs {rounds}", players.join(" "))
}
