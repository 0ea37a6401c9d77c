//! A run of any kind: the only place that tells the kinds apart.

use super::matches::MatchSpec;
use super::measure::MeasureSpec;
use super::not_read::NotRead;
use super::selfplay::SelfplaySpec;
use super::shown::Shown;
use super::spec::{Role, RunSpec};
use super::sprt::SprtSpec;
use super::stored::spec_of;
use super::sweep::SweepSpec;
use super::tune::TuneSpec;
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
    Sprt(SprtSpec),
    Match(MatchSpec),
    Sweep(SweepSpec),
    Tune(TuneSpec),
    Measure(MeasureSpec),
    Selfplay(SelfplaySpec),
}

fn unknown(info: &RunInfo) -> NotRead {
    NotRead::OtherVersion {
        run: info.id.clone(),
        reason: format!("runs of the kind {} are not known here", info.kind),
    }
}
