//! SPRT testing and tuning of chess engines: is the candidate stronger than the base? Pairs of games between two engine
//! configurations, a sequential test over them, and the evidence on disk.
//!
//! Data flows one way: a run of one of the [`kinds`] names pairs, [`run`] plays them, [`store`] keeps them, [`statistics`]
//! judges them, [`report`] tells people. [`commands`] ties the rooms together.

pub mod cli;
pub mod commands;
pub mod compare;
pub mod conditions;
pub mod facts;
pub mod fastchess;
pub mod fit;
pub mod game;
pub mod kinds;
pub mod openings;
pub mod options;
pub mod players;
pub mod report;
pub mod run;
pub mod series;
pub mod statistics;
pub mod store;
pub mod whole_file;
