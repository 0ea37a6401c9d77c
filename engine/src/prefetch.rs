//! Prefetch: memory is fetched before it is needed.
//!
//! The search's tables are larger than the nearest caches. What a node will read is known when its position is
//! made; fetched then, it arrives while other work is done.

/// Lets the processor begin to fetch what lies at `place`. Does nothing where it has no such instruction.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has SSE, to which the instruction belongs. It changes nothing that a program can see,
        // and the address is that of a reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
