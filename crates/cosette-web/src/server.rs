//! The shared state of the handlers, and the address of the server.

use crate::access::{AccessToken, literal};
use crate::api_error::ApiError;
use crate::args::Args;
use crate::jobs::JobQueue;
use crate::tables::{GenerationJobs, TableCache};
use cosette::Cancel;
use cosette::table::TableFolder;
use cosette_app::goal_engine::GoalSolverCache;
use cosette_fmc::step_solvers::StepSolvers;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::sync::Arc;
use sysinfo::Networks;
use tokio::sync::Semaphore;

/// The shared state of the handlers.
pub struct Server {
    /// The tables in memory.
    pub tables: TableCache,
    /// The pattern databases of goals.
    pub goals: GoalSolverCache,
    /// The tables of the fewest-moves steps.
    pub step_solvers: StepSolvers,
    /// The searches that run or wait.
    pub queue: Arc<JobQueue>,
    /// The tables that are being generated.
    pub generations: GenerationJobs,
    /// The address and the token for other machines, if they may use this server.
    pub sharing: Option<PublicAddress>,
    /// Cancels the loading of a table before any search needs it.
    preload: Cancel,
    /// Limits the number of texts that are read at a time.
    readings: Arc<Semaphore>,
}

impl Server {
    /// Creates a server with these settings.
    pub fn new(args: &Args, folder: TableFolder, sharing: Option<PublicAddress>) -> Server {
        let tables = TableCache::new(args, folder);
        Server {
            queue: Arc::new(JobQueue::new(args.searches.get(), args.queue)),
            generations: GenerationJobs::default(),
            sharing,
            preload: Cancel::new(),
            readings: Arc::new(Semaphore::new(tables.threads.get())),
            tables,
            goals: GoalSolverCache::default(),
            step_solvers: StepSolvers::default(),
        }
    }

    /// Runs long work, such as reading a text, in a blocking thread, so that other requests need
    /// not wait. At most as many threads do so at a time as a search has. If the client disconnects
    /// before its turn, the work does not begin.
    pub async fn unhurried<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce() -> T + Send + 'static,
    {
        let permit = Arc::clone(&self.readings)
            .acquire_owned()
            .await
            .map_err(|_| ApiError::internal())?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|panic| {
            tracing::error!(%panic, "a request panicked");
            ApiError::internal()
        })
    }

    /// Loads the table of the half-turn metric if it is on disk, so that the first search need not
    /// wait for it.
    pub fn preload(&self) {
        self.tables.preload(&self.preload);
    }

    /// Cancels all running work.
    pub fn close(&self) {
        self.preload.cancel();
        self.queue.close();
        self.generations.close();
    }
}

/// The address and the token that another machine needs.
pub struct PublicAddress {
    /// The address, e.g. `http://192.168.1.5:7217`.
    pub address: String,
    pub token: AccessToken,
}

impl PublicAddress {
    /// Returns the address and the token for a server that listens at `host` and `port`; `None` if
    /// other machines cannot reach it.
    pub fn new(host: IpAddr, port: u16, token: Option<&AccessToken>) -> Option<PublicAddress> {
        let host = reachable(host);
        let token = token.filter(|_| !host.is_loopback())?.clone();
        Some(PublicAddress {
            address: address(host, port),
            token,
        })
    }
}

/// Returns the address of the server as a URL.
pub fn address(host: IpAddr, port: u16) -> String {
    format!("http://{}:{port}", literal(reachable(host)))
}

/// Returns an address at which this server can be reached. If the server listens on all addresses,
/// this is the one from which this machine would contact others; nothing is sent to find it.
/// Without a default route, e.g. in a classroom, it is an address in any network.
fn reachable(host: IpAddr) -> IpAddr {
    if !host.is_unspecified() {
        return host;
    }
    let (any, elsewhere) = if host.is_ipv4() {
        ("0.0.0.0:0", "192.0.2.1:9")
    } else {
        ("[::]:0", "[2001:db8::1]:9")
    };
    let socket = UdpSocket::bind(any).and_then(|socket| socket.connect(elsewhere).map(|()| socket));
    let address = socket
        .and_then(|socket| socket.local_addr())
        .map(|address| address.ip());
    let on_a_network = || {
        let networks = Networks::new_with_refreshed_list();
        let addresses = networks
            .values()
            .flat_map(|network| network.ip_networks())
            .map(|network| network.addr);
        let is_local = |address: &IpAddr| matches!(address, IpAddr::V6(address) if address.is_unicast_link_local());
        addresses
            .filter(|other| {
                other.is_ipv4() == host.is_ipv4() && !other.is_loopback() && !is_local(other)
            })
            .min()
    };
    address
        .ok()
        .or_else(on_a_network)
        .unwrap_or(match host.is_ipv4() {
            true => Ipv4Addr::LOCALHOST.into(),
            false => Ipv6Addr::LOCALHOST.into(),
        })
}
