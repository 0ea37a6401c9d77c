//! Search parameters: the numbers of the search, their ranges and their meaning.
//!
//! Every parameter is one entry of the table below. Config keys, UCI options, lists for tuners, documentation and range
//! checks all come from it; nothing else names a parameter's default. Each has two values: the engine's own
//! (`default`), and that of the engine whose published results are reproduced (`published`).

use std::fmt;

use crate::suggest::nearest;

/// What the table says about one parameter.
#[derive(Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// The key in configs, UCI options and published results.
    pub name: &'static str,
    /// The value of a config that does not mention it: the engine's own, which moves with every test that passes.
    pub default: i32,
    /// The value of the engine whose published results are reproduced. It never moves.
    pub published: i32,
    /// The value of a stored configuration that does not have the key: what the engine did before the parameter
    /// existed. None for the parameters of version 0.1.0, which every stored configuration has.
    pub absent: Option<i32>,
    /// The least legal value.
    pub min: i32,
    /// The greatest legal value.
    pub max: i32,
    /// How far a tuner moves it at the end (`c_end` of SPSA): about a twentieth of the useful range.
    pub step: i32,
    /// The technique that must be on for this parameter to act.
    pub technique: &'static str,
    /// What it means, in one sentence that stands alone.
    pub doc: &'static str,
}

impl ParamInfo {
    /// The parameter of that name.
    ///
    /// # Errors
    /// [`ParamError::Unknown`], with the nearest name.
    pub fn find(name: &str) -> Result<&'static ParamInfo, ParamError> {
        PARAMS.iter().find(|info| info.name == name).ok_or_else(|| ParamError::Unknown {
            name: name.to_owned(),
            suggestion: nearest(name, PARAMS.iter().map(|info| info.name)),
        })
    }

    /// The value, if it is in range.
    ///
    /// # Errors
    /// [`ParamError::OutOfRange`].
    pub fn check(&'static self, value: i64) -> Result<i32, ParamError> {
        i32::try_from(value)
            .ok()
            .filter(|value| (self.min..=self.max).contains(value))
            .ok_or_else(|| ParamError::OutOfRange { param: self, value: value.to_string() })
    }
}

/// Why a parameter was refused. `Display` is one sentence: [`what`](Self::what) happened and the
/// [`remedy`](Self::remedy).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamError {
    /// No parameter has this name.
    Unknown {
        /// The name as given.
        name: String,
        /// The nearest parameter, if one comes close.
        suggestion: Option<&'static str>,
    },
    /// The value is not in the parameter's range.
    OutOfRange {
        /// The parameter.
        param: &'static ParamInfo,
        /// The value as given; text, since it need not fit any integer type.
        value: String,
    },
    /// A parameter must stay below another one and does not.
    NotBelow {
        /// The parameter that is too great.
        name: &'static str,
        /// Its value.
        value: i32,
        /// The parameter it must stay below.
        limit_name: &'static str,
        /// That one's value.
        limit: i32,
    },
}

impl ParamError {
    /// What happened.
    pub fn what(&self) -> String {
        match self {
            Self::Unknown { name, .. } => format!("no parameter is called `{name}`"),
            Self::OutOfRange { param, value } => {
                let ParamInfo { name, min, max, .. } = param;
                format!("`{name}` is {value}, which is outside its range {min} to {max}")
            }
            Self::NotBelow { name, value, limit_name, limit } => {
                format!("`{name}` is {value} and must stay below `{limit_name}`, which is {limit}")
            }
        }
    }

    /// What to do next.
    pub fn remedy(&self) -> String {
        match self {
            Self::Unknown { suggestion: Some(suggestion), .. } => format!("did you mean `{suggestion}`?"),
            Self::Unknown { suggestion: None, .. } => "`engine params` lists every parameter".to_owned(),
            Self::OutOfRange { param: ParamInfo { min, max, default, .. }, .. } => {
                format!("choose an integer from {min} to {max} (the default is {default})")
            }
            Self::NotBelow { name, limit_name, .. } => format!("lower `{name}` or raise `{limit_name}`"),
        }
    }
}

impl fmt::Display for ParamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what(), self.remedy())
    }
}

impl std::error::Error for ParamError {}

impl SearchParams {
    /// Every parameter with its value, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (&'static ParamInfo, i32)> {
        PARAMS.iter().zip(self.values())
    }

    /// The value of the parameter of that name.
    pub fn get(&self, name: &str) -> Option<i32> {
        self.iter().find(|(info, _)| info.name == name).map(|(_, value)| value)
    }

    /// Sets the parameter of that name, if it exists and the value is in its range.
    ///
    /// # Errors
    /// [`ParamError::Unknown`] or [`ParamError::OutOfRange`]; nothing has changed then. What two
    /// parameters demand of each other is for [`check`](Self::check), once all are set.
    pub fn set(&mut self, name: &str, value: i64) -> Result<(), ParamError> {
        let info = ParamInfo::find(name)?;
        let value = info.check(value)?;
        *self.slot(info.name).expect("the table has a field for each of its names") = value;
        Ok(())
    }

    /// Everything that is wrong with these values as a whole; empty if they are legal.
    pub fn check(&self) -> Vec<ParamError> {
        let out_of_range = self.iter().filter_map(|(info, value)| info.check(value.into()).err());
        // A margin that "improving" brings to nothing would prune at every node that is not losing.
        let not_below = (self.rfp_improving >= self.rfp_margin).then_some(ParamError::NotBelow {
            name: "rfp_improving",
            value: self.rfp_improving,
            limit_name: "rfp_margin",
            limit: self.rfp_margin,
        });
        out_of_range.chain(not_below).collect()
    }
}

/// A column that most rows of a table leave out.
macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}
pub(crate) use optional;

/// Turns the table into [`SearchParams`], its `Default`, access by name, and [`PARAMS`].
macro_rules! parameters {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident = $default:literal, published $published:literal $(, absent $absent:literal)?,
            in $min:literal to $max:literal, step $step:literal, for $technique:ident;
    )+) => {
        /// A value for every parameter of the search, owned by each search: two configurations can
        /// play each other in one process.
        ///
        /// Fields are plain for the search's sake; [`set`](Self::set) and [`check`](Self::check) hold them to
        /// their ranges.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct SearchParams {
            $( $(#[doc = $doc])+ pub $name: i32, )+
        }

        impl Default for SearchParams {
            fn default() -> Self {
                Self { $( $name: $default, )+ }
            }
        }

        impl SearchParams {
            /// The numbers of the engine whose published results are reproduced.
            pub const fn published() -> Self {
                Self { $( $name: $published, )+ }
            }

            fn values(&self) -> [i32; PARAMS.len()] {
                [$( self.$name, )+]
            }

            fn slot(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $( stringify!($name) => Some(&mut self.$name), )+
                    _ => None,
                }
            }
        }

        /// The table of all parameters, in the order in which they are listed to people.
        pub static PARAMS: &[ParamInfo] = &[$(
            ParamInfo {
                name: stringify!($name),
                default: $default,
                published: $published,
                absent: optional!($($absent)?),
                min: $min,
                max: $max,
                step: $step,
                technique: stringify!($technique),
                doc: concat!($($doc),+).trim_ascii(),
            },
        )+];
    };
}

parameters! {
    /// half-width of the first aspiration window, in centipawns
    aspiration_delta = 25, published 25, in 1 to 500, step 5, for aspiration;
    /// first depth of the root search that has an aspiration window
    aspiration_min_depth = 5, published 5, in 1 to 64, step 1, for aspiration;
    /// once an aspiration window's half-width exceeds this, both bounds open fully
    aspiration_max_delta = 800, published 800, in 1 to 10000, step 100, for aspiration;

    /// least depth for a null move
    null_min_depth = 3, published 3, in 1 to 64, step 1, for null_move;
    /// plies by which a null move's search is reduced at any depth
    null_reduction = 3, published 3, in 1 to 10, step 1, for null_move;
    /// a null move's search is reduced by depth divided by this as well
    null_depth_divisor = 6, published 6, in 1 to 64, step 1, for null_move;

    /// least depth for late move reductions
    lmr_min_depth = 3, published 3, in 1 to 64, step 1, for lmr;
    /// moves searched in full before any is reduced
    lmr_min_moves = 3, published 3, in 1 to 64, step 1, for lmr;
    /// part of a late move's reduction that depends on nothing, in hundredths of a ply
    lmr_base = 75, published 75, in -100 to 300, step 10, for lmr;
    /// hundredths by which ln(depth) times ln(move number) is divided in a late move's reduction
    lmr_divisor = 225, published 225, in 50 to 1000, step 20, for lmr;
    /// one ply of reduction less per this much quiet-move score, one more per this much below 0
    lmr_history_divisor = 256, published 128, in 1 to 4096, step 16, for lmr;
    /// most plies by which the quiet-move score changes a reduction, either way
    lmr_history_max = 2, published 2, in 0 to 8, step 1, for lmr;
    /// plies of reduction more at an expected cut node
    lmr_cut_node = 2, published 2, in 0 to 5, step 1, for cut_node_reductions;
    /// plies of reduction less at an expected all-node
    lmr_all_node = 1, published 1, in 0 to 5, step 1, for all_node_reductions;
    /// plies of reduction less at a node that is or was on a principal variation
    lmr_tt_pv = 1, published 1, in 0 to 5, step 1, for tt_pv_reductions;
    /// a node failing low inherits its parent's was-on-PV flag only above this depth
    tt_pv_fail_low_depth = 3, published 3, in 0 to 64, step 1, for tt_pv_reductions;
    /// reductions grow when the child ply has counted more fail highs than this
    lmr_cutoff_count = 3, published 3, in 0 to 32, step 1, for cutoff_reductions;
    /// plies of reduction more when the child ply has counted that many fail highs
    lmr_cutoff_plies = 1, published 1, in 0 to 5, step 1, for cutoff_reductions;
    /// plies of reduction on top of that at an expected all-node
    lmr_cutoff_all_node_plies = 1, published 1, in 0 to 5, step 1, for cutoff_reductions;
    /// what a fail high by a doubly extended move adds to its ply's count of fail highs, where any
    /// other move adds 1 (a node without a hash move adds 1 more either way)
    cutoff_count_double_extended = 0, published 0, in 0 to 4, step 1, for cutoff_reductions;
    /// plies of reduction more when the hash move is a capture, off the principal variation
    lmr_tt_capture = 1, published 1, in 0 to 5, step 1, for tt_capture_reductions;
    /// plies of reduction more when the hash move is a capture, at a PV node
    lmr_tt_capture_pv = 0, published 0, in 0 to 5, step 1, for tt_capture_reductions;

    /// greatest depth of late move pruning
    lmp_max_depth = 3, published 3, in 0 to 20, step 1, for late_move_pruning;
    /// late move pruning skips quiets after this many plus depth squared
    lmp_base = 3, published 3, in 0 to 32, step 1, for late_move_pruning;
    /// 1: late move pruning acts at PV nodes too, which makes blunders look won; 0: only at the others
    lmp_pv = 0, published 0, absent 1, in 0 to 1, step 1, for late_move_pruning;
    /// factor on late move pruning's allowance of quiets when improving (1 changes nothing)
    lmp_improving = 1, published 1, in 1 to 8, step 1, for improving;

    /// what a cutoff's bonus in the history tables has per ply of depth, besides depth squared
    history_per_depth = 16, published 0, in 0 to 256, step 8, for history;

    /// greatest depth of history pruning
    history_pruning_max_depth = 4, published 4, in 0 to 20, step 1, for history_pruning;
    /// history pruning skips quiets whose quiet-move score is below minus this times depth
    history_pruning_margin = 200, published 16, in 0 to 1024, step 4, for history_pruning;

    /// greatest depth of reverse futility pruning
    rfp_max_depth = 7, published 7, in 0 to 20, step 1, for reverse_futility;
    /// reverse futility prunes when the evaluation less this per ply of depth is at least beta, in
    /// centipawns
    rfp_margin = 80, published 80, in 1 to 500, step 10, for reverse_futility;
    /// centipawns by which reverse futility's margin per ply is smaller when improving; must stay
    /// below `rfp_margin`
    rfp_improving = 40, published 40, in 0 to 499, step 5, for improving;

    /// greatest depth of razoring
    razor_max_depth = 2, published 2, in 0 to 10, step 1, for razoring;
    /// razoring asks quiescence when the evaluation plus this per ply of depth is below alpha, in
    /// centipawns
    razor_margin = 300, published 300, in 0 to 2000, step 30, for razoring;

    /// greatest depth of futility pruning
    futility_max_depth = 6, published 6, in 0 to 20, step 1, for futility;
    /// part of futility pruning's margin that depends on nothing, in centipawns
    futility_base = 100, published 100, in 0 to 1000, step 15, for futility;
    /// part of futility pruning's margin per ply of depth, in centipawns
    futility_per_depth = 100, published 100, in 0 to 500, step 15, for futility;

    /// greatest depth of pruning by static exchange evaluation
    see_max_depth = 6, published 6, in 0 to 20, step 1, for see_pruning;
    /// quiets that lose more than this per ply of depth in the exchange are pruned, in centipawns
    see_quiet_margin = 60, published 60, in 0 to 500, step 10, for see_pruning;
    /// captures that lose more than this per ply of depth in the exchange are pruned, in centipawns
    see_capture_margin = 100, published 100, in 0 to 500, step 15, for see_pruning;

    /// quiescence skips a capture whose gain plus this cannot reach alpha, in centipawns
    delta_margin = 200, published 200, in 0 to 2000, step 25, for delta_pruning;

    /// least depth for internal iterative reductions
    iir_min_depth = 4, published 4, in 1 to 64, step 1, for internal_iterative_reductions;

    /// least depth for the singular test
    singular_min_depth = 4, published 4, in 2 to 64, step 1, for singular_extensions;
    /// the singular test needs a hash entry at most this many plies shallower than the node
    singular_tt_depth_margin = 3, published 3, in 0 to 16, step 1, for singular_extensions;
    /// singular beta is the hash score less this per ply of depth, in centipawns
    singular_margin = 3, published 3, in 0 to 32, step 1, for singular_extensions;
    /// extend by two plies when no other move comes within this of singular beta, in centipawns
    double_extension_margin = 50, published 50, in 0 to 500, step 10, for double_extensions;
    /// most double extensions on one line
    double_extension_limit = 6, published 6, in 0 to 64, step 1, for double_extensions;
    /// plies less for a hash move that is not singular although its score reaches beta
    negative_extension_plies = 1, published 1, in 0 to 4, step 1, for negative_extensions;

    /// a correction entry moves min(depth + 1, this) 256ths of the way to the error
    correction_max_weight = 16, published 16, in 1 to 256, step 4, for correction_history;
    /// no correction entry corrects by more than this, in centipawns
    correction_limit = 64, published 64, in 0 to 1024, step 8, for correction_history;
    /// 256ths of the pawn structure's correction that count
    correction_pawn_share = 256, published 256, in 0 to 1024, step 16, for correction_history;
    /// 256ths of the correction for each side's pieces that are added
    correction_non_pawn_share = 32, published 32, in 0 to 1024, step 16, for correction_non_pawn;

    /// least depth for ProbCut
    probcut_min_depth = 5, published 5, in 1 to 64, step 1, for probcut;
    /// ProbCut tries captures that beat beta by this, in centipawns
    probcut_margin = 100, published 100, in 0 to 1000, step 15, for probcut;
    /// plies by which ProbCut's search is reduced
    probcut_reduction = 4, published 4, in 1 to 16, step 1, for probcut;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::techniques::TECHNIQUES;

    /// The numbers of the engine whose results are reproduced: the list of the published parameters, and the values at which
    /// those that this project added (`lmp_pv`, `history_per_depth`) change nothing of it.
    const PUBLISHED: [(&str, i32); 55] = [
        ("aspiration_delta", 25),
        ("aspiration_min_depth", 5),
        ("aspiration_max_delta", 800),
        ("null_min_depth", 3),
        ("null_reduction", 3),
        ("null_depth_divisor", 6),
        ("lmr_min_depth", 3),
        ("lmr_min_moves", 3),
        ("lmr_base", 75),
        ("lmr_divisor", 225),
        ("lmr_history_divisor", 128),
        ("lmr_history_max", 2),
        ("lmr_cut_node", 2),
        ("lmr_all_node", 1),
        ("lmr_tt_pv", 1),
        ("tt_pv_fail_low_depth", 3),
        ("lmr_cutoff_count", 3),
        ("lmr_cutoff_plies", 1),
        ("lmr_cutoff_all_node_plies", 1),
        ("cutoff_count_double_extended", 0),
        ("lmr_tt_capture", 1),
        ("lmr_tt_capture_pv", 0),
        ("lmp_max_depth", 3),
        ("lmp_base", 3),
        ("lmp_pv", 0),
        ("lmp_improving", 1),
        ("history_per_depth", 0),
        ("history_pruning_max_depth", 4),
        ("history_pruning_margin", 16),
        ("rfp_max_depth", 7),
        ("rfp_margin", 80),
        ("rfp_improving", 40),
        ("razor_max_depth", 2),
        ("razor_margin", 300),
        ("futility_max_depth", 6),
        ("futility_base", 100),
        ("futility_per_depth", 100),
        ("see_max_depth", 6),
        ("see_quiet_margin", 60),
        ("see_capture_margin", 100),
        ("delta_margin", 200),
        ("iir_min_depth", 4),
        ("singular_min_depth", 4),
        ("singular_tt_depth_margin", 3),
        ("singular_margin", 3),
        ("double_extension_margin", 50),
        ("double_extension_limit", 6),
        ("negative_extension_plies", 1),
        ("correction_max_weight", 16),
        ("correction_limit", 64),
        ("correction_pawn_share", 256),
        ("correction_non_pawn_share", 32),
        ("probcut_min_depth", 5),
        ("probcut_margin", 100),
        ("probcut_reduction", 4),
    ];

    /// Values of published tests, none of which may be out of range.
    const TESTED: [(&str, &[i64]); 12] = [
        ("lmp_improving", &[2]),
        ("singular_min_depth", &[4, 6, 8]),
        ("singular_margin", &[2, 3, 4]),
        ("singular_tt_depth_margin", &[3, 4]),
        ("double_extension_margin", &[20, 50, 70, 100]),
        ("correction_pawn_share", &[64, 128, 256]),
        ("correction_non_pawn_share", &[64, 128]),
        ("lmr_cut_node", &[0, 1, 2]),
        ("lmr_all_node", &[0, 1]),
        ("lmr_tt_pv", &[0, 1]),
        ("lmr_cutoff_all_node_plies", &[0, 1]),
        ("cutoff_count_double_extended", &[0, 1]),
    ];

    #[test]
    fn the_published_numbers_are_those_of_the_list() {
        let ours: Vec<_> = SearchParams::published().iter().map(|(info, value)| (info.name, value)).collect();
        assert_eq!(ours, PUBLISHED);
        assert!(PARAMS.iter().zip(PUBLISHED).all(|(info, (_, value))| info.published == value));
        assert_eq!(SearchParams::published().check(), []);
    }

    #[test]
    fn the_defaults_are_those_of_the_table() {
        assert!(SearchParams::default().iter().all(|(info, value)| info.default == value));
    }

    /// A stored configuration of version 0.1.0 lacks exactly these.
    #[test]
    fn what_came_after_0_1_0_says_how_the_engine_behaved_before() {
        let later: Vec<_> = PARAMS.iter().filter_map(|info| Some((info.name, info.absent?))).collect();
        assert_eq!(later, [("lmp_pv", 1)]);
    }

    #[test]
    fn published_values_are_in_range() {
        for (name, values) in TESTED {
            for &value in values {
                SearchParams::default().set(name, value).unwrap();
            }
        }
    }

    #[test]
    fn every_entry_makes_sense() {
        let names: BTreeSet<_> = PARAMS.iter().map(|info| info.name).collect();
        assert_eq!(names.len(), PARAMS.len());
        for info in PARAMS {
            for value in [Some(info.default), Some(info.published), info.absent].into_iter().flatten() {
                assert!((info.min..=info.max).contains(&value), "{}", info.name);
            }
            assert!((1..=info.max - info.min).contains(&info.step), "{}", info.name);
            assert!(!info.doc.is_empty() && !info.doc.contains("  "), "{}", info.doc);
            assert!(TECHNIQUES.iter().any(|technique| technique.name == info.technique), "{}", info.name);
        }
        assert_eq!(SearchParams::default().check(), []);
    }

    #[test]
    fn set_changes_what_it_names_and_nothing_else() {
        for info in PARAMS {
            let mut params = SearchParams::default();
            let value = if info.default == info.max { info.min } else { info.max };
            params.set(info.name, value.into()).unwrap();
            assert_eq!(params.get(info.name), Some(value));
            let changed = params.iter().filter(|(info, value)| info.default != *value).count();
            assert_eq!(changed, 1, "{}", info.name);
        }
    }

    #[test]
    fn what_is_refused_changes_nothing_and_says_why() {
        let mut params = SearchParams::default();
        for (name, value, message) in [
            (
                "aspiration_delta",
                0,
                "`aspiration_delta` is 0, which is outside its range 1 to 500: choose an integer from 1 to 500 \
                 (the default is 25)",
            ),
            (
                "lmr_base",
                i64::MIN,
                "`lmr_base` is -9223372036854775808, which is outside its range -100 to 300: choose an integer \
                 from -100 to 300 (the default is 75)",
            ),
            ("rfp_margn", 3, "no parameter is called `rfp_margn`: did you mean `rfp_margin`?"),
            ("speed", 3, "no parameter is called `speed`: `engine params` lists every parameter"),
        ] {
            assert_eq!(params.set(name, value).unwrap_err().to_string(), message);
        }
        assert_eq!(params, SearchParams::default());
        assert_eq!(params.get("speed"), None);
    }

    #[test]
    fn the_whole_is_checked_too() {
        let params = SearchParams { rfp_improving: 80, lmp_base: -1, ..SearchParams::default() };
        let messages: Vec<_> = params.check().iter().map(ParamError::to_string).collect();
        assert_eq!(
            messages,
            [
                "`lmp_base` is -1, which is outside its range 0 to 32: choose an integer from 0 to 32 (the \
                 default is 3)",
                "`rfp_improving` is 80 and must stay below `rfp_margin`, which is 80: lower `rfp_improving` or \
                 raise `rfp_margin`",
            ]
        );
    }
}
