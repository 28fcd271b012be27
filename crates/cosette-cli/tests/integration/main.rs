//! The command as a user meets it: what it prints, and its exit codes.

#[cfg(target_os = "linux")]
mod sessions;
#[cfg(unix)]
mod stopping;
mod support;
mod system;
mod texts;
