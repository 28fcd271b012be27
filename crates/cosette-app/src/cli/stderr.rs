//! Messages on standard error.

use std::fmt::Display;
use std::io::Write;

/// Writes a message and a line feed. One that cannot be written is lost: there is nobody to tell.
pub fn tell(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{message}");
}
