//! Reduction table: the part of late move reductions that depth and move number alone give.

use crate::params::SearchParams;

/// Greater depths and move numbers have the reduction of this one.
const LAST: usize = 63;

/// Base reduction in plies, by depth and move number.
pub struct Reductions {
    plies: Box<[[i32; LAST + 1]; LAST + 1]>,
}

impl Reductions {
    /// The table for these parameters.
    pub fn new(params: &SearchParams) -> Reductions {
        let mut plies = Box::new([[0; LAST + 1]; LAST + 1]);
        let (base, divisor) = (f64::from(params.lmr_base) / 100.0, f64::from(params.lmr_divisor) / 100.0);
        for (depth, row) in plies.iter_mut().enumerate().skip(1) {
            for (rank, entry) in row.iter_mut().enumerate().skip(1) {
                *entry = (base + (depth as f64).ln() * (rank as f64).ln() / divisor) as i32;
            }
        }
        Reductions { plies }
    }

    /// The reduction at this depth of the move that is tried as the `rank`th.
    pub fn plies(&self, depth: i32, rank: u32) -> i32 {
        self.plies[(depth as usize).min(LAST)][(rank as usize).min(LAST)]
    }
}
