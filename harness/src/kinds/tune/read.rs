//! Reading of the file of what is to be tuned, in whichever form it is.

use super::file::TuneFile;
use super::{file_toml, forms};
use engine::config::{ConfigErrors, Place, Source};
use std::path::Path;

/// Reads a file: TOML if it is called so, or else the form that its text shows.
///
/// # Errors
/// It cannot be read, or everything that is wrong with it by itself.
pub fn read(path: &Path) -> Result<TuneFile, ConfigErrors> {
    let source = Source::read(path, Place::Nowhere).map_err(|problem| ConfigErrors::from(*problem))?;
    match path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml")) {
        true => file_toml::parse(&source),
        false => forms::parse(&source),
    }
}
