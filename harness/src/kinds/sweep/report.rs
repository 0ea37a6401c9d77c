//! Report of a sweep: which value is best, with what all of them came to.

use super::contest::Sweep;
use super::pairs::{self, Paths, pairs_chart};
use super::schedule::{End, Goal, Mode};
use super::spec::{Question, SweepSpec};
use super::summary::SweepSummary;
use crate::game::record::Side;
use crate::kinds::not_read::NotRead;
use crate::kinds::spec::RunSpec;
use crate::kinds::stored::{Stored, goal_of, spec_of};
use crate::report::document::{Document, Part};
use crate::report::games::side_by_side;
use crate::report::origin::{self, every_value, identity, options_of, options_of_test, origin};
use crate::report::shell_word;
use crate::report::telemetry::SideTelemetry;
use crate::report::written::Report;
use crate::run::recount::PlayedPair;
use crate::store::{RunInfo, Store};
use serde_json::{Value, json};

/// Beside more arms than this a table of searches is no longer read.
const MOST_COLUMNS: usize = 6;

/// A stored sweep with its figures.
struct SweepReport {
    run: Stored<SweepSpec>,
    summary: SweepSummary,
    /// What the searches of each arm did.
    arms: Vec<SideTelemetry>,
    paths: Paths,
}

/// The report of a stored sweep.
///
/// # Errors
/// See [`NotRead`].
pub fn report(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
    let report = SweepReport::read(store, info)?;
    let SweepReport { run, summary, arms, .. } = &report;
    let games = &run.games;
    let mut json = origin::as_json(summary, &run.info, &run.sessions)?;
    let arms: Vec<Value> = arms.iter().map(SideTelemetry::as_json).collect();
    let more = [
        ("verdict_in_words", json!(summary.verdict_in_words())),
        ("endings", games.endings_as_json()),
        ("faults", json!(report.faults())),
        ("telemetry", json!({ "base": games.base.as_json(), "arms": arms })),
        ("command", json!(command(run))),
    ];
    json.extend(more.map(|(key, value)| (key.to_owned(), value)));
    Ok(Report { document: report.document(), json })
}

impl SweepReport {
    fn read(store: &Store, info: RunInfo) -> Result<SweepReport, NotRead> {
        let count = spec_of::<SweepSpec>(&info)?.arms.len();
        let (mut arms, mut paths) = (vec![SideTelemetry::default(); count], Paths::new(count));
        let run = Stored::read(store, info, |PlayedPair { record, .. }: &PlayedPair, sweep: &Sweep| {
            let Some(arm) = sweep.arm_of(record.index) else { return };
            record.games.iter().for_each(|game| arms[arm].add(game, Side::Candidate));
            paths.add(sweep, arm);
        })?;
        Ok(SweepReport { summary: run.summary(), run, arms, paths })
    }

    fn faults(&self) -> Vec<String> {
        self.run.games.faults([&self.run.spec.base.file, "the value"])
    }

    fn document(&self) -> Document {
        let SweepReport { run, summary, .. } = self;
        let Stored { info, spec, sessions, contest, games } = run;
        let chart = summary.chart();
        let mut rows = summary.rows();
        let head = rows.remove(0);
        let mut parts = vec![
            Part::Table { head, rows },
            Part::Text(summary.notes().trim_end().replace('\n', "; ")),
            Part::Pictures { charts: vec![chart.picture()], letters: chart.text().trim_end().to_owned() },
            Part::Facts(vec![
                ("Games".to_owned(), summary.games.to_string()),
                ("Time".to_owned(), origin::time(&run.effort())),
            ]),
            Part::Heading("How the pairs ended"),
            pairs::counts(&summary.arms),
            Part::Pictures {
                charts: [Some(pairs_chart(&summary.arms)), self.paths.chart(contest)]
                    .into_iter()
                    .flatten()
                    .collect(),
                letters: String::new(),
            },
            Part::Heading("How the games ended"),
            games.endings_table("a value"),
            Part::Pictures { charts: games.lengths_chart().into_iter().collect(), letters: String::new() },
        ];
        parts.extend(self.searches());
        let players: Vec<_> =
            spec.players().into_iter().map(|(role, player)| (role.as_str(), player)).collect();
        let differences = spec
            .arms
            .iter()
            .map(|arm| format!("{}: {}", spec.label(arm), spec.base.differences(&arm.player).join(", ")));
        parts.extend([
            Part::Heading("What the values change"),
            Part::List { lines: differences.collect(), nothing: "Nothing." },
            Part::Heading("Faults"),
            games.part_of_faults(self.faults()),
            Part::Heading("How to play it again"),
            Part::Code(command(run)),
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

    /// The searches of the base and of as many arms as a page has room for.
    fn searches(&self) -> Vec<Part> {
        let (games, spec) = (&self.run.games, &self.run.spec);
        let shown = self.arms.len().min(MOST_COLUMNS);
        let labels = spec.arms[..shown].iter().map(|arm| spec.label(arm));
        let head = [String::new(), "base".to_owned()].into_iter().chain(labels).collect();
        let sides: Vec<_> = [&games.base].into_iter().chain(&self.arms[..shown]).collect();
        let rest = match self.arms.len() - shown {
            0 => String::new(),
            rest => format!("The other {rest} are in summary.json."),
        };
        vec![
            Part::Heading("What the searches did"),
            Part::Text(games.missing_telemetry().unwrap_or_default()),
            Part::Table { head, rows: side_by_side(&sides) },
            Part::Text(rest),
        ]
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

/// The command that plays the run again.
fn command(Stored { info, spec, contest: sweep, .. }: &Stored<SweepSpec>) -> String {
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
    let Goal { max_pairs, margin, .. } = match sweep.schedule().end() {
        Some(End::MaxPairs | End::Margin) => {
            Goal { max_pairs: Some(sweep.schedule().counted()), ..Goal::default() }
        }
        Some(End::Winner(_) | End::AllDropped | End::BookExhausted) => Goal::default(),
        None => goal_of::<SweepSpec>(info).ok().flatten().unwrap_or_default(),
    };
    command.extend(margin.map(|margin| format!(" --margin {margin}")));
    command.extend(max_pairs.map(|pairs| format!(" --max-pairs {pairs}")));
    command
}
