//! Constants of the kernels, as the bytes their shuffles need.

use crate::coord::TETRAD_RANKS;
use crate::cube::{Corner, Cube, Edge, Face, Move, Turn};
use std::sync::LazyLock;

#[repr(C, align(32))]
pub(super) struct KernelTables {
    /// For each face f (two are padding) and cubie c: slice + 4 · flip of what f⁻¹ brings to slot c.
    pub across_edges: [[u8; 16]; 8],
    /// For each face f and cubie c: tetrad + 16 · twist of what f⁻¹ brings to slot c.
    pub across_corners: [[u8; 8]; 8],
    /// The slice of each edge.
    pub slices: [u8; 16],
    /// The tetrad of each corner.
    pub tetrads: [u8; 16],
    /// For each set of slots that tetrad 1 fills: 2187 · its rank.
    pub tetrad_bases: [u32; 256],
}

impl KernelTables {
    pub fn get() -> &'static KernelTables {
        static TABLES: LazyLock<KernelTables> = LazyLock::new(KernelTables::compute);
        &TABLES
    }

    fn compute() -> KernelTables {
        let mut tables = KernelTables {
            across_edges: [[0; 16]; 8],
            across_corners: [[0; 8]; 8],
            slices: [0; 16],
            tetrads: [0; 16],
            tetrad_bases: TETRAD_RANKS.map(|rank| 2187 * u32::from(rank)),
        };
        for face in Face::ALL {
            let inverse = Cube::of_move(Move::new(face, Turn::Counterclockwise));
            for slot in Edge::ALL {
                let (cubie, flip) = inverse.edge(slot);
                tables.across_edges[face.index()][slot.index()] = cubie.slice() + 4 * flip;
                tables.slices[slot.index()] = slot.slice();
            }
            for slot in Corner::ALL {
                let (cubie, twist) = inverse.corner(slot);
                tables.across_corners[face.index()][slot.index()] = cubie.tetrad() + 16 * twist;
                tables.tetrads[slot.index()] = slot.tetrad();
            }
        }
        tables
    }
}
