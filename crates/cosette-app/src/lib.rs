//! What the front ends of Cosette share: the commands, the web page and the Python package.
//!
//! | module | what it holds |
//! |---|---|
//! | [`estimate`] | how long generating and solving take, roughly |
//! | [`answer`] | the answer to a position |
//! | [`request`] | what is asked of a position, and within which limits |
//! | [`engine`] | what solves, and the way from a request to an answer |
//! | [`remedies`] | how to fix what went wrong, in the words of each audience |
//! | [`words`] | how tables, amounts of memory and times are written |
//! | [`explain`] | what is special about a position and its solutions |
//! | [`form`] | the forms in which solutions are printed |
//! | [`json`] | answers, failures and events as JSON |
//! | [`journal`] | files of records that survive being killed |
//! | [`batch`] | many positions, with a journal |
//! | [`random`] | random numbers without a seed |
//! | [`search_journal`] | what the search of one position has done, in a journal |
//! | `cli` | what the commands share (feature `cli`) |

pub mod answer;
pub mod batch;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod estimate;
pub mod explain;
pub mod form;
pub mod journal;
pub mod json;
pub mod random;
pub mod remedies;
pub mod request;
pub mod search_journal;
pub mod words;
