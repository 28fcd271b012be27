//! One table for all: chosen by the first rank, loaded by the first rank of each host, shared by the others.

use super::{Hosts, cores};
use crate::world::{FIRST, World};
use cosette::ThreadCount;
use cosette::block_file::Contents;
use cosette::table::choice::{self, Choice, MemoryLimit};
use cosette::table::{OnDisk, SharedTable, Table, TableId};
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{ErrorReport, Failure};
use cosette_app::cli::store::{Store, Users};
use serde::{Deserialize, Serialize};

/// How the first rank of a host describes the table that it has loaded.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Loaded {
    /// The number of entries with each value.
    distribution: Vec<u64>,
    /// A checksum of the order of the entries.
    numbering: u64,
    /// Where the other ranks of the host find it; `None` if each needs its own.
    shared: Option<String>,
}

impl Loaded {
    fn of(table: &Table) -> Loaded {
        Loaded {
            distribution: table.distribution().to_vec(),
            numbering: table.id().numbering(),
            shared: table.shared().map(|shared| shared.to_string()),
        }
    }

    fn is_same_table(&self, other: &Loaded) -> bool {
        (&self.distribution, self.numbering) == (&other.distribution, other.numbering)
    }
}

impl Hosts {
    /// The table in memory, shared by the ranks of a host. All ranks call this at once. Fails if it is missing or
    /// damaged or does not fit on one of the hosts, or is not the same on all; the same error on all ranks.
    pub fn table(&self, world: &World, args: &SolverArgs) -> Result<Table, Failure> {
        let id = self.choose(world, args)?;
        let loaded = if self.is_first_on_host() { self.load(id, args).map(Some) } else { Ok(None) };
        let (table, loaded) = self.agree_on(world, loaded, |table| table.as_ref().map(Loaded::of))?;
        self.check_same(id, &loaded)?;
        let table = table.map_or_else(|| self.attach(id, &loaded, args), Ok);
        // The ranks that have loaded the table keep it until the others have attached to it.
        let (table, _) = self.agree_on(world, table, |_| ())?;
        Ok(table)
    }

    /// The table to use, chosen by the first rank.
    fn choose(&self, world: &World, args: &SolverArgs) -> Result<TableId, Failure> {
        let choose = || {
            let folder = args.store.folder.folder()?;
            let memory = MemoryLimit::for_processes(self.ranks_on_this_host(), args.memory);
            Ok(choice::choose(&folder, args.metric(), args.table(), memory)?.id)
        };
        let chosen = if self.rank == FIRST { choose().map(|id| id.to_string()) } else { Ok(String::new()) };
        let names = self.agree(world, chosen)?;
        Ok(TableId::all().find(|id| id.to_string() == names[FIRST]).expect("all ranks know the same tables"))
    }

    /// Loads the table for all ranks of this host, with the cores of all of them: the others wait.
    fn load(&self, id: TableId, args: &SolverArgs) -> Result<Table, Failure> {
        cores::run_on(&self.cores_of_ranks(), || self.load_on_all_cores(id, args))
    }

    /// The same with the threads that this thread may start. Where there is only one host, a missing table is generated.
    fn load_on_all_cores(&self, id: TableId, args: &SolverArgs) -> Result<Table, Failure> {
        let threads = args.store.threads.asked().map_or(usize::MAX, |each| each.get() * self.ranks_on_this_host());
        let store = Store { threads: ThreadCount::available().at_most(threads), ..args.store.open()? };
        let users = if self.ranks_on_this_host() > 1 { Users::AllOfHost } else { Users::This };
        let is_missing = || matches!(store.folder.state(id), OnDisk::No | OnDisk::Partly(_));
        if self.count() == 1 {
            return store.open(Choice { id, is_on_disk: !is_missing(), better: None }, users);
        }
        store.load(id, users).map_err(|failure| if is_missing() { missing(failure, id) } else { failure })
    }

    /// The table that the first rank of this host has loaded.
    fn attach(&self, id: TableId, loaded: &[Option<Loaded>], args: &SolverArgs) -> Result<Table, Failure> {
        let of_host = loaded[self.first_on_host(self.rank)].as_ref();
        let Some(shared) = of_host.and_then(|loaded| loaded.shared.as_ref()) else {
            return args.store.open()?.load(id, Users::This);
        };
        let shared: SharedTable = shared.parse().expect("all ranks run the same program");
        Table::attach(&shared).or_else(|refused| {
            tracing::warn!(%refused, rank = self.rank, "this rank loads its own copy of the table");
            args.store.open()?.load(id, Users::This)
        })
    }

    /// Checks that all hosts have loaded the same table.
    fn check_same(&self, id: TableId, loaded: &[Option<Loaded>]) -> Result<(), Failure> {
        let Some(first) = &loaded[FIRST] else { return Ok(()) };
        let differs = |other: &Option<Loaded>| other.as_ref().is_some_and(|other| !other.is_same_table(first));
        let Some(other) = loaded.iter().position(differs) else { return Ok(()) };
        let [first, other] = [FIRST, other].map(|rank| self.name(rank));
        Err(Failure::new(
            format!("the table {id} on host {other} differs from the one on host {first}"),
            format!("`cosette tables verify {id}` on both finds the wrong one; generate that one again"),
        ))
    }
}

/// A table that is missing on one of several hosts.
fn missing(failure: Failure, id: TableId) -> Failure {
    let help =
        format!("generate it there with `cosette tables gen {id}`, or name a folder on a shared disk with --tables");
    Failure::Other(ErrorReport { help: Some(help), ..failure.into() })
}

#[cfg(test)]
mod tests {
    use super::super::greeting::Greeting;
    use super::*;

    #[test]
    fn other_contents_are_refused_with_both_hosts_named() {
        let greetings = ["n1", "n1", "n2"].map(|host| Greeting { host: host.into(), ..Greeting::default() });
        let hosts = Hosts { rank: 1, firsts: vec![0, 0, 2], greetings: greetings.to_vec() };
        let id = TableId::all().next().unwrap();
        let with = |count, shared: &str| {
            Some(Loaded { distribution: vec![1, count], numbering: 5, shared: Some(shared.into()) })
        };
        assert!(hosts.check_same(id, &[with(18, "a"), None, with(18, "b")]).is_ok());
        let refused = hosts.check_same(id, &[with(18, "a"), None, with(19, "b")]).unwrap_err();
        assert_eq!(refused.to_string(), "the table htm-24M on host n2 differs from the one on host n1");
    }
}
