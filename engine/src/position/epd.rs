//! EPD operations: what follows the four fields of a position, of which `hmvc` and `fmvn` are the move counters.
//!
//! The form is that of the PGN specification (S. J. Edwards, 1994, section 16.2).

/// Half-move clock and move number, as they stand after the four fields of a position: the last two fields of a FEN, or
/// operations of an EPD; `0` and `1` where they are left out. `None` if it is neither.
pub(super) fn counters<'a>(rest: &[&'a str]) -> Option<[&'a str; 2]> {
    match rest {
        [half_moves, number, operations @ ..] if !are_operations(rest) => {
            are_operations(operations).then(|| [*half_moves, number.trim_end_matches(';')])
        }
        operations if are_operations(operations) => {
            let operand = |opcode, default| operand(operations, opcode).unwrap_or(default);
            Some([operand("hmvc", "0"), operand("fmvn", "1")])
        }
        _ => None,
    }
}

/// Whether the words can be operations: each begins with a letter, and an empty one is only its semicolon.
fn are_operations(words: &[&str]) -> bool {
    words.first().is_none_or(|word| word.starts_with(|first: char| first.is_alphabetic() || first == ';'))
}

/// The first operand of an operation: empty if it has none, `None` if there is no such operation.
fn operand<'a>(operations: &[&'a str], opcode: &str) -> Option<&'a str> {
    let (mut begins, mut is_quoted) = (true, false);
    for (at, word) in operations.iter().enumerate() {
        if begins && *word == opcode {
            return Some(operations.get(at + 1).map_or("", |operand| operand.trim_end_matches(';')));
        }
        is_quoted ^= word.matches('"').count() % 2 == 1;
        begins = !is_quoted && word.ends_with(';');
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_fields_or_operations() {
        for (rest, expected) in [
            ("", Some(["0", "1"])),
            ("3 17", Some(["3", "17"])),
            ("3 17 bm Nf3;", Some(["3", "17"])),
            ("3 17; id \"a\";", Some(["3", "17"])),
            (";", Some(["0", "1"])),
            ("bm Nf3; id \"a b\";", Some(["0", "1"])),
            ("bm Nf3; hmvc 3; fmvn 17;", Some(["3", "17"])),
            ("c0 \"a; hmvc 9; b\"; fmvn 17;", Some(["0", "17"])),
            ("hmvc", Some(["", "1"])),
            ("3", None),
            ("3 17 4", None),
            ("- -", Some(["-", "-"])), // refused as numbers
        ] {
            let words: Vec<&str> = rest.split_whitespace().collect();
            assert_eq!(counters(&words), expected, "{rest}");
        }
    }
}
