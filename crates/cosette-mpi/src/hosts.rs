//! The hosts of a job, and the joint start of their ranks. One rank works on each host: the others
//! lend it their cores, so that a host has one copy of the table.
//!
//! ```text
//! meet    every rank sends a greeting; all must run the same program for the same table
//!         the first rank of each host takes the cores of all its ranks; the others wait
//! start   the first rank reads its input, and sends whether there is work
//! table   the first rank of the job chooses a table, and every host loads it
//!         all hosts must have loaded the same table
//! ```
//!
//! After each step all working ranks exchange their results ([`Hosts::gather`]), so that if one of
//! them fails, all of them stop with the same error.

use crate::handshake::{self, Handshake};
use crate::worker_pool::WorkerPool;
use crate::world::{FIRST, POLL_INTERVAL, World};
use cosette::ThreadCount;
use cosette::block_file::PayloadKind;
use cosette::table::choice::{self, MemoryLimit, TableSelection};
use cosette::table::{Table, TableFileState, TableFolder, TableId};
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{ErrorReport, Failure};
use cosette_app::cli::tables::{self, TableStore};
use cosette_app::remedies::table_argument;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The hosts of a job, from the view of the working rank of one of them.
pub struct Hosts {
    /// The working ranks, one per host.
    pub world: World,
    /// The name of each host.
    names: Vec<String>,
    /// The number of ranks on this host.
    ranks: usize,
}

impl Hosts {
    /// Compares the ranks, and lends the cores of all ranks of a host to the first of them. Returns
    /// `None` on the others. All ranks call this at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the ranks run different programs or were given different tables. The
    /// error is the same on all ranks, so one of them should report it.
    pub fn meet(world: &World, args: &SolverArgs) -> Result<Option<Hosts>, Failure> {
        let texts = world.all_gather(&Handshake::of_this(args).to_text());
        let greetings = handshake::read_greetings(&texts).map_err(Failure::Other)?;
        let firsts = world.first_on_host();
        let is_working = |rank: usize| firsts[rank] == rank;
        let Some(working) = world.among(is_working(world.rank())) else {
            return Ok(None);
        };
        let ranks = 0..world.size();
        let here = ranks.clone().filter(|&rank| firsts[rank] == world.rank());
        let cores: BTreeSet<usize> = here
            .clone()
            .filter_map(|rank| handshake::parse_list(&greetings[rank].cores))
            .flatten()
            .collect();
        handshake::use_cores(&cores);
        Ok(Some(Hosts {
            world: working,
            names: ranks
                .filter(|&rank| is_working(rank))
                .map(|rank| greetings[rank].host.clone())
                .collect(),
            ranks: here.count(),
        }))
    }

    /// Returns the name of this host.
    pub fn name(&self) -> &str {
        &self.names[self.world.rank()]
    }

    /// Returns the number of ranks on this host.
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    /// Returns the number of threads that the working rank should start: the given number for each
    /// rank of its host, or else one for each of their cores.
    pub fn threads(&self, args: &SolverArgs) -> ThreadCount {
        args.store
            .threads
            .asked()
            .map_or_else(ThreadCount::available, |each| {
                ThreadCount::limit().at_most(each.get() * self.ranks)
            })
    }

    /// Waits until every working rank has called this, and returns the results of all.
    ///
    /// # Errors
    /// The error of one of the ranks, with its host named; the same on all of them.
    pub fn gather<T>(&self, found: Result<T, Failure>) -> Result<Vec<T>, Failure>
    where
        T: Serialize + DeserializeOwned,
    {
        let text = serde_json::to_string(&found.map_err(ErrorReport::from))
            .expect("plain values have a JSON text");
        let read =
            |text: &String| serde_json::from_str(text).expect("all ranks run the same program");
        self.world.barrier();
        let outcomes: Vec<Result<T, ErrorReport>> =
            self.world.all_gather(&text).iter().map(read).collect();
        match combined_error(&self.names, &outcomes) {
            Some(report) => Err(Failure::Other(report)),
            None => Ok(outcomes.into_iter().flatten().collect()),
        }
    }

    /// Waits until every working rank has called this, and returns its own result and the
    /// description by `describe` of the result of each rank.
    ///
    /// # Errors
    /// The errors of [`Hosts::gather`].
    fn agree_on<T, U>(
        &self,
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
        let described = self.gather(described)?;
        Ok((
            own.expect("all ranks have agreed that they have theirs"),
            described,
        ))
    }
}

/// Combines the errors of the hosts, if there are errors.
fn combined_error<T>(names: &[String], outcomes: &[Result<T, ErrorReport>]) -> Option<ErrorReport> {
    let mut errors = names
        .iter()
        .zip(outcomes)
        .filter_map(|(name, outcome)| Some((name.as_str(), outcome.as_ref().err()?)));
    let (first, report) = errors.next()?;
    if names.len() == 1 {
        return Some(report.clone());
    }
    let others: Vec<&str> = errors.map(|(name, _)| name).collect();
    let others = if others.is_empty() {
        "".into()
    } else {
        format!("; also on {}", others.join(", "))
    };
    Some(ErrorReport {
        message: format!("on host {first}: {}{others}", report.message),
        ..report.clone()
    })
}

/// The description of the table that a host has loaded.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct LoadedTable {
    /// The number of entries with each value.
    distribution: Vec<u64>,
    /// A checksum of the order of the entries.
    numbering: u64,
}

impl LoadedTable {
    fn of(table: &Table) -> LoadedTable {
        LoadedTable {
            distribution: table.distribution().to_vec(),
            numbering: table.id().numbering(),
        }
    }
}

impl Hosts {
    /// Returns the table in memory. All working ranks call this at once.
    ///
    /// # Errors
    /// Returns an error if the table is missing, is corrupted or does not fit on one of the hosts,
    /// or is not the same on all. The error is the same on all ranks.
    pub fn table(&self, args: &SolverArgs) -> Result<Table, Failure> {
        let id = self.choose(args)?;
        let (table, loaded) = self.agree_on(self.load(id, args), LoadedTable::of)?;
        check_same(id, &self.names, &loaded)?;
        Ok(table)
    }

    /// Returns the table to use, chosen by the first rank.
    fn choose(&self, args: &SolverArgs) -> Result<TableId, Failure> {
        let choose = || {
            let folder = args.store.folder.folder()?;
            let memory = MemoryLimit::now(args.memory);
            Ok(choice::choose(&folder, args.require_table_metric(), args.table(), memory)?.id)
        };
        let chosen = if self.world.is_first() {
            choose().map(|id| id.to_string())
        } else {
            Ok(String::new())
        };
        let names = self.gather(chosen)?;
        Ok(TableId::all()
            .find(|id| id.to_string() == names[FIRST])
            .expect("all ranks know the same tables"))
    }

    /// Loads the table. If there is only one host, a missing table is generated.
    fn load(&self, id: TableId, args: &SolverArgs) -> Result<Table, Failure> {
        let store = TableStore {
            threads: ThreadCount::available().at_most(self.threads(args).get()),
            ..args.store.resolve()?
        };
        let is_missing = || {
            matches!(
                store.folder.state(id),
                TableFileState::Missing | TableFileState::Partial(_)
            )
        };
        if self.names.len() == 1 {
            return store.open(TableSelection {
                id,
                is_on_disk: !is_missing(),
                better: None,
                or_smaller: false,
            });
        }
        store.load(id).map_err(|failure| {
            if is_missing() {
                missing(failure, id, &store.folder)
            } else {
                failure
            }
        })
    }
}

/// Checks that all hosts have loaded the same table.
fn check_same(id: TableId, names: &[String], loaded: &[LoadedTable]) -> Result<(), Failure> {
    let Some(other) = loaded.iter().position(|other| *other != loaded[FIRST]) else {
        return Ok(());
    };
    let [first, other] = [FIRST, other].map(|host| &names[host]);
    Err(Failure::new(
        format!("the table {id} on host {other} differs from the one on host {first}"),
        format!(
            "run `cosette tables verify {id}` on both to find the corrupted one, and generate that \
             one again"
        ),
    ))
}

/// Returns the failure of a table that is missing on one of several hosts.
fn missing(failure: Failure, id: TableId, folder: &TableFolder) -> Failure {
    let argument = table_argument(&id.to_string(), Some(folder.path()));
    let help = format!(
        "generate it there with `cosette tables gen {argument}`, or use a folder on a shared disk \
         with --tables"
    );
    Failure::Other(ErrorReport {
        help: Some(help),
        ..failure.into()
    })
}

/// A barrier at which the other working ranks wait until the first one has read its input. Its
/// message, the first one of all, states whether there is work.
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

/// Runs every working rank except the first: waits at the barrier, then works until the first rank
/// sends the end.
///
/// # Errors
///
/// Returns an error if a rank cannot open the table. The error is the same on all ranks.
pub fn serve(hosts: &Hosts, args: &SolverArgs) -> Result<(), Failure> {
    let has_work = loop {
        match hosts.world.receive() {
            Some((_, has_work)) => break has_work,
            None => std::thread::sleep(POLL_INTERVAL),
        }
    };
    if has_work {
        Team::open(hosts, args)?.pool.serve(&hosts.world);
    }
    Ok(())
}

/// The working ranks, from the view of one of them, with the open table.
pub struct Team<'a> {
    /// The ranks.
    pub world: &'a World,
    /// The table.
    pub table: Arc<Table>,
    /// The threads of this rank.
    pub pool: WorkerPool,
    /// The number of threads of each rank.
    pub threads: Vec<usize>,
}

impl<'a> Team<'a> {
    /// Opens the table and starts the threads. All working ranks call this at once.
    ///
    /// # Errors
    ///
    /// Returns an error of any rank. The error is the same on all ranks.
    pub fn open(hosts: &'a Hosts, args: &SolverArgs) -> Result<Team<'a>, Failure> {
        if hosts.world.is_first() {
            tables::start_two_phase_tables();
        }
        let table = Arc::new(hosts.table(args)?);
        let pool = WorkerPool::start(Arc::clone(&table), hosts.threads(args));
        let (pool, threads) = hosts.agree_on(pool.map_err(Failure::from), WorkerPool::threads)?;
        Ok(Team {
            world: &hosts.world,
            table,
            pool,
            threads,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette_app::cli::failure::Exit;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|host| format!("n{host}")).collect()
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
        let message = |outcomes: &[Result<(), ErrorReport>]| {
            combined_error(&names(outcomes.len()), outcomes).map(|report| report.message)
        };
        assert_eq!(message(&[Ok(()), Ok(())]), None);
        assert_eq!(message(&[missing()]).unwrap(), "no table");
        assert_eq!(
            message(&[Ok(()), missing()]).unwrap(),
            "on host n1: no table"
        );
        assert_eq!(
            message(&[Ok(()), missing(), missing()]).unwrap(),
            "on host n1: no table; also on n2"
        );
    }

    #[test]
    fn other_contents_are_refused_with_both_hosts_named() {
        let id = TableId::all().next().unwrap();
        let with = |count| LoadedTable {
            distribution: vec![1, count],
            numbering: 5,
        };
        assert!(check_same(id, &names(2), &[with(18), with(18)]).is_ok());
        let refused = check_same(id, &names(3), &[with(18), with(18), with(19)]).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "the table htm-24M on host n2 differs from the one on host n0"
        );
    }
}
