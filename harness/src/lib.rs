//! Is the candidate stronger than the base? Pairs of games between two engine configurations, a
//! sequential test over them, and the evidence on disk.
//!
//! Data flows one way: an [`experiment`] makes pairs, [`run`] plays them, [`store`] keeps them, [`statistics`]
//! judges them, [`report`] tells people. [`commands`] ties the rooms together.

pub mod commands;
pub mod distortion;
pub mod experiment;
pub mod facts;
pub mod fit;
pub mod game;
pub mod openings;
pub mod options;
pub mod players;
pub mod report;
pub mod reproduction;
pub mod run;
pub mod statistics;
pub mod store;
pub mod tuning;
pub mod whole_file;
