//! Messages on standard error.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on, only errors and warnings are shown: neither hints nor progress.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether only errors and warnings are shown.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes a message and a line feed. A message that cannot be written is dropped.
pub fn tell(message: impl Display) {
    let _ = writeln!(anstream::stderr(), "{}", in_locale(&message.to_string()));
}

/// Writes what a user may like to know, unless only errors and warnings are shown.
pub fn hint(message: impl Display) {
    if !is_quiet() {
        tell(message);
    }
}

/// Whether messages may have characters beyond ASCII: unless the user's locale names another encoding than UTF-8.
pub fn has_unicode() -> bool {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    locale.is_none_or(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"))
}

/// A message as the user's locale can show it.
pub fn in_locale(message: &str) -> String {
    if has_unicode() || message.is_ascii() {
        return message.to_owned();
    }
    let mut shown = String::with_capacity(message.len());
    for char in message.chars() {
        match char {
            _ if char.is_ascii() => shown.push(char),
            '≤' => shown += "<=",
            '…' => shown += "...",
            _ => shown.push('?'),
        }
    }
    shown
}

/// Fewer columns leave no room for a bar, or for a frame around an error.
const NARROW: usize = 40;

/// Whether standard error is a terminal with few columns.
pub fn is_narrow() -> bool {
    let named = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let columns = || Some(usize::from(terminal_size::terminal_size_of(io::stderr())?.0.0));
    io::stderr().is_terminal() && named.or_else(columns).is_some_and(|columns| columns < NARROW)
}
