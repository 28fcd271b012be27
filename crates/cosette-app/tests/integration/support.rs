//! What all tests share.

use cosette::Control;
use cosette::cube::Metric;
use cosette::table::{Table, TableId};
use std::sync::{Arc, OnceLock};

/// The smallest table of the half-turn metric, generated once.
pub fn table() -> Arc<Table> {
    static TABLE: OnceLock<Arc<Table>> = OnceLock::new();
    let id = TableId { metric: Metric::Htm, size: "30M".parse().unwrap() };
    TABLE.get_or_init(|| Arc::new(Table::generate(id, &Control::default()).unwrap())).clone()
}
