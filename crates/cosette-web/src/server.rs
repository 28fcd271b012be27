//! The shared state of the handlers, and the address of the server, with the handlers that return
//! them.

use crate::access::{AccessToken, ConnectionAddrs, literal};
use crate::api_error::ApiError;
use crate::args::Args;
use crate::jobs::JobQueue;
use crate::tables::{GenerationJobs, TableCache};
use axum::extract::State;
use axum::{Extension, Json};
use cosette::Cancel;
use cosette::table::{TableFolder, TableId};
use cosette_app::goal_engine::GoalSolverCache;
use cosette_fmc::step_solvers::StepSolvers;
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::sync::Arc;
use sysinfo::Networks;
use tokio::sync::Semaphore;
use utoipa::ToSchema;

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
    pub sharing: SharingInfo,
    /// Cancels [`preload`](Server::preload).
    preload_cancel: Cancel,
    /// Limits the number of threads of [`run_blocking`](Server::run_blocking).
    blocking_permits: Arc<Semaphore>,
}

impl Server {
    /// Creates a server with these settings.
    pub fn new(args: &Args, folder: TableFolder, sharing: SharingInfo) -> Server {
        let tables = TableCache::new(args, folder);
        Server {
            queue: Arc::new(JobQueue::new(args.searches.get(), args.queue)),
            generations: GenerationJobs::default(),
            sharing,
            preload_cancel: Cancel::new(),
            blocking_permits: Arc::new(Semaphore::new(tables.threads.get())),
            tables,
            goals: GoalSolverCache::default(),
            step_solvers: StepSolvers::default(),
        }
    }

    /// Runs long work, such as parsing a text, in a blocking thread, so that other requests need
    /// not wait. There are at most as many of these threads as a search has. If the client
    /// disconnects before a thread is free, the work does not begin.
    pub async fn run_blocking<T, W>(&self, work: W) -> Result<T, ApiError>
    where
        T: Send + 'static,
        W: FnOnce() -> T + Send + 'static,
    {
        let permit = Arc::clone(&self.blocking_permits)
            .acquire_owned()
            .await
            .map_err(|_| ApiError::internal())?;
        let finished = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        finished.await.map_err(|panic| {
            tracing::error!(%panic, "a request panicked");
            ApiError::internal()
        })
    }

    /// Loads the table of the half-turn metric if it is on disk, so that the first search need not
    /// wait for it.
    pub fn preload(&self) {
        self.tables.preload(&self.preload_cancel);
    }

    /// Returns the completed percentage of a table that a generation job or a search generates;
    /// `None` if neither does.
    pub fn generated_percent(&self, id: TableId) -> Option<u64> {
        let percent = self.generations.percent(id);
        percent.or_else(|| self.tables.percent_of_search(id))
    }

    /// Cancels all running work.
    pub fn close(&self) {
        self.preload_cancel.cancel();
        self.queue.close();
        self.generations.close();
    }
}

/// Returns the address of the server as a URL.
pub fn address(host: IpAddr, port: u16) -> String {
    format!("http://{}:{port}", literal(reachable(host)))
}

/// Returns an address at which this server can be reached. If the server listens on all addresses,
/// this is the one from which this machine would contact others. Without a default route, e.g. in a
/// classroom, it is the address of this machine in any network.
fn reachable(host: IpAddr) -> IpAddr {
    if !host.is_unspecified() {
        return host;
    }
    let is_ipv4 = host.is_ipv4();
    // Addresses reserved for documentation: connecting a UDP socket sends nothing.
    let elsewhere = if is_ipv4 {
        "192.0.2.1:9"
    } else {
        "[2001:db8::1]:9"
    };
    let address = UdpSocket::bind((host, 0)).and_then(|socket| {
        socket.connect(elsewhere)?;
        Ok(socket.local_addr()?.ip())
    });
    let loopback = match is_ipv4 {
        true => Ipv4Addr::LOCALHOST.into(),
        false => Ipv6Addr::LOCALHOST.into(),
    };
    let address = address.ok().or_else(|| address_in_a_network(is_ipv4));
    address.unwrap_or(loopback)
}

/// Returns an address at which other machines can reach this one; `None` if it is in no network.
fn address_in_a_network(is_ipv4: bool) -> Option<IpAddr> {
    let is_link_local = |address: &IpAddr| match address {
        IpAddr::V4(_) => false,
        IpAddr::V6(address) => address.is_unicast_link_local(),
    };
    let networks = Networks::new_with_refreshed_list();
    let addresses = networks.values().flat_map(|network| network.ip_networks());
    addresses
        .map(|network| network.addr)
        .filter(|address| address.is_ipv4() == is_ipv4)
        .filter(|address| !address.is_loopback() && !is_link_local(address))
        .min()
}

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`. Does not imply that there is enough memory for a table.
    status: &'static str,
    /// The version of the server.
    version: &'static str,
    /// The number of running and waiting searches.
    searches: usize,
    /// The number of threads of a search.
    threads: usize,
    /// The tables in memory.
    tables: Vec<String>,
}

/// Get the state of the server
///
/// A response means that the server is running, not that a table is available; see `/tables`.
#[utoipa::path(
    get, path = "/health", operation_id = "getHealth", tag = "Server",
    responses((status = 200, description = "the server is running", body = Health)),
)]
pub async fn health(State(server): State<Arc<Server>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        searches: server.queue.len(),
        threads: server.tables.threads.get(),
        tables: server
            .tables
            .loaded()
            .iter()
            .map(ToString::to_string)
            .collect(),
    })
}

/// The address and the token with which other machines use the server.
#[derive(Clone, Default, Serialize, ToSchema)]
#[schema(as = Sharing)]
pub struct SharingInfo {
    /// The address of the server, e.g. `http://192.168.1.5:7217`; null if the server was started
    /// without `--host`, or if the request comes from another machine.
    address: Option<String>,
    /// The token; null if the address is null.
    token: Option<String>,
}

impl SharingInfo {
    /// Returns the address and the token of a server that listens at `host` and `port`; neither if
    /// it needs no token or other machines cannot reach it.
    pub fn new(host: IpAddr, port: u16, token: Option<&AccessToken>) -> SharingInfo {
        let token = token.filter(|_| !reachable(host).is_loopback());
        SharingInfo {
            address: token.map(|_| address(host, port)),
            token: token.map(|token| token.text().to_owned()),
        }
    }

    /// Returns the address and the token for a client on this machine, and neither for others.
    fn for_client(&self, addresses: Option<ConnectionAddrs>) -> SharingInfo {
        match addresses.is_some_and(ConnectionAddrs::is_local) {
            true => self.clone(),
            false => SharingInfo::default(),
        }
    }
}

/// Get the address and the token for other machines
///
/// Only requests from the machine of the server receive them; others receive null.
#[utoipa::path(
    get, path = "/sharing", operation_id = "getSharing", tag = "Server",
    responses((
        status = 200,
        description = "the address and the token, if other machines may use the server",
        body = SharingInfo,
    )),
)]
pub async fn sharing(
    State(server): State<Arc<Server>>,
    addresses: Option<Extension<ConnectionAddrs>>,
) -> Json<SharingInfo> {
    let addresses = addresses.map(|Extension(addresses)| addresses);
    Json(server.sharing.for_client(addresses))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clients_on_the_machine_of_the_server_receive_the_token() {
        let [local, other] = ["192.168.1.5", "192.168.1.6"].map(|address| address.parse().unwrap());
        let token = "class-room".parse().unwrap();
        let shared = SharingInfo::new(local, 7217, Some(&token));
        let receives_token = |peer| {
            let addresses = ConnectionAddrs { local, peer };
            shared.for_client(Some(addresses)).token.is_some()
        };
        assert!(receives_token(local) && !receives_token(other));
        assert!(shared.for_client(None).token.is_none());
        let own = SharingInfo::new("127.0.0.1".parse().unwrap(), 7217, Some(&token));
        assert!(own.token.is_none() && own.address.is_none());
    }
}
