//! Series of a chart: marks that belong together. Those of a series have its colour, which the style sheet knows by its
//! class.

/// Which colour marks have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Series {
    /// The base, or what is only one.
    First,
    /// The candidate.
    Second,
    /// What is compared with both.
    Third,
    /// One of many.
    Fourth,
    /// One of many.
    Fifth,
    /// One of many.
    Sixth,
    /// What stands beside them.
    Neutral,
}

impl Series {
    /// A series for each of many, from 0; the colours repeat after six.
    pub const fn numbered(index: usize) -> Series {
        const ALL: [Series; 6] =
            [Series::First, Series::Second, Series::Third, Series::Fourth, Series::Fifth, Series::Sixth];
        ALL[index % ALL.len()]
    }

    pub(super) const fn class(self) -> &'static str {
        match self {
            Series::First => "first",
            Series::Second => "second",
            Series::Third => "third",
            Series::Fourth => "fourth",
            Series::Fifth => "fifth",
            Series::Sixth => "sixth",
            Series::Neutral => "neutral",
        }
    }
}
