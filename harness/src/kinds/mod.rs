//! Kinds of runs, a folder each, and a run of any kind: the only place that tells the kinds apart. Everything that is the same
//! for all of them is written once and knows them by [`RunSpec`].
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | what a kind must tell of itself; digest and differences follow |
//! | [`stored`] | a stored run, its pairs counted again |
//! | [`mod@shown`], [`overview`] | what `harness show` tells |
//! | [`not_read`] | why a stored run cannot be read |

pub mod matches;
pub mod measure;
pub mod not_read;
pub mod overview;
pub mod selfplay;
pub mod shown;
pub mod spec;
pub mod sprt;
pub mod stored;
pub mod sweep;
pub mod tune;

use self::not_read::NotRead;
use self::shown::Shown;
use self::spec::{Role, RunSpec};
use self::stored::spec_of;
use crate::conditions::Conditions;
use crate::players::spec::PlayerSpec;
use crate::report::written::Report;
use crate::run::contest::Contest;
use crate::store::{RunInfo, Store};
use std::sync::Arc;

/// Declares the kinds, a line each: what a run of any kind can be asked follows from its specification.
macro_rules! kinds {
    ($($kind:ident($spec:ty),)*) => {
        /// The specification of a run of any kind.
        pub enum AnySpec {
            $(
                #[doc = concat!("That of a [`", stringify!($spec), "`].")]
                $kind(Arc<$spec>),
            )*
        }

        impl AnySpec {
            /// The specification of a stored run.
            ///
            /// # Errors
            /// Another version of this program stored it.
            pub fn of(info: &RunInfo) -> Result<AnySpec, NotRead> {
                match info.kind.as_str() {
                    $(<$spec>::KIND => spec_of(info).map(|spec| AnySpec::$kind(Arc::new(spec))),)*
                    _ => Err(unknown(info)),
                }
            }

            /// Under what circumstances its pairs are played.
            pub fn conditions(&self) -> &Conditions {
                match self {
                    $(AnySpec::$kind(spec) => spec.conditions(),)*
                }
            }

            /// The players that it names, with their roles; a tuning run makes others from its one.
            pub fn players(&self) -> Vec<(Role, &PlayerSpec)> {
                match self {
                    $(AnySpec::$kind(spec) => spec.players(),)*
                }
            }

            /// SHA-256 of everything that decides the games and the verdict.
            pub fn digest(&self) -> String {
                match self {
                    $(AnySpec::$kind(spec) => spec.digest(),)*
                }
            }

            /// The run without an end of its own, of which nothing has been counted.
            pub fn contest(&self) -> Box<dyn Contest> {
                match self {
                    $(AnySpec::$kind(spec) => Box::new(spec.contest(&Default::default())),)*
                }
            }
        }

        /// The report of a stored run.
        ///
        /// # Errors
        /// See [`NotRead`].
        pub fn report_of(store: &Store, info: RunInfo) -> Result<Report, NotRead> {
            match info.kind.as_str() {
                $(<$spec>::KIND => <$spec>::report(store, info),)*
                _ => Err(unknown(&info)),
            }
        }

        /// What `harness show` tells of a stored run.
        ///
        /// # Errors
        /// See [`NotRead`].
        pub fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
            match info.kind.as_str() {
                $(<$spec>::KIND => <$spec>::shown(store, info),)*
                _ => Err(unknown(&info)),
            }
        }
    };
}

kinds! {
    Sprt(sprt::SprtSpec),
    Match(matches::MatchSpec),
    Sweep(sweep::SweepSpec),
    Tune(tune::TuneSpec),
    Measure(measure::MeasureSpec),
    Selfplay(selfplay::SelfplaySpec),
}

fn unknown(info: &RunInfo) -> NotRead {
    NotRead::OtherVersion {
        run: info.id.clone(),
        reason: format!("runs of the kind {} are not known here", info.kind),
    }
}
