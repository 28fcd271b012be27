//! A table that is generated in memory, and can be stored and resumed at any time.

use super::class::{GenerationPlan, Scratch};
use crate::block_file::{BlockStorage, PayloadKind, Storage};
use crate::control::{Control, Progress, Threads};
use crate::kernel::Instructions;
use crate::table::catalog::{Distribution, TableError, TableId};
use crate::table::line::Line;
use crate::table::pruning_table::{Table, TableMemory};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A table that is generated in memory, a class of corner paintings at a time.
///
/// It can be stored at any time in two [`Storage`]s, one for the table's file and one for its
/// journal, and resumed by another process.
///
/// ```no_run
/// use cosette::{Control, TableError, table::PartialTable};
/// use std::{sync::RwLock, time::Duration};
///
/// let file = RwLock::new(vec![]);
/// let journal = RwLock::new(vec![]);
/// let mut table = PartialTable::new("htm-190M".parse()?)?;
/// table.restore(&file, &journal)?;
/// // This step cannot be resumed, so it runs without a time limit.
/// table.prepare(&Control::default())?;
/// loop {
///     let control = Control::default().with_timeout(Duration::from_secs(1));
///     let generated = table.generate(&control);
///     table.store(&file, &journal)?;
///     match generated {
///         Ok(()) => break,
///         Err(TableError::Stopped { progress, .. }) => println!("{} %", progress.percent()),
///         Err(error) => return Err(error.into()),
///     }
/// }
/// table.complete(&file, &journal, &Control::default())?;
/// let table = table.into_table();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PartialTable {
    id: TableId,
    memory: TableMemory,
    /// Created when the first class is generated.
    plan: Option<GenerationPlan>,
    classes: Vec<ClassState>,
}

#[derive(Clone, Default)]
struct ClassState {
    /// Number of entries with each value, once the class is generated.
    counts: OnceLock<[u32; 16]>,
    is_stored: bool,
}

impl PartialTable {
    /// Creates an empty table, with no class generated.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory.
    pub fn new(id: TableId) -> Result<PartialTable, TableError> {
        let memory = TableMemory::zeroed(id.size.bytes())?;
        let classes = vec![ClassState::default(); id.size.lines() / id.size.lines_per_class()];
        Ok(PartialTable {
            id,
            memory,
            plan: None,
            classes,
        })
    }

    /// Returns the identity of the table.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Returns the numbers of generated classes of corner paintings and of all classes.
    pub fn progress(&self) -> Progress {
        let done = self
            .classes
            .iter()
            .filter(|class| class.counts.get().is_some())
            .count();
        Progress {
            done: done as u64,
            total: self.classes.len() as u64,
        }
    }

    /// Reads the classes that [`PartialTable::store`] has stored; corrupted ones will be generated
    /// again. A [`Storage`] with other contents is overwritten.
    ///
    /// # Errors
    ///
    /// Returns an error if `file` or `journal` cannot be read or written.
    pub fn restore<S: Storage>(&mut self, file: &S, journal: &S) -> Result<(), TableError> {
        let counts = BlockStorage::new(&self.id, file, journal).restore(&mut self.memory)?;
        let class = |counts: Option<[u32; 16]>| match counts {
            Some(counts) => ClassState {
                counts: counts.into(),
                is_stored: true,
            },
            None => ClassState::default(),
        };
        self.classes = counts.into_iter().map(class).collect();
        Ok(())
    }

    /// Computes the data that all classes need, which takes a second or two and cannot be resumed.
    /// Otherwise the first call of [`PartialTable::generate`] does it.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, or on cancellation.
    pub fn prepare(&mut self, control: &Control<'_>) -> Result<(), TableError> {
        if self.plan.is_some() || self.progress().percent() == 100 {
            return Ok(());
        }
        let id = self.id;
        let cancel = control.cancel_token();
        self.plan = Threads::run(control.threads(), |threads| {
            GenerationPlan::new(id, Instructions::best(), threads, cancel)
        })?;
        if self.plan.is_some() {
            Ok(())
        } else {
            Err(TableError::Cancelled)
        }
    }

    /// Generates the missing classes. Progress counts classes.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started, or on cancellation, which takes effect
    /// within a fraction of a second: the generated classes are kept ([`TableError::Stopped`]), and
    /// the next call resumes.
    pub fn generate(&mut self, control: &Control<'_>) -> Result<(), TableError> {
        match self.generate_missing(control) {
            Err(TableError::Cancelled) => Err(TableError::Stopped {
                id: self.id,
                folder: None,
                progress: self.progress(),
            }),
            generated => generated,
        }
    }

    fn generate_missing(&mut self, control: &Control<'_>) -> Result<(), TableError> {
        self.prepare(control)?;
        let PartialTable {
            id,
            memory,
            plan,
            classes,
        } = self;
        let lines = memory.as_mut_lines().chunks_mut(id.size.lines_per_class());
        let all = (0..).zip(lines).zip(&*classes);
        let missing: Vec<_> = all
            .filter(|(_, class)| class.counts.get().is_none())
            .collect();
        // There is always a plan if a class is missing.
        let Some(plan) = plan else { return Ok(()) };
        let done = AtomicU64::new((classes.len() - missing.len()) as u64);
        let total = classes.len() as u64;
        Threads::run(control.threads(), |threads| {
            let generate =
                |scratch: &mut Scratch,
                 ((number, lines), class): ((u32, &mut [Line]), &ClassState)| {
                    if control.is_cancelled() {
                        return Err(TableError::Cancelled);
                    }
                    let counts = plan.generate_class(number, scratch, lines);
                    class.counts.get_or_init(|| counts);
                    control.report(1 + done.fetch_add(1, Ordering::Relaxed), total);
                    Ok(())
                };
            threads
                .map(missing, || Scratch::new(*id), generate)
                .map(drop)
        })?
    }

    /// Stores the classes that are generated and not stored yet.
    ///
    /// Call [`PartialTable::restore`] with the same storages first: it prepares them.
    ///
    /// # Errors
    ///
    /// Returns an error if the storages cannot be written.
    pub fn store<S: Storage>(&mut self, file: &S, journal: &S) -> Result<(), TableError> {
        let blocks = BlockStorage::new(&self.id, file, journal);
        let bytes = self.memory.chunks(self.id.block_size() as usize);
        for ((number, class), bytes) in self.classes.iter_mut().enumerate().zip(bytes) {
            if let (Some(&counts), false) = (class.counts.get(), class.is_stored) {
                blocks.write(number, bytes, counts)?;
                class.is_stored = true;
            }
        }
        Ok(())
    }

    /// Completes the stored file; its journal is not needed any more.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written, or on cancellation.
    ///
    /// # Panics
    ///
    /// Panics if the table is not generated completely, or if not all of it is stored.
    pub fn complete<S: Storage>(
        &self,
        file: &S,
        journal: &S,
        control: &Control<'_>,
    ) -> Result<(), TableError> {
        assert!(
            self.classes.iter().all(|class| class.is_stored),
            "each class is stored"
        );
        let blocks = BlockStorage::new(&self.id, file, journal);
        Ok(blocks.complete(&self.memory, &self.distribution(), control)?)
    }

    /// Returns the table, which need not be stored.
    ///
    /// # Panics
    ///
    /// Panics if it is not generated completely.
    pub fn into_table(self) -> Table {
        let Progress { done, total } = self.progress();
        assert_eq!(done, total, "each class is generated");
        Table {
            id: self.id,
            distribution: self.distribution(),
            memory: self.memory,
        }
    }

    fn distribution(&self) -> Distribution {
        let mut sum = Distribution::default();
        for counts in self.classes.iter().filter_map(|class| class.counts.get()) {
            for (sum, &count) in sum.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
        sum
    }
}

impl Table {
    /// Generates a table in memory.
    ///
    /// Progress counts classes of corner paintings, the units in which a table is generated. The
    /// table does not depend on the number of threads.
    ///
    /// # Errors
    ///
    /// Returns an error if there is too little memory, if the threads cannot be started, or on
    /// cancellation, which takes effect within a fraction of a second: it is checked between two
    /// classes and between the steps that find the seeds.
    pub fn generate(id: TableId, control: &Control<'_>) -> Result<Table, TableError> {
        let step = format!("generating {id} in memory");
        let mut table = PartialTable::new(id)?;
        table.generate_missing(&control.step(&step))?;
        Ok(table.into_table())
    }
}
