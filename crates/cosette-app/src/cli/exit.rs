//! Exit codes.

use crate::answer::{Answer, Stop};
use serde::{Deserialize, Serialize};
use std::process::ExitCode;

/// Their description in `cosette --help`.
pub const HELP: &str = "Exit codes: 0 done; 1 error; 2 usage; 3 not a cube; 4 stopped at a limit; 130 interrupted.";

/// How the command ends. Where several positions end differently, the last in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Exit {
    /// Everything asked for is done.
    Solved,
    /// Stopped at a limit; what is proven so far is printed.
    Limit,
    /// A text is not a position of the cube.
    NotACube,
    /// An error.
    Error,
    /// Stopped by Ctrl-C; what is proven so far is printed.
    Interrupted,
}

impl Exit {
    /// The code, as the shell sees it.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Solved => 0,
            Exit::Error => 1,
            // 2 is for usage, and the argument parser ends the command itself.
            Exit::NotACube => 3,
            Exit::Limit => 4,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

impl From<&Answer<'_>> for Exit {
    fn from(answer: &Answer<'_>) -> Exit {
        match answer.stopped {
            None => Exit::Solved,
            Some(Stop::MaxLength | Stop::Timeout | Stop::Memory) => Exit::Limit,
            Some(Stop::Interrupt) => Exit::Interrupted,
        }
    }
}
