//! The tables of the paper, one experiment each.

mod absence;
mod example;
mod kept;
mod partial;
mod search;
mod sizes;
mod space;
mod spread;
mod times;
mod trial;

pub use absence::absence;
pub use example::example;
pub use partial::partial;
pub use search::search;
pub use space::space;
pub use spread::Spread;
pub use times::times;
pub use trial::Absent;

#[cfg(test)]
mod tests {
    use crate::lab::Lab;
    use cosette::table::TableFolder;
    use cosette::{Control, ThreadCount};

    /// Does `work` in a lab with an empty folder.
    pub fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
        let folder = tempfile::TempDir::new().unwrap();
        work(&Lab { folder: &TableFolder::new(folder.path()), control: Control::new(ThreadCount::new(2).unwrap()) })
    }
}
