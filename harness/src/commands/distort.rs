//! `harness distort BASE CANDIDATE`: root scores of two players at a fixed depth, over positions of a book.

use crate::cli::conditions::check_memory;
use crate::cli::options::{RunOptions, current_folder};
use crate::cli::player::load_player;
use crate::cli::{Exit, Failure};
use crate::game::opening::Opening;
use crate::openings::Book;
use crate::openings::order::Order;
use crate::options::{self, Name, Options, whole};
use crate::players::Setup;
use crate::players::spec::PlayerSpec;
use crate::report::figures::{grouped, percent, signed};
use crate::run::Interrupt;
use crate::series::distortion::{self, Distortion, SearchLimit};
use clap::Args;
use serde_json::{Value, json};
use std::fmt::Write;

/// Table size of each player, MB. A search to a few plies fills no more.
const HASH_MEGABYTES: u32 = 16;

/// Show how far the root scores of two players differ at a fixed depth
///
/// Both search the same positions of a book to the same depth, each from a cleared state. A change that saves nodes and is
/// sound leaves the mean score where it was. A bias, or scores that are off by more than 100 centipawns, show what is wrong
/// with a change in a minute where games take an hour.
#[derive(Args)]
pub struct DistortArguments {
    /// Configuration that scores are compared with
    base: String,
    /// Configuration whose scores are compared
    candidate: String,
    /// Depth of every search, plies
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(1..=127), allow_negative_numbers = true)]
    depth: u32,
    /// How many positions of the book are searched
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = whole::<u64>(1..=1_000_000), allow_negative_numbers = true)]
    positions: u64,
    /// Nodes after which a search is cut off; its position is then left out
    #[arg(long, value_name = "N", default_value_t = SearchLimit::MAX_NODES, value_parser = whole::<u64>(1..), allow_negative_numbers = true)]
    max_nodes: u64,
    #[command(flatten)]
    options: Options<{ options::of(&[Name::openings, Name::seed, Name::threads, Name::json]) }>,
}

/// Runs the command.
///
/// # Errors
/// A player or the book cannot be used, or a search came to no score.
pub fn execute(arguments: DistortArguments, interrupt: &Interrupt) -> Result<Exit, Failure> {
    let folder = current_folder()?;
    let DistortArguments { depth, max_nodes, positions, .. } = arguments;
    let base = load_player(&arguments.base, &folder)?;
    let candidate = load_player(&arguments.candidate, &folder)?;
    let options = arguments.options.clone().or(RunOptions::settings(&folder)?);
    let book = options.book(&folder)?;
    let seed = options.seed.unwrap_or(1);
    let chosen = positions_of(&book, seed, positions)?;
    let searches = Searches::new(options.threads())?;
    let limit = SearchLimit { depth, max_nodes };
    let Some(found) = searches.measure([&base, &candidate], &chosen, limit, interrupt)? else {
        return Ok(Exit::Interrupted);
    };
    let players = [&base, &candidate];
    let report = as_json(players, &found, (&book, seed));
    options.print(&report, || text(players, &found, (&book, seed)))?;
    match found.positions {
        0 => Err(Failure::run(format!(
            "no position was compared: every search ended before depth {depth}, at --max-nodes {max_nodes} or by itself"
        ))),
        _ => Ok(Exit::Done),
    }
}

/// The first positions of a book in the order of a seed.
///
/// # Errors
/// The book has fewer.
pub fn positions_of(book: &Book, seed: u64, count: u64) -> Result<Vec<Opening>, Failure> {
    let order = Order::Random.of(book.openings.len(), seed, false);
    let chosen = (0..count).map_while(|number| order.get(number)).map(|place| book.openings[place].clone());
    let chosen: Vec<_> = chosen.collect();
    if (chosen.len() as u64) < count {
        return Err(Failure::usage(format!(
            "{} has {} positions, {count} are to be searched: give fewer --positions or another book",
            book.path.display(),
            book.openings.len()
        )));
    }
    Ok(chosen)
}

/// Searches on several threads.
pub struct Searches {
    pool: rayon::ThreadPool,
    setup: Setup,
}

impl Searches {
    /// On so many threads.
    ///
    /// # Errors
    /// There is no memory for their tables, or the threads cannot be started.
    pub fn new(threads: usize) -> Result<Searches, Failure> {
        let setup = Setup::new(HASH_MEGABYTES);
        check_memory(setup.kept_players, threads, setup.hash_megabytes)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|error| {
            Failure::run(format!("the threads cannot be started ({error}); ask for fewer with --threads"))
        })?;
        Ok(Searches { pool, setup })
    }

    /// The distortion of base and candidate; none if it was interrupted.
    ///
    /// # Errors
    /// A search came to no score.
    pub fn measure(
        &self,
        players: [&PlayerSpec; 2],
        positions: &[Opening],
        limit: SearchLimit,
        interrupt: &Interrupt,
    ) -> Result<Option<Distortion>, Failure> {
        distortion::measure(players, positions, limit, &self.setup, &self.pool, interrupt.flag())
            .map_err(Failure::run)
    }
}

fn text([base, candidate]: [&PlayerSpec; 2], found: &Distortion, (book, seed): (&Book, u64)) -> String {
    let mean = found.mean_difference.map_or("-".to_owned(), signed);
    let margin = found.margin.map_or(String::new(), |margin| format!(" ± {margin:.1}"));
    let ratio = found.nodes_ratio.map_or("-".to_owned(), |ratio| format!("× {ratio:.2}"));
    let [of_base, of_candidate] = found.nodes.map(grouped);
    let mut text = format!(
        "{} against {} · depth {} · {} positions of {} · seed {seed}\n\
         Score      {mean}{margin} cp (mean difference, 95 %)   {} over 100 cp   {} the same\n\
         Best move  {} the same\n\
         Nodes      {of_base} → {of_candidate} ({ratio})",
        candidate.label(),
        base.label(),
        found.depth,
        found.positions,
        book.name(),
        percent(found.far),
        percent(found.same_score),
        percent(found.same_move),
    );
    if found.mates > 0 {
        _ = write!(text, "\n{} positions with a mate score have no part in the mean", found.mates);
    }
    if found.cut_off > 0 {
        _ = write!(text, "\n{} positions left out: a search ended before the depth", found.cut_off);
    }
    text
}

fn as_json(players: [&PlayerSpec; 2], found: &Distortion, (book, seed): (&Book, u64)) -> Value {
    let [base, candidate] =
        players.map(|player| json!({"name": player.name(), "file": player.file, "digest": player.digest}));
    let mut object = json!({
        "base": base,
        "candidate": candidate,
        "openings": {"file": book.name(), "digest": book.digest},
        "seed": seed,
    });
    if let (Value::Object(object), Ok(Value::Object(figures))) = (&mut object, serde_json::to_value(found)) {
        object.extend(figures);
    }
    object
}
