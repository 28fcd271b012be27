//! What the handlers share.

use crate::args::Args;
use crate::generation::GenerationJobs;
use crate::queue::JobQueue;
use crate::table_cache::TableCache;
use cosette::table::TableFolder;
use std::sync::Arc;

/// What the handlers share.
pub struct Server {
    /// The tables in memory.
    pub tables: TableCache,
    /// The searches that run or wait.
    pub queue: Arc<JobQueue>,
    /// The tables that are being generated.
    pub generations: GenerationJobs,
}

impl Server {
    /// A server with these settings.
    pub fn new(args: &Args, folder: TableFolder) -> Server {
        Server {
            tables: TableCache::new(args, folder),
            queue: Arc::new(JobQueue::new(args.searches, args.queue)),
            generations: GenerationJobs::default(),
        }
    }

    /// Asks everything under way to stop.
    pub fn close(&self) {
        self.queue.close();
        self.generations.stop_all();
    }
}
