//! UCI output: lines to the GUI.

use std::fmt;
use std::io::Write;

/// Prints one line; the GUI may be gone, in which case the end of input follows.
pub fn print_line(text: fmt::Arguments) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// Prints one line, with the arguments of `format!`.
macro_rules! say { ($($part:tt)*) => { $crate::uci::output::print_line(format_args!($($part)*)) } }
pub(super) use say;
