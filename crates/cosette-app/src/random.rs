//! Random numbers without a seed.

use rand::rand_core::UnwrapErr;
use rand::rngs::SysRng;

/// The random numbers of the operating system. Unlike those of a generator in memory, they differ in processes that were forked.
pub fn system() -> UnwrapErr<SysRng> {
    UnwrapErr(SysRng)
}
