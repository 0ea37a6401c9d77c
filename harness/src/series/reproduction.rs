//! Ours beside theirs: what came of repeating published results, as a table and a picture.

use crate::game::limit::Limit;
use crate::kinds::measure::report::Context;
use crate::kinds::measure::summary::Measured;
use crate::report::figures::{signed, signed_with_margin};
use crate::report::svg::{Axis, Chart, IntervalMark, Series};
use crate::series::collection::{self, Entry};
use crate::series::published::{Published, PublishedVerdict, Reproduction, SecondRun};
use crate::statistics::agreement::{Agreement, Figure};
use crate::statistics::{Confidence, Estimate};
use crate::whole_file;
use serde::{Deserialize, Serialize};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What a failed test leaves possible at most: it was one for a lead of about this much, Elo.
const FAILED_BELOW: f64 = 5.0;

/// Subfolder of the results.
const FOLDER: &str = "reproduction";

/// The file of the picture.
const PICTURE: &str = "forest.svg";

/// All experiments with what was found, in the order in which they were published.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Campaign {
    /// One for each.
    pub entries: Vec<Repeated>,
}

/// One published result and ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Repeated {
    /// What users call it.
    pub id: String,
    /// What was asked.
    pub question: String,
    /// What the candidate changes.
    pub change: String,
    /// Limit of each move in ours.
    pub limit: Limit,
    /// What was published.
    pub published: Published,
    /// What was measured here; none if nothing was played yet.
    pub ours: Option<Measured>,
    /// Ours less theirs with its 95 % interval; none if either has no figure.
    pub difference: Option<Estimate>,
    /// Whether they agree: by the 95 % difference rule where a figure was published, else by the verdict rule.
    pub agreement: Option<Agreement>,
}

impl Entry for Repeated {
    fn name(&self) -> &str {
        &self.id
    }

    fn measured(&self) -> Option<&Measured> {
        self.ours.as_ref()
    }

    /// The report, which has the figures and the picture beside it.
    fn link(&self, folder: &str) -> String {
        let id = &self.id;
        match self.ours {
            Some(_) => format!("[{id}]({folder}/{id}/report.md)"),
            None => id.clone(),
        }
    }
}

impl Repeated {
    /// What the results hold of an experiment; without ours if they have none. What is said of it follows today's rules.
    ///
    /// # Errors
    /// A sentence about the file that cannot be read.
    pub fn standing(one: &Reproduction, results: &Path) -> Result<Repeated, String> {
        let standing: Option<Repeated> = collection::standing((results, FOLDER), &one.id)?;
        Ok(match standing {
            Some(Repeated { limit, ours, .. }) => Repeated::new(one, limit, ours),
            None => Repeated::new(one, one.limit(), None),
        })
    }

    /// Sets the two beside each other.
    pub fn new(one: &Reproduction, limit: Limit, ours: Option<Measured>) -> Repeated {
        let Published { elo, margin, verdict, .. } = one.published;
        let level = Confidence::DEFAULT;
        let theirs = elo.zip(margin).and_then(|(elo, margin)| Figure::with_margin(elo, margin, level));
        let ours_elo = ours.as_ref().and_then(|measured| measured.lead.elo);
        let ours_figure = ours_elo.and_then(|elo| Figure::with_margin(elo.estimate, elo.margin, level));
        Repeated {
            id: one.id.clone(),
            question: one.question.clone(),
            change: one.change(),
            limit,
            published: one.published.clone(),
            difference: ours_figure.zip(theirs).map(|(ours, theirs)| ours.minus(theirs).interval(level)),
            agreement: match (
                ours_figure,
                theirs,
                ours.as_ref().and_then(|measured| measured.lead.interval()),
            ) {
                (Some(ours), Some(theirs), _) => Some(Agreement::of(ours, theirs)),
                (_, None, Some(interval)) => by_verdict(verdict, interval),
                _ => None,
            },
            ours,
        }
    }

    /// Where its report is.
    pub fn folder(&self, results: &Path) -> PathBuf {
        results.join(FOLDER).join(&self.id)
    }

    /// What a report of ours says of theirs.
    pub fn context(&self, command: String) -> Context {
        let Published { elo, margin, games, source, .. } = &self.published;
        let games = games.map_or(String::new(), |games| format!(", {games} games"));
        let facts = [
            ("Change", self.change.clone()),
            ("Published", format!("{}{games} ({source})", self.published_in_words())),
            ("Ours less theirs", signed_with_margin(self.difference)),
            ("Agreement", self.agreement_in_words().to_owned()),
        ];
        Context {
            question: Some(format!("{}: what is it worth here?", self.question)),
            published: elo.zip(*margin),
            facts: facts.map(|(name, text)| (name.to_owned(), text)).to_vec(),
            command: Some(command),
        }
    }

    fn published_figure(&self) -> String {
        let Published { elo, margin, .. } = self.published;
        elo.zip(margin).map_or("-".to_owned(), |(elo, margin)| format!("{} ± {margin:.1}", signed(elo)))
    }

    /// Figure and verdict, and the figure of the source's own repetition.
    fn published_in_words(&self) -> String {
        let Published { verdict, second_run, .. } = &self.published;
        let again = second_run.map_or(String::new(), |SecondRun { elo, margin }| {
            format!(", again {} ± {margin:.1}", signed(elo))
        });
        format!("{} {}{again}", self.published_figure(), verdict.as_str())
    }

    fn our_figure(&self) -> String {
        self.ours.as_ref().map_or("-".to_owned(), |measured| measured.lead.text())
    }

    fn agreement_in_words(&self) -> &'static str {
        match (&self.ours, self.agreement, self.published.verdict) {
            (None, ..) => "not played yet",
            (_, Some(agreement), _) => agreement.as_str(),
            (_, None, PublishedVerdict::None) => "nothing to compare with",
            _ => "-",
        }
    }
}

/// The *verdict rule*, where no figure was published: a pass says that the lead is above 0, a failure that it is not as large as
/// what was tested for, "weaker" that it is below 0. Our 95 % interval shows that, or the opposite, or neither.
fn by_verdict(verdict: PublishedVerdict, (low, high): (f64, f64)) -> Option<Agreement> {
    let (above, below) = (low > 0.0, high < 0.0);
    let (shown, refuted) = match verdict {
        PublishedVerdict::Passed => (above, below),
        PublishedVerdict::Failed => (high < FAILED_BELOW, above && high >= FAILED_BELOW),
        PublishedVerdict::Weaker => (below, above),
        PublishedVerdict::None => return None,
    };
    Some(match (shown, refuted) {
        (true, _) => Agreement::Agrees,
        (_, true) => Agreement::Contradicts,
        _ => Agreement::NoEvidence,
    })
}

impl Campaign {
    /// What the results hold of these experiments.
    ///
    /// # Errors
    /// A sentence about the file that cannot be read.
    pub fn standing(all: &[Reproduction], results: &Path) -> Result<Campaign, String> {
        let entries = all.iter().map(|one| Repeated::standing(one, results)).collect::<Result<_, _>>()?;
        Ok(Campaign { entries })
    }

    /// Takes in what has been measured, if it says no less than what stands there, or has this margin, Elo.
    ///
    /// # Errors
    /// It says less. The sentence is for the user.
    pub fn take(&mut self, place: usize, entry: Repeated, margin_enough: f64) -> Result<(), String> {
        collection::take((&mut self.entries, place), entry, margin_enough)
    }

    /// The table as a person reads it in a terminal.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{:>8}  {:>13}  {:>10}  {:>13}  {:>7}  {}\n",
            "", "published", "", "ours", "games", "agreement"
        );
        for entry in &self.entries {
            _ = writeln!(
                text,
                "{:>8}  {:>13}  {:>10}  {:>13}  {:>7}  {}",
                entry.id,
                entry.published_figure(),
                entry.published.verdict.as_str(),
                entry.our_figure(),
                entry.games(),
                entry.agreement_in_words()
            );
        }
        text.trim_end().to_owned()
    }

    /// Writes the table into `README.md` of the results, and picture and figures into their folder.
    ///
    /// # Errors
    /// A sentence about the file that cannot be written.
    pub fn write(&self, results: &Path) -> Result<(), String> {
        let picture = (PICTURE, &*self.forest());
        collection::write((results, FOLDER), &self.entries, picture, &self.markdown())
    }

    fn markdown(&self) -> String {
        let mut text = format!(
            "## Published results, repeated\n\n`harness reproduce --all` (the experiments are in `configs/experiments/`, \
             the figures in [{FOLDER}/]({FOLDER}/)). Ours is measured to a precision, not by a test, so that it needs no \
             correction; both are leads of the candidate in Elo, 95 %.\n\n![ours beside theirs]({FOLDER}/forest.svg)\n\n\
             | | question | published | ours | difference | games | limit | agreement |\n\
             |---|---|---|---|---|---|---|---|\n"
        );
        for entry in &self.entries {
            let id = entry.link(FOLDER);
            _ = writeln!(
                text,
                "| {id} | {} | {} | {} | {} | {} | {} | {} |",
                entry.question.replace('|', "\\|"),
                entry.published_in_words(),
                entry.our_figure(),
                signed_with_margin(entry.difference),
                entry.games(),
                entry.limit,
                entry.agreement_in_words()
            );
        }
        text + &format!(
            "\nWhere a figure was published, the 95 % difference rule decides (see `docs/statistics.md`); where only a verdict \
             was, our interval must show what that says: above 0 for a pass, below {FAILED_BELOW} for a failure, below 0 for \
             \"weaker\".\n"
        )
    }

    /// Theirs and ours as intervals, a row for each experiment.
    fn forest(&self) -> String {
        let names: Vec<String> = self.entries.iter().map(|entry| entry.id.clone()).collect();
        let theirs = |entry: &Repeated| {
            let Published { elo, margin, .. } = entry.published;
            elo.zip(margin).map(|(elo, margin)| (elo, elo - margin, elo + margin))
        };
        let ours = |entry: &Repeated| {
            let ours = entry.ours.as_ref()?;
            let (low, high) = ours.lead.interval()?;
            Some((ours.lead.elo.map_or(0.5 * (low + high), |elo| elo.estimate), low, high))
        };
        let ends = self.entries.iter().flat_map(|entry| [theirs(entry), ours(entry)]).flatten();
        let known = ends.flat_map(|(_, from, to)| [from, to]).filter(|end| end.is_finite());
        let (low, high) = known.fold((-10.0_f64, 10.0_f64), |(low, high), end| (low.min(end), high.max(end)));
        let mut chart = Chart::rows("Lead of the candidate, 95 %", Axis::linear("Elo", low, high, 8), &names);
        chart.rule_at_x(0.0, "");
        chart.name(Series::First, "published");
        chart.name(Series::Second, "ours");
        for (place, entry) in self.entries.iter().enumerate() {
            let marks = [(Series::First, 0.35, theirs(entry)), (Series::Second, 0.65, ours(entry))];
            for (series, offset, figure) in marks {
                if let Some((value, low, high)) = figure {
                    chart.interval(series, IntervalMark { at: place as f64 + offset, value, low, high });
                }
            }
        }
        chart.render_file()
    }
}

/// Draws the picture again from the figures that [`Campaign::write`] left in a folder, and returns its file.
///
/// # Errors
/// The folder holds no such figures, or the picture cannot be written.
pub fn redraw(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join(PICTURE);
    let mut entries: Vec<Repeated> = collection::read(folder)?;
    entries.sort_by_key(|entry| entry.published.state);
    whole_file::replace(&path, &Campaign { entries }.forest())
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_without_figures_is_compared_with_what_it_says() {
        use Agreement::{Agrees, Contradicts, NoEvidence};
        use PublishedVerdict::{Failed, None as NoVerdict, Passed, Weaker};
        for (verdict, low, high, agreement) in [
            (Passed, 1.0, 9.0, Some(Agrees)),
            (Passed, -3.0, 9.0, Some(NoEvidence)),
            (Passed, -9.0, -1.0, Some(Contradicts)),
            (Failed, -9.0, -1.0, Some(Agrees)),
            (Failed, -3.0, 4.0, Some(Agrees)),
            (Failed, 1.0, 4.0, Some(Agrees)),
            (Failed, -3.0, 9.0, Some(NoEvidence)),
            (Failed, 1.0, 9.0, Some(Contradicts)),
            (Weaker, -9.0, -1.0, Some(Agrees)),
            (Weaker, -9.0, 1.0, Some(NoEvidence)),
            (Weaker, 1.0, 9.0, Some(Contradicts)),
            (NoVerdict, 1.0, 9.0, None),
        ] {
            assert_eq!(by_verdict(verdict, (low, high)), agreement, "{verdict:?} {low}");
        }
    }
}
