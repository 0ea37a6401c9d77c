//! Engines' output as people are shown it: on one line that cannot act on a terminal.

/// Characters shown of one line.
const LONGEST_SHOWN: usize = 200;

/// The text with control characters escaped and cut where it is long.
pub(super) fn printable(bytes: &[u8]) -> String {
    printable_line(bytes, LONGEST_SHOWN)
}

/// The same, cut after so many characters.
pub(super) fn printable_line(bytes: &[u8], longest: usize) -> String {
    // A character has at most four bytes; the rest need not be looked at.
    let part = &bytes[..bytes.len().min(4 * longest)];
    let text = String::from_utf8_lossy(part);
    let mut shown: String = text.trim().chars().take(longest).map(escaped).collect();
    if bytes.len() > part.len() || text.trim().chars().count() > longest {
        shown.push('…');
    }
    shown
}

/// Beginning and end of a text that is too long for a message.
pub(super) fn shortened(text: &str) -> String {
    const BEGINNING: usize = 300;
    const END: usize = 150;
    let length = text.chars().count();
    if length <= BEGINNING + END {
        return text.to_owned();
    }
    let beginning: String = text.chars().take(BEGINNING).collect();
    let end: String = text.chars().skip(length - END).collect();
    format!("{beginning} … {end}")
}

/// As `\x1b` or `\u202e`, without braces: in a comment of PGN these cannot stand.
fn escaped(c: char) -> String {
    // Besides control characters, those that turn the direction of writing: they make a line look like another.
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    match u32::from(c) {
        _ if c == '\t' => " ".to_owned(),
        _ if c == '\r' => "\\r".to_owned(),
        _ if c == '\n' => "\\n".to_owned(),
        code @ ..=0xff if c.is_control() => format!("\\x{code:02x}"),
        code if c.is_control() || turns => format!("\\u{code:04x}"),
        _ => c.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_keeps_its_beginning_and_its_end() {
        let text = format!("cause {} end", "frame ".repeat(400));
        let short = shortened(&text);
        assert!(
            short.starts_with("cause frame") && short.ends_with("frame  end") && short.chars().count() < 460
        );
        assert_eq!(shortened("brief"), "brief");
    }

    #[test]
    fn nothing_acts_on_a_terminal() {
        assert_eq!(printable(b" \x1b[31mred\x07\r\nnext\t\xff "), "\\x1b[31mred\\x07\\r\\nnext \u{fffd}");
        assert_eq!(printable("a\u{202e}b\u{9b}".as_bytes()), "a\\u202eb\\x9b");
        assert_eq!(printable("é".as_bytes()), "é");
        assert_eq!(printable(&[b'x'; 1000]).chars().count(), LONGEST_SHOWN + 1);
    }
}
