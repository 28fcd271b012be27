//! Prefetching what will be read later.

/// To which cache a line is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// To the first-level cache.
    Near,
    /// To the second-level cache, past the first.
    Far,
}

impl Hint {
    /// Both.
    pub const ALL: [Hint; 2] = [Hint::Near, Hint::Far];

    /// The instruction that gives this hint here: `prefetcht0` or `prefetcht1` on x86-64, `pldl1keep` or `pldl2keep` on
    /// AArch64, `none` elsewhere.
    pub const fn instruction(self) -> &'static str {
        match self {
            Hint::Near if cfg!(target_arch = "x86_64") => "prefetcht0",
            Hint::Far if cfg!(target_arch = "x86_64") => "prefetcht1",
            Hint::Near if cfg!(target_arch = "aarch64") => "pldl1keep",
            Hint::Far if cfg!(target_arch = "aarch64") => "pldl2keep",
            _ => "none",
        }
    }
}

/// Prefetches the line at an address, past the first-level cache: with `prefetcht1` more lines per second
/// arrive than with `prefetcht0`, which is bound by the few line-fill buffers.
#[inline(always)]
pub(crate) fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T1>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        std::arch::asm!("prfm pldl2keep, [{address}]", address = in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}

/// [`prefetch`] into the first-level cache. `cosette bench memory` shows what it costs.
#[cfg(any(feature = "files", target_arch = "x86_64"))]
#[inline(always)]
pub(crate) fn prefetch_near<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: a prefetch of any address is harmless.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{address}]", address = in(reg) address, options(nostack, readonly, preserves_flags));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = address;
}
