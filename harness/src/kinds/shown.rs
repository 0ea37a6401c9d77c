//! What `harness show` tells of a stored run, for people and for programs.

use serde_json::{Map, Value};

/// A stored run as it is shown.
pub struct Shown {
    /// What was asked.
    pub question: String,
    /// The lines a person reads.
    pub text: String,
    /// The same for programs.
    pub json: Map<String, Value>,
}
