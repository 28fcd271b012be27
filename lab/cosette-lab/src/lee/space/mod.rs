//! The stored backward space: all positions within d_back moves of solved, on disk, in breadth-first order.
//!
//! Lee stores the positions that a backward breadth-first search finds, 40 bytes each: 4.36 GB within seven moves. Here a
//! position takes nine (`record`). They are in breadth-first order, those of a level sorted by their keys, so that a position is
//! found by halving where there is no index ([`absence`](crate::lee::absence) makes one). Each comes with a move that leads
//! one level down.
//!
//! Lee's search keeps what it has seen to know what is new. Here a level is spread from the symmetry classes of the last one
//! (`classes`), and its positions are read off in order, any stretch of them by itself (`level`): there is nothing to sort on
//! disk, blocks are built by all threads, and an interrupted building resumes where it stopped (`build`).
//!
//! | within | positions | classes on the last level | bytes |
//! |---|---|---|---|
//! | 5 | 621,649 | 12,077 | 5.6 MB |
//! | 6 | 8,240,087 | 159,131 | 74 MB |
//! | 7 | 109,043,123 | 2,101,575 | 981 MB |
//! | 8 | 1,441,386,411 | 27,762,103 | 13.0 GB |
//!
//! On two cores seven moves take 14 s to build, half of it until the disk has them; eight take 196 s of
//! processor time.

mod build;
mod classes;
mod level;
mod record;
mod stored;

pub(in crate::lee) use record::numbering;
pub use record::{Key, Layout};
pub use stored::{Stored, StoredSpace};
