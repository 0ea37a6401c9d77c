//! Words of a command line: options and the values that follow them.

/// An option as it was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Its name without the dashes.
    pub name: String,
    /// The words up to the next option.
    pub values: Vec<String>,
}

/// Divides the words: an option begins with a dash that no digit follows, since values may be negative numbers.
///
/// # Errors
/// A sentence: a value stands where an option is expected.
pub fn divided(words: &[String]) -> Result<Vec<Given>, String> {
    let mut given: Vec<Given> = Vec::new();
    for word in words {
        if let Some(name) = option_name(word) {
            given.push(Given { name: name.to_owned(), values: Vec::new() });
            continue;
        }
        match given.last_mut() {
            Some(last) => last.values.push(word.clone()),
            None => return Err(format!("{word} stands before any option: begin with -engine cmd=PROGRAM")),
        }
    }
    Ok(given)
}

/// Whether a word is an option and no value.
pub fn is_option(word: &str) -> bool {
    option_name(word).is_some()
}

fn option_name(word: &str) -> Option<&str> {
    let name = word.strip_prefix('-')?;
    let name = name.strip_prefix('-').unwrap_or(name);
    (!name.starts_with(|first: char| first.is_ascii_digit())).then_some(name)
}

impl Given {
    /// The one value.
    ///
    /// # Errors
    /// There is none, or several.
    pub fn one(&self) -> Result<&str, String> {
        match &self.values[..] {
            [value] => Ok(value),
            _ => Err("takes exactly one value".to_owned()),
        }
    }

    /// The values as keys with theirs.
    ///
    /// # Errors
    /// A word is none.
    pub fn pairs(&self) -> Result<Vec<(&str, &str)>, String> {
        let mut pairs = Vec::with_capacity(self.values.len());
        for word in &self.values {
            match word.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty()) {
                Some(pair) => pairs.push(pair),
                None => return Err(format!("takes words like key=value, and `{word}` is none")),
            }
        }
        Ok(pairs)
    }
}

/// A whole number.
///
/// # Errors
/// It is none of this kind.
pub fn number<T: std::str::FromStr>(value: &str, what: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("`{value}` is no {what}"))
}

/// `true` or `false`.
///
/// # Errors
/// It is neither.
pub fn truth(key: &str, value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| format!("{key}={value}: write true or false"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn values_belong_to_the_option_before_them() {
        let given =
            divided(&words("-engine cmd=a name=b -sprt elo0=-3 -concurrency -1 -recover --version")).unwrap();
        let names: Vec<_> = given.iter().map(|given| given.name.as_str()).collect();
        assert_eq!(names, ["engine", "sprt", "concurrency", "recover", "version"]);
        assert_eq!(given[0].pairs().unwrap(), [("cmd", "a"), ("name", "b")]);
        assert_eq!((given[2].one(), given[3].one().is_err()), (Ok("-1"), true));
        assert!(divided(&words("sprt -engine")).is_err());
        for bad in ["name", "=b", "a="] {
            assert!(Given { name: String::new(), values: words(bad) }.pairs().is_err(), "{bad}");
        }
    }
}
