//! How is an engine's output shown to people? Whatever it wrote, on one line that cannot act on a terminal.

/// Characters shown of one line.
const LONGEST_SHOWN: usize = 200;

/// The text with control characters escaped and cut where it is long.
pub(super) fn printable(bytes: &[u8]) -> String {
    // A character has at most four bytes; the rest need not be looked at.
    let part = &bytes[..bytes.len().min(4 * LONGEST_SHOWN)];
    let text = String::from_utf8_lossy(part);
    let mut shown: String = text.trim().chars().take(LONGEST_SHOWN).map(escaped).collect();
    if bytes.len() > part.len() || text.trim().chars().count() > LONGEST_SHOWN {
        shown.push('…');
    }
    shown
}

fn escaped(c: char) -> String {
    // Besides control characters, those that turn the direction of writing: they make a line look like another.
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if c == '\t' {
        " ".to_owned()
    } else if c.is_control() || turns {
        c.escape_default().to_string()
    } else {
        c.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts_on_a_terminal() {
        assert_eq!(printable(b" \x1b[31mred\x07\r\nnext\t\xff "), "\\u{1b}[31mred\\u{7}\\r\\nnext \u{fffd}");
        assert_eq!(printable("a\u{202e}b".as_bytes()), "a\\u{202e}b");
        assert_eq!(printable("é".as_bytes()), "é");
        assert_eq!(printable(&[b'x'; 1000]).chars().count(), LONGEST_SHOWN + 1);
    }
}
