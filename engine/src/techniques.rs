//! Search techniques: the switches of the search, and which of them need which.
//!
//! Every technique is one entry of the table below; config keys, UCI options and checks come from it. As for
//! parameters, there are two selections: the engine's own (`default`), and that of the engine whose published results are
//! reproduced (`published`).

use std::fmt;

use crate::params::optional;
use crate::suggest::nearest;

/// What the table says about one technique.
#[derive(Debug, PartialEq, Eq)]
pub struct TechniqueInfo {
    /// The key in configs, UCI options and published results.
    pub name: &'static str,
    /// Whether the full engine has it on.
    pub default: bool,
    /// Whether the engine whose published results are reproduced has it on. It never changes.
    pub published: bool,
    /// What a stored configuration that does not have the key stands for: what the engine did before the technique was
    /// a switch. None for the techniques of version 0.1.0, which every stored configuration has.
    pub absent: Option<Absent>,
    /// The techniques without which it must be off.
    pub needs: &'static [&'static str],
    /// What it turns on.
    pub doc: &'static str,
}

/// What the engine did before a technique was a switch.
#[derive(Debug, PartialEq, Eq)]
pub enum Absent {
    /// It did not have the technique.
    Off,
    /// It was part of this technique: on if that one is, as far as what it needs is on.
    PartOf(&'static str),
}

impl TechniqueInfo {
    /// The technique of that name.
    ///
    /// # Errors
    /// [`TechniqueError::Unknown`], with the nearest name.
    pub fn find(name: &str) -> Result<&'static TechniqueInfo, TechniqueError> {
        TECHNIQUES.iter().find(|info| info.name == name).ok_or_else(|| TechniqueError::Unknown {
            name: name.to_owned(),
            suggestion: nearest(name, TECHNIQUES.iter().map(|info| info.name)),
        })
    }
}

/// Why a technique was refused. `Display` is one sentence: [`what`](Self::what) happened and the
/// [`remedy`](Self::remedy).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TechniqueError {
    /// No technique has this name.
    Unknown {
        /// The name as given.
        name: String,
        /// The nearest technique, if one comes close.
        suggestion: Option<&'static str>,
    },
    /// A technique is on without one that it needs.
    NeedOff {
        /// The technique that is on.
        technique: &'static str,
        /// The one it needs, which is off.
        need: &'static str,
    },
}

impl TechniqueError {
    /// What happened.
    pub fn what(&self) -> String {
        match self {
            Self::Unknown { name, .. } => format!("no technique is called `{name}`"),
            Self::NeedOff { technique, need } => {
                format!("`{technique}` is on and needs `{need}`, which is off")
            }
        }
    }

    /// What to do next.
    pub fn remedy(&self) -> String {
        match self {
            Self::Unknown { suggestion: Some(suggestion), .. } => format!("did you mean `{suggestion}`?"),
            Self::Unknown { suggestion: None, .. } => {
                let names: Vec<_> = TECHNIQUES.iter().map(|info| info.name).collect();
                format!("the techniques are {}", names.join(", "))
            }
            Self::NeedOff { technique, need } => {
                format!("set `{need}` to true or `{technique}` to false")
            }
        }
    }
}

impl fmt::Display for TechniqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.remedy())
    }
}

impl std::error::Error for TechniqueError {}

impl Techniques {
    /// Every technique with whether it is on, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static TechniqueInfo, bool)> {
        TECHNIQUES.iter().zip(self.values())
    }

    /// Whether the technique of that name is on.
    pub fn get(&self, name: &str) -> Option<bool> {
        self.iter().find(|(info, _)| info.name == name).map(|(_, on)| on)
    }

    /// Whether a technique is on in a stored configuration that has these techniques and does not name it; none if every
    /// stored configuration names it.
    pub fn absent(&self, info: &TechniqueInfo) -> Option<bool> {
        let is_on = |name: &&str| self.get(name) == Some(true);
        info.absent.as_ref().map(|absent| match absent {
            Absent::Off => false,
            Absent::PartOf(whole) => is_on(whole) && info.needs.iter().all(is_on),
        })
    }

    /// Turns the technique of that name on or off.
    ///
    /// # Errors
    /// [`TechniqueError::Unknown`]. Whether the whole makes sense is for [`check`](Self::check), once all
    /// are set.
    pub fn set(&mut self, name: &str, on: bool) -> Result<(), TechniqueError> {
        let info = TechniqueInfo::find(name)?;
        *self.slot(info.name).expect("the table has a field for each of its names") = on;
        Ok(())
    }

    /// Everything that is wrong with this selection; empty if a search can run with it.
    pub fn check(&self) -> Vec<TechniqueError> {
        let mut errors = Vec::new();
        for (&TechniqueInfo { name: technique, needs, .. }, _) in self.iter().filter(|&(_, on)| on) {
            let missing = needs.iter().filter(|need| self.get(need) == Some(false));
            errors.extend(missing.map(|need| TechniqueError::NeedOff { technique, need }));
        }
        errors
    }
}

/// Turns the table into [`Techniques`], its `Default`, access by name, and [`TECHNIQUES`].
macro_rules! techniques {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident {
            default: $default:literal, published: $published:literal, needs: [$($need:ident),*]
            $(, absent: $absent:expr)?
        }
    )+) => {
        /// Which techniques are on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Techniques {
            $( $(#[doc = $doc])+ pub $name: bool, )+
        }

        /// The full engine.
        impl Default for Techniques {
            fn default() -> Self {
                Self { $( $name: $default, )+ }
            }
        }

        impl Techniques {
            /// Everything off: plain minimax on the static evaluation.
            pub const fn none() -> Self {
                Self { $( $name: false, )+ }
            }

            /// The techniques of the engine whose published results are reproduced.
            pub const fn published() -> Self {
                Self { $( $name: $published, )+ }
            }

            fn values(&self) -> [bool; TECHNIQUES.len()] {
                [$( self.$name, )+]
            }

            fn slot(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )+
                    _ => None,
                }
            }
        }

        /// The table of all techniques, in the order in which they are listed to people.
        pub static TECHNIQUES: &[TechniqueInfo] = &[$(
            TechniqueInfo {
                name: stringify!($name),
                default: $default,
                published: $published,
                absent: optional!($($absent)?),
                needs: &[$(stringify!($need)),*],
                doc: concat!($($doc),+).trim_ascii(),
            },
        )+];
    };
}

techniques! {
    /// cutoffs; off means plain fail-soft minimax
    alpha_beta { default: true, published: true, needs: [] }
    /// captures, promotions and check evasions until quiet; off means static evaluation at depth 0
    quiescence { default: true, published: true, needs: [] }
    /// hash move, and cutoffs from stored bounds at nodes with a null window
    transposition_table { default: true, published: true, needs: [] }
    /// stored bounds settle open windows too, off the leftmost line; acts only without `pvs`, which has none there
    open_window_cutoffs {
        default: false, published: false, needs: [transposition_table], absent: Absent::Off
    }
    /// captures first, most valuable victim by least valuable attacker; losing ones after the quiets
    capture_ordering { default: true, published: true, needs: [] }
    /// two killer moves per ply, after good captures
    killers { default: true, published: true, needs: [] }
    /// butterfly history: quiets that cut earn a bonus, quiets tried before them a penalty
    history { default: true, published: true, needs: [] }
    /// the quiet that refuted the opponent's last move is tried after the killers
    countermoves { default: true, published: true, needs: [history] }
    /// history indexed by the moves one and two plies earlier, added to the quiet-move score
    continuation_history { default: true, published: true, needs: [history] }
    /// principal variation search: later moves get a null window first
    pvs { default: true, published: true, needs: [alpha_beta] }
    /// aspiration windows at the root, around the previous depth's score
    aspiration { default: true, published: true, needs: [alpha_beta] }
    /// null-move pruning, never in check, never twice running, never with only king and pawns
    null_move { default: true, published: true, needs: [alpha_beta] }
    /// late move reductions: moves far down the list are searched less deeply first
    lmr { default: true, published: true, needs: [pvs] }
    /// whether the static evaluation beats that of two plies ago, used where a parameter says so
    improving { default: true, published: true, needs: [] }
    /// near the leaves, off the principal variation, quiets far down the list are skipped
    late_move_pruning { default: true, published: true, needs: [alpha_beta] }
    /// near the leaves, quiets with a bad quiet-move score are skipped
    history_pruning { default: true, published: true, needs: [history, alpha_beta] }
    /// near the leaves, a node whose evaluation is far above beta is cut
    reverse_futility { default: true, published: true, needs: [alpha_beta] }
    /// near the leaves, a node whose evaluation is far below alpha goes straight to quiescence
    razoring { default: true, published: true, needs: [alpha_beta, quiescence] }
    /// near the leaves, quiets that cannot bring the evaluation up to alpha are skipped
    futility { default: true, published: true, needs: [alpha_beta] }
    /// moves that lose material by static exchange evaluation are skipped in the main search
    see_pruning { default: true, published: true, needs: [alpha_beta] }
    /// captures that lose material by static exchange evaluation are skipped in quiescence
    see_pruning_quiescence {
        default: true, published: true, needs: [quiescence, alpha_beta], absent: Absent::PartOf("see_pruning")
    }
    /// quiescence skips captures whose gain cannot reach alpha
    delta_pruning { default: true, published: true, needs: [quiescence, alpha_beta] }
    /// one ply more when in check
    check_extension { default: true, published: true, needs: [] }
    /// one ply less at a node without a hash move
    internal_iterative_reductions { default: true, published: true, needs: [transposition_table] }
    /// one ply more for a hash move that is better than all others by a margin
    singular_extensions { default: true, published: true, needs: [transposition_table, alpha_beta] }
    /// two plies more for a hash move that is better by far
    double_extensions { default: true, published: true, needs: [singular_extensions] }
    /// fewer plies for a hash move that is not singular although its score reaches beta
    negative_extensions { default: true, published: true, needs: [singular_extensions] }
    /// static evaluation corrected by what the search found for the same pawn structure
    correction_history { default: true, published: true, needs: [] }
    /// static evaluation corrected by what the search found for each side's same pieces, too
    correction_non_pawn { default: true, published: true, needs: [correction_history] }
    /// a capture that beats beta by a margin in a shallower search cuts the node
    probcut { default: true, published: true, needs: [transposition_table, alpha_beta] }
    /// an expected cut node is reduced more
    cut_node_reductions { default: true, published: true, needs: [lmr] }
    /// an expected all-node is reduced less
    all_node_reductions { default: false, published: false, needs: [lmr] }
    /// nodes that are or were on a principal variation are reduced less
    tt_pv_reductions { default: false, published: false, needs: [lmr, transposition_table] }
    /// the next ply's count of fail highs changes reductions
    cutoff_reductions { default: true, published: true, needs: [lmr] }
    /// a hash move that captures changes reductions
    tt_capture_reductions { default: false, published: false, needs: [lmr, transposition_table] }
    /// a stored score stands in for the static evaluation where its bound says that it is nearer the truth
    tt_evaluation { default: true, published: false, needs: [transposition_table] }
    /// a node is cut when the singular test shows more than one move that beats beta
    multicut { default: true, published: false, needs: [singular_extensions] }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Names, defaults of the full engine and needs are fixed by the design.
    const DESIGNED: [(&str, bool, &[&str]); 37] = [
        ("alpha_beta", true, &[]),
        ("quiescence", true, &[]),
        ("transposition_table", true, &[]),
        ("open_window_cutoffs", false, &["transposition_table"]),
        ("capture_ordering", true, &[]),
        ("killers", true, &[]),
        ("history", true, &[]),
        ("countermoves", true, &["history"]),
        ("continuation_history", true, &["history"]),
        ("pvs", true, &["alpha_beta"]),
        ("aspiration", true, &["alpha_beta"]),
        ("null_move", true, &["alpha_beta"]),
        ("lmr", true, &["pvs"]),
        ("improving", true, &[]),
        ("late_move_pruning", true, &["alpha_beta"]),
        ("history_pruning", true, &["history", "alpha_beta"]),
        ("reverse_futility", true, &["alpha_beta"]),
        ("razoring", true, &["alpha_beta", "quiescence"]),
        ("futility", true, &["alpha_beta"]),
        ("see_pruning", true, &["alpha_beta"]),
        ("see_pruning_quiescence", true, &["quiescence", "alpha_beta"]),
        ("delta_pruning", true, &["quiescence", "alpha_beta"]),
        ("check_extension", true, &[]),
        ("internal_iterative_reductions", true, &["transposition_table"]),
        ("singular_extensions", true, &["transposition_table", "alpha_beta"]),
        ("double_extensions", true, &["singular_extensions"]),
        ("negative_extensions", true, &["singular_extensions"]),
        ("correction_history", true, &[]),
        ("correction_non_pawn", true, &["correction_history"]),
        ("probcut", true, &["transposition_table", "alpha_beta"]),
        ("cut_node_reductions", true, &["lmr"]),
        ("all_node_reductions", false, &["lmr"]),
        ("tt_pv_reductions", false, &["lmr", "transposition_table"]),
        ("cutoff_reductions", true, &["lmr"]),
        ("tt_capture_reductions", false, &["lmr", "transposition_table"]),
        ("tt_evaluation", true, &["transposition_table"]),
        ("multicut", true, &["singular_extensions"]),
    ];

    #[test]
    fn the_table_is_the_designed_one() {
        let ours: Vec<_> = TECHNIQUES.iter().map(|info| (info.name, info.default, info.needs)).collect();
        assert_eq!(ours, DESIGNED);
    }

    #[test]
    fn the_published_engine_lacks_what_this_project_added() {
        let own: Vec<_> =
            TECHNIQUES.iter().filter(|info| info.published != info.default).map(|info| info.name).collect();
        assert_eq!(own, ["tt_evaluation", "multicut"]);
        assert!(Techniques::published().iter().all(|(info, on)| on == info.published));
        assert_eq!(Techniques::published().check(), []);
    }

    #[test]
    fn what_was_part_of_another_technique_is_on_with_it_where_it_can_be() {
        let quiescence = TechniqueInfo::find("see_pruning_quiescence").unwrap();
        let full = Techniques::default();
        assert_eq!(full.absent(quiescence), Some(true));
        assert_eq!(Techniques { see_pruning: false, ..full }.absent(quiescence), Some(false));
        assert_eq!(Techniques { quiescence: false, ..full }.absent(quiescence), Some(false));
        assert_eq!(full.absent(TechniqueInfo::find("open_window_cutoffs").unwrap()), Some(false));
        assert_eq!(full.absent(TechniqueInfo::find("see_pruning").unwrap()), None);
    }

    #[test]
    fn every_entry_makes_sense() {
        let names: BTreeSet<_> = TECHNIQUES.iter().map(|info| info.name).collect();
        assert_eq!(names.len(), TECHNIQUES.len());
        for info in TECHNIQUES {
            assert!(!info.doc.is_empty() && !info.doc.contains("  "), "{}", info.doc);
            assert!(info.needs.iter().all(|need| names.contains(need)), "{}", info.name);
        }
    }

    #[test]
    fn the_default_is_legal_and_has_on_what_the_table_says() {
        let full = Techniques::default();
        assert_eq!(full.check(), []);
        assert!(full.iter().all(|(info, on)| on == info.default));
        assert_eq!(Techniques::none().check(), []);
        assert!(Techniques::none().iter().all(|(_, on)| !on));
    }

    #[test]
    fn set_changes_what_it_names_and_nothing_else() {
        for info in TECHNIQUES {
            let mut techniques = Techniques::none();
            techniques.set(info.name, true).unwrap();
            assert_eq!(techniques.get(info.name), Some(true));
            assert_eq!(techniques.iter().filter(|(_, on)| *on).count(), 1);
        }
        assert_eq!(
            Techniques::none().set("aspirations", true).unwrap_err().to_string(),
            "no technique is called `aspirations`: did you mean `aspiration`?"
        );
        assert_eq!(Techniques::none().get("aspirations"), None);
    }

    #[test]
    fn a_technique_alone_is_refused_for_each_need_by_name() {
        for info in TECHNIQUES {
            let mut alone = Techniques::none();
            alone.set(info.name, true).unwrap();
            let errors = alone.check();
            for &need in info.needs {
                assert!(errors.contains(&TechniqueError::NeedOff { technique: info.name, need }));
            }
            assert_eq!(errors.len(), info.needs.len());
        }
        let alone = Techniques { pvs: true, ..Techniques::none() };
        assert_eq!(
            alone.check()[0].to_string(),
            "`pvs` is on and needs `alpha_beta`, which is off: set `alpha_beta` to true or `pvs` to false"
        );
    }
}
