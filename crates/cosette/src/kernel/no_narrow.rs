//! This target has no kernel of 128 bits.

use super::portable::Portable;

pub(super) const NAME: &str = "none";

/// Never found.
pub(super) type Native = Portable;

pub(super) fn detect() -> Option<Native> {
    None
}
