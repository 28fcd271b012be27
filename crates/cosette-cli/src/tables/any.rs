//! A table of the fast engine or of the lab.

use crate::lab;
use cosette::block_file::Contents;
use cosette::table::TableId;
use cosette_app::cli::args::{MetricArgs, TableName, usage};
use cosette_app::cli::failure::Failure;
use cosette_app::cli::store::Store;
use cosette_lab::all_tables;
use cosette_lab::lab::LabTable;
use std::str::FromStr;
use std::sync::Arc;

/// A table of the fast engine or of the lab.
#[derive(Clone)]
pub enum AnyTable<T = TableId> {
    /// One of the fast engine.
    Engine(T),
    /// One of the lab.
    Lab(Arc<dyn LabTable>),
}

/// The name of a table, without a metric or with one.
pub type AnyName = AnyTable<TableName>;

impl AnyName {
    /// The table, in the metric of its name or otherwise in this one.
    pub fn table(&self, metric: &MetricArgs) -> AnyTable {
        match self {
            AnyName::Engine(name) => AnyTable::Engine(metric.table(*name)),
            AnyName::Lab(table) if metric.asked().is_some() => {
                usage(&format!("--metric is for tables of the fast engine; {} belongs to the lab", table.name()))
            }
            AnyName::Lab(table) => AnyTable::Lab(table.clone()),
        }
    }
}

impl FromStr for AnyName {
    type Err = String;

    fn from_str(name: &str) -> Result<AnyName, String> {
        let of_lab = || all_tables().into_iter().find(|table| table.name().eq_ignore_ascii_case(name));
        let lab_names = || all_tables().iter().map(|table| format!(", {}", table.name())).collect::<String>();
        match name.parse() {
            Ok(name) => Ok(AnyName::Engine(name)),
            Err(unknown) => {
                of_lab().map(|table| AnyName::Lab(table.into())).ok_or_else(|| format!("{unknown}{}", lab_names()))
            }
        }
    }
}

impl AnyTable {
    /// All tables of the lab.
    pub fn all_of_lab() -> impl Iterator<Item = AnyTable> {
        all_tables().into_iter().map(|table| AnyTable::Lab(table.into()))
    }

    /// Its identity, if it is one of the fast engine.
    pub fn id(&self) -> Option<TableId> {
        match self {
            AnyTable::Engine(id) => Some(*id),
            AnyTable::Lab(_) => None,
        }
    }

    /// Generates it into its file.
    pub fn generate(&self, store: &Store) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate(*id),
            AnyTable::Lab(table) => lab::in_lab(store, |lab| lab.generate(&**table)),
        }
    }

    /// Generates it into its file if there is none.
    pub fn generate_if_missing(&self, store: &Store) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.generate_if_missing(*id),
            AnyTable::Lab(_) => self.generate(store),
        }
    }

    /// Checks it completely.
    pub fn verify(&self, store: &Store) -> Result<(), Failure> {
        match self {
            AnyTable::Engine(id) => store.verify(*id),
            AnyTable::Lab(table) => lab::in_lab(store, |lab| lab.verify(&**table)),
        }
    }
}

impl Contents for AnyTable {
    fn name(&self) -> String {
        match self {
            AnyTable::Engine(id) => id.name(),
            AnyTable::Lab(table) => table.name(),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            AnyTable::Engine(id) => id.bytes(),
            AnyTable::Lab(table) => table.bytes(),
        }
    }

    fn numbering(&self) -> u64 {
        match self {
            AnyTable::Engine(id) => id.numbering(),
            AnyTable::Lab(table) => table.numbering(),
        }
    }

    fn unit_size(&self) -> u64 {
        match self {
            AnyTable::Engine(id) => id.unit_size(),
            AnyTable::Lab(_) => self.block_size(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::table::{OnDisk, TableFolder};
    use cosette::{Control, ThreadCount};
    use cosette_app::cli::failure::Exit;
    use cosette_lab::error::LabError;
    use cosette_lab::packed::{FourBits, Packed};
    use std::fs;

    struct Tiny;

    impl Contents for Tiny {
        fn name(&self) -> String {
            "tiny".into()
        }

        fn bytes(&self) -> u64 {
            FourBits::bytes(3) as u64
        }

        fn numbering(&self) -> u64 {
            1
        }
    }

    impl LabTable for Tiny {
        fn generate(&self, control: &Control<'_>) -> Result<Packed, LabError> {
            FourBits::pack(&[0, 1, 2], control)
        }
    }

    #[test]
    fn a_table_of_the_lab_is_generated_verified_and_removed() {
        let home = tempfile::TempDir::new().unwrap();
        let store = Store { folder: TableFolder::new(home.path()), threads: ThreadCount::ONE };
        let table = AnyTable::Lab(Arc::new(Tiny));
        table.generate(&store).unwrap();
        assert!(matches!(store.folder.state(&table), OnDisk::Yes));
        table.verify(&store).unwrap();

        let path = store.folder.path_of(&table);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        let failure = table.verify(&store).unwrap_err();
        assert_eq!(failure.exit(), Exit::Error);
        assert!(failure.to_string().contains("block 1 of 1"), "{failure}");
        assert!(failure.remedy().unwrap().contains("cosette tables rm tiny"));

        store.folder.remove(&table).unwrap();
        assert!(matches!(store.folder.state(&table), OnDisk::No));
    }

    #[test]
    fn unknown_names_are_refused_with_all_known_ones() {
        let refusal = "31M".parse::<AnyName>().err().unwrap();
        assert!(refusal.contains("the tables are 24M, 47M"), "{refusal}");
        for table in all_tables() {
            assert!(refusal.ends_with(&table.name()) || refusal.contains(&format!("{}, ", table.name())), "{refusal}");
            assert!(matches!(table.name().parse(), Ok(AnyName::Lab(_))));
        }
        assert!(matches!("qtm-1.5G".parse(), Ok(AnyName::Engine(_))));
    }
}
