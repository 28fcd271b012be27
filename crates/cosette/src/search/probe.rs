//! From paintings to bounds, many at a time: locate the entries, ask for their lines, read them later.

use crate::coord::Place;
use crate::kernel::{Kernel, Paintings};
use crate::table::TableView;

/// Paintings by number, the list of those whose entries are to be read, and where these lie.
///
/// Everything lies in arrays of fixed size, so that the hot loops address them without a pointer between.
pub(super) struct Queue<const N: usize> {
    pub paintings: Paintings<N>,
    /// Numbers of paintings. Those behind `length` are valid as well: entries are located in pairs.
    items: [u16; N],
    places: [Place; N],
    length: usize,
}

impl<const N: usize> Queue<N> {
    pub const EMPTY: Queue<N> =
        Queue { paintings: Paintings::EMPTY, items: [0; N], places: [Place::FIRST; N], length: 0 };

    /// Empties the list; whatever is not listed anew is read as the first entry of the table, which is always at hand.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.length = 0;
        self.places.fill(Place::FIRST);
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Lists a painting, or not, without a branch.
    #[inline(always)]
    pub fn push_if(&mut self, number: usize, condition: bool) {
        self.items[self.length] = number as u16;
        self.length += usize::from(condition);
    }
}

/// What a probe needs: the kernel and the table.
#[derive(Clone, Copy)]
pub(super) struct Prober<'a, K> {
    pub kernel: K,
    pub table: TableView<'a>,
}

impl<K: Kernel> Prober<'_, K> {
    /// Finds the line and slot of every painting listed and asks for the lines.
    #[inline(always)]
    pub fn locate<const N: usize>(&self, queue: &mut Queue<N>) {
        let Queue { paintings, items, places, length } = queue;
        for items in items.chunks_exact(2).take(length.div_ceil(2)) {
            let [first, second] = [usize::from(items[0]), usize::from(items[1])];
            let edges = [&paintings.edges[first], &paintings.edges[second]];
            let corners = [paintings.corners[first], paintings.corners[second]];
            // SAFETY: the paintings of a queue come from the kernel, or are the empty one, which is in bounds as well.
            let pair = unsafe { self.kernel.places(edges, corners, self.table.layout) };
            (places[first], places[second]) = (pair[0], pair[1]);
            self.table.prefetch(pair[0]);
            self.table.prefetch(pair[1]);
        }
    }

    /// The bound of a painting that was located.
    #[inline(always)]
    pub fn bound<const N: usize>(&self, queue: &Queue<N>, number: usize) -> u8 {
        self.table.value(queue.places[number])
    }
}
