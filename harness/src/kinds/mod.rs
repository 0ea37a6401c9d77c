//! Kinds of runs, a folder each. Everything that is the same for all of them is written once and knows them by
//! [`RunSpec`](spec::RunSpec).
//!
//! | file | holds |
//! |---|---|
//! | [`spec`] | what a kind must tell of itself; digest and differences follow |
//! | [`any`] | a run of any kind: the list of the kinds |
//! | [`stored`] | a stored run, its pairs counted again |
//! | [`shown`], [`overview`] | what `harness show` tells |
//! | [`not_read`] | why a stored run cannot be read |

pub mod any;
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
