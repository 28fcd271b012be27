//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a message and a line feed. A message that cannot be written is dropped.
pub fn tell(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}
