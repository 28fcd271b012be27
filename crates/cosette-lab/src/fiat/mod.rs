//! Fiat
mod descent;
mod engine;
mod length;
mod list;
mod permutation;
mod products;
mod side;
mod trie;

pub use descent::Descent;
pub use engine::{Fiat, Form};
pub use length::{Searched, quarters};
pub use list::{List, Lists};
pub use permutation::{Factor, Permutation};
pub use products::{Product, Products, merge};
pub use side::{Match, Side};
pub use trie::Trie;
