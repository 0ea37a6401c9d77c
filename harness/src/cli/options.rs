//! From options to what they mean: the test, the rules of adjudication, the book, the store. And `harness.toml`: an option that
//! is not given on the command line is looked for in the file of this name in the nearest folder upwards that has one, then has
//! the default of the command.

use super::Failure;
use crate::game::adjudication::Adjudication;
use crate::game::syzygy::SyzygyRule;
use crate::openings::{Book, find};
use crate::options::Preset;
pub use crate::options::RunOptions;
use crate::report::tell;
use crate::statistics::SprtBounds;
use std::path::{Path, PathBuf};

/// The settings file.
const SETTINGS: &str = "harness.toml";

impl RunOptions {
    /// The rules of adjudication.
    ///
    /// # Errors
    /// Tables of endgames are wanted that cannot be used, or not named.
    pub fn adjudication(&self) -> Result<Adjudication, Failure> {
        let RunOptions { resign, draw, max_moves, .. } = *self;
        let of_tables = [
            ("--syzygy-adjudicate says what tables decide", self.syzygy_adjudicate.is_some()),
            ("--syzygy-pieces says of which positions tables are asked", self.syzygy_pieces.is_some()),
        ];
        if let Some((what, _)) = of_tables.iter().find(|(_, is_given)| *is_given && self.syzygy.is_none()) {
            return Err(Failure::usage(format!("{what}, and none are named: give --syzygy DIR with it")));
        }
        let decides = self.syzygy_adjudicate.unwrap_or_default();
        let rule = self.syzygy.clone().map(|folders| SyzygyRule::of(folders, decides));
        let rule = rule.transpose().map_err(Failure::usage)?.map(|rule| rule.up_to(self.syzygy_pieces));
        Ok(Adjudication { resign, draw, max_moves, syzygy: rule })
    }

    /// The test.
    ///
    /// # Errors
    /// Its bounds or risks make no sense.
    pub fn test(&self) -> Result<SprtBounds, Failure> {
        let usual = SprtBounds::default();
        let [elo0, elo1] = self.preset.map_or([usual.elo0(), usual.elo1()], Preset::bounds);
        let test = SprtBounds::new(
            self.elo0.unwrap_or(elo0),
            self.elo1.unwrap_or(elo1),
            self.alpha.unwrap_or(usual.alpha()),
            self.beta.unwrap_or(usual.beta()),
            self.model.unwrap_or_default(),
        );
        Ok(test.map_err(Failure::usage)?.with_trinomial(self.trinomial.unwrap_or(false)))
    }

    /// The folder of the store.
    pub fn results(&self, folder: &Path) -> PathBuf {
        self.results.clone().unwrap_or_else(|| find::project(folder).unwrap_or(folder).join("results"))
    }

    /// The folder of the store for commands that ask the settings for nothing else.
    ///
    /// # Errors
    /// As [`RunOptions::settings`].
    pub fn results_in(&self, folder: &Path) -> Result<PathBuf, Failure> {
        Ok(self.clone().or(RunOptions::settings(folder)?).results(folder))
    }

    /// The book that is named, or the one the project ships.
    ///
    /// # Errors
    /// There is none, or it has bad entries that are not left out.
    pub fn book(&self, folder: &Path) -> Result<Book, Failure> {
        let path = match &self.openings {
            Some(path) => path.clone(),
            None => find::default_book(folder).map_err(Failure::usage)?,
        };
        let plies = self.plies.map(|plies| plies as usize);
        match self.skip_bad_openings {
            Some(true) => {
                let (book, skipped) = Book::read_good(&path, plies).map_err(Failure::usage)?;
                if let Some(skipped) = skipped {
                    tell(skipped);
                }
                Ok(book)
            }
            _ => Book::read(&path, plies).map_err(Failure::usage),
        }
    }

    /// The settings that hold in a folder; none if no folder upwards has the file.
    ///
    /// # Errors
    /// The file cannot be read, or has something in it that is no setting.
    pub fn settings(folder: &Path) -> Result<RunOptions, Failure> {
        let Some(path) = settings_file(folder) else { return Ok(RunOptions::default()) };
        let name = path.display();
        let text = std::fs::read_to_string(&path)
            .map_err(|error| Failure::usage(format!("{name} cannot be read: {error}")))?;
        let settings: RunOptions =
            toml::from_str(&text).map_err(|error| Failure::usage(format!("in {name}: {error}")))?;
        if settings.movetime.is_some() && settings.tc.is_some() {
            return Err(Failure::usage(format!(
                "{name} gives a time for each move (movetime) and a clock (tc); keep one"
            )));
        }
        // Paths in the file are seen from where it is, whatever the current folder.
        let from_file = |relative: PathBuf| path.with_file_name(relative);
        Ok(RunOptions {
            openings: settings.openings.map(from_file),
            results: settings.results.map(from_file),
            syzygy: settings.syzygy.map(|folders| folders.seen_from(&path)),
            ..settings
        })
    }
}

/// The settings file that holds in a folder.
pub fn settings_file(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|parent| parent.join(SETTINGS)).find(|path| path.is_file())
}

/// The current folder.
///
/// # Errors
/// It has been removed.
pub fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|error| Failure::usage(format!("there is no current folder: {error}")))
}
