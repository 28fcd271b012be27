//! The hosts of a job, the table shared by the ranks of each host, and the joint start of the
//! ranks.
//!
//! ```text
//! start   the first rank reads its input, and sends whether there is work; no rank opens a table before
//! open    every rank sends a greeting; all must run the same program for the same table
//! table   the first rank of the job chooses a table, the first of each host loads it
//!         the others of the host map that one copy
//!         all hosts must have loaded the same table
//! ```
//!
//! After each step all ranks exchange their results ([`Hosts::agree`]), so that if one of them
//! fails, all of them stop with the same error.

use crate::handshake::{self, Handshake};
use crate::worker_pool::WorkerPool;
use crate::world::{FIRST, POLL_INTERVAL, World};
use cosette::ThreadCount;
use cosette::block_file::PayloadKind;
use cosette::table::choice::{self, MemoryLimit, TableSelection};
use cosette::table::{SharedTableLocation, Table, TableFileState, TableFolder, TableId};
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{ErrorReport, Failure};
use cosette_app::cli::tables::{self, MemorySharing, TableStore};
use cosette_app::remedies::table_argument;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The hosts of a job.
pub struct Hosts {
    /// This rank.
    rank: usize,
    /// The first rank on the host of each rank.
    firsts: Vec<usize>,
    greetings: Vec<Handshake>,
}

/// Returns the hosts of the job, and the table in memory. All ranks call this at once.
///
/// # Errors
///
/// Returns an error if the ranks run different programs or were given different tables, or if the
/// table is missing, corrupted or different on one of the hosts. The error is the same on all
/// ranks, so one of them should report it.
pub fn open(world: &World, args: &SolverArgs) -> Result<(Hosts, Table), Failure> {
    // Every rank sends its greeting to all.
    let texts = world.all_gather(&Handshake::of_this(args).to_text());
    let greetings = handshake::read_greetings(&texts).map_err(Failure::Other)?;
    let hosts = Hosts {
        rank: world.rank(),
        firsts: world.first_on_host(),
        greetings,
    };
    let table = hosts.table(world, args)?;
    Ok((hosts, table))
}

impl Hosts {
    /// Returns the number of hosts.
    pub fn count(&self) -> usize {
        self.firsts.iter().collect::<BTreeSet<_>>().len()
    }

    /// Returns the name of the host of a rank.
    pub fn name(&self, rank: usize) -> &str {
        &self.greetings[self.firsts[rank]].host
    }

    /// Returns the first rank on the host of a rank.
    pub fn first_on_host(&self, rank: usize) -> usize {
        self.firsts[rank]
    }

    /// Returns the number of ranks on the host of this one.
    pub fn ranks_on_this_host(&self) -> usize {
        self.on_this_host().count()
    }

    /// Returns the number of threads that this rank should start: the given number, or else its
    /// share of the cores that it may run on, at least one. Ranks of a host that are bound to the
    /// same cores share them evenly.
    pub fn threads(&self, args: &SolverArgs) -> ThreadCount {
        let own = &self.greetings[self.rank].cores;
        let sharing = self
            .on_this_host()
            .filter(|&rank| self.greetings[rank].cores == *own)
            .count();
        let all = ThreadCount::available();
        args.store
            .threads
            .asked()
            .unwrap_or_else(|| all.at_most(all.get() / sharing.max(1)))
    }

    /// Returns the cores that the ranks of this host may run on, all together.
    pub fn cores_of_ranks(&self) -> BTreeSet<usize> {
        self.on_this_host()
            .filter_map(|rank| handshake::parse_list(&self.greetings[rank].cores))
            .flatten()
            .collect()
    }

    /// Returns the ranks on the host of this one.
    fn on_this_host(&self) -> impl Iterator<Item = usize> {
        let here = self.firsts[self.rank];
        (0..self.firsts.len()).filter(move |&rank| self.firsts[rank] == here)
    }

    /// Returns `true` if this rank does the work of its host.
    fn is_first_on_host(&self) -> bool {
        self.firsts[self.rank] == self.rank
    }
}

impl Hosts {
    /// Waits until every rank has called this, and returns the results of all.
    ///
    /// # Errors
    /// The error of one of the ranks, with its host named; the same on all of them.
    pub fn agree<T>(&self, world: &World, found: Result<T, Failure>) -> Result<Vec<T>, Failure>
    where
        T: Serialize + DeserializeOwned,
    {
        let text = serde_json::to_string(&found.map_err(ErrorReport::from))
            .expect("plain values have a JSON text");
        let read =
            |text: &String| serde_json::from_str(text).expect("all ranks run the same program");
        world.barrier();
        let outcomes: Vec<Result<T, ErrorReport>> =
            world.all_gather(&text).iter().map(read).collect();
        match self.failure(&outcomes) {
            Some(report) => Err(Failure::Other(report)),
            None => Ok(outcomes.into_iter().flatten().collect()),
        }
    }

    /// Waits until every rank has called this, and returns its own result and the description by
    /// `describe` of the result of each rank.
    ///
    /// # Errors
    /// The errors of [`Hosts::agree`].
    pub fn agree_on<T, U>(
        &self,
        world: &World,
        own: Result<T, Failure>,
        describe: impl FnOnce(&T) -> U,
    ) -> Result<(T, Vec<U>), Failure>
    where
        U: Serialize + DeserializeOwned,
    {
        let (own, described) = match own {
            Ok(own) => {
                let described = describe(&own);
                (Some(own), Ok(described))
            }
            Err(failure) => (None, Err(failure)),
        };
        let described = self.agree(world, described)?;
        Ok((
            own.expect("all ranks have agreed that they have theirs"),
            described,
        ))
    }

    /// Combines the first error on each host, if there are errors.
    fn failure<T>(&self, outcomes: &[Result<T, ErrorReport>]) -> Option<ErrorReport> {
        let mut errors: BTreeMap<usize, &ErrorReport> = BTreeMap::new();
        for (rank, outcome) in outcomes.iter().enumerate() {
            if let Err(report) = outcome {
                errors.entry(self.first_on_host(rank)).or_insert(report);
            }
        }
        let mut errors = errors.into_iter();
        let (first, report) = errors.next()?;
        if self.count() == 1 {
            return Some(report.clone());
        }
        let others: Vec<&str> = errors.map(|(rank, _)| self.name(rank)).collect();
        let others = if others.is_empty() {
            "".into()
        } else {
            format!("; also on {}", others.join(", "))
        };
        Some(ErrorReport {
            message: format!("on host {}: {}{others}", self.name(first), report.message),
            ..report.clone()
        })
    }
}

/// The description of the table that the first rank of a host has loaded.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct LoadedTable {
    /// The number of entries with each value.
    distribution: Vec<u64>,
    /// A checksum of the order of the entries.
    numbering: u64,
    /// The shared memory of the table, for the other ranks of the host; `None` if each needs its
    /// own copy.
    shared: Option<String>,
}

impl LoadedTable {
    fn of(table: &Table) -> LoadedTable {
        LoadedTable {
            distribution: table.distribution().to_vec(),
            numbering: table.id().numbering(),
            shared: table.shared_location().map(|shared| shared.to_string()),
        }
    }

    fn is_same_table(&self, other: &LoadedTable) -> bool {
        (&self.distribution, self.numbering) == (&other.distribution, other.numbering)
    }
}

impl Hosts {
    /// Returns the table in memory, shared by the ranks of a host. All ranks call this at once.
    ///
    /// # Errors
    /// Returns an error if the table is missing, is corrupted or does not fit on one of the hosts,
    /// or is not the same on all. The error is the same on all ranks.
    pub fn table(&self, world: &World, args: &SolverArgs) -> Result<Table, Failure> {
        let id = self.choose(world, args)?;
        let loaded = if self.is_first_on_host() {
            self.load(id, args).map(Some)
        } else {
            Ok(None)
        };
        let (table, loaded) =
            self.agree_on(world, loaded, |table| table.as_ref().map(LoadedTable::of))?;
        self.check_same(id, &loaded)?;
        let table = table.map_or_else(|| self.attach(id, &loaded, args), Ok);
        // The ranks that have loaded the table keep it until the others have attached to it.
        let (table, _) = self.agree_on(world, table, |_| ())?;
        Ok(table)
    }

    /// Returns the table to use, chosen by the first rank.
    fn choose(&self, world: &World, args: &SolverArgs) -> Result<TableId, Failure> {
        let choose = || {
            let folder = args.store.folder.folder()?;
            let memory = MemoryLimit::for_processes(self.ranks_on_this_host(), args.memory);
            Ok(choice::choose(&folder, args.metric(), args.table(), memory)?.id)
        };
        let chosen = if self.rank == FIRST {
            choose().map(|id| id.to_string())
        } else {
            Ok(String::new())
        };
        let names = self.agree(world, chosen)?;
        Ok(TableId::all()
            .find(|id| id.to_string() == names[FIRST])
            .expect("all ranks know the same tables"))
    }

    /// Loads the table for all ranks of this host, with the cores of all of them, while the others
    /// wait.
    fn load(&self, id: TableId, args: &SolverArgs) -> Result<Table, Failure> {
        handshake::run_on(&self.cores_of_ranks(), || self.load_on_all_cores(id, args))
    }

    /// Loads the table with as many threads as this thread may start. If there is only one host, a
    /// missing table is generated.
    fn load_on_all_cores(&self, id: TableId, args: &SolverArgs) -> Result<Table, Failure> {
        let threads = args
            .store
            .threads
            .asked()
            .map_or(usize::MAX, |each| each.get() * self.ranks_on_this_host());
        let store = TableStore {
            threads: ThreadCount::available().at_most(threads),
            ..args.store.resolve()?
        };
        let users = if self.ranks_on_this_host() > 1 {
            MemorySharing::AllOfHost
        } else {
            MemorySharing::This
        };
        let is_missing = || {
            matches!(
                store.folder.state(id),
                TableFileState::Missing | TableFileState::Partial(_)
            )
        };
        if self.count() == 1 {
            return store.open(
                TableSelection {
                    id,
                    is_on_disk: !is_missing(),
                    better: None,
                    or_smaller: false,
                },
                users,
            );
        }
        store.load(id, users).map_err(|failure| {
            if is_missing() {
                missing(failure, id, &store.folder)
            } else {
                failure
            }
        })
    }

    /// Returns the table that the first rank of this host has loaded.
    fn attach(
        &self,
        id: TableId,
        loaded: &[Option<LoadedTable>],
        args: &SolverArgs,
    ) -> Result<Table, Failure> {
        let of_host = loaded[self.first_on_host(self.rank)].as_ref();
        let Some(shared) = of_host.and_then(|loaded| loaded.shared.as_ref()) else {
            return args.store.resolve()?.load(id, MemorySharing::This);
        };
        let shared: SharedTableLocation = shared.parse().expect("all ranks run the same program");
        Table::attach(&shared).or_else(|refused| {
            tracing::warn!(%refused, rank = self.rank, "cannot attach the shared table; this rank loads its own copy");
            args.store.resolve()?.load(id, MemorySharing::This)
        })
    }

    /// Checks that all hosts have loaded the same table.
    fn check_same(&self, id: TableId, loaded: &[Option<LoadedTable>]) -> Result<(), Failure> {
        let Some(first) = &loaded[FIRST] else {
            return Ok(());
        };
        let differs = |other: &Option<LoadedTable>| {
            other
                .as_ref()
                .is_some_and(|other| !other.is_same_table(first))
        };
        let Some(other) = loaded.iter().position(differs) else {
            return Ok(());
        };
        let [first, other] = [FIRST, other].map(|rank| self.name(rank));
        Err(Failure::new(
            format!("the table {id} on host {other} differs from the one on host {first}"),
            format!(
                "run `cosette tables verify {id}` on both to find the corrupted one, and generate that one again"
            ),
        ))
    }
}

/// Returns the failure of a table that is missing on one of several hosts.
fn missing(failure: Failure, id: TableId, folder: &TableFolder) -> Failure {
    let argument = table_argument(&id.to_string(), Some(folder.path()));
    let help = format!(
        "generate it there with `cosette tables gen {argument}`, or use a folder on a shared disk with --tables"
    );
    Failure::Other(ErrorReport {
        help: Some(help),
        ..failure.into()
    })
}

/// A barrier at which the other ranks wait until the first one has read its input. Its message, the
/// first one of all, states whether there is work.
pub struct StartBarrier<'a>(Cell<Option<&'a World>>);

impl<'a> StartBarrier<'a> {
    /// Creates the barrier, on the first rank.
    pub fn new(world: &'a World) -> StartBarrier<'a> {
        StartBarrier(Cell::new(Some(world)))
    }

    /// Lets all ranks start.
    pub fn release(&self) {
        self.send_all(true);
    }

    fn send_all(&self, has_work: bool) {
        if let Some(world) = self.0.take() {
            world.send_to_others(&has_work);
        }
    }
}

impl Drop for StartBarrier<'_> {
    /// Ends the other ranks if the barrier was not released, because there is no work.
    fn drop(&mut self) {
        self.send_all(false);
    }
}

/// Runs every rank except the first: waits at the barrier, then works until the first rank sends
/// the end.
///
/// # Errors
///
/// Returns an error if a rank cannot open the table. The error is the same on all ranks.
pub fn serve(world: &World, args: &SolverArgs) -> Result<(), Failure> {
    let has_work = loop {
        match world.receive() {
            Some((_, has_work)) => break has_work,
            None => std::thread::sleep(POLL_INTERVAL),
        }
    };
    if has_work {
        Team::open(world, args)?.pool.serve(world);
    }
    Ok(())
}

/// All ranks, from the view of one of them, with the open table.
pub struct Team<'a> {
    /// The ranks.
    pub world: &'a World,
    /// The table, which the ranks of a host share.
    pub table: Arc<Table>,
    /// The threads of this rank.
    pub pool: WorkerPool,
    /// The number of threads of each rank.
    pub threads: Vec<usize>,
}

impl<'a> Team<'a> {
    /// Opens the table and starts the threads. All ranks call this at once.
    ///
    /// # Errors
    ///
    /// Returns an error of any rank. The error is the same on all ranks.
    pub fn open(world: &'a World, args: &SolverArgs) -> Result<Team<'a>, Failure> {
        if world.is_first() {
            tables::begin_two_phase();
        }
        let (hosts, table) = open(world, args)?;
        let table = Arc::new(table);
        let pool = WorkerPool::start(Arc::clone(&table), hosts.threads(args));
        let (pool, threads) =
            hosts.agree_on(world, pool.map_err(Failure::from), WorkerPool::threads)?;
        Ok(Team {
            world,
            table,
            pool,
            threads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::handshake::Handshake;
    use super::*;
    use cosette_app::cli::failure::Exit;

    fn hosts(firsts: &[usize]) -> Hosts {
        let greeting = |rank: usize| Handshake {
            host: format!("n{rank}"),
            ..Handshake::default()
        };
        let greetings = (0..firsts.len()).map(greeting).collect();
        Hosts {
            rank: 0,
            firsts: firsts.to_vec(),
            greetings,
        }
    }

    fn missing() -> Result<(), ErrorReport> {
        Err(ErrorReport {
            message: "no table".into(),
            help: Some("generate it".into()),
            exit: Exit::Error,
        })
    }

    #[test]
    fn an_error_is_reported_once_with_its_hosts() {
        let message = |firsts: &[usize], outcomes: &[Result<(), ErrorReport>]| {
            hosts(firsts).failure(outcomes).map(|report| report.message)
        };
        assert_eq!(message(&[0, 0], &[Ok(()), Ok(())]), None);
        assert_eq!(
            message(&[0, 0], &[missing(), missing()]).unwrap(),
            "no table"
        );
        assert_eq!(
            message(&[0, 1], &[Ok(()), missing()]).unwrap(),
            "on host n1: no table"
        );
        let all = [Ok(()), missing(), missing(), missing()];
        assert_eq!(
            message(&[0, 1, 2, 2], &all).unwrap(),
            "on host n1: no table; also on n2"
        );
    }

    #[test]
    fn other_contents_are_refused_with_both_hosts_named() {
        let greetings = ["n1", "n1", "n2"].map(|host| Handshake {
            host: host.into(),
            ..Handshake::default()
        });
        let hosts = Hosts {
            rank: 1,
            firsts: vec![0, 0, 2],
            greetings: greetings.to_vec(),
        };
        let id = TableId::all().next().unwrap();
        let with = |count, shared: &str| {
            Some(LoadedTable {
                distribution: vec![1, count],
                numbering: 5,
                shared: Some(shared.into()),
            })
        };
        assert!(
            hosts
                .check_same(id, &[with(18, "a"), None, with(18, "b")])
                .is_ok()
        );
        let refused = hosts
            .check_same(id, &[with(18, "a"), None, with(19, "b")])
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the table htm-24M on host n2 differs from the one on host n1"
        );
    }
}
