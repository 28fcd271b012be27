//! What other machines need to use a server that was started with `--host`: its address and the token.

use crate::guard;
use crate::token::Token;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// What another machine needs.
pub struct Sharing {
    /// The address, as in `http://192.168.1.5:7217`.
    pub address: String,
    pub token: Token,
}

impl Sharing {
    /// What other machines need if the server listens at this address and port; `None` if they cannot reach it.
    pub fn new(host: IpAddr, port: u16, token: Option<&Token>) -> Option<Sharing> {
        let host = reachable(host);
        let token = token.filter(|_| !host.is_loopback())?.clone();
        Some(Sharing { address: address(host, port), token })
    }
}

/// The address of the server as a URL.
pub fn address(host: IpAddr, port: u16) -> String {
    format!("http://{}:{port}", guard::literal(reachable(host)))
}

/// An address by which this server can be reached. If it listens on all, that is the one from which this machine would
/// contact others; nothing is sent to find it.
fn reachable(host: IpAddr) -> IpAddr {
    if !host.is_unspecified() {
        return host;
    }
    let (any, elsewhere) = if host.is_ipv4() { ("0.0.0.0:0", "192.0.2.1:9") } else { ("[::]:0", "[2001:db8::1]:9") };
    let socket = UdpSocket::bind(any).and_then(|socket| socket.connect(elsewhere).map(|()| socket));
    let address = socket.and_then(|socket| socket.local_addr()).map(|address| address.ip());
    address.unwrap_or(if host.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() })
}
