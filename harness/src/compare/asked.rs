//! Whether two figures answer one question, and independently: what the JSON of runs tells of who was measured against whom.
//!
//! The test of agreement takes two figures as independent measurements of one strength. Here it is said where they are not.

use super::kind::{kind_of, of_entry};
use super::known_figure::{Parts, value_in_words};
use crate::kinds::matches::MatchSpec;
use crate::kinds::spec::RunSpec;
use crate::kinds::sweep::SweepSpec;
use crate::kinds::tune::TuneSpec;
use serde_json::Value;

/// What a figure was the answer to, as far as its summary tells.
pub struct Asked<'a> {
    /// The summary of the run; of a tuning run that of its test.
    summary: &'a Value,
    /// The part that is spoken of, if the run has several.
    part: Option<&'a str>,
}

/// Base and candidate.
type Digests<'a> = [&'a str; 2];

impl<'a> Asked<'a> {
    /// What this part of a summary answers.
    pub fn of(summary: &'a Value, part: Option<&'a str>) -> Asked<'a> {
        let is_tested = kind_of(summary) == TuneSpec::KIND && summary["validation"].is_object();
        Asked { summary: if is_tested { &summary["validation"] } else { summary }, part }
    }

    /// What is to be said before the two are compared: a sentence each, without a full stop.
    pub fn notes(&self, other: &Asked) -> Vec<String> {
        match self.run().is_some() && self.run() == other.run() {
            true => vec![self.of_one_run(other)],
            false => self.other_question(other).or_else(|| self.same_games(other)).into_iter().collect(),
        }
    }

    fn of_one_run(&self, other: &Asked) -> String {
        let run = self.run().unwrap_or_default();
        if self.the_part() == other.the_part() {
            return format!("both figures are those of {run}, which agrees with itself");
        }
        let (parts, shared) = match kind_of(self.summary) == SweepSpec::KIND {
            true => ("arms of the sweep", "opponent and openings"),
            false => ("pairings of the match", "openings, and perhaps a player"),
        };
        format!(
            "both are {parts} {run} and share {shared}, so they are not independent and the standard error is not exact"
        )
    }

    /// That they are not about the same players under the same limit, if that can be told.
    fn other_question(&self, other: &Asked) -> Option<String> {
        let differ = self
            .digests()
            .zip(other.digests())
            .map(|(one, other)| one != other)
            .or_else(|| Some(self.changes()? != other.changes()?))
            .or_else(|| Some(self.words()? != other.words()?))?;
        let limits = [self, other].map(|asked| &asked.summary["limit"]);
        if differ || limits.iter().all(|limit| limit.is_object()) && limits[0] != limits[1] {
            let words = [self, other].map(|asked| asked.words().unwrap_or_else(|| "another".to_owned()));
            return Some(match words[0] == words[1] {
                true => format!("they ask different questions, although both are called {}", words[0]),
                false => format!("they ask different questions: {}; and {}", words[0], words[1]),
            });
        }
        None
    }

    /// That two runs have played the same pairs, if that can be told.
    fn same_games(&self, other: &Asked) -> Option<String> {
        let known = |path: &str| {
            let values =
                [self, other].map(|asked| asked.summary.pointer(path).filter(|value| !value.is_null()));
            values[0].is_some() && values[0] == values[1]
        };
        let pairs = ["/openings/digest", "/seed", "/limit", "/experiment/openings/first"];
        (known("/digest") || self.digests().is_some() && pairs.into_iter().all(known)).then(|| {
            "both play the same pairs from the same openings, so under a node or depth limit their games are the same and \
             no second measurement"
                .to_owned()
        })
    }

    fn run(&self) -> Option<&str> {
        of_entry(self.summary)["run"].as_str()
    }

    fn digests(&self) -> Option<Digests<'_>> {
        let summary = self.summary;
        if kind_of(summary) == SweepSpec::KIND {
            return Some([summary["base"]["digest"].as_str()?, self.arm()?["digest"].as_str()?]);
        }
        if kind_of(summary) == MatchSpec::KIND {
            let players = summary["players"].as_array()?;
            let pairing = self.pairing()?;
            let digest =
                |name: &Value| players.iter().find(|player| player["name"] == *name)?["digest"].as_str();
            return Some([digest(&pairing["second"])?, digest(&pairing["first"])?]);
        }
        Some([summary["base"]["digest"].as_str()?, summary["candidate"]["digest"].as_str()?])
    }

    /// What the candidate has different, of runs that tell it and not the digests.
    fn changes(&self) -> Option<&Value> {
        ["differences", "change"].into_iter().map(|key| &self.summary[key]).find(|value| value.is_array())
    }

    /// The question as people read it.
    fn words(&self) -> Option<String> {
        let summary = self.summary;
        if let Some(arm) = self.arm() {
            let base = summary["base"]["name"].as_str()?;
            return Some(format!(
                "{} of {} against {base}",
                value_in_words(&arm["value"]),
                summary["key"].as_str()?
            ));
        }
        if let Some(pairing) = self.pairing() {
            return Some(format!("{} against {}", pairing["first"].as_str()?, pairing["second"].as_str()?));
        }
        let of_players = || {
            Some(format!(
                "{} against {}",
                summary["candidate"]["name"].as_str()?,
                summary["base"]["name"].as_str()?
            ))
        };
        let question = ["question", "name"].into_iter().find_map(|key| summary[key].as_str());
        question.map(str::to_owned).or_else(of_players)
    }

    /// The part that is spoken of, however it is named; none of a run without parts.
    fn the_part(&self) -> Option<&Value> {
        self.arm().or_else(|| self.pairing())
    }

    fn arm(&self) -> Option<&Value> {
        self.part_of("arms")
    }

    fn pairing(&self) -> Option<&Value> {
        self.part_of("pairings")
    }

    /// The part of this kind that is spoken of.
    fn part_of(&self, kind: &str) -> Option<&Value> {
        self.summary[kind].as_array()?;
        Parts::of(self.summary)?.part(self.part).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn notes(one: (&Value, Option<&str>), other: (&Value, Option<&str>)) -> Vec<String> {
        Asked::of(one.0, one.1).notes(&Asked::of(other.0, other.1))
    }

    fn test(run: &str, candidate: &str, nodes: u64) -> Value {
        json!({
            "run": run, "question": format!("{candidate} against base · {nodes} nodes/move"), "seed": 1,
            "base": { "name": "base", "digest": "b" }, "candidate": { "name": candidate, "digest": candidate },
            "limit": { "nodes": nodes }, "openings": { "digest": "o" }, "experiment": { "openings": { "first": 0 } },
        })
    }

    #[test]
    fn the_same_question_asked_twice_needs_no_note() {
        let mut other_seed = test("r2", "pvs", 60);
        other_seed["seed"] = json!(2);
        assert!(notes((&test("r1", "pvs", 60), None), (&other_seed, None)).is_empty());
        assert!(notes((&json!({ "elo": {} }), None), (&other_seed, None)).is_empty());
    }

    #[test]
    fn different_questions_are_named() {
        let one = test("r1", "pvs", 60);
        let limit = notes((&one, None), (&test("r2", "pvs", 70), None));
        assert_eq!(
            limit,
            [
                "they ask different questions: pvs against base · 60 nodes/move; and pvs against base · 70 nodes/move"
            ]
        );
        let player = notes((&one, None), (&test("r2", "lmr", 60), None));
        assert!(player[0].contains("and lmr against base"), "{player:?}");
        let mut namesake = test("r2", "pvs", 60);
        namesake["candidate"]["digest"] = json!("other");
        let namesake = notes((&one, None), (&namesake, None));
        assert!(
            namesake[0].ends_with("although both are called pvs against base · 60 nodes/move"),
            "{namesake:?}"
        );

        let measured =
            |run: &str, change: &str| json!({ "run": run, "question": run, "differences": [change] });
        let changes =
            notes((&measured("m1", "lmr: false → true"), None), (&measured("m2", "iir: false → true"), None));
        assert_eq!(changes, ["they ask different questions: m1; and m2"]);
        let tune = json!({ "run": "t", "schedule": {}, "validation": test("r3", "full tuned", 60) });
        assert!(notes((&tune, None), (&one, None))[0].contains("full tuned against base"));
    }

    #[test]
    fn what_is_not_independent_is_named() {
        let one = test("r1", "pvs", 60);
        assert_eq!(
            notes((&one, None), (&one, None)),
            ["both figures are those of r1, which agrees with itself"]
        );
        let again = notes((&one, None), (&test("r2", "pvs", 60), None));
        assert!(again[0].contains("their games are the same"), "{again:?}");

        let sweep = json!({
            "run": "s", "key": "k", "base": { "name": "base", "digest": "b" },
            "arms": [{ "value": 10, "digest": "d10" }, { "value": 40, "digest": "d40" }],
        });
        let arms = notes((&sweep, Some("10")), (&sweep, Some("40")));
        assert!(arms[0].contains("arms of the sweep s and share opponent and openings"), "{arms:?}");
        let other = notes((&sweep, Some("10")), (&one, None));
        assert!(other[0].contains("10 of k against base; and pvs against base"), "{other:?}");
        let game = |run: &str| {
            json!({
                "run": run, "limit": { "nodes": 60 },
                "players": [{ "name": "pvs", "digest": "pvs" }, { "name": "base", "digest": "b" }],
                "pairings": [{ "first": "pvs", "second": "base" }],
            })
        };
        assert_eq!(notes((&game("m"), None), (&game("m"), Some("pvs/base"))).len(), 1);
        assert!(notes((&game("m"), None), (&one, None)).is_empty(), "the same question");
    }
}
