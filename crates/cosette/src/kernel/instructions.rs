//! Which implementation of the kernel runs.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::narrow;
use super::operations::Work;
use super::portable::Portable;
use std::sync::LazyLock;

/// An implementation of the kernel that this machine can run.
#[derive(Clone, Copy)]
pub struct Instructions(Backend);

#[derive(Clone, Copy)]
enum Backend {
    Portable(Portable),
    Narrow(narrow::Native),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl std::fmt::Debug for Instructions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Instructions {
    /// The portable ones, which run anywhere.
    pub fn portable() -> Instructions {
        Instructions(Backend::Portable(Portable::new()))
    }

    /// All that this machine can run, the fastest first.
    pub fn all() -> Vec<Instructions> {
        let mut all = vec![Instructions::portable()];
        all.extend(narrow::detect().map(|narrow| Instructions(Backend::Narrow(narrow))));
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|avx2| Instructions(Backend::Avx2(avx2))));
            all.extend(Avx512::detect().map(|avx512| Instructions(Backend::Avx512(avx512))));
        }
        all.reverse();
        all
    }

    /// The fastest that this machine has, or those that the environment variable `COSETTE_INSTRUCTIONS` names, for tests and
    /// measurements.
    pub fn best() -> Instructions {
        static BEST: LazyLock<Instructions> = LazyLock::new(|| {
            let all = Instructions::all();
            let wanted = std::env::var("COSETTE_INSTRUCTIONS").ok().filter(|name| !name.is_empty());
            let named = wanted.as_ref().map(|name| all.iter().find(|instructions| instructions.name() == name));
            if let (Some(wanted), Some(None)) = (&wanted, named) {
                tracing::warn!(%wanted, "this machine lacks these instructions; it uses {}", all[0].name());
            }
            *named.flatten().unwrap_or(&all[0])
        });
        *BEST
    }

    /// Their name: `portable`, `ssse3`, `neon`, `simd128`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Backend::Portable(_) => "portable",
            Backend::Narrow(_) => narrow::NAME,
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Backend::Portable(portable) => portable.enter(work),
            Backend::Narrow(narrow) => narrow.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(avx2) => avx2.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(avx512) => avx512.enter(work),
        }
    }
}
