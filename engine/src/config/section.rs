//! Sections of a config: where a key can stand.

/// Where in a config a key can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// Before the first table.
    Top,
    /// In `[techniques]`.
    Techniques,
    /// In `[params]`.
    Params,
    /// In `[eval]`.
    Eval,
    /// In no file: a `key=value` of the command line.
    Argument,
}

/// The keys that can stand before the first table, and the tables.
pub(super) const TOP_KEYS: [&str; 5] = ["name", "extends", "techniques", "params", "eval"];

impl Section {
    /// The place, as it ends a sentence: "it belongs in [params]".
    pub(super) fn place(self) -> &'static str {
        match self {
            Section::Top => "at the top of the file",
            Section::Techniques => "in [techniques]",
            Section::Params => "in [params]",
            Section::Eval => "in [eval]",
            Section::Argument => "on the command line",
        }
    }
}
