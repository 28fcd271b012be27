//! The hosts of a job, and the joint start of their ranks. On each host, one rank works. The other
//! ranks lend it their cores, so that a host has one copy of the table.
//!
//! ```text
//! meet    every rank sends a greeting; all must run the same program for the same table
//!         the first rank of each host takes the cores of all its ranks; the others wait
//! start   the first rank reads its input, and sends whether there is work
//! table   the first rank of the job chooses a table, and every host loads it
//!         all hosts must have loaded the same table
//! ```
//!
//! A greeting is a JSON object that every version of this program must understand: fields are
//! added, never renamed or removed, and a program ignores unknown fields.
//!
//! After each step all working ranks exchange their results ([`Hosts::gather`]), so that if one of
//! them fails, all of them stop with the same error.

use crate::worker_pool::WorkerPool;
use crate::world::{FIRST, POLL_INTERVAL, World};
use cosette::ThreadCount;
use cosette::block_file::PayloadKind;
use cosette::table::choice::{self, MemoryLimit, TableSelection};
use cosette::table::{Table, TableFileState, TableFolder, TableId};
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{ErrorReport, Exit, Failure};
use cosette_app::cli::tables::{self, TableStore};
use cosette_app::remedies::table_argument;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
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
    /// Compares the ranks, and lends the cores of all ranks of a host to the first rank there.
    /// Returns `None` on the other ranks. All ranks call this at once.
    ///
    /// # Errors
    ///
    /// Returns an error if the ranks run different programs or were given different tables. The
    /// error is the same on all ranks, so only one rank should report it.
    pub fn meet(world: &World, args: &SolverArgs) -> Result<Option<Hosts>, Failure> {
        let texts = world.all_gather(&Handshake::of_this(args).to_text());
        let greetings = read_greetings(&texts).map_err(Failure::Other)?;
        let firsts = world.first_on_host();
        let is_working = |rank: usize| firsts[rank] == rank;
        let Some(working) = world.among(is_working(world.rank())) else {
            return Ok(None);
        };
        let ranks = 0..world.size();
        let here = ranks.clone().filter(|&rank| firsts[rank] == world.rank());
        let cores: BTreeSet<usize> = here
            .clone()
            .filter_map(|rank| parse_list(&greetings[rank].cores))
            .flatten()
            .collect();
        use_cores(&cores);
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

    /// Returns the number of threads that the working rank should start: for each rank of its host
    /// the number that `args` give, or else one for each of the cores of these ranks.
    pub fn threads(&self, args: &SolverArgs) -> ThreadCount {
        args.store
            .threads
            .requested()
            .map_or_else(ThreadCount::available, |each| {
                ThreadCount::limit().at_most(each.get() * self.ranks)
            })
    }

    /// Waits until every working rank has called this, and returns the results of all.
    ///
    /// # Errors
    /// The error of the first rank that has one. It names all hosts with errors, and is the same on
    /// all ranks.
    pub fn gather<T>(&self, own: Result<T, Failure>) -> Result<Vec<T>, Failure>
    where
        T: Serialize + DeserializeOwned,
    {
        self.world.barrier();
        let outcomes = self.world.gather(&own.map_err(ErrorReport::from));
        match combined_error(&self.names, &outcomes) {
            Some(report) => Err(Failure::Other(report)),
            None => Ok(outcomes.into_iter().flatten().collect()),
        }
    }

    /// Waits until every working rank has called this. Returns the result of this rank, and
    /// descriptions (by `describe`) of the results of all ranks.
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
        let (described, own) = match own {
            Ok(own) => (Ok(describe(&own)), Some(own)),
            Err(failure) => (Err(failure), None),
        };
        let described = self.gather(described)?;
        let own = own.expect("`gather` returns the error of a rank without a result");
        Ok((own, described))
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
    /// or if the hosts have different tables. The error is the same on all ranks.
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
    /// Returns an error if a rank cannot open the table or start its threads. The error is the same
    /// on all ranks.
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

/// The version of the messages between ranks, raised whenever they change.
const PROTOCOL: u32 = 4;

/// The greeting of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handshake {
    /// The version of the program.
    pub version: String,
    /// The version of its messages.
    pub protocol: u32,
    /// The name of the host.
    pub host: String,
    /// The metric.
    pub metric: String,
    /// The requested table; `None` if the program chooses.
    pub table: Option<String>,
    /// The cores that the rank may run on.
    pub cores: String,
}

impl Handshake {
    /// Returns the greeting of this rank.
    pub fn of_this(args: &SolverArgs) -> Handshake {
        Handshake {
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL,
            host: mpi::environment::processor_name().unwrap_or_default(),
            metric: args.require_table_metric().name().into(),
            table: args.table().map(|id| id.to_string()),
            cores: allowed_cores(),
        }
    }

    /// Serializes the greeting as JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("plain values have a JSON text")
    }

    fn program(&self) -> String {
        format!("cosette-mpi {} (messages {})", self.version, self.protocol)
    }

    fn table_wanted(&self) -> String {
        match &self.table {
            Some(table) => format!("the table {table}"),
            None => format!("any table for {}", self.metric),
        }
    }
}

/// Parses the greetings of all ranks, by rank.
///
/// # Errors
///
/// Returns an error if two greetings do not match.
pub fn read_greetings(texts: &[String]) -> Result<Vec<Handshake>, ErrorReport> {
    // An unreadable text gives a greeting without a version, which differs from every other.
    let greetings: Vec<Handshake> = texts
        .iter()
        .map(|text| serde_json::from_str(text).unwrap_or_default())
        .collect();
    check_equal(
        &greetings,
        Handshake::program,
        "is",
        "run the same program on all hosts",
    )?;
    check_equal(
        &greetings,
        Handshake::table_wanted,
        "uses",
        "give all ranks the same --table and --metric",
    )?;
    Ok(greetings)
}

/// Checks that the property of the greetings is equal on all ranks.
fn check_equal(
    greetings: &[Handshake],
    property: fn(&Handshake) -> String,
    verb: &str,
    help: &str,
) -> Result<(), ErrorReport> {
    let values: Vec<String> = greetings.iter().map(property).collect();
    let Some(other) = values.iter().position(|value| *value != values[0]) else {
        return Ok(());
    };
    let [first, other] = [0, other].map(|rank| {
        format!(
            "rank {rank} on {} {verb} {}",
            greetings[rank].host, values[rank]
        )
    });
    Err(ErrorReport {
        message: format!("the ranks do not match: {first}, but {other}"),
        help: Some(help.into()),
        exit: Exit::Error,
    })
}

/// Returns the cores that this thread may run on, such as `0-3,8`; empty if unknown. Batch systems
/// and `mpirun` bind ranks to cores.
fn allowed_cores() -> String {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap_or_default().trim().to_owned()
}

/// Returns the number of cores of the host, if known.
pub fn cores_of_host() -> Option<usize> {
    let list = fs::read_to_string("/sys/devices/system/cpu/online").ok()?;
    Some(parse_list(list.trim())?.len())
}

/// Parses a list of cores such as `0-3,8`.
pub fn parse_list(list: &str) -> Option<BTreeSet<usize>> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last]: [usize; 2] = [first.parse().ok()?, last.parse().ok()?];
        (first <= last).then_some(first..=last)
    };
    let ranges: Vec<_> = list.split(',').map(range).collect::<Option<_>>()?;
    Some(ranges.into_iter().flatten().collect())
}

/// Lets this thread, and the threads that it starts, run on these cores, to which the ranks of its
/// host are bound. A rank in a container of its own cannot get the cores of the other ranks.
#[cfg(target_os = "linux")]
pub fn use_cores(cores: &BTreeSet<usize>) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut all = CpuSet::new();
    cores
        .iter()
        .filter(|&&core| core < CpuSet::MAX_CPU)
        .for_each(|&core| all.set(core));
    if let Err(refused) = sched_setaffinity(None, &all) {
        tracing::debug!(%refused, "this rank stays bound to its own cores");
    }
    let usable = parse_list(&allowed_cores()).unwrap_or_default();
    let idle = cores.difference(&usable).count();
    if idle > 0 {
        tracing::warn!(
            "{idle} of the {} cores of the ranks on this host stay idle, because this rank may not \
             use them; start one rank per container, with all its cores",
            cores.len()
        );
    }
}

/// Systems other than Linux do not bind ranks.
#[cfg(not(target_os = "linux"))]
pub fn use_cores(_: &BTreeSet<usize>) {}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn different_tables_are_refused_with_both_hosts_named() {
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

    fn greeting() -> Handshake {
        let [version, host, metric] = ["0.2.0", "n1", "htm"].map(String::from);
        Handshake {
            version,
            protocol: 1,
            host,
            metric,
            table: None,
            cores: "0-1".into(),
        }
    }

    /// Returns the error of three ranks, if any: two with the same greeting, and one with `other`.
    fn refusal(other: Handshake) -> Option<String> {
        let texts = [greeting(), greeting(), other].map(|greeting| greeting.to_text());
        let refused = read_greetings(&texts).err()?;
        assert!(refused.help.is_some());
        Some(refused.message)
    }

    #[test]
    fn ranks_of_other_programs_and_for_other_tables_are_refused() {
        let later = r#"{"version":"1.0.0","protocol":9,"host":"n2","unknown":1}"#;
        let protocol = Handshake {
            protocol: 2,
            ..greeting()
        };
        let table = Handshake {
            table: Some("htm-24M".into()),
            ..greeting()
        };
        let metric = Handshake {
            metric: "qtm".into(),
            ..greeting()
        };
        for (other, message) in [
            (
                serde_json::from_str(later).unwrap(),
                "rank 0 on n1 is cosette-mpi 0.2.0 (messages 1), but rank 2 on n2 is cosette-mpi \
                    1.0.0 (messages 9)",
            ),
            (
                protocol,
                "rank 0 on n1 is cosette-mpi 0.2.0 (messages 1), but rank 2 on n1 is cosette-mpi \
                    0.2.0 (messages 2)",
            ),
            (
                table,
                "rank 0 on n1 uses any table for htm, but rank 2 on n1 uses the table htm-24M",
            ),
            (
                metric,
                "rank 0 on n1 uses any table for htm, but rank 2 on n1 uses any table for qtm",
            ),
        ] {
            let expected = format!("the ranks do not match: {message}");
            assert_eq!(refusal(other), Some(expected));
        }
        let bound_elsewhere = Handshake {
            host: "n2".into(),
            cores: "2-3".into(),
            ..greeting()
        };
        assert_eq!(refusal(bound_elsewhere), None);
        assert!(read_greetings(&[greeting().to_text(), "no JSON".into()]).is_err());
    }

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(parse_list("0-2,8"), Some(BTreeSet::from([0, 1, 2, 8])));
        assert_eq!(parse_list("7"), Some(BTreeSet::from([7])));
        assert_eq!(parse_list(""), None);
        assert_eq!(parse_list("3-1"), None);
        assert!(cores_of_host().is_none_or(|cores| cores > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_run_on_the_cores_of_all_ranks() {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let count = || sched_getaffinity(None).unwrap().count() as usize;
        let cores = parse_list(&allowed_cores()).unwrap();
        let mut one = CpuSet::new();
        one.set(*cores.first().unwrap());
        sched_setaffinity(None, &one).unwrap();
        assert_eq!(count(), 1);
        use_cores(&cores);
        assert_eq!(std::thread::spawn(count).join().unwrap(), cores.len());
    }
}
