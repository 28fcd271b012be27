//! Larger than we can run: what many cores would gain, from the recorded costs of real solves.

mod record;
mod trace;

pub use record::TraceArgs;
pub use record::run as trace;
