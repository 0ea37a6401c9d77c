//! Check of what is to be tuned. What a file leaves out comes from the built-in engine's table or from what another engine
//! declares, and from the base; then everything is checked, and what is wrong is shown where it stands.

use super::file::{Entry, TuneFile};
use super::forms::R_END;
use super::ranges::{self, Clash, Wanted};
use super::spsa::{Parameter, SpsaSchedule};
use crate::players::external::ExternalEngine;
use crate::players::spec::{EngineSpec, PlayerSpec};
use crate::players::uci::{Declared, NoSpin};
use engine::config::{ConfigErrors, EngineConfig, Place, Problem, ProblemKind, Source};
use engine::params::{ParamInfo, SearchParams};
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;

/// Iterations that may be planned ahead: both players of each are kept ready.
const MOST_LAG: u64 = 1000;

/// The share of its range by which an option of another engine is moved unless it is said, as in fishtest.
const USUAL_SHARE: f64 = 1.0 / 20.0;

/// A value that moves less than this is played as it was.
const LEAST_MOVE: f64 = 0.5;

/// Pairs that nobody could play.
const MOST_PAIRS: u64 = 1 << 40;

impl TuneFile {
    /// The parameters of this base and the schedule: what the file leaves out is as `usual`, the table or the base say, and
    /// `iterations` are another number than the file's. Of another engine the table is what it has `declared`; the built-in
    /// one needs no such.
    ///
    /// An end of a range that is not given is drawn in where the table's would not be legal together with the rest.
    ///
    /// # Errors
    /// Everything that could never be tuned: nothing at all, numbers that make no sense, values that the table does not
    /// allow.
    pub fn wanted(
        &self,
        base: &PlayerSpec,
        declared: &Declared,
        iterations: Option<u64>,
        usual: &SpsaSchedule,
    ) -> Result<(Vec<Parameter>, SpsaSchedule), ConfigErrors> {
        let mut check = Check { source: &self.source, problems: Vec::new() };
        let given = self.schedule.or(usual);
        let schedule = SpsaSchedule { iterations: iterations.unwrap_or(given.iterations), ..given };
        check.schedule(self, &schedule);
        check.names(&self.entries);
        let complete = |entry| Some(Wanted { entry, parameter: check.complete(entry, base, declared)? });
        let mut wanted: Vec<Wanted> = self.entries.iter().filter_map(complete).collect();
        if let Some(config) = base.config().filter(|_| check.problems.is_empty()) {
            check.draw_in(&mut wanted, &config.params);
        }
        wanted.iter().for_each(|wanted| check.parameter(wanted, &schedule));
        ConfigErrors::unless_none(check.in_order())?;
        Ok((wanted.into_iter().map(|wanted| wanted.parameter).collect(), schedule))
    }
}

/// What is wrong with a file, collected.
struct Check<'a> {
    source: &'a Arc<Source>,
    /// Where in the file each is, and what it is.
    problems: Vec<(usize, Problem)>,
}

impl Check<'_> {
    fn schedule(&mut self, file: &TuneFile, schedule: &SpsaSchedule) {
        let SpsaSchedule { iterations, pairs, a_ratio, alpha, gamma, lag } = *schedule;
        let given = &file.schedule;
        let length = [&given.iterations, &given.pairs].into_iter().find_map(span);
        if iterations == 0 || pairs == 0 || iterations.checked_mul(pairs).is_none_or(|all| all > MOST_PAIRS) {
            let what = format!("{iterations} iterations of {pairs} pairs are no run");
            self.other(length, what, "give at least one of each, and not more than anybody could play");
        } else if lag >= iterations || lag > MOST_LAG {
            let what = format!("`lag` is {lag} in a run of {iterations} iterations");
            let remedy = format!("give less than the iterations, and at most {MOST_LAG}");
            self.other(span(&given.lag).or(length), what, &remedy);
        }
        let steps = [
            ("a_ratio", a_ratio, &given.a_ratio),
            ("alpha", alpha, &given.alpha),
            ("gamma", gamma, &given.gamma),
        ];
        for (name, value, given) in steps {
            if !(0.0..=10.0).contains(&value) {
                self.other(span(given), format!("`{name}` is {value}"), "give a number from 0 to 10");
            }
        }
    }

    fn names(&mut self, entries: &[Entry]) {
        if entries.is_empty() {
            self.other(None, "there is no parameter to tune".to_owned(), "name some under [parameters]");
        }
        let mut names: Vec<&Spanned<String>> = entries.iter().map(|entry| &entry.name).collect();
        names.sort_by_key(|name| name.span().start);
        for (nth, name) in names.iter().enumerate() {
            let text = name.get_ref();
            let is_same = |other: &&&Spanned<String>| other.get_ref().eq_ignore_ascii_case(text);
            let what = match names[..nth].iter().find(is_same) {
                None => continue,
                Some(other) if other.get_ref() == text => format!("{text} is named twice"),
                Some(other) => {
                    format!("`{text}` is the option `{}` again: UCI ignores letter case", other.get_ref())
                }
            };
            self.other(Some(name.span()), what, "keep one");
        }
    }

    /// The parameter, if there is one.
    fn complete(&mut self, entry: &Entry, base: &PlayerSpec, declared: &Declared) -> Option<Parameter> {
        match &base.engine {
            EngineSpec::External(engine) => self.of_option(entry, engine, declared),
            EngineSpec::BuiltIn { config, .. } => self.of_table(entry, config),
            // A base that was read from a file is of this version.
            EngineSpec::OtherVersion { .. } => None,
        }
    }

    /// A parameter of the built-in engine, of which the configuration makes use.
    fn of_table(&mut self, entry: &Entry, config: &EngineConfig) -> Option<Parameter> {
        let Entry { name, start, min, max, c_end, r_end } = entry;
        let info = match ParamInfo::find(name.get_ref()) {
            Ok(info) => info,
            Err(error) => {
                self.report(Some(name.span()), ProblemKind::Param(error));
                return None;
            }
        };
        for bound in [min, max].into_iter().flatten() {
            if let Err(error) = info.check((*bound.get_ref()).into()) {
                self.report(Some(bound.span()), ProblemKind::Param(error));
            }
        }
        if config.techniques.get(info.technique) == Some(false) {
            let what = format!(
                "`{}` does nothing while `{}` is off, as it is in the base",
                info.name, info.technique
            );
            self.other(Some(name.span()), what, "turn it on there, or leave the parameter out");
        }
        let value = config.params.get(info.name).unwrap_or(info.default);
        Some(Parameter {
            name: info.name.to_owned(),
            start: value_of(start).unwrap_or(f64::from(value)),
            min: value_of(min).unwrap_or(info.min),
            max: value_of(max).unwrap_or(info.max),
            c_end: value_of(c_end).unwrap_or(f64::from(info.step)),
            r_end: value_of(r_end).unwrap_or(R_END),
        })
    }

    /// An option of another engine, within what that declares of it.
    fn of_option(
        &mut self,
        entry: &Entry,
        engine: &ExternalEngine,
        declared: &Declared,
    ) -> Option<Parameter> {
        let Entry { name, start, min, max, c_end, r_end } = entry;
        let option = name.get_ref();
        let spin = match declared.spin(option) {
            Ok(spin) => spin,
            Err(NoSpin { what, remedy }) => {
                self.other(Some(name.span()), format!("{} {what}", engine.name), &remedy);
                return None;
            }
        };
        for (key, bound) in [("min", min), ("max", max)] {
            if let Some(bound) = bound.as_ref().filter(|bound| !spin.takes(i64::from(*bound.get_ref()))) {
                let what = format!(
                    "`{key}` of `{option}` is {}, and {} takes {spin} for it",
                    bound.get_ref(),
                    engine.name
                );
                self.other(Some(bound.span()), what, "give a value that it takes");
            }
        }
        let is_set = engine.options.iter().find(|(set, _)| set.eq_ignore_ascii_case(option));
        let set = is_set.and_then(|(_, value)| value.parse().ok());
        let start = value_of(start).or(set).or(spin.default.map(|default| default as f64));
        let min = value_of(min).or(spin.min.map(nearest_i32));
        let max = value_of(max).or(spin.max.map(nearest_i32));
        let (Some(start), Some(min), Some(max)) = (start, min, max) else {
            let missing: Vec<_> =
                [("start", start.is_none()), ("min", min.is_none()), ("max", max.is_none())]
                    .into_iter()
                    .filter_map(|(key, is_missing)| is_missing.then_some(key))
                    .collect();
            let missing = missing.join(" and ");
            let what = format!("`{option}` has no {missing}, and {} declares none", engine.name);
            self.other(Some(name.span()), what, &format!("give its {missing}"));
            return None;
        };
        let usual_step = (USUAL_SHARE * (f64::from(max) - f64::from(min))).max(LEAST_MOVE);
        Some(Parameter {
            name: option.clone(),
            start,
            min,
            max,
            c_end: value_of(c_end).unwrap_or(usual_step),
            r_end: value_of(r_end).unwrap_or(R_END),
        })
    }

    /// Whatever values of the ranges are legal together, or it is said which are not.
    fn draw_in(&mut self, wanted: &mut [Wanted], params: &SearchParams) {
        let Err(Clash { lower, upper }) = ranges::draw_in(wanted, params) else { return };
        let entry = |name| ranges::place(wanted, name).map(|place| wanted[place].entry);
        let given = entry(lower).and_then(|entry| span(&entry.max));
        let given = given.or_else(|| entry(upper).and_then(|entry| span(&entry.min)));
        let what = format!("the ranges allow a `{lower}` that is not below `{upper}`");
        self.other(given, what, "give a min and a max that exclude them");
    }

    fn parameter(&mut self, Wanted { entry, parameter }: &Wanted, schedule: &SpsaSchedule) {
        let Parameter { name, start, min, max, c_end, r_end } = parameter;
        let at = |given: Option<Range<usize>>| given.or_else(|| Some(entry.name.span()));
        if min >= max {
            let place = at(span(&entry.max).or_else(|| span(&entry.min)));
            return self.other(
                place,
                format!("`{name}` has no room between min {min} and max {max}"),
                "give a smaller min or a greater max",
            );
        }
        if !(f64::from(*min)..=f64::from(*max)).contains(start) {
            let remedy = format!("give a value from {min} to {max}");
            self.other(at(span(&entry.start)), format!("`{name}` starts at {start}"), &remedy);
        }
        let width = f64::from(*max) - f64::from(*min);
        if !(*c_end > 0.0 && *c_end <= width) {
            let remedy = format!("give more than 0 and at most its range, {width}");
            self.other(at(span(&entry.c_end)), format!("`c_end` of {name} is {c_end}"), &remedy);
        }
        if !(*r_end > 0.0 && *r_end <= 10.0) {
            let remedy = format!("give more than 0 and at most 10; {R_END} is usual");
            self.other(at(span(&entry.r_end)), format!("`r_end` of {name} is {r_end}"), &remedy);
        }
        // A short run is no reason to refuse what a usual one could tune.
        let usual = SpsaSchedule::default();
        let (iterations, pairs) =
            (schedule.iterations.max(usual.iterations), schedule.pairs.max(usual.pairs));
        let long = SpsaSchedule { iterations, pairs, ..*schedule };
        if *c_end > 0.0 && *r_end > 0.0 && long.farthest(parameter) < LEAST_MOVE {
            let games = iterations.saturating_mul(pairs).saturating_mul(2);
            let what = format!(
                "`c_end` of {name} is {c_end}: even {games} games, all of them won, would move it by less than {LEAST_MOVE}"
            );
            self.other(at(span(&entry.c_end)), what, "give a greater c_end or r_end");
        }
    }

    /// The problems in the order of the file.
    fn in_order(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|(place, _)| *place);
        self.problems.into_iter().map(|(_, problem)| problem).collect()
    }

    fn other(&mut self, span: Option<Range<usize>>, what: String, remedy: &str) {
        // A problem without a place names its file itself.
        let what = match span {
            Some(_) => what,
            None => format!("in {}: {what}", self.source.path.display()),
        };
        self.report(span, ProblemKind::Other { what, remedy: remedy.to_owned() });
    }

    fn report(&mut self, span: Option<Range<usize>>, kind: ProblemKind) {
        let begin = span.as_ref().map_or(0, |span| span.start);
        let place = span.map_or(Place::Nowhere, |span| self.source.place(span));
        self.problems.push((begin, Problem::new(kind, place)));
    }
}

fn span<T>(given: &Option<Spanned<T>>) -> Option<Range<usize>> {
    given.as_ref().map(Spanned::span)
}

/// The value, or the end of what is played that is nearest to it.
fn nearest_i32(value: i64) -> i32 {
    value.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

fn value_of<T: Copy>(given: &Option<Spanned<T>>) -> Option<T> {
    given.as_ref().map(|value| *value.get_ref())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const FILE: &str = "base = \"full.toml\"\niterations = 500\n\n[parameters]\nlmr_base = {}\nrfp_margin = { start = 200, c_end = 8 }\n";

    fn wanted_of(base: &PlayerSpec, text: &str) -> Result<(Vec<Parameter>, SpsaSchedule), ConfigErrors> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tune.toml");
        std::fs::write(&path, text).unwrap();
        crate::kinds::tune::read::read(&path)?.wanted(
            base,
            &Declared::default(),
            None,
            &SpsaSchedule::default(),
        )
    }

    fn wanted(text: &str) -> Result<(Vec<Parameter>, SpsaSchedule), ConfigErrors> {
        wanted_of(&PlayerSpec::new(Path::new("full.toml"), EngineConfig::default()), text)
    }

    fn parameters(lines: &str) -> Result<Vec<Parameter>, ConfigErrors> {
        wanted(&format!("[parameters]\n{lines}")).map(|(parameters, _)| parameters)
    }

    #[test]
    fn what_is_left_out_comes_from_the_table() {
        let (parameters, schedule) = wanted(FILE).unwrap();
        let config = EngineConfig::default();
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
        assert_eq!(schedule, SpsaSchedule { iterations: 500, ..SpsaSchedule::default() });
    }

    #[test]
    fn an_end_that_is_not_given_is_drawn_in_to_what_is_legal() {
        let ranges = |lines: &str| -> Vec<[i32; 2]> {
            let parameters = parameters(lines).unwrap_or_else(|error| panic!("{lines}: {error}"));
            parameters.iter().map(|parameter| [parameter.min, parameter.max]).collect()
        };
        // rfp_improving, 40 in the base, must stay below rfp_margin, 80.
        assert_eq!(ranges("rfp_margin = {}"), [[41, 500]]);
        assert_eq!(ranges("rfp_margin = { max = 300 }\nlmr_base = {}"), [[-100, 300], [41, 300]]);
        assert_eq!(ranges("rfp_improving = {}"), [[0, 79]]);
        assert_eq!(ranges("rfp_improving = {}\nrfp_margin = {}"), [[0, 59], [60, 500]]);
        assert_eq!(ranges("rfp_improving = {}\nrfp_margin = { min = 70 }"), [[0, 69], [70, 500]]);
        assert_eq!(ranges("rfp_improving = { max = 70 }\nrfp_margin = {}"), [[0, 70], [71, 500]]);
        for (given, place) in [
            ("rfp_margin = { min = 30 }", "2:22"),
            ("rfp_improving = { max = 90 }", "2:25"),
            ("rfp_margin = { min = 50 }\nrfp_improving = { max = 50 }", "3:25"),
        ] {
            let error = parameters(given).unwrap_err().to_string();
            let words = "the ranges allow a `rfp_improving` that is not below `rfp_margin`";
            assert!(error.contains(words) && error.contains(&format!("tune.toml:{place}\n")), "{error}");
        }
        let error = parameters("rfp_margin = { start = 30 }").unwrap_err().to_string();
        assert!(error.contains("`rfp_margin` starts at 30") && error.contains("from 41 to 500"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_shown_where_it_stands() {
        for (text, place, words) in [
            (FILE.replace("rfp_margin", "rfp_margn"), "6:1", "did you mean `rfp_margin`?"),
            (FILE.replace("c_end", "cend"), "6:29", "did you mean `c_end`?"),
            (FILE.replace("lmr_base = {}", "lmr_base = 75"), "5:12", "write lmr_base = {}"),
            (FILE.replace("500", "-5"), "2:14", "`iterations` takes an integer of 1 or more, not -5"),
            (FILE.replace("500", "0"), "2:14", "`iterations` takes an integer of 1 or more, not 0"),
            (FILE.replace("500", "1"), "2:14", "`lag` is 1 in a run of 1 iterations"),
            (FILE.replace("500", "9223372036854775807"), "2:14", "are no run"),
            (format!("a_ratio = -1\n{FILE}"), "1:11", "`a_ratio` is -1: give a number from 0 to 10"),
            (format!("alfa = 1\n{FILE}"), "1:1", "did you mean `alpha`?"),
            (format!("gamma = \"1\"\n{FILE}"), "1:9", "`gamma` takes a number, not \"1\""),
            (FILE.replace("200", "600"), "6:24", "`rfp_margin` starts at 600: give a value from 41 to 500"),
            (FILE.replace("200", "nan"), "6:24", "`rfp_margin` starts at NaN"),
            (FILE.replace("= 8", "= 0"), "6:37", "`c_end` of rfp_margin is 0: give more than 0"),
            (FILE.replace("= 8", "= 8, r_end = inf"), "6:48", "`r_end` of rfp_margin is inf"),
            (FILE.replace("= 8", "= 8, max = 501"), "6:46", "which is outside its range 1 to 500"),
            (FILE.replace("= 8", "= 8, max = 1e3"), "6:46", "`max` takes an integer of at most 32 bits"),
            (FILE.replace("= 8", "= 8, min = 300, max = 250"), "6:57", "no room between min 300 and max 250"),
            (FILE.replace("iterations =", "iterations"), "2:", "this is not TOML"),
        ] {
            // What is allowed stands below the line, or behind a colon where there is none.
            let error = wanted(&text).unwrap_err().to_string();
            let shown = words.split(": ").all(|words| error.contains(words));
            assert!(shown && error.contains(&format!("tune.toml:{place}")), "{words}: {error}");
        }
        let empty = wanted("iterations = 5\n[parameters]\n").unwrap_err().to_string();
        assert!(empty.contains("tune.toml: there is no parameter to tune: name some"), "{empty}");
    }

    #[test]
    fn a_step_that_can_move_nothing_is_refused() {
        for (c_end, is_refused) in [("0.001", true), ("0.01", true), ("0.1", false), ("0.5", false)] {
            let found = wanted(&FILE.replace("= 8", &format!("= {c_end}")));
            let words = format!("`c_end` of rfp_margin is {c_end}: even 32000 games, all of them won");
            let told = found.as_ref().is_err_and(|error| error.to_string().contains(&words));
            assert_eq!((found.is_err(), told), (is_refused, is_refused), "{c_end}");
        }
    }

    #[test]
    fn problems_stand_in_the_order_of_their_lines() {
        let text = "[parameters]\nrfp_margin = { start = 600 }\nfirst = {}\nlmr_base = { c_end = 0 }\n";
        let error =
            wanted(&format!("{text}aspiration_delta = {{ max = 0 }}\nalpha = {{}}")).unwrap_err().to_string();
        let places: Vec<_> = error.lines().filter_map(|line| line.split_once("tune.toml:")).collect();
        let lines: Vec<_> = places.into_iter().map(|(_, place)| place[..1].to_owned()).collect();
        assert!(lines.is_sorted() && lines.len() >= 5, "{error}");
    }
}
