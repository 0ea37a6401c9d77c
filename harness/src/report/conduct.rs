//! Conduct of the players in words: what of a result was decided by faults, and which limits were not honoured.

use crate::run::conduct::Watched;
use crate::run::latency::Latency;
use crate::run::node_use::NodesSearched;

/// A line for each player with faults, each that was not seen to honour its limit of nodes, and each of which is known how late its
/// answers come; with its line end.
pub fn lines(players: &[Watched]) -> String {
    let faults = players.iter().filter_map(|player| {
        let share = player.share_of_faults()?;
        Some(format!("Faults {share}: {}\n", player.conduct.faults.in_words()))
    });
    let nodes = node_limits(players).into_iter().map(|found| format!("Nodes {found}\n"));
    let latencies = latencies(players).into_iter().map(|found| format!("Latency {found}\n"));
    faults.chain(nodes).chain(latencies).collect()
}

/// The same as facts of a report, a name and a text each.
pub fn facts(players: &[Watched]) -> Vec<(String, String)> {
    let faults = players.iter().map(|player| {
        let text = match player.share_of_faults() {
            Some(share) => format!("{share}: {}", player.conduct.faults.in_words()),
            None => "none".to_owned(),
        };
        (format!("Faults of {}", player.name), text)
    });
    let nodes = node_limits(players).into_iter().map(|found| ("Nodes".to_owned(), found.to_string()));
    let latencies = latencies(players).into_iter().map(|found| ("Latency".to_owned(), found.to_string()));
    faults.chain(nodes).chain(latencies).collect()
}

/// What a verdict must not be read without, after a semicolon; empty where there is nothing.
pub fn caveat(players: &[Watched]) -> String {
    let faults = players.iter().filter_map(Watched::share_of_faults);
    let void = node_limits(players)
        .into_iter()
        .filter(|found| found.searched.is_some())
        .map(|found| format!("void, since {} does not honour `go nodes`", found.player));
    faults.chain(void).map(|caveat| format!("; {caveat}")).collect()
}

/// The players that were not seen to honour their limit of nodes.
pub fn node_limits(players: &[Watched]) -> Vec<NodesSearched> {
    players.iter().filter_map(Watched::nodes_searched).collect()
}

/// How late the answers of the players come, of those that tell their time under a clock.
pub fn latencies(players: &[Watched]) -> Vec<Latency> {
    players.iter().filter_map(Watched::latency).collect()
}
