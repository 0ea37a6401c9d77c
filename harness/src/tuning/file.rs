//! What does a user want tuned? A TOML file that names a configuration, the parameters and how long to try; what it
//! leaves out comes from the engine's table of parameters:
//!
//! ```toml
//! base = "../full.toml"        # relative to this file, or the name of a config
//! iterations = 2000
//! pairs = 8
//!
//! [parameters]
//! lmr_base = {}                # from its value in base, over the whole range
//! rfp_margin = { start = 200, min = 20, max = 300, c_end = 8, r_end = 0.002 }
//! ```

use super::forms::R_END;
use super::spsa::{Parameter, Schedule};
use crate::players::spec::PlayerSpec;
use engine::config::EngineConfig;
use engine::params::ParamInfo;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// What the file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneFile {
    /// The configuration whose parameters are tuned.
    pub base: String,
    iterations: Option<u64>,
    pairs: Option<u64>,
    a_ratio: Option<f64>,
    alpha: Option<f64>,
    gamma: Option<f64>,
    lag: Option<u64>,
    parameters: BTreeMap<Spanned<String>, Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    start: Option<f64>,
    min: Option<i32>,
    max: Option<i32>,
    c_end: Option<f64>,
    r_end: Option<f64>,
}

impl Entry {
    /// A parameter of the built-in engine.
    fn of_table(&self, name: &str, config: &EngineConfig) -> Result<Parameter, String> {
        let info = ParamInfo::find(name).map_err(|error| error.to_string())?;
        let value = config.params.get(info.name).unwrap_or(info.default);
        Ok(Parameter {
            name: info.name.to_owned(),
            start: self.start.unwrap_or(f64::from(value)),
            min: self.min.unwrap_or(info.min),
            max: self.max.unwrap_or(info.max),
            c_end: self.c_end.unwrap_or(f64::from(info.step)),
            r_end: self.r_end.unwrap_or(R_END),
        })
    }

    /// An option of another engine, of which nothing is known here.
    fn of_option(&self, name: &str) -> Result<Parameter, String> {
        match (self.start, self.min, self.max, self.c_end) {
            (Some(start), Some(min), Some(max), Some(c_end)) => {
                let r_end = self.r_end.unwrap_or(R_END);
                Ok(Parameter { name: name.to_owned(), start, min, max, c_end, r_end })
            }
            _ => Err(format!("{name} is an option of another engine: give its start, min, max and c_end")),
        }
    }
}

impl TuneFile {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// Where it is no such file, with the line.
    pub fn parse(text: &str) -> Result<TuneFile, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    /// How long and in which steps.
    pub fn schedule(&self) -> Schedule {
        let usual = Schedule::default();
        Schedule {
            iterations: self.iterations.unwrap_or(usual.iterations),
            pairs: self.pairs.unwrap_or(usual.pairs),
            a_ratio: self.a_ratio.unwrap_or(usual.a_ratio),
            alpha: self.alpha.unwrap_or(usual.alpha),
            gamma: self.gamma.unwrap_or(usual.gamma),
            lag: self.lag.unwrap_or(usual.lag),
        }
    }

    /// The parameters, what is not given being that of the table and of `base`. `text` is the file's.
    ///
    /// # Errors
    /// The first that does not exist, with its line.
    pub fn parameters(&self, base: &PlayerSpec, text: &str) -> Result<Vec<Parameter>, String> {
        let parameter = |(name, entry): (&Spanned<String>, &Entry)| {
            let parameter = match base.config() {
                Some(config) => entry.of_table(name.get_ref(), config),
                None => entry.of_option(name.get_ref()),
            };
            parameter.map_err(|error| format!("line {}: {error}", line_of(text, name.span())))
        };
        self.parameters.iter().map(parameter).collect()
    }
}

/// A file that asks for this; what is left out of it is not left to any table.
pub fn as_toml(base: &str, schedule: &Schedule, parameters: &[Parameter]) -> String {
    let Schedule { iterations, pairs, a_ratio, alpha, gamma, lag } = schedule;
    let mut text = format!(
        "base = {}\niterations = {iterations}\npairs = {pairs}\na_ratio = {a_ratio}\nalpha = {alpha}\ngamma = {gamma}\n\
         lag = {lag}\n\n[parameters]\n",
        toml::Value::from(base)
    );
    for Parameter { name, start, min, max, c_end, r_end } in parameters {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
        let key = match !name.is_empty() && name.chars().all(is_bare) {
            true => name.clone(),
            false => toml::Value::from(name.as_str()).to_string(),
        };
        text += &format!(
            "{key} = {{ start = {start}, min = {min}, max = {max}, c_end = {c_end}, r_end = {r_end} }}\n"
        );
    }
    text
}

fn line_of(text: &str, span: Range<usize>) -> usize {
    text[..span.start.min(text.len())].matches('\n').count() + 1
}

/// Iterations that may be planned ahead: both players of each are kept ready.
const MOST_LAG: u64 = 1000;

/// Refuses what could never be tuned: nothing at all, numbers that make no sense, values that the table does not allow.
///
/// # Errors
/// A sentence that says what is wrong and what is allowed.
pub fn check(base: &PlayerSpec, parameters: &[Parameter], schedule: &Schedule) -> Result<(), String> {
    let Schedule { iterations, pairs, a_ratio, alpha, gamma, lag } = *schedule;
    if parameters.is_empty() {
        return Err("there is no parameter to tune: name some under [parameters]".to_owned());
    }
    if iterations == 0 || pairs == 0 || iterations.checked_mul(pairs).is_none_or(|all| all > 1 << 40) {
        return Err(format!(
            "{iterations} iterations of {pairs} pairs are no run: give at least one of each, and not more than anybody \
             could play"
        ));
    }
    if lag >= iterations || lag > MOST_LAG {
        return Err(format!(
            "lag is {lag}: `lag` must be less than the {iterations} iterations, and at most {MOST_LAG}"
        ));
    }
    for (name, value) in [("a_ratio", a_ratio), ("alpha", alpha), ("gamma", gamma)] {
        if !(0.0..=10.0).contains(&value) {
            return Err(format!("{name} is {value}: give a number from 0 to 10"));
        }
    }
    for parameter in parameters {
        if let Some(config) = base.config() {
            check_bounds(parameter)?;
            check_use(parameter, config)?;
        }
        check_parameter(parameter)?;
    }
    let repeated =
        (1..parameters.len()).find(|&i| parameters[..i].iter().any(|p| p.name == parameters[i].name));
    match repeated {
        Some(i) => Err(format!("{} is named twice: keep one", parameters[i].name)),
        None => Ok(()),
    }
}

/// Whether the built-in engine has the parameter, and takes all that may come up.
fn check_bounds(Parameter { name, min, max, .. }: &Parameter) -> Result<(), String> {
    let info = ParamInfo::find(name).map_err(|error| error.to_string())?;
    [*min, *max].iter().try_for_each(|&bound| match info.check(bound.into()) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    })
}

/// Whether the configuration makes any use of the parameter.
fn check_use(Parameter { name, .. }: &Parameter, config: &EngineConfig) -> Result<(), String> {
    let ParamInfo { technique, .. } = ParamInfo::find(name).map_err(|error| error.to_string())?;
    match config.techniques.get(technique) {
        Some(false) => Err(format!(
            "{name} does nothing while `{technique}` is off, as it is in the base: turn it on there, or leave {name} out"
        )),
        _ => Ok(()),
    }
}

fn check_parameter(parameter: &Parameter) -> Result<(), String> {
    let Parameter { name, start, min, max, c_end, r_end } = parameter;
    if min >= max {
        return Err(format!("{name} has no room between min {min} and max {max}: give a smaller min"));
    }
    if !(f64::from(*min)..=f64::from(*max)).contains(start) {
        return Err(format!("{name} starts at {start}: give a value from {min} to {max}"));
    }
    let width = f64::from(*max) - f64::from(*min);
    if !(*c_end > 0.0 && *c_end <= width) {
        return Err(format!("c_end of {name} is {c_end}: give more than 0 and at most its range, {width}"));
    }
    if !(*r_end > 0.0 && *r_end <= 10.0) {
        return Err(format!("r_end of {name} is {r_end}: give more than 0 and at most 10; {R_END} is usual"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const FILE: &str = "base = \"full.toml\"\niterations = 500\n\n[parameters]\nlmr_base = {}\nrfp_margin = { start = 200, c_end = 8 }\n";

    fn player() -> PlayerSpec {
        PlayerSpec::new(Path::new("full.toml"), EngineConfig::default())
    }

    #[test]
    fn what_is_left_out_comes_from_the_table() {
        let file = TuneFile::parse(FILE).unwrap();
        let config = EngineConfig::default();
        let base = player();
        let parameters = file.parameters(&base, FILE).unwrap();
        let info = ParamInfo::find("lmr_base").unwrap();
        assert_eq!(
            parameters[0],
            Parameter {
                name: "lmr_base".to_owned(),
                start: f64::from(config.params.lmr_base),
                min: info.min,
                max: info.max,
                c_end: f64::from(info.step),
                r_end: R_END,
            }
        );
        assert_eq!((parameters[1].start, parameters[1].c_end), (200.0, 8.0));
        assert_eq!(file.schedule(), Schedule { iterations: 500, ..Schedule::default() });
        check(&base, &parameters, &file.schedule()).unwrap();
    }

    #[test]
    fn slips_are_named_with_their_line() {
        let text = FILE.replace("rfp_margin", "rfp_margn");
        let file = TuneFile::parse(&text).unwrap();
        let error = file.parameters(&player(), &text).unwrap_err();
        assert!(error.starts_with("line 6:") && error.contains("rfp_margin"), "{error}");
        let error = TuneFile::parse(&FILE.replace("c_end", "cend")).unwrap_err();
        assert!(error.contains("line 6") && error.contains("c_end"), "{error}");
    }

    #[test]
    fn nonsense_is_refused_with_a_sentence() {
        let good =
            Parameter { name: "rfp_margin".into(), start: 80.0, min: 40, max: 200, c_end: 8.0, r_end: 0.002 };
        let schedule = Schedule::default();
        let refused = |parameter: Parameter| check(&player(), &[parameter], &schedule).unwrap_err();
        for (parameter, sentence) in [
            (
                Parameter { start: 30.0, ..good.clone() },
                "rfp_margin starts at 30: give a value from 40 to 200",
            ),
            (Parameter { start: f64::NAN, ..good.clone() }, "starts at NaN"),
            (Parameter { max: 40, ..good.clone() }, "no room between min 40 and max 40"),
            (Parameter { max: 1_000_000, ..good.clone() }, "1000000"),
            (Parameter { c_end: 0.0, ..good.clone() }, "c_end of rfp_margin is 0"),
            (Parameter { r_end: f64::INFINITY, ..good.clone() }, "r_end of rfp_margin is inf"),
            (Parameter { name: "rfp_margn".into(), ..good.clone() }, "rfp_margin"),
        ] {
            let error = refused(parameter);
            assert!(error.contains(sentence), "{error}");
        }
        assert!(
            check(&player(), &[good.clone(), good.clone()], &schedule).unwrap_err().contains("named twice")
        );
        assert!(check(&player(), &[], &schedule).unwrap_err().contains("no parameter"));
        let too_long = Schedule { iterations: u64::MAX, ..schedule };
        assert!(check(&player(), &[good], &too_long).unwrap_err().contains("are no run"));
    }
}
