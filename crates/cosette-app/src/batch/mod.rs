//! Batches: many positions, answered one by one, and nothing lost or doubled whenever the process is killed.
//!
//! A [`List`] of texts is read as positions. A [`Book`] knows which of them are answered, in a [`journal`] where there is
//! one, and which are equal up to symmetry and inversion. [`Workers`] solve what is to do and tell the book; the book hands
//! back what is safe, and an [`Output`] writes it. Who solves elsewhere, on other machines say, asks the book what is to do
//! ([`Book::to_do`]) and tells it the answers ([`Book::finish`], [`Book::commit`]).
//!
//! | file | what it holds |
//! |---|---|
//! | `lines`, `list` | the texts and their positions |
//! | `settings` | what is asked of every position |
//! | `journal` | what is answered, on the disk |
//! | `class` | positions that are equal up to symmetry and inversion |
//! | `check` | answers compared with positions, and carried over to equal ones |
//! | `book` | what is answered and what is to do |
//! | `run` | threads that solve |
//! | `output` | text, CSV, JSON; in order or not |
//! | `stats`, `known`, `histogram` | the lengths in a journal, beside those of all positions |

mod book;
mod check;
mod class;
mod histogram;
pub mod journal;
mod known;
mod lines;
mod list;
mod output;
mod run;
mod settings;
mod stats;

pub use crate::journal::JournalError;
pub use book::{BatchError, Book};
pub use check::check;
pub use histogram::histogram;
pub use lines::{Line, Lines};
pub use list::{Entry, Identity, List};
pub use output::{Layout, Outcome, Output};
pub use run::{COMMIT_INTERVAL, Searched, Workers, within};
pub use settings::Settings;
pub use stats::{OfLength, Stats};
