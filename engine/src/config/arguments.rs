//! Overrides of a config: `key=value` on a command line.

use super::diagnostics::{ConfigErrors, Place, Problem};
use super::engine_config::EngineConfig;
use super::resolve;
use super::setting::Setting;

impl EngineConfig {
    /// Overrides one parameter, technique or group of weights, as `key=value` of a command line.
    ///
    /// # Errors
    /// The assignment is not legal, or the engine would not be; nothing has changed then.
    pub fn set(&mut self, assignment: &str) -> Result<(), ConfigErrors> {
        self.set_all(&[assignment])
    }

    /// Overrides several of them, of which only the outcome must be legal: a technique
    /// may come before the one it needs.
    ///
    /// # Errors
    /// As for [`set`](Self::set); nothing has changed then.
    pub fn set_all(&mut self, assignments: &[impl AsRef<str>]) -> Result<(), ConfigErrors> {
        let mut settings = Vec::new();
        let mut problems = Vec::new();
        for assignment in assignments {
            let assignment = assignment.as_ref();
            match Setting::from_argument(assignment) {
                Ok(setting) => settings.push(setting),
                Err(kind) => problems.push(Problem::new(kind, Place::Argument(assignment.to_owned()))),
            }
        }
        let mut changed = self.clone();
        resolve::apply(&mut changed, &settings, &mut problems);
        ConfigErrors::unless_none(problems)?;
        *self = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::techniques::Techniques;

    fn refusal(assignment: &str) -> String {
        EngineConfig::default().set(assignment).unwrap_err().to_string()
    }

    #[test]
    fn set_overrides_parameters_and_techniques() {
        let mut config = EngineConfig::default();
        config.set("aspiration_delta=30").unwrap();
        config.set(" killers = false ").unwrap();
        assert_eq!(
            EngineConfig::default().differences(&config),
            ["killers: true → false", "aspiration_delta: 25 → 30"]
        );
        assert_eq!(config.name, "default");
    }

    #[test]
    fn set_names_the_argument_it_refuses() {
        for (assignment, message) in [
            ("aspiration_delta", "there is no `=`: write key=value"),
            (
                "aspiration_delta=0",
                "`aspiration_delta` is 0, which is outside its range 1 to 500: choose an integer from 1 to 500 \
                 (the default is 25)",
            ),
            (
                "lmr_base=-9999999999999999999999",
                "`lmr_base` is -9999999999999999999999, which is outside its range -100 to 300: choose an integer \
                 from -100 to 300 (the default is 75)",
            ),
            (
                "lmr_base=7.5",
                "`lmr_base` takes an integer from -100 to 300, not `7.5`: write a plain number (the default is 75)",
            ),
            (
                "aspiration_detla=3",
                "no parameter, technique or weights are called `aspiration_detla`: did you mean `aspiration_delta`?",
            ),
            ("outpost=[[1, 2]]", "`outpost` has 2 weights, not 1: write 2 pairs [[middlegame, endgame], …]"),
            (
                "tempo=7",
                "`tempo` takes an array of pairs of integers, not an integer: write [[middlegame, endgame]]",
            ),
            ("pvs=1", "`pvs` takes true or false, not an integer: write the bare word true or false"),
            ("pvs=false", "`lmr` is on and needs `pvs`, which is off: set `pvs` to true or `lmr` to false"),
        ] {
            assert_eq!(refusal(assignment), format!("error: in the argument `{assignment}`: {message}"));
        }
    }

    #[test]
    fn a_refused_set_changes_nothing() {
        let mut config = EngineConfig::default();
        assert!(config.set_all(&["aspiration_delta=30", "lmr=yes"]).is_err());
        assert!(config.set("alpha_beta=false").is_err());
        assert_eq!(config, EngineConfig::default());
    }

    #[test]
    fn only_the_outcome_of_several_overrides_must_be_legal() {
        let mut config = EngineConfig::default();
        config.set_all(&["rfp_margin=30", "rfp_improving=10"]).unwrap();
        assert!(config.set("rfp_margin=10").is_err());

        let mut config = EngineConfig { techniques: Techniques::none(), ..config };
        assert!(config.set("pvs=true").is_err());
        config.set_all(&["pvs=true", "alpha_beta=true"]).unwrap();
    }
}
