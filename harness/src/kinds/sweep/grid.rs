//! From `key=1,2,3` to the arms of a sweep, everything checked against the engine's own tables before a game is played.
//!
//! Two keys make a grid. The base's own values are the reference that every arm plays against, and no arm. Where a technique is
//! off, the cells that differ in its parameters alone would play the same games: one of them is left, with these as in the base.

use super::arms::{Arm, idle_without, joined};
use crate::players::spec::PlayerSpec;
use std::collections::BTreeSet;

/// The most keys that are varied together.
const MOST_AXES: usize = 2;

/// Not ablated: nearly everything else needs it, and what is left would hardly be searched beyond the first plies.
const FOUNDATION: &str = "alpha_beta";

/// A key and the values that it takes in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// The key.
    pub key: String,
    /// `key=value`, one each.
    assignments: Vec<String>,
}

impl Axis {
    /// Reads `key=value,value,…`. Whether there is such a key is not looked at yet.
    ///
    /// # Errors
    /// A sentence, if it has another form.
    pub fn parse(argument: &str) -> Result<Axis, String> {
        if argument.contains(char::is_control) {
            return Err(format!("{argument:?} has a line break or the like in it: leave it out"));
        }
        let (key, values) = argument.split_once('=').ok_or_else(|| {
            format!("`{argument}` names no values: write them as in aspiration_delta=10,25,40")
        })?;
        let key = key.trim();
        let assignments = values.split(',').map(|value| format!("{key}={}", value.trim())).collect();
        Ok(Axis { key: key.to_owned(), assignments })
    }
}

/// The arms of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The arms.
    pub arms: Vec<Arm>,
    /// Cells that were asked for and are none, because they would play the same games as the base or as an arm.
    pub idle: Vec<String>,
}

/// One arm for every combination of the axes' values but the base's own, and those that play like another.
///
/// # Errors
/// What is wrong with the axes or with one of the combinations.
pub fn grid(base: &PlayerSpec, axes: &[Axis]) -> Result<Grid, String> {
    if axes.len() > MOST_AXES {
        return Err(format!("{} keys are given: vary one, or two as a grid", axes.len()));
    }
    if let [first, second] = axes
        && first.key.eq_ignore_ascii_case(&second.key)
    {
        return Err(format!("`{}` is given twice: name all of its values at once", first.key));
    }
    let mut points = vec![Vec::new()];
    for axis in axes {
        let extended = |point: &Vec<String>| {
            let point = point.clone();
            axis.assignments.iter().map(move |value| [point.as_slice(), std::slice::from_ref(value)].concat())
        };
        points = points.iter().flat_map(extended).collect();
    }
    let mut seen = BTreeSet::new();
    let mut arms = Vec::new();
    for point in &points {
        let arm = Arm::new(base, point)?;
        if !seen.insert(arm.player.digest.clone()) {
            return Err(format!("{} is given twice: name each value once", joined(&arm.settings, " ")));
        }
        arms.push(arm);
    }
    for axis in axes {
        refuse_idle(&axis.key, &base.file, &arms)?;
    }
    let grid = without_repetitions(base, arms)?;
    if grid.arms.is_empty() {
        return Err(format!(
            "the only value given is that of {} itself: give others to compare with it",
            base.file
        ));
    }
    Ok(grid)
}

/// Leaves out what plays like the base, or like a arm before it.
fn without_repetitions(base: &PlayerSpec, asked: Vec<Arm>) -> Result<Grid, String> {
    let mut grid = Grid { arms: Vec::new(), idle: Vec::new() };
    for asked in asked {
        let name = joined(&asked.settings, " ");
        let arm = asked.without_idle(base)?;
        if joined(&arm.settings, " ") != name {
            grid.idle.push(name);
        }
        let has_digest = |other: &Arm| other.player.digest == arm.player.digest;
        if arm.player.digest != base.digest && !grid.arms.iter().any(has_digest) {
            grid.arms.push(arm);
        }
    }
    Ok(grid)
}

/// One arm for every technique of the base that is on: the base without it, and without those that need it. Only
/// `alpha_beta`, without which there is no search to speak of, stays on.
///
/// # Errors
/// A sentence, if there is no other, or the base is another engine.
pub fn ablation(base: &PlayerSpec) -> Result<Vec<Arm>, String> {
    let config = base.config().ok_or_else(|| {
        format!(
            "{} is another engine, whose techniques are not known here: name values of its UCI options instead of \
             --ablate",
            base.file
        )
    })?;
    let on = config.techniques.iter().filter(|(info, on)| *on && info.name != FOUNDATION);
    let arms: Vec<_> = on
        .map(|(info, _)| Arm::of_config(config, &[format!("{}=false", info.name)]))
        .collect::<Result<_, _>>()?;
    if arms.is_empty() {
        return Err(format!("{} has no technique on that can be turned off: give another base", base.file));
    }
    Ok(arms)
}

/// Refuses a parameter that no arm makes any use of: all its values would play the same games.
fn refuse_idle(key: &str, base: &str, arms: &[Arm]) -> Result<(), String> {
    let mut missing = arms.iter().map(|arm| idle_without(key, &arm.player));
    match missing.next() {
        Some(Some(technique)) if missing.all(|missing| missing.is_some()) => Err(format!(
            "`{key}` does nothing while `{technique}` is off, as it is in {base}: turn it on in the base, or sweep \
             {technique}=true,false as well"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::arms::{Value, needing};
    use super::*;
    use crate::players::external::ExternalEngine;
    use crate::players::spec::EngineSpec;
    use engine::config::EngineConfig;
    use engine::techniques::Techniques;
    use std::path::Path;

    fn base(assignments: &[&str]) -> PlayerSpec {
        let mut config = EngineConfig::default();
        config.set_all(assignments).unwrap();
        PlayerSpec::new(Path::new("base.toml"), config)
    }

    fn cells(base: &PlayerSpec, arguments: &[&str]) -> Result<Grid, String> {
        let axes: Vec<_> = arguments.iter().map(|argument| Axis::parse(argument).unwrap()).collect();
        grid(base, &axes)
    }

    fn arms_of(base: &PlayerSpec, arguments: &[&str]) -> Result<Vec<Arm>, String> {
        cells(base, arguments).map(|grid| grid.arms)
    }

    fn names(arms: &[Arm]) -> Vec<&str> {
        arms.iter().map(|arm| arm.player.name()).collect()
    }

    #[test]
    fn values_become_arms_and_the_base_stays_the_reference() {
        let arms = arms_of(&base(&[]), &["aspiration_delta=10, 25,040"]).unwrap();
        assert_eq!(names(&arms), ["aspiration_delta=10", "aspiration_delta=40"]);
        assert_eq!(arms[1].player.config().unwrap().params.aspiration_delta, 40);
    }

    #[test]
    fn two_keys_make_a_grid() {
        let arms = arms_of(&base(&[]), &["lmr_base=50,75", "killers=true,false"]).unwrap();
        assert_eq!(
            names(&arms),
            ["lmr_base=50 killers=true", "lmr_base=50 killers=false", "lmr_base=75 killers=false"]
        );
    }

    #[test]
    fn cells_that_would_play_like_others_are_left_out() {
        let grid = cells(&base(&["aspiration=false"]), &["aspiration=true,false", "aspiration_delta=10,60"])
            .unwrap();
        assert_eq!(
            names(&grid.arms),
            ["aspiration=true aspiration_delta=10", "aspiration=true aspiration_delta=60"]
        );
        assert_eq!(
            grid.idle,
            ["aspiration=false aspiration_delta=10", "aspiration=false aspiration_delta=60"],
            "they are the base"
        );
        // Where the base is another, one of those that are alike is an arm.
        let grid = cells(&base(&[]), &["lmr_base=50,75,90", "lmr=true,false"]).unwrap();
        assert_eq!(
            names(&grid.arms),
            ["lmr_base=50 lmr=true", "lmr_base=75 lmr=false", "lmr_base=90 lmr=true"]
        );
        assert_eq!(grid.idle, ["lmr_base=50 lmr=false", "lmr_base=90 lmr=false"]);
    }

    #[test]
    fn options_of_another_engine_are_read_in_any_case() {
        let engine = ExternalEngine {
            options: vec![("Skill Level".to_owned(), "20".to_owned())],
            ..ExternalEngine::built_in(Path::new("/bin/sf"), "uci", &EngineConfig::default())
        };
        let base = PlayerSpec::of_engine("sf.toml", engine);
        let arms = arms_of(&base, &["skill level=0,20", "Style=Solid"]).unwrap();
        assert_eq!(names(&arms), ["skill level=0 Style=Solid", "skill level=20 Style=Solid"]);
        let EngineSpec::External(first) = &arms[0].player.engine else { panic!("{arms:?}") };
        let options = [("Skill Level", "0"), ("Style", "Solid")];
        assert_eq!(first.options, options.map(|(name, value)| (name.to_owned(), value.to_owned())));
        assert_ne!(arms[0].player.digest, arms[1].player.digest);
        assert_eq!(arms[0].settings[0].value, Value::Number(0));
        assert_eq!(arms[0].settings[1].value, Value::Text("Solid".to_owned()));
        // The base's own value is no arm.
        assert_eq!(names(&arms_of(&base, &["SKILL LEVEL=20,3"]).unwrap()), ["SKILL LEVEL=3"]);
        assert!(ablation(&base).unwrap_err().contains("name values of its UCI options"));
    }

    #[test]
    fn a_technique_takes_along_those_that_need_it() {
        let arms = arms_of(&base(&[]), &["lmr=true,false"]).unwrap();
        assert_eq!(arms[0].taken_along, ["cut_node_reductions", "cutoff_reductions"]);
        let changes: Vec<_> = arms[0].changes().map(|change| change.to_string()).collect();
        assert_eq!(changes, ["lmr=false", "cut_node_reductions=false", "cutoff_reductions=false"]);
        // pvs, and what needs lmr, which needs pvs.
        assert!(needing(&Techniques::default(), "pvs").contains(&"cutoff_reductions"));
        // Asked for on and needing what is off: refused, not overruled.
        let asked = arms_of(&base(&[]), &["lmr=false", "cutoff_reductions=true"]).unwrap_err();
        assert!(asked.contains("`cutoff_reductions` is on and needs `lmr`, which is off"), "{asked}");
    }

    #[test]
    fn ablation_has_an_arm_for_every_technique_that_is_on() {
        let arms = ablation(&base(&[])).unwrap();
        let on = Techniques::default().iter().filter(|(_, on)| *on).count() - 1;
        let digests: BTreeSet<_> = arms.iter().map(|arm| &arm.player.digest).collect();
        assert_eq!((arms.len(), digests.len()), (on, on), "all but alpha_beta");
        let nothing = EngineConfig {
            techniques: Techniques { alpha_beta: true, ..Techniques::none() },
            ..EngineConfig::default()
        };
        assert!(ablation(&PlayerSpec::new(Path::new("none.toml"), nothing)).is_err());
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_a_sentence() {
        let with = |arguments: &[&str]| arms_of(&base(&["razoring=false"]), arguments).unwrap_err();
        for (arguments, sentence) in [
            (&["aspiration_detla=3"][..], "did you mean `aspiration_delta`?"),
            (
                &["aspiration_delta=10,0"],
                "in the argument `aspiration_delta=0`: `aspiration_delta` is 0, which is outside",
            ),
            (&["aspiration_delta="], "`aspiration_delta` takes an integer from 1 to 500"),
            (&["aspiration_delta=10,10"], "aspiration_delta=10 is given twice: name each value once"),
            (&["aspiration_delta=25"], "the only value given is that of base.toml itself"),
            (&["lmr_base=1", "lmr_base=2"], "`lmr_base` is given twice: name all of its values at once"),
            (&["lmr_base=1", "lmp_base=2", "killers=false"], "3 keys are given"),
            (
                &["razor_margin=100,200"],
                "`razor_margin` does nothing while `razoring` is off, as it is in base.toml",
            ),
        ] {
            assert!(with(arguments).contains(sentence), "{}", with(arguments));
        }
        assert!(Axis::parse("lmr_base").unwrap_err().contains("names no values"));
        assert!(Axis::parse("Skill Level=1\nquit").unwrap_err().contains("has a line break"));
        // Where the grid turns the technique on, the parameter has its use.
        let arms = arms_of(&base(&["razoring=false"]), &["razor_margin=100,200", "razoring=true,false"]);
        assert_eq!(arms.unwrap().len(), 2);
    }
}
