//! Help: the table of options for people.

use super::VERSION;
use super::options::{Fate, TABLE};

/// What `-version` prints. The first number is fastchess's, since OpenBench's workers compare it.
pub fn version() -> String {
    format!("fastchess {VERSION}, in the form that harness {} speaks\n", env!("CARGO_PKG_VERSION"))
}

/// What `-help` prints.
pub fn help() -> String {
    let mut text = format!(
        "{}\nfastchess -engine cmd=A -engine cmd=B -each tc=10+0.1 -openings file=BOOK -rounds N [OPTIONS]\n",
        version()
    );
    for (fate, heading) in [
        (Fate::Taken, "Taken"),
        (Fate::Said, "Accepted; what is different is said once on standard error"),
        (Fate::Refused, "Refused"),
    ] {
        text += &format!("\n{heading}:\n");
        for row in TABLE.iter().filter(|row| row.fate == fate) {
            let option = format!("-{} {}", row.name, row.values);
            text += &format!("  {:<36} {}\n", option.trim_end(), row.help);
        }
    }
    text + "\nThe runs are stored in results/: `harness runs` lists them, `harness report RUN` has all figures.\n"
}
