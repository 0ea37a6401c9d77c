//! The report of a sweep: which value is best, with what all of them came to, counted again from the stored games.

use super::document::{Document, Part};
use super::games::{Games, side_by_side};
use super::origin::{self, every_value, identity, options_of, options_of_test, origin};
use super::replay::pairs_behind_the_summary;
use super::report_of::Report;
use super::shell_word;
use super::stored_run::{NotRead, spec_of};
use super::summary::Effort;
use super::sweep::SweepSummary;
use super::sweep_pairs::{self, Paths, pairs_chart};
use super::telemetry::SideTelemetry;
use crate::game::record::{PairRecord, Side};
use crate::run::recount::recount;
use crate::store::{RunInfo, Session, Store};
use crate::tuning::sweep::contest::Sweep;
use crate::tuning::sweep::schedule::{End, Limits, Mode};
use crate::tuning::sweep::spec::{Question, SweepSpec};
use serde_json::{Value, json};
use std::sync::Arc;

/// Beside more arms than this a table of searches is no longer read.
const MOST_COLUMNS: usize = 6;

/// What happened in the games of base and arms.
struct Searches {
    games: Games,
    arms: Vec<SideTelemetry>,
    paths: Paths,
}

impl Searches {
    fn new(arms: usize) -> Searches {
        Searches {
            games: Games::default(),
            arms: vec![SideTelemetry::default(); arms],
            paths: Paths::new(arms),
        }
    }

    fn add(&mut self, pair: &PairRecord, sweep: &Sweep) {
        self.games.add(pair);
        self.paths.add(sweep);
        if let Some(arm) = sweep.last_arm() {
            pair.games.iter().for_each(|game| self.arms[arm].add(game, Side::Candidate));
        }
    }
}

/// How far a stored run is counted again: to where it was ended, or all that is there.
pub fn limits_of_stored(spec: &SweepSpec, info: &RunInfo) -> Limits {
    match pairs_behind_the_summary(info).filter(|_| info.finished.is_some()) {
        Some(already) => Limits { max_pairs: Some(already), margin: spec.margin, already },
        None => Limits::default(),
    }
}

/// The report of this run.
///
/// # Errors
/// It was stored by another version, or cannot be read.
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let spec = Arc::new(spec_of::<SweepSpec>(&info)?);
    let (spec, sessions) = (&spec, store.sessions(&info.id)?);
    let mut sweep = Sweep::new(spec, limits_of_stored(spec, &info));
    let mut searches = Searches::new(spec.variants.len());
    recount(&mut sweep, (store, &info.id), |pair, sweep| searches.add(pair, sweep))?;
    let summary = SweepSummary::new(&info.id, &sweep, &Effort::of(&sessions));
    let command = command(spec, &sweep);
    let document = document(&info, (&sweep, &sessions), (&summary, &searches), &command);

    let mut json = origin::as_json(&summary, &info, &sessions)?;
    let arms: Vec<Value> = searches.arms.iter().map(SideTelemetry::as_json).collect();
    let more = [
        ("verdict_in_words", json!(summary.verdict_in_words())),
        ("endings", searches.games.endings_as_json()),
        ("faults", json!(faults(&searches.games, spec))),
        ("telemetry", json!({ "base": searches.games.base.as_json(), "arms": arms })),
        ("command", json!(command)),
    ];
    json.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(Report { document, json })
}

fn document(
    info: &RunInfo,
    (sweep, sessions): (&Sweep, &[Session]),
    (summary, searches): (&SweepSummary, &Searches),
    command: &str,
) -> Document {
    let (spec, chart) = (sweep.spec(), summary.chart());
    let rows = summary.rows();
    let (head, rows) = rows.split_first().map_or((Vec::new(), &[][..]), |(head, rows)| (head.clone(), rows));
    let mut parts = vec![
        Part::Table { head, rows: rows.to_vec() },
        Part::Text(summary.notes().trim_end().replace('\n', "; ")),
        Part::Pictures { charts: vec![chart.picture()], letters: chart.text().trim_end().to_owned() },
        Part::Facts(vec![
            ("Games".to_owned(), summary.games.to_string()),
            ("Time".to_owned(), origin::time(&Effort::of(sessions))),
        ]),
        Part::Heading("How the pairs ended"),
        sweep_pairs::counts(&summary.arms),
        Part::Pictures {
            charts: [Some(pairs_chart(&summary.arms)), searches.paths.chart(sweep)]
                .into_iter()
                .flatten()
                .collect(),
            letters: String::new(),
        },
        Part::Heading("How the games ended"),
        searches.games.endings_table("a value"),
        Part::Pictures {
            charts: searches.games.lengths_chart().into_iter().collect(),
            letters: String::new(),
        },
    ];
    parts.extend(searches_of(spec, searches));
    let mut players = vec![("base", &spec.base)];
    players.extend(spec.variants.iter().map(|variant| ("value", &variant.player)));
    let differences = spec.variants.iter().map(|variant| {
        format!("{}: {}", spec.label(variant), spec.base.differences(&variant.player).join(", "))
    });
    parts.extend([
        Part::Heading("What the values change"),
        Part::List { lines: differences.collect(), nothing: "Nothing." },
        Part::Heading("Faults"),
        searches.games.part_of_faults(faults(&searches.games, spec)),
        Part::Heading("How to play it again"),
        Part::Code(command.to_owned()),
        Part::Facts(identity(&players, &spec.conditions, info, sessions)),
        every_value(&spec.base),
    ]);
    Document {
        title: format!("{} of {}", summary.key, spec.base.file),
        question: question(spec),
        origin: origin(info),
        answer: summary.verdict_in_words(),
        parts,
    }
}

fn question(spec: &SweepSpec) -> String {
    let (base, limit) = (&spec.base.file, spec.conditions.limit);
    match &spec.question {
        Question::Values(keys) => {
            format!("Which value of {} is best for {base} at {limit}?", keys.join(" and "))
        }
        Question::Ablation => format!("What is each technique of {base} worth at {limit}?"),
    }
}

/// The searches of the base and of as many arms as a page has room for.
fn searches_of(spec: &SweepSpec, searches: &Searches) -> Vec<Part> {
    let shown = searches.arms.len().min(MOST_COLUMNS);
    let labels = spec.variants[..shown].iter().map(|variant| spec.label(variant));
    let head = [String::new(), "base".to_owned()].into_iter().chain(labels).collect();
    let sides: Vec<_> = [&searches.games.base].into_iter().chain(&searches.arms[..shown]).collect();
    let rest = match searches.arms.len() - shown {
        0 => String::new(),
        rest => format!("The other {rest} are in summary.json."),
    };
    vec![
        Part::Heading("What the searches did"),
        Part::Text(searches.games.missing_telemetry().unwrap_or_default()),
        Part::Table { head, rows: side_by_side(&sides) },
        Part::Text(rest),
    ]
}

fn faults(games: &Games, spec: &SweepSpec) -> Vec<String> {
    games.faults([&spec.base.file, "the value"])
}

/// The command that plays the run again.
fn command(spec: &SweepSpec, sweep: &Sweep) -> String {
    let mut command = "harness sweep".to_owned();
    match &spec.question {
        Question::Ablation => command += " --ablate",
        Question::Values(_) => {
            command.extend(spec.axes().iter().map(|axis| format!(" {}", shell_word(axis))));
        }
    }
    if spec.base_file.is_some() {
        command += &format!(" {}", shell_word(spec.base.as_typed()));
    }
    command += match spec.mode {
        Mode::Find => " --find",
        Mode::Measure => " --measure",
    };
    command += &format!(" --block {}{}", spec.block, options_of(&spec.conditions));
    command += &options_of_test(&spec.test);
    // To where it has come, whatever was asked first; what is not over, as far as it was to go.
    let Limits { max_pairs, margin, .. } = match sweep.end() {
        End::MaxPairs | End::Margin => {
            Limits { max_pairs: Some(sweep.schedule().counted()), ..Limits::default() }
        }
        End::Interrupted => spec.limits(),
        End::Winner(_) | End::AllDropped | End::BookExhausted => Limits::default(),
    };
    command.extend(margin.map(|margin| format!(" --margin {margin}")));
    command.extend(max_pairs.map(|pairs| format!(" --max-pairs {pairs}")));
    command
}
