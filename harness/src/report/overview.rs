//! What is stored of a run of any kind: under which conditions who played whom, and what came of it.

use super::figures::signed_with_margin;
use super::games::Games;
use super::origin::sessions_as_json;
use super::stored_spec::StoredSpec;
use super::summary::Effort;
use super::tuning::TuneSummary;
use crate::facts::{OFF, shown};
use crate::game::record::Side;
use crate::run::faults::FaultsWithSum;
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, elo};
use crate::store::{RunInfo, Session, Store, StoreError};
use crate::tuning::tune::Tune;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A run as it is shown.
pub struct Overview {
    info: RunInfo,
    spec: StoredSpec,
    sessions: Vec<Session>,
    /// In the order in which they first met.
    meetings: Vec<Meeting>,
    /// How far a tuning run has come; none of any other.
    tuned: Option<TuneSummary>,
    games: Games,
    /// Base and candidate of the pairs in which one of them failed.
    faulty_pairs: BTreeMap<u64, [String; 2]>,
}

/// The pairs between two players, from the candidate's side.
struct Meeting {
    candidate: String,
    base: String,
    tally: Tally,
}

impl Meeting {
    fn elo(&self) -> Option<Estimate> {
        elo::elo(&self.tally.pairs.sample(), Confidence::DEFAULT)
    }
}

impl Overview {
    /// Counts the stored pairs of the run, in a sweep or a tuning run up to the first that is missing.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn read(store: &Store, info: RunInfo, spec: StoredSpec) -> Result<Overview, StoreError> {
        let mut meetings: Vec<Meeting> = Vec::new();
        let (mut games, mut faulty_pairs) = (Games::default(), BTreeMap::new());
        let mut roster = spec.roster();
        for pair in store.pairs(&info.id, 0) {
            let pair = pair?;
            let Some(players) = roster.take(&pair) else { break };
            let [base, candidate] = players.map(|player| player.file.clone());
            games.add(&pair);
            if pair.games.iter().any(|game| game.termination.is_fault()) {
                faulty_pairs.insert(pair.index, [base.clone(), candidate.clone()]);
            }
            let known = meetings.iter_mut().find(|met| met.candidate == candidate && met.base == base);
            match known {
                Some(met) => met.tally.add(&pair),
                None => {
                    let mut tally = Tally::default();
                    tally.add(&pair);
                    meetings.push(Meeting { candidate, base, tally });
                }
            }
        }
        let sessions = store.sessions(&info.id)?;
        let summary = |tune: &Tune| TuneSummary::new(&info.id, tune.spec(), tune, &Effort::of(&sessions));
        let tuned = roster.tune().map(summary);
        Ok(Overview { sessions, meetings, games, faulty_pairs, info, spec, tuned })
    }

    /// The lines a person reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name:<14}{value}");
        }
        for player in self.spec.players() {
            let _ = writeln!(
                text,
                "{:<14}{} ({}), sha256 {}, engine {}",
                "player",
                player.file,
                player.name(),
                player.digest,
                player.build()
            );
        }
        text.push('\n');
        for met in &self.meetings {
            let Tally { pairs, games, .. } = met.tally;
            let _ = write!(
                text,
                "{} against {}: +{} ={} -{}   pairs {:?}",
                met.candidate, met.base, games.wins, games.draws, games.losses, pairs.0,
            );
            // The two sides of a tuning run are other players in every iteration.
            if self.tuned.is_none() {
                let _ = write!(text, "   Elo {}", signed_with_margin(met.elo()));
            }
            let _ = writeln!(text);
            let [base, candidate] = met.tally.conduct;
            for (name, conduct) in [(&met.base, base), (&met.candidate, candidate)] {
                if let Some(share) = conduct.faults.share(name, conduct.games) {
                    let _ = writeln!(text, "  {share}: {}", conduct.faults.in_words());
                }
            }
        }
        if let Some(tuned) = &self.tuned {
            let _ = writeln!(text, "\nIteration {} of {}", tuned.iterations, tuned.schedule.iterations);
            text += &tuned.parameter_lines();
            text += &tuned.same_sides().map_or(String::new(), |words| words + "\n");
            text.push('\n');
        }
        let verdict = self.info.verdict.as_deref().unwrap_or("-");
        let _ = write!(text, "Games {}   verdict {verdict}", self.info.games());
        text + &self.games.list_of_faults(self.faults())
    }

    /// The first games with faults, a sentence each.
    fn faults(&self) -> Vec<String> {
        self.games.faults_of(|pair, side| {
            let names = self.faulty_pairs.get(&pair);
            names.map_or("-", |[base, candidate]| match side {
                Side::Base => base,
                Side::Candidate => candidate,
            })
        })
    }

    /// The same for programs, with the figures that were stored when the run ended.
    pub fn json(&self) -> Value {
        let RunInfo { id, kind, state, question, created, finished, verdict, summary_json, .. } = &self.info;
        let facts = self.facts().into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
        let players = self.spec.players().into_iter().map(|player| {
            json!({"name": player.name(), "file": player.file, "digest": player.digest, "build": player.build()})
        });
        let meetings = self.meetings.iter().map(|met| {
            let Tally { pairs, games, conduct: [base, candidate] } = met.tally;
            let faults = met.tally.faults();
            json!({
                "candidate": met.candidate,
                "base": met.base,
                "games": games.games(),
                "wins": games.wins,
                "losses": games.losses,
                "draws": games.draws,
                "pentanomial": pairs,
                "elo": met.elo().filter(|_| self.tuned.is_none()),
                "time_losses": faults.time_losses,
                "illegal_moves": faults.illegal_moves,
                "crashes": faults.crashes,
                "stalls": faults.stalls,
                "no_moves": faults.no_moves,
                "faults": faults.sum(),
                "base_faults": FaultsWithSum::from(base.faults),
                "candidate_faults": FaultsWithSum::from(candidate.faults),
            })
        });
        let summary: Option<Value> =
            summary_json.as_deref().and_then(|summary| serde_json::from_str(summary).ok());
        let mut object = json!({
            "run": id,
            "kind": kind,
            "state": state.as_str(),
            "question": question,
            "started": created,
            "finished": finished,
            "verdict": verdict,
            "digest": self.info.digest,
            "stored_games": self.info.games(),
            "conditions": facts.collect::<serde_json::Map<_, _>>(),
            "players": players.collect::<Vec<_>>(),
            "meetings": meetings.collect::<Vec<_>>(),
            "faults": self.faults(),
            "sessions": sessions_as_json(&self.sessions),
            "summary": summary,
        });
        if let Some(tuned) = &self.tuned {
            object["iterations"] = json!(tuned.iterations);
            object["parameters"] = json!(tuned.parameters);
            object["pairs_of_same_sides"] = json!(tuned.pairs_of_same_sides);
        }
        object
    }

    /// When and on how many threads it was played.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// The conditions and the digest of it all; rules that are off are left out.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let facts = self.spec.conditions().facts();
        let in_force = facts.iter().filter(|(_, value)| value != OFF);
        let mut facts: Vec<_> = in_force.map(|fact| (fact.0, shown(fact))).collect();
        facts.push(("run's digest", self.info.digest.clone()));
        facts
    }
}
