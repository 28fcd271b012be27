//! One table in memory for all processes of a host.
//!
//! ```text
//! first process                                     each other process
//! load the table into a file without a name
//! seal it: nobody can write to it any more
//! describe it: table, process, descriptor  ─────▶   open /proc/PROCESS/fd/DESCRIPTOR, check the seals,
//! map it, read-only                                 map it, read-only
//! ```
//!
//! The system frees the memory when the last of them has ended, in any way; there is nothing to
//! clean up. This needs `memfd_create` and `/proc`, as on Linux. On other systems each process
//! loads its own copy.
//!
//! The seals hold for every process, whatever its user: nobody can write to the table, shorten it
//! or take the seals off. So the memory is sound to borrow. They do not authenticate its creator or
//! its contents: a process of the same user (or of root) can open `/proc/PROCESS/fd/DESCRIPTOR`
//! too, read the table, and pass on a sealed file of its own with other contents. That would be a
//! wrong table, which no check here would find, but such a process could as well change the program
//! itself.
//!
//! Huge pages matter as they do for the memory of one process (`pruning_table`), and shared memory
//! gets none unless each is requested (`shared_memory`).

use super::catalog::{Distribution, TableError, TableId};
use super::folder::TableFolder;
use super::pruning_table::{Memory, Table};
use super::shared_memory::{MemoryLocation, SharedMemory};
use crate::block_file::BlockFile;
use crate::control::Control;
use crate::platform::Pages;
use std::fmt;
use std::str::FromStr;

/// Share of huge pages below which a table is slow.
const FEW_HUGE_PAGES: f64 = 0.9;

/// The location of a table for the other processes of this host. It is valid as long as the process
/// that created it keeps the table.
///
/// Pass it to other processes as text, with `Display` and `FromStr`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTableLocation {
    id: TableId,
    location: MemoryLocation,
    distribution: Distribution,
}

impl TableFolder {
    /// Loads a table like [`TableFolder::load`], into memory that other processes of this host can
    /// use too, at the location [`Table::shared_location`]. If the system has no such memory, the table is
    /// loaded for this process alone.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`TableFolder::load`].
    pub fn load_shared(&self, id: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        match self.load_in(Pages::Huge, id, control) {
            Err(refused @ TableError::NotShared { .. }) => {
                warn_of_no_sharing(&refused);
                self.load(id, control)
            }
            Ok(table) => {
                warn_of_ordinary_pages(&table);
                Ok(table)
            }
            refused => refused,
        }
    }

    /// Implements [`TableFolder::load_shared`] in pages of this kind.
    fn load_in(
        &self,
        pages: Pages,
        id: TableId,
        control: &Control<'_>,
    ) -> Result<Table, TableError> {
        let file = BlockFile::open(&self.path_of(id), &id)?;
        let memory = SharedMemory::filled(pages, file.bytes(), |memory| {
            Ok(file.read_into(memory, control)?)
        })?;
        Ok(Table {
            id,
            memory: Memory::Shared(memory),
            distribution: *file.facts(),
        })
    }
}

impl Table {
    /// Moves the table to memory that other processes of this host can use too; for a moment it is
    /// in memory twice. If the system has no such memory, the table is returned unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory.
    pub fn into_shared(self) -> Result<Table, TableError> {
        let Memory::Own(own) = &self.memory else {
            return Ok(self);
        };
        let copy = |memory: &mut [u8]| {
            memory.copy_from_slice(own);
            Ok(())
        };
        match SharedMemory::filled(Pages::Huge, own.len() as u64, copy) {
            Ok(memory) => Ok(Table {
                memory: Memory::Shared(memory),
                ..self
            }),
            Err(refused @ TableError::NotShared { .. }) => {
                warn_of_no_sharing(&refused);
                Ok(self)
            }
            Err(refused) => Err(refused),
        }
    }

    /// Returns the location of the table for other processes of this host; `None` if it is for this
    /// process alone.
    pub fn shared_location(&self) -> Option<SharedTableLocation> {
        let Memory::Shared(memory) = &self.memory else {
            return None;
        };
        Some(SharedTableLocation {
            id: self.id,
            location: memory.location()?,
            distribution: self.distribution,
        })
    }

    /// Attaches the table that another process of this host shares. It is not loaded again, and its
    /// memory stays until the last process has ended.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be opened: that process has ended, belongs to another user or
    /// runs in another container.
    pub fn attach(shared: &SharedTableLocation) -> Result<Table, TableError> {
        let &SharedTableLocation {
            id,
            location,
            distribution,
        } = shared;
        let memory = SharedMemory::open(location, id.size.bytes())?;
        Ok(Table {
            id,
            memory: Memory::Shared(memory),
            distribution,
        })
    }
}

fn warn_of_no_sharing(refused: &TableError) {
    tracing::warn!(%refused, "cannot share the table; each process on this host loads its own copy");
}

fn warn_of_ordinary_pages(table: &Table) {
    if let Some(share) = table
        .share_of_huge_pages()
        .filter(|&share| share < FEW_HUGE_PAGES)
    {
        tracing::warn!(
            table = %table.id,
            "only {:.0} % of the table is in huge pages, so searches take about 1.4 times as long; to fix this, use Linux 6.1 or \
             later, or run `echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled` as root",
            100.0 * share
        );
    }
}

/// The error for a text that is not the location of a shared table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the location of a shared table")]
pub struct InvalidSharedTableLocation(String);

impl fmt::Display for SharedTableLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedTableLocation {
            id,
            location:
                MemoryLocation {
                    process,
                    descriptor,
                    file,
                },
            distribution,
        } = self;
        write!(f, "{id} {process} {descriptor} {file}")?;
        distribution
            .iter()
            .try_for_each(|count| write!(f, " {count}"))
    }
}

impl FromStr for SharedTableLocation {
    type Err = InvalidSharedTableLocation;

    fn from_str(text: &str) -> Result<SharedTableLocation, InvalidSharedTableLocation> {
        let read = || {
            let mut words = text.split(' ');
            let name = words.next()?;
            let id = TableId::all().find(|id| id.to_string() == name)?;
            let mut number = || words.next()?.parse::<u64>().ok();
            let process = number()?.try_into().ok()?;
            let descriptor = number()?.try_into().ok()?;
            let location = MemoryLocation {
                process,
                descriptor,
                file: number()?,
            };
            let mut distribution = Distribution::default();
            for count in &mut distribution {
                *count = number()?;
            }
            words.next().is_none().then_some(SharedTableLocation {
                id,
                location,
                distribution,
            })
        };
        read().ok_or_else(|| InvalidSharedTableLocation(text.to_owned()))
    }
}

/// A shared table against one of this process alone.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::control::{Control, ThreadCount};
    use crate::cube::{Metric, random_positions};
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::sync::OnceLock;
    use tempfile::TempDir;

    fn control() -> Control<'static> {
        Control::new(ThreadCount::new(2).unwrap())
    }

    fn smallest() -> TableId {
        TableId {
            metric: Metric::Htm,
            size: "24M".parse().unwrap(),
        }
    }

    /// A folder with the smallest table.
    fn folder() -> &'static TableFolder {
        static FOLDER: OnceLock<(TempDir, TableFolder)> = OnceLock::new();
        let make = || {
            let directory = TempDir::new().unwrap();
            let folder = TableFolder::new(directory.path());
            folder.generate(smallest(), &control()).unwrap();
            (directory, folder)
        };
        &FOLDER.get_or_init(make).1
    }

    fn load_shared(pages: Pages) -> Table {
        folder().load_in(pages, smallest(), &control()).unwrap()
    }

    fn assert_same(one: &Table, other: &Table) {
        assert!(one.memory[..] == other.memory[..]);
        assert_eq!(
            (one.id(), one.distribution()),
            (other.id(), other.distribution())
        );
        for cube in random_positions(3).take(100) {
            assert_eq!(one.bound(&cube), other.bound(&cube));
        }
    }

    #[test]
    fn a_shared_table_is_the_same_table() {
        let own = folder().load(smallest(), &control()).unwrap();
        assert_eq!(own.shared_location(), None);
        for first in Pages::ALL.map(load_shared) {
            assert_same(&own, &first);
            let text = first.shared_location().unwrap().to_string();
            let second = Table::attach(&text.parse().unwrap()).unwrap();
            // The memory stays when the first user has gone.
            drop(first);
            assert_same(&own, &second);
            let gone = Table::attach(&text.parse().unwrap()).err().unwrap();
            assert!(
                matches!(gone, TableError::NotShared { action: "open", .. }),
                "{gone}"
            );
        }
        let copy = own.into_shared().unwrap();
        assert_same(&copy, &load_shared(Pages::Huge));
    }

    #[test]
    fn nobody_can_write_to_a_shared_table() {
        let table = load_shared(Pages::Huge);
        let MemoryLocation {
            process,
            descriptor,
            ..
        } = table.shared_location().unwrap().location;
        let path = format!("/proc/{process}/fd/{descriptor}");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .unwrap();
        assert!(file.write(b"other").is_err());
        assert!(file.set_len(0).is_err());
        // SAFETY: the mapping would be the only one of these bytes; it is refused.
        assert!(unsafe { memmap2::MmapMut::map_mut(&file) }.is_err());
        let maps = fs::read_to_string("/proc/self/maps").unwrap();
        let address = format!("{:x}-", table.memory.as_ptr() as usize);
        let line = maps
            .lines()
            .find(|line| line.starts_with(&address))
            .expect("the table is mapped");
        assert!(line.contains(" r--s "), "{line}");
    }

    #[test]
    fn descriptions_that_do_not_fit_are_refused() {
        let table = load_shared(Pages::Ordinary);
        let shared = table.shared_location().unwrap();
        // The file of another table, or one that anybody can write to.
        let larger = SharedTableLocation {
            id: TableId {
                size: "47M".parse().unwrap(),
                ..smallest()
            },
            ..shared.clone()
        };
        assert!(Table::attach(&larger).is_err());
        let other_file = SharedTableLocation {
            location: MemoryLocation {
                file: shared.location.file + 1,
                ..shared.location
            },
            ..shared.clone()
        };
        assert!(Table::attach(&other_file).is_err());
        let text = shared.to_string();
        for wrong in [
            "",
            "htm-24M",
            "htm-31M 1 2 3",
            &text[..text.len() - 2],
            &format!("{text} 1"),
        ] {
            assert!(wrong.parse::<SharedTableLocation>().is_err(), "{wrong}");
        }
        assert_eq!(text.parse(), Ok(shared));
    }
}
