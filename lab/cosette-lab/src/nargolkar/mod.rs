//! Nargolkar 2006: what a thesis on the parallel search tells of the sequential one.
//!
//! A. Nargolkar, "Solving the Rubik's Cube with Parallel Processing", MS thesis, The University of Texas at Arlington, 2006. Its
//! parallel search is the command `cosette-lab-mpi nargolkar`; the searches of its second chapter are [`crate::searches`], and the log
//! of its appendix B is [`crate::reid::log`].
//!
//! | file | what it shows |
//! |---|---|
//! | [`patterns`] | the positions of appendix C, with their true distances |
//! | `example` | IDA* on a position of three moves, node by node |
//! | `fifty_hours` | section 2.3.2: what a search to depth 14 costs with an estimate of the Manhattan type |
//! | `tables` | Table 2.1; the table of distances in appendix B |
//! | `path` | appendix A: the path of twelve moves |
//! | `symmetry` | section 4.1: the search with and without the symmetry of positions |

mod fifty_hours;
mod path;
pub mod patterns;
mod symmetry;
mod tables;

pub use fifty_hours::fifty_hours;
pub use path::path;
pub use symmetry::symmetry;
pub use tables::{cosets, stages};
