//! The smallest tables, each generated in memory once for all tests.

use super::control;
use cosette::cube::Metric;
use cosette::table::{Table, TableFolder, TableId};
use std::fs;
use std::sync::{Arc, OnceLock};
use tempfile::TempDir;

/// The smallest table of a metric.
pub fn smallest(metric: Metric) -> Arc<Table> {
    static TABLES: [OnceLock<Arc<Table>>; 2] = [OnceLock::new(), OnceLock::new()];
    let generate = || {
        let id = TableId { metric, size: "24M".parse().unwrap() };
        Arc::new(Table::generate(id, &control()).unwrap())
    };
    TABLES[metric as usize].get_or_init(generate).clone()
}

/// The file in which the smallest table of the half-turn metric is saved.
pub fn smallest_file() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let (home, table) = (TempDir::new().unwrap(), smallest(Metric::Htm));
        let folder = TableFolder::new(home.path());
        folder.save(&table, &control()).unwrap();
        fs::read(folder.path_of(table.id())).unwrap()
    })
}
