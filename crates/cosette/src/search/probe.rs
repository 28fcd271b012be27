//! From paintings to bounds, many at a time: locate the entries, ask for their lines, read them later.

use crate::coord::{CornerClasses, EdgeMap, EdgePainting, edge_conjugations};
use crate::cube::Symmetry;
use crate::kernel::{Kernel, Painting};
use crate::table::{Place, TableView, prefetch};

/// Paintings whose entries are to be read, and where those lie.
pub(super) struct Queue {
    paintings: Vec<Painting>,
    places: Vec<Place>,
    length: usize,
}

impl Queue {
    /// Room for this many paintings.
    pub fn new(room: usize) -> Queue {
        let empty = Painting { edges: EdgePainting([0; 16]), corners: 0 };
        // One more, since they are located in pairs, and another, since `push_if` writes before it decides.
        Queue { paintings: vec![empty; room + 2], places: vec![Place::default(); room + 2], length: 0 }
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    pub fn len(&self) -> usize {
        self.length
    }
}

/// What a probe needs: the kernel, the table, and the way from corners to classes.
#[derive(Clone, Copy)]
pub(super) struct Prober<'a, K> {
    pub kernel: K,
    table: TableView<'a>,
    classes: &'a [u32],
    conjugations: &'a [EdgeMap; Symmetry::COUNT],
}

impl<'a, K: Kernel> Prober<'a, K> {
    #[inline(always)]
    pub fn new(kernel: K, table: TableView<'a>) -> Self {
        let classes = &CornerClasses::get().tables().class_and_symmetry;
        Prober { kernel, table, classes, conjugations: edge_conjugations() }
    }

    /// Queues a painting, or not, without a branch; asks for the entry of its corners in either case.
    #[inline(always)]
    pub fn push_if(&self, queue: &mut Queue, painting: Painting, condition: bool) {
        prefetch(&raw const self.classes[painting.corners as usize]);
        queue.paintings[queue.length] = painting;
        queue.length += usize::from(condition);
    }

    /// Finds the line and slot of every painting in the queue and asks for the lines.
    #[inline(always)]
    pub fn locate(&self, queue: &mut Queue) {
        for first in (0..queue.length).step_by(2) {
            let pair = [&queue.paintings[first], &queue.paintings[first + 1]];
            let [low, high] = [self.classes[pair[0].corners as usize], self.classes[pair[1].corners as usize]];
            let maps = [&self.conjugations[(low >> 16) as usize], &self.conjugations[(high >> 16) as usize]];
            let offsets = self.kernel.offsets(maps, [&pair[0].edges, &pair[1].edges], self.table.entries);
            for (i, class) in [low & 0xffff, high & 0xffff].into_iter().enumerate() {
                let place = self.table.place(class, offsets[i]);
                self.table.prefetch(place);
                queue.places[first + i] = place;
            }
        }
    }

    /// The bound of a painting that was located.
    #[inline(always)]
    pub fn bound(&self, queue: &Queue, number: usize) -> u8 {
        self.table.value(queue.places[number])
    }
}
