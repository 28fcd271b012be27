//! The systems that founded optimal cube solving, complete and readable, and the tables of their papers, run again.
//!
//! Each system solves with its own tables and its own method, as its paper describes them; they share with the fast
//! engine nothing but `cube` and `coord` of the library, so that they are the oracle it is checked against.
//!
//! | module | what it holds |
//! |---|---|
//! | [`lab`] | where and with what the systems work: folder, threads, progress, cancellation; what can go wrong |
//! | [`engine`] | what a system that solves positions looks like from outside |
//! | [`ida`] | IDA*, with any lower bound |
//! | [`space`] | breadth-first search over a whole coordinate space |
//! | [`packed`] | tables of four bits an entry, and of two with distances modulo three |
//! | [`korf`] | Korf 1997: pattern databases, the ten instances, t ≈ n/m |
//! | [`reid`] | Reid 1997: distances to ⟨U, D, F2, R2, B2, L2⟩ along three axes |
//! | [`exhibit`] | what a reproduction shows: tables, plots, assumptions |
//! | [`papers`] | the papers, and their exhibits by name |
//! | [`report`] | exhibits as Markdown pages with plots |
//! | [`walks`] | random walks from a seed |
//! | [`thistlethwaite`] | four stages through nested subgroups (1981) |
//! | [`kociemba`] | two-phase search as an engine (1992) |
//! | [`manhattan`] | bounds of the Manhattan type, and the tree they cut (Korf 1997, section 3) |
//! | [`searches`] | the plain searches: breadth-first, iterative deepening, greedy, uniform cost, A* (Nargolkar 2006, chapter 2) |
//! | [`fiat`] | Fiat, Moses, Shamir, Shimshoni and Tardos 1989: bidirectional search that stores quarters of solutions |

pub mod engine;
pub mod exhibit;
pub mod fiat;
pub mod ida;
pub mod kociemba;
pub mod korf;
pub mod lab;
pub mod manhattan;
pub mod packed;
pub mod papers;
pub mod reid;
pub mod report;
pub mod searches;
pub mod space;
pub mod thistlethwaite;
pub mod walks;

use lab::LabTable;

/// The tables of all systems, for whoever lists, fills or removes them. Making the list fills none.
pub fn all_tables() -> Vec<Box<dyn LabTable>> {
    [korf::tables(), reid::tables()].into_iter().flatten().collect()
}
