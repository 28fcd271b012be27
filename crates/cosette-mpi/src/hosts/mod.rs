//! The hosts of a job, and the table that the ranks of each share.
//!
//! ```text
//! open    every rank introduces itself; all must run the same program for the same table        (greeting)
//! table   the first rank of the job chooses a table, the first of each host loads it
//!         the others of the host map that one copy
//!         all hosts must have loaded the same                                                   (table)
//! ```
//!
//! After each step all ranks exchange their results (`agree`), so that if one of them fails, all of them stop with the same
//! error.

mod agree;
mod cores;
mod greeting;
mod table;

use crate::world::World;
pub use cores::of_host as cores_of_host;
use cosette::ThreadCount;
use cosette::table::Table;
use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::Failure;
use greeting::Greeting;
pub use greeting::read_all as read_greetings;
use std::collections::BTreeSet;

/// The hosts of a job.
pub struct Hosts {
    /// This rank.
    rank: usize,
    /// For each rank, the first one of its host.
    firsts: Vec<usize>,
    greetings: Vec<Greeting>,
}

/// The hosts of the job, and the table in memory. All ranks call this at once. Fails if the ranks run different
/// programs or were given different tables, or if the table is missing, damaged or different on one of the hosts. It is
/// the same error on all ranks, so one of them should report it.
pub fn open(world: &World, args: &SolverArgs) -> Result<(Hosts, Table), Failure> {
    // Every rank introduces itself to all.
    let texts = world.all_gather(&Greeting::of_this(args).to_text());
    let greetings = greeting::read_all(&texts).map_err(Failure::Other)?;
    let hosts = Hosts { rank: world.rank(), firsts: world.first_on_host(), greetings };
    let table = hosts.table(world, args)?;
    Ok((hosts, table))
}

impl Hosts {
    /// The number of hosts.
    pub fn count(&self) -> usize {
        self.firsts.iter().collect::<BTreeSet<_>>().len()
    }

    /// The name of the host of a rank.
    pub fn name(&self, rank: usize) -> &str {
        &self.greetings[self.firsts[rank]].host
    }

    /// The first rank on the host of a rank.
    pub fn first_on_host(&self, rank: usize) -> usize {
        self.firsts[rank]
    }

    /// How many ranks run on the host of this one.
    pub fn ranks_on_this_host(&self) -> usize {
        self.on_this_host().count()
    }

    /// How many threads this rank should start: the number given, or else its share of the cores that it may run on, at least
    /// one. Ranks of a host that are bound to the same cores share them evenly.
    pub fn threads(&self, args: &SolverArgs) -> ThreadCount {
        let own = &self.greetings[self.rank].cores;
        let sharing = self.on_this_host().filter(|&rank| self.greetings[rank].cores == *own).count();
        let all = ThreadCount::available();
        args.store.threads.asked().unwrap_or_else(|| all.at_most(all.get() / sharing.max(1)))
    }

    /// The cores that the ranks of this host may run on, all together.
    pub fn cores_of_ranks(&self) -> BTreeSet<usize> {
        self.on_this_host().filter_map(|rank| cores::parse_list(&self.greetings[rank].cores)).flatten().collect()
    }

    /// The ranks on the host of this one.
    fn on_this_host(&self) -> impl Iterator<Item = usize> {
        let here = self.firsts[self.rank];
        (0..self.firsts.len()).filter(move |&rank| self.firsts[rank] == here)
    }

    /// Whether this rank does the work of its host.
    fn is_first_on_host(&self) -> bool {
        self.firsts[self.rank] == self.rank
    }
}
