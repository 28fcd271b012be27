//! From paintings to bounds, many at a time: locate the entries, ask for their lines, read them later.

use crate::coord::Place;
use crate::kernel::{Kernel, Paintings};
use crate::table::TableView;

/// Paintings by number, and where their entries lie once they are located.
///
/// Everything lies in arrays of fixed size, so that the hot loops address them without a pointer between.
pub(super) struct Queue<const N: usize> {
    pub paintings: Paintings<N>,
    places: [Place; N],
}

impl<const N: usize> Queue<N> {
    pub const EMPTY: Queue<N> = Queue { paintings: Paintings::EMPTY, places: [Place::FIRST; N] };

    /// Forgets where entries lie: what is not located anew is read as the first entry of the table, which is always at
    /// hand and means nothing.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.places.fill(Place::FIRST);
    }
}

/// What a probe needs: the kernel and the table.
#[derive(Clone, Copy)]
pub(super) struct Prober<'a, K> {
    pub kernel: K,
    pub table: TableView<'a>,
}

impl<K: Kernel> Prober<'_, K> {
    /// Finds the line and slot of two paintings and asks for the lines.
    #[inline(always)]
    pub fn locate<const N: usize>(&self, queue: &mut Queue<N>, [first, second]: [usize; 2]) {
        let Queue { paintings, places } = queue;
        let edges = [&paintings.edges[first], &paintings.edges[second]];
        let corners = [paintings.corners[first], paintings.corners[second]];
        // SAFETY: the paintings of a queue come from the kernel, or are the empty one, which is in bounds as well.
        let pair = unsafe { self.kernel.places(edges, corners, self.table.layout()) };
        self.table.prefetch(pair[0]);
        self.table.prefetch(pair[1]);
        (places[first], places[second]) = (pair[0], pair[1]);
    }

    /// The bound of a painting that was located.
    #[inline(always)]
    pub fn bound<const N: usize>(&self, queue: &Queue<N>, number: usize) -> u8 {
        // SAFETY: the places of a queue come from `locate`, with the layout of this table, or are the first of all.
        unsafe { self.table.value_unchecked(queue.places[number]) }
    }
}
