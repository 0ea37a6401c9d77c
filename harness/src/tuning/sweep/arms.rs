//! From `key=1,2,3` to the arms of a sweep, everything checked against the engine's own tables before a game is played.
//!
//! Two keys make a grid. The base's own values are the reference that every arm plays against, and no arm. A technique that is
//! turned off takes those with it that cannot be without it: to leave them on is no legal engine.

use crate::experiment::PlayerSpec;
use engine::config::EngineConfig;
use engine::params::ParamInfo;
use engine::techniques::{TechniqueError, TechniqueInfo, Techniques};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

/// The most keys that are varied together.
const MOST_AXES: usize = 2;

/// Not ablated: nearly everything else needs it, and what is left would hardly be searched beyond the first plies.
const FOUNDATION: &str = "alpha_beta";

/// What a key is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// Whether a technique is on.
    Switch(bool),
    /// A parameter's value.
    Number(i32),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Switch(on) => on.fmt(f),
            Value::Number(value) => value.fmt(f),
        }
    }
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Name of the parameter or technique.
    pub key: String,
    /// What it is set to.
    pub value: Value,
}

impl Setting {
    /// What a configuration sets the key to; none if there is no such key.
    pub fn of(config: &EngineConfig, key: &str) -> Option<Setting> {
        let switch = config.techniques.get(key).map(Value::Switch);
        let value = switch.or_else(|| config.params.get(key).map(Value::Number))?;
        Some(Setting { key: key.to_owned(), value })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// The base with other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Variant {
    /// The values it was asked for with.
    pub settings: Vec<Setting>,
    /// Techniques that are off because one of the settings turned off what they need.
    pub taken_along: Vec<String>,
    /// The player.
    pub player: PlayerSpec,
}

impl Variant {
    /// The base with these assignments (`key=value`), which only together need to be legal.
    fn new(base: &EngineConfig, assignments: &[String]) -> Result<Variant, String> {
        let keys: Vec<&str> = assignments.iter().filter_map(|text| text.split('=').next()).collect();
        let mut taken_along = BTreeSet::new();
        for key in assignments.iter().filter_map(|text| text.strip_suffix("=false")) {
            let needing = needing(&base.techniques, key).into_iter();
            taken_along.extend(needing.filter(|technique| !keys.contains(technique)));
        }
        let off = taken_along.iter().map(|technique| format!("{technique}=false"));
        let all: Vec<String> = assignments.iter().cloned().chain(off).collect();
        let mut config = base.clone();
        config.set_all(&all).map_err(|errors| errors.to_string())?;
        let settings: Vec<_> = keys.iter().filter_map(|key| Setting::of(&config, key)).collect();
        config.name = joined(&settings, " ");
        Ok(Variant {
            taken_along: taken_along.into_iter().map(str::to_owned).collect(),
            player: PlayerSpec::new(Path::new(&config.name.clone()), config),
            settings,
        })
    }

    /// Everything that it has different from the base.
    pub fn changes(&self) -> impl Iterator<Item = Setting> {
        let off = |key: &String| Setting { key: key.clone(), value: Value::Switch(false) };
        self.settings.iter().cloned().chain(self.taken_along.iter().map(off))
    }
}

/// Settings as a text.
pub fn joined(settings: &[Setting], separator: &str) -> String {
    settings.iter().map(Setting::to_string).collect::<Vec<_>>().join(separator)
}

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
        let (key, values) = argument.split_once('=').ok_or_else(|| {
            format!("`{argument}` names no values: write them as in aspiration_delta=10,25,40")
        })?;
        let key = key.trim();
        let assignments = values.split(',').map(|value| format!("{key}={}", value.trim())).collect();
        Ok(Axis { key: key.to_owned(), assignments })
    }
}

/// One variant for every combination of the axes' values but the base's own.
///
/// # Errors
/// What is wrong with the axes or with one of the combinations.
pub fn grid(base: &PlayerSpec, axes: &[Axis]) -> Result<Vec<Variant>, String> {
    if axes.len() > MOST_AXES {
        return Err(format!("{} keys are given: vary one, or two as a grid", axes.len()));
    }
    if let [first, second] = axes
        && first.key == second.key
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
    let mut variants = Vec::new();
    for point in &points {
        let variant = Variant::new(swept(base), point)?;
        if !seen.insert(variant.player.digest.clone()) {
            return Err(format!("{} is given twice: name each value once", joined(&variant.settings, " ")));
        }
        variants.push(variant);
    }
    for axis in axes {
        refuse_idle(&axis.key, &base.file, &variants)?;
    }
    variants.retain(|variant| variant.player.digest != base.digest);
    if variants.is_empty() {
        return Err(format!(
            "the only value given is that of {} itself: give others to compare with it",
            base.file
        ));
    }
    Ok(variants)
}

/// One variant for every technique of the base that is on: the base without it, and without those that need it. Only
/// `alpha_beta`, without which there is no search to speak of, stays on.
///
/// # Errors
/// A sentence, if there is no other.
pub fn ablation(base: &PlayerSpec) -> Result<Vec<Variant>, String> {
    let on = swept(base).techniques.iter().filter(|(info, on)| *on && info.name != FOUNDATION);
    let variants: Vec<_> = on
        .map(|(info, _)| Variant::new(swept(base), &[format!("{}=false", info.name)]))
        .collect::<Result<_, _>>()?;
    if variants.is_empty() {
        return Err(format!("{} has no technique on that can be turned off: give another base", base.file));
    }
    Ok(variants)
}

/// Refuses a parameter that no variant makes any use of: all its values would play the same games.
fn refuse_idle(key: &str, base: &str, variants: &[Variant]) -> Result<(), String> {
    let Ok(ParamInfo { technique, .. }) = ParamInfo::find(key) else { return Ok(()) };
    let is_on = |variant: &Variant| swept(&variant.player).techniques.get(technique) != Some(false);
    if variants.iter().any(is_on) {
        return Ok(());
    }
    Err(format!(
        "`{key}` does nothing while `{technique}` is off, as it is in {base}: turn it on in the base, or sweep \
         {technique}=true,false as well"
    ))
}

/// The techniques that cannot stay on when this one is turned off.
fn needing(techniques: &Techniques, name: &str) -> Vec<&'static str> {
    let mut left = *techniques;
    let mut needing = Vec::new();
    let mut next = TechniqueInfo::find(name).ok().map(|info| info.name);
    while let Some(name) = next
        && left.set(name, false).is_ok()
    {
        next = left.check().into_iter().find_map(|error| match error {
            TechniqueError::NeedOff { technique, .. } => Some(technique),
            TechniqueError::Unknown { .. } => None,
        });
        needing.extend(next);
    }
    needing
}

/// The configuration of a player in a sweep.
///
/// # Panics
/// If it is not the built-in engine, of which alone there are sweeps.
pub fn swept(player: &PlayerSpec) -> &EngineConfig {
    player.config().expect("only configurations of the built-in engine are swept")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(assignments: &[&str]) -> PlayerSpec {
        let mut config = EngineConfig::default();
        config.set_all(assignments).unwrap();
        PlayerSpec::new(Path::new("base.toml"), config)
    }

    fn variants(base: &PlayerSpec, arguments: &[&str]) -> Result<Vec<Variant>, String> {
        let axes: Vec<_> = arguments.iter().map(|argument| Axis::parse(argument).unwrap()).collect();
        grid(base, &axes)
    }

    fn names(variants: &[Variant]) -> Vec<&str> {
        variants.iter().map(|variant| variant.player.name()).collect()
    }

    #[test]
    fn values_become_variants_and_the_base_stays_the_reference() {
        let arms = variants(&base(&[]), &["aspiration_delta=10, 25,040"]).unwrap();
        assert_eq!(names(&arms), ["aspiration_delta=10", "aspiration_delta=40"]);
        assert_eq!(swept(&arms[1].player).params.aspiration_delta, 40);
    }

    #[test]
    fn two_keys_make_a_grid() {
        let arms = variants(&base(&[]), &["lmr_base=50,75", "killers=true,false"]).unwrap();
        assert_eq!(
            names(&arms),
            ["lmr_base=50 killers=true", "lmr_base=50 killers=false", "lmr_base=75 killers=false"]
        );
    }

    #[test]
    fn a_technique_takes_along_those_that_need_it() {
        let arms = variants(&base(&[]), &["lmr=true,false"]).unwrap();
        assert_eq!(arms[0].taken_along, ["cut_node_reductions", "cutoff_reductions"]);
        let changes: Vec<_> = arms[0].changes().map(|change| change.to_string()).collect();
        assert_eq!(changes, ["lmr=false", "cut_node_reductions=false", "cutoff_reductions=false"]);
        // pvs, and what needs lmr, which needs pvs.
        assert!(needing(&Techniques::default(), "pvs").contains(&"cutoff_reductions"));
        // Asked for on and needing what is off: refused, not overruled.
        let asked = variants(&base(&[]), &["lmr=false", "cutoff_reductions=true"]).unwrap_err();
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
        let with = |arguments: &[&str]| variants(&base(&["razoring=false"]), arguments).unwrap_err();
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
        // Where the grid turns the technique on, the parameter has its use.
        let arms = variants(&base(&["razoring=false"]), &["razor_margin=100,200", "razoring=true,false"]);
        assert_eq!(arms.unwrap().len(), 4);
    }
}
