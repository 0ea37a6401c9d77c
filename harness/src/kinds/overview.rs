//! Overview of a stored run, for kinds that are shown without their own page: under which conditions who played whom, and
//! what came of it.

use super::not_read::NotRead;
use super::shown::Shown;
use super::spec::{RunSpec, RunSummary};
use super::stored::{Stored, spec_of};
use crate::facts::{OFF, shown};
use crate::game::record::Side;
use crate::report::figures::signed_with_margin;
use crate::report::games::Games;
use crate::report::head::Effort;
use crate::report::origin::sessions_as_json;
use crate::run::faults::FaultsWithSum;
use crate::run::recount::played_pairs;
use crate::run::tally::Tally;
use crate::statistics::{Confidence, Estimate, elo};
use crate::store::{RunInfo, Session, Store};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// A run as it is shown.
pub struct Overview<Spec: RunSpec> {
    /// As it is listed.
    pub(super) info: RunInfo,
    /// All that decides its games.
    pub(super) spec: Arc<Spec>,
    sessions: Vec<Session>,
    /// In the order in which they first met.
    meetings: Vec<Meeting>,
    /// The figures of its kind.
    pub(super) summary: Spec::Summary,
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

impl<Spec: RunSpec> Overview<Spec> {
    /// What is shown of a stored run.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn shown(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        Ok(Overview::<Spec>::read(store, info)?.to_shown())
    }

    /// The same below the report of its kind, made anew of the pairs that count; as JSON, `report`.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub fn shown_with_report(store: &Store, info: RunInfo) -> Result<Shown, NotRead> {
        let summary = Stored::<Spec>::read(store, info.clone(), |_, _| ())?.summary();
        let report = serde_json::to_value(&summary).map_err(NotRead::Json)?;
        let mut shown = Overview::<Spec>::shown(store, info)?;
        shown.text = format!("{}\n\n{}", summary.text().trim_end(), shown.text);
        shown.json.insert("report".to_owned(), report);
        Ok(shown)
    }

    /// What `harness show` tells of it.
    pub(super) fn to_shown(&self) -> Shown {
        Shown { question: self.info.question.clone(), text: self.text(), json: self.json() }
    }

    /// Counts the stored pairs of the run, in a sweep or a tuning run up to the first that is missing.
    ///
    /// # Errors
    /// See [`NotRead`].
    pub(super) fn read(store: &Store, info: RunInfo) -> Result<Overview<Spec>, NotRead> {
        let spec = Arc::new(spec_of::<Spec>(&info)?);
        let mut contest = spec.contest(&Spec::Goal::default());
        let mut meetings: Vec<Meeting> = Vec::new();
        let (mut games, mut faulty_pairs) = (Games::default(), BTreeMap::new());
        for pair in played_pairs(&mut contest, (store, &info.id)) {
            let pair = pair?;
            let [base, candidate] = pair.players.map(|player| player.file.clone());
            let pair = pair.record;
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
        let summary = Spec::summary(&info.id, &contest, &Effort::of(&sessions));
        Ok(Overview { sessions, meetings, games, faulty_pairs, info, spec, summary })
    }

    /// The lines a person reads.
    fn text(&self) -> String {
        let mut text = String::new();
        let progress = self.summary.progress();
        for (name, value) in self.facts() {
            let _ = writeln!(text, "{name:<14}{value}");
        }
        for (_, player) in self.spec.players() {
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
            if progress.is_none() {
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
        if let Some((lines, _)) = &progress {
            let _ = writeln!(text, "\n{lines}");
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
    fn json(&self) -> Map<String, Value> {
        let progress = self.summary.progress();
        let RunInfo { id, kind, state, question, created, finished, verdict, summary_json, .. } = &self.info;
        let facts = self.facts().into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
        let players = self.spec.players().into_iter().map(|(_, player)| {
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
                "elo": met.elo().filter(|_| progress.is_none()),
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
        let object = json!({
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
        let mut object = match object {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        object.extend(progress.into_iter().flat_map(|(_, more)| more));
        object
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
