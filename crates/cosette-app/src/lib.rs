//! What the front ends of Cosette share: the commands, the web page and the Python package.
//!
//! | module | what it holds |
//! |---|---|
//! | [`request`] | what is asked of a position, and within which limits |
//! | [`engine`] | what solves, and the way from a request to an answer |
//! | [`short`] | the shortest solutions near solved, without a table |
//! | [`goals`] | the same for parts of the cube, and for other turns |
//! | [`fewest`] | skeletons of fewest moves, step by step |
//! | [`answer`] | the answer to a position |
//! | [`explain`] | what is special about a position and its solutions |
//! | [`json`] | answers, failures and events as JSON |
//! | [`name`] | positions with a name, such as `T-perm: R U R' …` |
//! | [`alternatives`](mod@alternatives) | texts that stand for several positions |
//! | [`position`] | what a text means, without solving it |
//! | [`scrambles`] | scrambles of a case |
//! | [`form`] | the forms in which solutions are printed |
//! | [`remedies`] | how to fix what went wrong, in the words of each audience |
//! | [`words`] | how tables, amounts of memory and times are written |
//! | [`estimate`] | how long generating and solving take, roughly |
//!
//! With the feature `files`:
//!
//! | module | what it holds |
//! |---|---|
//! | `journal` | files of records that survive being killed |
//! | `journal_error` | what may be wrong with them, and how to fix it |
//! | `batch` | many positions, with a journal |
//! | `search_journal` | what the search of one position has done, in a journal |
//! | `random` | random numbers without a seed |
//!
//! With the feature `dataset`, `dataset` has positions with proven lengths, in the files that people load. With the feature `cli`, `cli` has what the commands share.

pub mod alternatives;
pub mod answer;
pub mod engine;
pub mod estimate;
pub mod explain;
pub mod fewest;
pub mod form;
pub mod goals;
pub mod json;
pub mod name;
pub mod position;
pub mod remedies;
pub mod request;
pub mod scrambles;
pub mod short;
pub mod words;

#[cfg(feature = "files")]
pub mod batch;
#[cfg(feature = "files")]
pub mod journal;
#[cfg(feature = "files")]
pub mod journal_error;
#[cfg(feature = "files")]
pub mod search_journal;

#[cfg(feature = "dataset")]
pub mod dataset;

#[cfg(feature = "cli")]
pub mod cli;

/// Random numbers without a seed.
#[cfg(feature = "files")]
pub mod random {
    use rand::rand_core::UnwrapErr;
    use rand::rngs::SysRng;

    /// The random numbers of the operating system. Unlike those of a generator in memory, they differ in processes that were forked.
    pub fn system() -> UnwrapErr<SysRng> {
        UnwrapErr(SysRng)
    }
}
