//! Which implementation of the kernel runs.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use super::avx512::Avx512;
use super::operations::Work;
use super::portable::Portable;

/// An implementation of the kernel that this machine can run.
#[derive(Clone, Copy)]
pub struct Instructions(Backend);

#[derive(Clone, Copy)]
enum Backend {
    Portable(Portable),
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
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2::detect().map(|avx2| Instructions(Backend::Avx2(avx2))));
            all.extend(Avx512::detect().map(|avx512| Instructions(Backend::Avx512(avx512))));
        }
        all.reverse();
        all
    }

    /// The fastest that this machine has.
    pub fn best() -> Instructions {
        Instructions::all()[0]
    }

    /// Their name: `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Backend::Portable(_) => "portable",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(_) => "avx2",
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(_) => "avx512",
        }
    }

    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        match self.0 {
            Backend::Portable(portable) => work.run(portable),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx2(avx2) => avx2.enter(work),
            #[cfg(target_arch = "x86_64")]
            Backend::Avx512(avx512) => avx512.enter(work),
        }
    }
}
