//! Open hash tables: in which slots a number is looked for.

/// The first of them, spread evenly whatever the numbers are.
#[inline(always)]
pub(super) fn home(number: u64, slots: usize) -> usize {
    let folded = (number ^ (number >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (folded ^ (folded >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((u128::from(mixed) * slots as u128) >> 64) as usize
}

/// All of them, in order: from the first to the end, then from the start.
#[inline(always)]
pub(super) fn all(number: u64, slots: usize) -> impl Iterator<Item = usize> {
    let home = home(number, slots);
    (home..slots).chain(0..home)
}
