//! `harness elo`: the statistics of results that are given as counts.

use crate::cli::blocks::{Blocks, Part};
use crate::cli::counts::{self, Line};
use crate::cli::{Exit, Failure, print_out};
use crate::options::{self, Name, Options};
use crate::report::figures::{accepted_in_words, elo_lines, games_line, llr_line, pairs_line, to_digits};
use crate::statistics::figures::LlrByModel;
use crate::statistics::{Confidence, Figures, Model, Pentanomial, Results, SprtBounds, Trinomial, Verdict};
use clap::{ArgGroup, Args};
use serde::Serialize;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, Error, stdin};
use std::path::{Path, PathBuf};

/// Show what given results say: Elo, nElo, LOS, LLR in all models
///
/// Pairs (--ptnml) are better than games (--wld): the two games of a pair depend on each other. With both, the level
/// pairs can be divided too. With --wld alone the test looks at single games, as --trinomial makes it do.
#[derive(Args)]
#[command(group(ArgGroup::new("results").required(true).multiple(true)))]
pub struct EloArguments {
    /// Results, one a line: W,L,D, or five counts of pairs, or a JSON object such as a report; or the result blocks of this program,
    /// OpenBench, fastchess, cutechess-cli and fishtest, as they are; - reads standard input. Prints one JSON object a line
    #[arg(group = "results", conflicts_with_all = ["wld", "ptnml"])]
    file: Option<PathBuf>,
    /// Games won, lost and drawn by the candidate
    #[arg(long, alias = "wdl", value_name = "W,L,D", allow_hyphen_values = true, group = "results",
        value_parser = counts::games)]
    wld: Option<Trinomial>,
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
    let results = counts::results(arguments.wld, arguments.ptnml);
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
    let place = |number: usize, error: String| Failure::usage(format!("{name}, line {number} {error}"));
    let print = |number: usize, Line { results, test }: Line| {
        // Options of the command line, and where that is silent, of the line.
        let test = arguments.options.clone().or(test).test();
        let report = test.and_then(|test| EloReport::of(&results, &test, confidence));
        let report = report.map_err(|failure| match failure {
            Failure::Usage(message) | Failure::Run(message) => {
                place(number, format!("cannot be tested: {}", message.trim_start_matches("error: ")))
            }
            Failure::Interrupted => failure,
        })?;
        print_out(serde_json::to_string(&report).map_err(Failure::run)?)
    };
    let read = |(number, line): (usize, Result<String, Error>)| match line {
        // Programs of another system may put a mark before the first line.
        Ok(line) => Ok((number, line.trim_start_matches('\u{feff}').trim().to_owned())),
        Err(error) => Err(place(number, format!("cannot be read: {error}"))),
    };
    let mut lines =
        (1..).zip(input.lines()).map(read).filter(|line| !matches!(line, Ok((_, text)) if text.is_empty()));
    let mut blocks = Blocks::default();
    let mut results = 0;
    // Lines that were read to see whether a block comes after something else.
    let mut ahead = VecDeque::new();
    while let Some((number, line)) =
        ahead.pop_front().map_or_else(|| lines.next().transpose(), |line| Ok(Some(line)))?
    {
        if let Some(part) = Part::of(&line) {
            if let Some((number, line)) = blocks.add(number, part) {
                print(number, line.map_err(|error| place(number, error))?)?;
                results += 1;
            }
            continue;
        }
        match Line::parse(&line) {
            Ok(line) => {
                print(number, line)?;
                results += 1;
            }
            // What stands between the lines of blocks.
            Err(_) if blocks.have_begun => {}
            Err(error) => {
                for line in lines.by_ref() {
                    ahead.push_back(line?);
                }
                if !ahead.iter().any(|(_, line)| Part::of(line).is_some()) {
                    return Err(place(number, error));
                }
                blocks.have_begun = true;
            }
        }
    }
    if let Some((number, line)) = blocks.last() {
        print(number, line.map_err(|error| place(number, error))?)?;
        results += 1;
    }
    match results {
        0 => Err(Failure::usage(format!(
            "{name} has no results: write W,L,D or five counts of pairs on a line of its own, or give a block of results as it is"
        ))),
        _ => Ok(Exit::Done),
    }
}

impl EloReport {
    fn of(results: &Results, test: &SprtBounds, confidence: Confidence) -> Result<EloReport, Failure> {
        let figures = Figures::of(test, results, confidence).ok_or_else(|| {
            Failure::usage(format!(
                "the {} test looks at single games, and pairs do not tell two draws from a win each: give --wld too",
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
            "{}\n{}{others}\n{}\n{}\n{}",
            elo_lines(figures),
            llr_line(figures, &verdict),
            games_line(figures),
            pairs_line(figures),
            read_as(figures)
        )
    }
}

/// What each number was taken for.
fn read_as(Figures { wins, losses, draws, pentanomial, .. }: &Figures) -> String {
    let games = [(wins, "won"), (losses, "lost"), (draws, "drawn")];
    let games: Vec<_> =
        games.iter().filter_map(|(count, what)| Some(format!("{} {what}", (**count)?))).collect();
    let pairs = pentanomial.as_ref().map(|pairs| {
        let [ll, ld, level, wd, ww] = pairs.0;
        format!("pairs with 0 points {ll}, ½ {ld}, 1 {level}, 1½ {wd}, 2 {ww}")
    });
    let read = (!games.is_empty()).then(|| games.join(", ")).into_iter().chain(pairs);
    format!("Read as {}", read.collect::<Vec<_>>().join("; "))
}
