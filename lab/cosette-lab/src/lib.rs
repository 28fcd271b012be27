//! The systems that founded optimal cube solving, complete and readable, and the tables of their papers, reproduced.
//!
//! Each system solves with its own tables and its own method, as its paper describes them; they share
//! positions, coordinates and file formats with the fast engine but not its search, so it can be checked against them. Only
//! [`kociemba`] is the two-phase search of the library itself.
//!
//! | system | what it is |
//! |---|---|
//! | [`korf`] | Korf 1997: IDA* with pattern databases, the ten instances, t ≈ n/m |
//! | [`manhattan`] | the bounds that his paper tries first, and the tree they cut |
//! | [`fiat`] | Fiat, Moses, Shamir, Shimshoni and Tardos 1989: bidirectional search that stores quarters of solutions |
//! | [`reid`] | Reid 1997: distances to ⟨U, D, F2, R2, B2, L2⟩ along three axes |
//! | [`nargolkar`] | what a thesis of 2006 on the parallel search tells of the sequential one |
//! | [`searches`] | the plain searches of Nargolkar 2006, chapter 2 |
//! | [`lee`] | Lee 2013: the positions near solved, stored on disk, and schemes that confirm absence fast |
//! | [`thistlethwaite`] | four stages through nested subgroups (1981) |
//! | [`kociemba`] | two-phase search as an engine (1992) |
//! | [`distances`], [`symmetric`] | how far positions are; those that symmetries fix |
//!
//! | what they share | |
//! |---|---|
//! | [`lab`] | folder, threads, progress, cancellation; what can go wrong |
//! | [`by_length`], [`engines`] | the search of one length after another; all engines on the same positions |
//! | [`ida`], [`long_search`] | IDA*, with any lower bound; searches that take hours |
//! | [`kept`] | results of long runs, part of the program |
//! | [`space`], [`packed`] | breadth-first search over a whole coordinate space; tables of four bits an entry, and of two |
//! | [`walks`] | random walks from a seed |
//! | [`experiment`], [`form`], [`papers`], [`report`] | what a reproduction shows; its words; the list of them by paper; pages with plots |

pub mod by_length;
pub mod distances;
pub mod engines;
pub mod error;
pub mod experiment;
pub mod fast;
pub mod fiat;
pub mod form;
pub mod ida;
pub mod kept;
pub mod kociemba;
pub mod korf;
pub mod lab;
pub mod lee;
pub mod long_search;
pub mod manhattan;
pub mod nargolkar;
pub mod packed;
pub mod papers;
mod pieces;
pub mod reid;
pub mod report;
pub mod searches;
pub mod space;
pub mod symmetric;
pub mod thistlethwaite;
pub mod walks;

use lab::LabTable;

/// The tables of all systems, to list, generate or remove. Making the list generates none.
pub fn all_tables() -> Vec<Box<dyn LabTable>> {
    [korf::tables(), reid::tables()].into_iter().flatten().collect()
}
