//! The `solve` commands: positions in, proven shortest solutions out.
//!
//! | file | contents |
//! |---|---|
//! | `args` | the arguments |
//! | `session` | the engine, and the way from each text to its result |
//! | `text` | human-readable results |
//! | `output` | standard output: text, JSON or events |

mod args;
mod output;
mod session;
mod text;

pub use args::{SharedSolveArgs, check_solution_format, joined};
pub use session::{OpenEngine, ReadyEngine, open_journal};
