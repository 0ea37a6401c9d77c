//! Cores of games, `--affinity`: each game at a time has cores of its own, which its engines keep to from their start.
//!
//! A thread of the run is bound to its cores, and every process that it starts inherits them. First come cores of which no sibling (the
//! other hardware threads of the same physical core, Linux: `topology/thread_siblings_list`) is used yet. A core that another run of this
//! program has claimed on the same machine is taken last, and said so.

use std::sync::OnceLock;

/// The cores that the games of a run keep to.
#[derive(Default)]
pub struct Cores {
    claimed: OnceLock<Claimed>,
}

struct Claimed {
    games: usize,
    /// Those of game 0, 1, …, then the second ones of each game, and so on.
    cores: Vec<usize>,
    /// Each says to other runs that its core is in use; the system frees it with the process.
    _claims: Vec<system::Claim>,
}

impl Cores {
    /// Claims cores for so many games at once, whose engines search on up to so many threads; once for a run. A warning if others
    /// have claimed some of them.
    ///
    /// # Errors
    /// There are not enough cores, or the system cannot bind threads to cores; in a sentence.
    pub fn claim(&self, games: usize, threads: usize) -> Result<Option<String>, String> {
        let available = system::available().map_err(|why| format!("--affinity cannot be had: {why}"))?;
        let wanted = games.saturating_mul(threads);
        if wanted > available.len() {
            return Err(too_many(games, threads, available.len()));
        }
        let (mut free, mut taken, mut claims) = (Vec::new(), Vec::new(), Vec::new());
        for core in physical_first(&available, system::siblings) {
            if free.len() == wanted {
                break;
            }
            match system::Claim::of(core) {
                Some(claim) => {
                    free.push(core);
                    claims.push(claim);
                }
                None => taken.push(core),
            }
        }
        let shared = wanted - free.len();
        let warning = (shared > 0).then(|| {
            let names: Vec<_> = taken[..shared].iter().map(usize::to_string).collect();
            let cores = if shared == 1 { "core" } else { "cores" };
            format!(
                "warning: another run with --affinity is using {cores} {}, and no other is free: their games take time from each \
                 other; give --threads {} to keep apart from it",
                names.join(", "),
                (free.len() / threads).max(1)
            )
        });
        free.extend(taken.drain(..shared));
        // A second claim of the same process changes nothing.
        let _ = self.claimed.set(Claimed { games, cores: free, _claims: claims });
        Ok(warning)
    }

    /// Binds the calling thread, and what it starts from now on, to the cores of the game that it plays. Nothing happens before
    /// cores are claimed.
    pub fn bind(&self, game: usize, threads: usize) {
        if let Some(Claimed { games, cores, .. }) = self.claimed.get() {
            let own: Vec<_> = cores.iter().skip(game).step_by(*games).take(threads).copied().collect();
            system::bind(&own);
        }
    }
}

fn too_many(games: usize, threads: usize, cores: usize) -> String {
    let number = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let each = if threads == 1 { String::new() } else { format!(" of {threads} threads each") };
    let remedy = match cores / threads {
        0 => format!("give the engines {} at most", number(cores, "thread")),
        games => format!("give --threads {games}"),
    };
    format!(
        "--affinity gives each search thread a core of its own, and this process may use {} for {}{each}: {remedy}, or leave it out",
        number(cores, "core"),
        number(games, "game")
    )
}

/// The cores, those first of which no sibling stands before them.
fn physical_first(cores: &[usize], siblings: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    // How many siblings come before it.
    let rank = |&core: &usize| {
        let siblings = siblings(core);
        cores.iter().filter(|&&other| other < core && siblings.contains(&other)).count()
    };
    let mut ordered = cores.to_vec();
    ordered.sort_by_key(rank);
    ordered
}

/// `0-2,5` as the numbers 0, 1, 2, 5: the form in which Linux lists cores.
#[cfg(any(target_os = "linux", test))]
fn listed(text: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    text.split(',').filter_map(range).flatten().collect()
}

#[cfg(target_os = "linux")]
mod system {
    use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
    use nix::unistd::Pid;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    /// The calling thread.
    const SELF: Pid = Pid::from_raw(0);

    /// The cores that this process may use.
    pub fn available() -> Result<Vec<usize>, String> {
        let set = sched_getaffinity(SELF).map_err(|error| error.to_string())?;
        Ok((0..CpuSet::count()).filter(|&core| set.is_set(core).unwrap_or(false)).collect())
    }

    /// The hardware threads of the same physical core, itself among them.
    pub fn siblings(core: usize) -> Vec<usize> {
        let file = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(file).map_or_else(|_| vec![core], |text| super::listed(&text))
    }

    /// Binds the calling thread. Cores that have gone meanwhile leave it where it is, which costs time and no game.
    pub fn bind(cores: &[usize]) {
        let mut set = CpuSet::new();
        let known = cores.iter().filter(|&&core| set.set(core).is_ok()).count();
        if known > 0 {
            let _ = sched_setaffinity(SELF, &set);
        }
    }

    /// A socket without a file, whose name says that the core is in use (unix(7), the abstract namespace): it works across users, and is
    /// gone with the process however that ends.
    pub struct Claim(#[expect(dead_code, reason = "it is held, not used")] UnixDatagram);

    impl Claim {
        /// None if another has it.
        pub fn of(core: usize) -> Option<Claim> {
            let name = SocketAddr::from_abstract_name(format!("chess-harness/core-{core}")).ok()?;
            UnixDatagram::bind_addr(&name).ok().map(Claim)
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub fn available() -> Result<Vec<usize>, String> {
        Err("only Linux binds threads to cores".to_owned())
    }

    pub fn siblings(core: usize) -> Vec<usize> {
        vec![core]
    }

    pub fn bind(_cores: &[usize]) {}

    pub struct Claim;

    impl Claim {
        pub fn of(_core: usize) -> Option<Claim> {
            Some(Claim)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_hardware_thread_comes_after_all_first_ones() {
        // Siblings are neighbours on some machines, and half the number apart on others.
        let neighbours = |core: usize| vec![core / 2 * 2, core / 2 * 2 + 1];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5], neighbours), [0, 2, 4, 1, 3, 5]);
        let apart = |core: usize| vec![core % 4, core % 4 + 4];
        assert_eq!(physical_first(&[0, 1, 2, 3, 4, 5, 6, 7], apart), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(physical_first(&[2, 6, 7], apart), [2, 7, 6], "of those that the process may use");
        assert_eq!(physical_first(&[0, 1, 2], |core| vec![core]), [0, 1, 2]);
    }

    #[test]
    fn lists_of_cores() {
        for (text, expected) in [
            ("0\n", vec![0]),
            ("0,4", vec![0, 4]),
            ("0-2,5,7-8\n", vec![0, 1, 2, 5, 7, 8]),
            ("", vec![]),
            ("x", vec![]),
        ] {
            assert_eq!(listed(text), expected, "{text:?}");
        }
    }

    #[test]
    fn more_than_there_are_is_refused_with_what_fits() {
        assert!(
            too_many(4, 1, 2).ends_with("may use 2 cores for 4 games: give --threads 2, or leave it out")
        );
        assert!(too_many(3, 2, 4).contains("for 3 games of 2 threads each: give --threads 2"));
        assert!(
            too_many(1, 8, 1)
                .contains("1 core for 1 game of 8 threads each: give the engines 1 thread at most")
        );
    }
}
