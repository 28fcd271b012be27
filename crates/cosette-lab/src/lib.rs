//! The systems that founded optimal cube solving, complete and readable, and the tables of their papers, run again.
//!
//! Each system solves with its own tables and its own method, as its paper describes them; they share with the fast
//! engine nothing but `cube` and `coord` of the library, so that they are the oracle it is checked against.
//!
//! | module | what it holds |
//! |---|---|
//! | [`lee`] | Lee 2013: bidirectional A* over a stored perimeter |
//! | [`lab`] | where and with what the systems work: folder, threads, progress, cancellation; what can go wrong |
//! | [`engine`] | what a system that solves positions looks like from outside |
//! | [`ida`] | IDA*, with any lower bound |
//! | [`space`] | breadth-first search over a whole coordinate space |
//! | [`packed`] | tables of four bits an entry, and of two with distances modulo three |
//! | [`exhibit`] | what a reproduction shows: tables, plots, assumptions |
//! | [`papers`] | the papers, and their exhibits by name |
//! | [`report`] | exhibits as Markdown pages with plots |

pub mod engine;
pub mod exhibit;
pub mod ida;
pub mod lab;
pub mod lee;
pub mod packed;
pub mod papers;
pub mod report;
pub mod space;
