//! What leases are made of: work that can be divided.

use cosette::search::distributed::Part;

/// Work that can be divided among threads and put together again.
pub trait Divisible: Sized {
    /// Divides it into this many pieces of about the same work, or fewer if it has not that many; none of them is empty.
    fn divide(self, pieces: usize) -> Vec<Self>;

    /// Adds another piece.
    fn join(&mut self, other: Self);
}

/// Each piece takes every so many tasks and nodes, so that all begin with promising ones.
impl Divisible for Part {
    fn divide(self, pieces: usize) -> Vec<Part> {
        let pieces = pieces.min(self.tasks.len().max(self.nodes.len())).max(1);
        let mut divided = vec![Part::default(); pieces];
        self.tasks.into_iter().enumerate().for_each(|(at, task)| divided[at % pieces].tasks.push(task));
        self.nodes.into_iter().enumerate().for_each(|(at, node)| divided[at % pieces].nodes.push(node));
        divided
    }

    fn join(&mut self, other: Part) {
        self.tasks.extend(other.tasks);
        self.nodes.extend(other.nodes);
    }
}
