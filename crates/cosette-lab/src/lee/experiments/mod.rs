//! The tables of the paper, one experiment each, and what one would use today.

mod absence;
mod filters;
mod partial;
mod search;
mod space;
mod spread;
mod today;
mod trial;

pub use absence::absence;
pub use filters::filters;
pub use partial::partial;
pub use search::search;
pub use space::space;
pub use spread::Spread;
pub use today::{Bounded, filter, today};
pub use trial::Absent;
