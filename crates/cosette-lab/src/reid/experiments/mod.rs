//! The figures that Reid printed, and those that Nargolkar printed of a similar program, reproduced.

mod cosets;
mod korf_ten;
mod log;
mod mean;
mod shared;
mod speed;
mod target;

pub use cosets::{CLASSES_QTM, Census, POSITIONS_HTM, POSITIONS_QTM, census, cosets};
pub use korf_ten::korf_ten;
pub use log::{PRINTED, log};
pub use mean::mean;
pub use shared::appendix_b;
pub use speed::speed;
pub use target::target_subgroup;
