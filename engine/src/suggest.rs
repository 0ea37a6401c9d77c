//! Suggestion of the nearest known name for a mistyped one.

/// The known name nearest to a mistyped one, or `None` if nothing comes close.
///
/// Close means that few letters must be inserted, deleted, replaced or swapped: one in a name of up to
/// four letters, otherwise a quarter of them, at least two and at most four. Case and the difference
/// between `-` and `_` do not count.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let typed = plain(typed);
    let typed_letters = typed.chars().count();
    known
        .into_iter()
        .filter_map(|name| {
            let letters = name.chars().count();
            let slips_allowed = if letters <= 4 { 1 } else { (letters / 4).clamp(2, 4) };
            // The distance is at least the difference in length; checking that first keeps a
            // megabyte of nonsense from costing a megabyte-wide matrix.
            if typed_letters.abs_diff(letters) > slips_allowed {
                return None;
            }
            let slips = strsim::damerau_levenshtein(&typed, &plain(name));
            (slips <= slips_allowed).then_some((slips, name))
        })
        .min_by_key(|&(slips, _)| slips)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 4] = ["aspiration_delta", "aspiration_max_delta", "pvs", "lmr"];

    #[test]
    fn slips_find_their_name() {
        for (typed, meant) in [
            ("aspiration_detla", Some("aspiration_delta")),
            ("aspiration-delta", Some("aspiration_delta")),
            ("ASPIRATION_DELTA", Some("aspiration_delta")),
            ("aspirationdelta", Some("aspiration_delta")),
            ("pv", Some("pvs")),
            ("pvss", Some("pvs")),
            ("lrm", Some("lmr")),
            ("", None),
            ("xyz", None),
            ("speed", None),
            ("é", None),
        ] {
            assert_eq!(nearest(typed, KNOWN), meant, "{typed}");
        }
    }

    #[test]
    fn a_megabyte_of_nonsense_is_quick() {
        assert_eq!(nearest(&"a".repeat(1 << 20), KNOWN), None);
    }
}
