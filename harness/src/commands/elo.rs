//! `harness elo`: the statistics of results that are given as counts.

use crate::cli::counts::{self, Line};
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::report::figures::{accepted_in_words, elo_lines, games_line, llr_line, pairs_line, to_digits};
use crate::statistics::figures::LlrByModel;
use crate::statistics::{Confidence, Figures, Model, Pentanomial, Results, SprtBounds, Trinomial, Verdict};
use clap::{ArgGroup, Args};
use serde::Serialize;
use std::fs::File;
use std::io::{BufRead, BufReader, stdin};
use std::path::{Path, PathBuf};

/// Show what given results say: Elo, nElo, LOS, LLR in all models
///
/// Pairs (--ptnml) are better than games (--wdl): the two games of a pair depend on each other. With both, the level
/// pairs can be divided too. With --wdl alone the test looks at single games, as --trinomial makes it do.
#[derive(Args)]
#[command(group(ArgGroup::new("results").required(true).multiple(true)))]
pub struct EloArguments {
    /// Results, one a line: W,L,D, or five counts of pairs, or a JSON object such as a report; - reads standard input.
    /// Prints one JSON object a line
    #[arg(group = "results", conflicts_with_all = ["wdl", "ptnml"])]
    file: Option<PathBuf>,
    /// Games won, lost and drawn by the candidate
    #[arg(long, value_name = "W,L,D", allow_hyphen_values = true, group = "results", value_parser = counts::games)]
    wdl: Option<Trinomial>,
    /// Pairs by the candidate's score 0, ½, 1, 1½, 2
    #[arg(long, value_name = "LL,LD,DD,WD,WW", allow_hyphen_values = true, group = "results",
        value_parser = counts::pairs)]
    ptnml: Option<Pentanomial>,
    #[command(flatten)]
    options: Options<{ options::TEST | options::of(&[Name::json]) }>,
    /// With which probability an interval covers the truth
    #[arg(long, value_name = "P", default_value_t = Confidence::DEFAULT.level(), allow_negative_numbers = true)]
    confidence: f64,
}

/// The object that `--json` prints.
#[derive(Serialize)]
struct EloReport {
    /// `h1`, `h0` or `undecided`.
    verdict: &'static str,
    #[serde(flatten)]
    figures: Figures,
    /// The same bounds in each scale.
    llr_by_model: LlrByModel,
}

/// Runs the command.
///
/// # Errors
/// The counts, the test or the file are not what they should be.
pub fn execute(arguments: EloArguments) -> Result<Exit, Failure> {
    let confidence = Confidence::new(arguments.confidence).map_err(Failure::usage)?;
    if let Some(path) = &arguments.file {
        return read_lines(path, &arguments, confidence);
    }
    let results = counts::results(arguments.wdl, arguments.ptnml);
    let results = results.map_err(|error| Failure::usage(format!("the result {error}")))?;
    let report = EloReport::of(&results, &arguments.options.test()?, confidence)?;
    arguments.options.print(&report, || report.text())?;
    Ok(Exit::Done)
}

/// One object for each line that is not blank; ends at the first that is wrong.
fn read_lines(path: &Path, arguments: &EloArguments, confidence: Confidence) -> Result<Exit, Failure> {
    let (name, input): (_, Box<dyn BufRead>) = if path == Path::new("-") {
        ("standard input".to_owned(), Box::new(stdin().lock()))
    } else {
        let file = File::open(path).map_err(|error| {
            Failure::usage(format!(
                "{} cannot be read: {error}; name a file, or - for standard input",
                path.display()
            ))
        })?;
        (path.display().to_string(), Box::new(BufReader::new(file)))
    };
    let mut is_empty = true;
    for (number, line) in (1..).zip(input.lines()) {
        let place = |error: String| Failure::usage(format!("{name}, line {number} {error}"));
        let line = line.map_err(|error| place(format!("cannot be read: {error}")))?;
        // Programs of another system may put a mark before the first line.
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() {
            continue;
        }
        let Line { results, test } = Line::parse(line).map_err(place)?;
        // Options of the command line, and where that is silent, of the line.
        let test = arguments.options.clone().or(test).test();
        let report = test.and_then(|test| EloReport::of(&results, &test, confidence));
        let report = report.map_err(|failure| match failure {
            Failure::Usage(message) | Failure::Run(message) => {
                place(format!("cannot be tested: {}", message.trim_start_matches("error: ")))
            }
            Failure::Interrupted => failure,
        })?;
        print_out(serde_json::to_string(&report).map_err(Failure::run)?)?;
        is_empty = false;
    }
    match is_empty {
        true => Err(Failure::usage(format!(
            "{name} has no results: write W,L,D or five counts of pairs on a line of its own"
        ))),
        false => Ok(Exit::Done),
    }
}

impl EloReport {
    fn of(results: &Results, test: &SprtBounds, confidence: Confidence) -> Result<EloReport, Failure> {
        let figures = Figures::of(test, results, confidence).ok_or_else(|| {
            Failure::usage(format!(
                "the {} test looks at single games, and pairs do not tell two draws from a win each: give --wdl too",
                test.scale()
            ))
        })?;
        let verdict = match figures.verdict {
            Some(Verdict::H1) => "h1",
            Some(Verdict::H0) => "h0",
            None => "undecided",
        };
        Ok(EloReport { verdict, figures, llr_by_model: results.llr_by_model(test) })
    }

    fn text(&self) -> String {
        let EloReport { figures, llr_by_model, .. } = self;
        let test = &figures.test;
        let verdict = figures.verdict.map(|verdict| accepted_in_words(verdict, test));
        let verdict = verdict.unwrap_or_else(|| "undecided".to_owned());
        let LlrByModel { logistic, normalized, bayesian } = *llr_by_model;
        let others: String =
            [(Model::Logistic, logistic), (Model::Normalized, normalized), (Model::Bayesian, bayesian)]
                .into_iter()
                .filter(|(model, _)| *model != test.model())
                .map(|(model, llr)| {
                    let llr = llr.map_or("-".to_owned(), |llr| to_digits(llr, 2));
                    format!("\n      {llr} for {}", test.with_model(model).bounds())
                })
                .collect();
        format!(
            "{}\n{}{others}\n{}\n{}",
            elo_lines(figures),
            llr_line(figures, &verdict),
            games_line(figures),
            pairs_line(figures)
        )
    }
}
