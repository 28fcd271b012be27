//! What more cores than we have would gain, simulated from the recorded costs of real solves.
//!
//! `cosette-lab-mpi trace` records the nodes of each root task of a solve; `cosette-lab-mpi simulate` has cores share them in
//! simulated time, by three splits:
//!
//! | split | who searches what |
//! |---|---|
//! | static | each core an equal part of the tasks of a threshold, dealt in advance |
//! | search limits | each core all tasks of one threshold (Nargolkar 2006) |
//! | dynamic | leases from a coordinator, long ones shared: the dispatcher of `cosette-mpi` itself |
//!
//! Messages take time to arrive, keep the coordinator busy, and wait until a rank polls for them.
//!
//! | file | what it holds |
//! |---|---|
//! | `trace`, `record` | the recorded costs, and who records them |
//! | `load`, `network` | the work and the messages, as the simulation sees them |
//! | `fixed`, `dynamic/` | the three splits |
//! | `grid` | what the splits gain by cores and latency |
//! | `page`, `simulate` | the page, and the subcommand, which reads what was measured |

mod dynamic;
mod fixed;
mod grid;
mod load;
mod network;
mod page;
mod record;
mod simulate;
#[cfg(test)]
mod testing;
mod trace;

pub use record::TraceArgs;
pub use record::run as trace;
pub use simulate::SimulateArgs;
pub use simulate::run as simulate;
