//! Recorder of the weights used: the evaluation is generic over it. In play the recorder does nothing; for a fit it is
//! a [`Trace`](super::Trace).

use crate::position::Color;

/// Records every weight that an evaluation uses.
pub trait Recorder {
    /// A weight counted so many times for a side.
    fn used(&mut self, color: Color, index: usize, times: i32);
    /// The weight that scales the whole.
    fn scaled(&mut self, index: usize);
}

/// Records nothing and costs nothing.
pub struct Unrecorded;

impl Recorder for Unrecorded {
    #[inline(always)]
    fn used(&mut self, _: Color, _: usize, _: i32) {}
    #[inline(always)]
    fn scaled(&mut self, _: usize) {}
}
