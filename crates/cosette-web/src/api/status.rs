//! The state of the server, and its address and token for other machines.

use crate::access::ConnectionAddrs;
use crate::server::{PublicAddress, Server};
use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

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
#[utoipa::path(get, path = "/health", responses((status = 200, description = "the server is \
    running", body = Health)))]
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
#[derive(Serialize, ToSchema)]
#[schema(as = Sharing)]
pub struct SharingInfo {
    /// The address of the server, e.g. `http://192.168.1.5:7217`; null if the server was started
    /// without `--host`, or if the request comes from another machine.
    address: Option<String>,
    /// The token; null if the address is null.
    token: Option<String>,
}

/// Get the address and the token for other machines
///
/// Only requests from the machine of the server receive them; others receive null.
#[utoipa::path(get, path = "/sharing", responses((status = 200, description = "the address and \
    the token, if other machines may use the server", body = SharingInfo)))]
pub async fn sharing(
    State(server): State<Arc<Server>>,
    ends: Option<Extension<ConnectionAddrs>>,
) -> Json<SharingInfo> {
    Json(SharingInfo::told(
        server.sharing.as_ref(),
        ends.map(|Extension(ends)| ends),
    ))
}

impl SharingInfo {
    /// Returns the part that a client at the other end of a connection may know.
    fn told(sharing: Option<&PublicAddress>, ends: Option<ConnectionAddrs>) -> SharingInfo {
        let is_here = ends.is_some_and(ConnectionAddrs::is_local);
        let (address, token) = sharing
            .filter(|_| is_here)
            .map(|sharing| (sharing.address.clone(), sharing.token.text().to_owned()))
            .unzip();
        SharingInfo { address, token }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machine_of_the_server_is_told_the_token() {
        let [local, other] = ["192.168.1.5", "192.168.1.6"].map(|address| address.parse().unwrap());
        let token = "class-room".parse().unwrap();
        let shared = PublicAddress::new(local, 7217, Some(&token)).unwrap();
        let is_told = |peer| {
            SharingInfo::told(Some(&shared), Some(ConnectionAddrs { local, peer }))
                .token
                .is_some()
        };
        assert!(is_told(local) && !is_told(other));
        assert!(SharingInfo::told(Some(&shared), None).token.is_none());
        assert!(PublicAddress::new("127.0.0.1".parse().unwrap(), 7217, Some(&token)).is_none());
    }
}
