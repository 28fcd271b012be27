//! The server itself: its state, and what other machines need to use it.

use crate::access::Ends;
use crate::server::{self, Server};
use axum::extract::State;
use axum::{Extension, Json};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// The state of the server.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`: the server answers. Whether there is memory for a table is not part of it.
    status: &'static str,
    /// The version of the server.
    version: &'static str,
    /// Searches that run or wait.
    searches: usize,
    /// The number of threads of a search.
    threads: usize,
    /// The tables in memory.
    tables: Vec<String>,
}

/// The state of the server
///
/// Says that it answers, not that a search will find a table: see `/tables`.
#[utoipa::path(get, path = "/health", responses((status = 200, description = "it is running", body = Health)))]
pub async fn health(State(server): State<Arc<Server>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        searches: server.queue.len(),
        threads: server.tables.threads.get(),
        tables: server.tables.loaded().iter().map(ToString::to_string).collect(),
    })
}

/// What other machines need to use the server.
#[derive(Serialize, ToSchema)]
pub struct Sharing {
    /// Its address, as in `http://192.168.1.5:7217`; null if the server was started without `--host`, or the request is of
    /// another machine.
    address: Option<String>,
    /// The token; null where the address is.
    token: Option<String>,
}

/// What other machines need to use the server
///
/// Only a request of the machine of the server is told.
#[utoipa::path(get, path = "/sharing", responses((status = 200, description = "the address and the token, if other machines may use the server", body = Sharing)))]
pub async fn sharing(State(server): State<Arc<Server>>, ends: Option<Extension<Ends>>) -> Json<Sharing> {
    Json(Sharing::told(server.sharing.as_ref(), ends.map(|Extension(ends)| ends)))
}

impl Sharing {
    /// What a client at the other end is told.
    fn told(sharing: Option<&server::Sharing>, ends: Option<Ends>) -> Sharing {
        let is_here = ends.is_some_and(Ends::are_one_machine);
        let (address, token) = sharing
            .filter(|_| is_here)
            .map(|sharing| (sharing.address.clone(), sharing.token.text().to_owned()))
            .unzip();
        Sharing { address, token }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_machine_of_the_server_is_told_the_token() {
        let [local, other] = ["192.168.1.5", "192.168.1.6"].map(|address| address.parse().unwrap());
        let token = "class-room".parse().unwrap();
        let shared = server::Sharing::new(local, 7217, Some(&token)).unwrap();
        let is_told = |peer| Sharing::told(Some(&shared), Some(Ends { local, peer })).token.is_some();
        assert!(is_told(local) && !is_told(other));
        assert!(Sharing::told(Some(&shared), None).token.is_none());
        assert!(server::Sharing::new("127.0.0.1".parse().unwrap(), 7217, Some(&token)).is_none());
    }
}
