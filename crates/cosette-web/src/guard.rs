//! Which pages may use the server: its own.
//!
//! A browser sends requests to 127.0.0.1 on behalf of any page. Such a request is recognised by its `Origin`, which names that
//! page; every request that changes something has one. Requests for images, scripts and the like have none, but say in
//! `Sec-Fetch-Site` that another site caused them. A page whose name is changed to point to 127.0.0.1 after it was loaded
//! (DNS rebinding) is recognised by its `Host`, which is that name.
//!
//! With `--host`, other machines may use the server by any address, also by one that a container or a router maps to it, which
//! the server cannot know. An address is not a name, so no page can come to have it. What other machines may not do is change
//! the tables of this one.

use crate::api_error::ApiError;
use crate::connections::Ends;
use crate::token::API;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use cosette::cube::shortened;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The ends of a connection of which nothing is known.
const LOOPBACK: Ends = Ends { local: IpAddr::V4(Ipv4Addr::LOCALHOST), peer: IpAddr::V4(Ipv4Addr::LOCALHOST) };

/// The names of a machine on its own loopback interface. Nobody else can give them another address.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// How much of a header an error quotes, in characters.
const LONGEST_QUOTE: usize = 100;

/// The page may only use what this server sends. The flat cube, which the player shows if there is no WebGL, needs style
/// attributes.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
                           img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
                           frame-ancestors 'none'";

/// Added to every response.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The header in which a browser says where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The port that a host without one means.
const HTTP_PORT: u16 = 80;

/// Where the server listens.
#[derive(Clone, Copy, Debug)]
pub struct Listening {
    pub port: u16,
    /// Whether it does so for other machines (`--host`).
    pub is_shared: bool,
}

/// Refuses requests of other pages and for other hosts, and adds the security headers to every response.
pub async fn guard(State(listening): State<Listening>, request: Request, next: Next) -> Response {
    let ends = request.extensions().get().copied().unwrap_or(LOOPBACK);
    let checked = check(request.headers(), request.uri(), (ends.local, listening))
        .and_then(|()| check_machine(request.method(), request.uri(), ends));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Refuses requests of other machines to change tables.
fn check_machine(method: &Method, uri: &Uri, ends: Ends) -> Result<(), ApiError> {
    let is_of_tables = uri.path().strip_prefix(API).is_some_and(|path| path.starts_with("/tables"));
    if ends.are_one_machine() || method.is_safe() || !is_of_tables {
        return Ok(());
    }
    let error = "tables are generated and removed only on the machine of the server";
    Err(ApiError::new(StatusCode::FORBIDDEN, error, "open the page there"))
}

/// Checks a request that has reached the server at this address.
fn check(headers: &HeaderMap, uri: &Uri, (local, listening): (IpAddr, Listening)) -> Result<(), ApiError> {
    let host = only(headers, header::HOST)?.unwrap_or("");
    let in_address = uri.authority().map(|authority| authority.as_str());
    if let Some(other) = [Some(host), in_address].into_iter().flatten().find(|host| !is_own(host, local, listening)) {
        let error = format!("`{}` is not a name of this server", shortened(other, LONGEST_QUOTE));
        let port = listening.port;
        let help = match local.is_loopback() {
            true => format!("use 127.0.0.1:{port} or localhost:{port}"),
            false => format!("use its address, such as {}:{port}, rather than a name", literal(local)),
        };
        return Err(ApiError::new(StatusCode::FORBIDDEN, error, help));
    }
    let foreign = match (only(headers, header::ORIGIN)?, only(headers, FETCH_SITE)?) {
        (Some(origin), _) if origin.strip_prefix("http://") != Some(host) => {
            format!("a page of `{}`", shortened(origin, LONGEST_QUOTE))
        }
        (None, Some(site)) if !matches!(site, "same-origin" | "none") => "a page of another site".to_owned(),
        _ => return Ok(()),
    };
    let help = "use the page that this server shows; type its address rather than follow a link";
    Err(ApiError::new(StatusCode::FORBIDDEN, format!("{foreign} may not use this server"), help))
}

/// The value of a header that may appear once; `?` if it is not text.
fn only(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ApiError> {
    let mut values = headers.get_all(&name).into_iter();
    match (values.next(), values.next()) {
        (_, Some(_)) => {
            let error = format!("the request has more than one header `{name}`");
            Err(ApiError::new(StatusCode::BAD_REQUEST, error, "send it once"))
        }
        (value, None) => Ok(value.map(|value| value.to_str().unwrap_or("?"))),
    }
}

/// An address as it stands in a URL.
pub fn literal(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Whether a host names the server that a request has reached at this address. If the server is shared, all addresses do.
fn is_own(host: &str, local: IpAddr, Listening { port, is_shared }: Listening) -> bool {
    // The colons of an IPv6 address are in brackets.
    let (name, is_its_port) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits == port.to_string()),
        _ => (host, port == HTTP_PORT),
    };
    let is_own_name = OWN_NAMES.contains(&name);
    let is_its_name = if is_shared {
        is_own_name || is_address(name)
    } else {
        name == literal(local) || local.is_loopback() && is_own_name
    };
    is_its_port && is_its_name
}

/// Whether this is an address as it stands in a URL, and no name.
fn is_address(name: &str) -> bool {
    match name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<Ipv4Addr>().is_ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server for this machine alone.
    const OWN: Listening = Listening { port: 7217, is_shared: false };
    /// A server for other machines too.
    const SHARED: Listening = Listening { port: 7217, is_shared: true };

    /// What is said of a request to port 7217 with these headers.
    fn checked(headers: &[(&'static str, &'static str)], address: &'static str) -> Result<(), ApiError> {
        let header = |&(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
        let mut map = HeaderMap::new();
        for (name, value) in headers.iter().map(header) {
            map.append(name, value);
        }
        check(&map, &Uri::from_static(address), (LOOPBACK.local, OWN))
    }

    /// Whether it passes.
    fn passes(headers: &[(&'static str, &'static str)], address: &'static str) -> bool {
        checked(headers, address).is_ok()
    }

    #[test]
    fn errors_quote_little_of_a_header() {
        let (own, long): (_, &'static str) = (("host", "localhost:7217"), "x".repeat(10_000).leak());
        for headers in [&[("host", long)][..], &[own, ("origin", long)]] {
            let error = checked(headers, "/").unwrap_err().to_string();
            assert!(error.len() < 300, "{error}");
        }
    }

    #[test]
    fn only_names_of_this_machine_pass() {
        for own in ["127.0.0.1:7217", "localhost:7217", "[::1]:7217"] {
            assert!(is_own(own, LOOPBACK.local, OWN), "{own}");
        }
        for own in ["localhost", "localhost:80"] {
            assert!(is_own(own, LOOPBACK.local, Listening { port: 80, ..OWN }), "{own}");
        }
        for other in [
            "",
            "evil.example",
            "evil.example:7217",
            "127.0.0.1.evil.example",
            "localhost.evil.example:7217",
            "127.0.0.1:x",
            "::1",
            "localhost",
            "localhost:",
            "localhost:80",
            "127.0.0.1:07217",
            "127.0.0.1:72170",
            "192.168.1.5:7217",
            "0.0.0.0:7217",
        ] {
            assert!(!is_own(other, LOOPBACK.local, OWN), "{other}");
        }
    }

    #[test]
    fn a_shared_server_has_any_address_but_no_name() {
        // The address of a container or behind a router is not the one that the client connects to.
        let local = "172.17.0.2".parse().unwrap();
        for own in [
            "172.17.0.2:7217",
            "127.0.0.1:7217",
            "localhost:7217",
            "[::1]:7217",
            "192.168.1.5:7217",
            "[fd00::5]:7217",
            "[2001:db8::1]:7217",
        ] {
            assert!(is_own(own, local, SHARED), "{own}");
        }
        assert!(is_own("192.168.1.5", local, Listening { port: 80, ..SHARED }));
        // A page can come to have any of these names (DNS rebinding).
        for other in [
            "",
            "class.example:7217",
            "localhost.example:7217",
            "127.0.0.1.evil.example:7217",
            "192.168.1.5.evil.example:7217",
            "172-17-0-2.evil.example:7217",
            "fd00::5:7217",
            "[fd00::5",
            "[fd00::5]",
            "[fd00::5]evil.example:7217",
            "[evil.example]:7217",
            "[192.168.1.5]:7217",
            "evil.example@192.168.1.5:7217",
            "192.168.1.5",
            "192.168.1.5:",
            "192.168.1.5:07217",
            "192.168.1.5:7218",
            "192.168.1.256:7217",
            "192.168.1:7217",
            "0xc0a80105:7217",
            "3232235781:7217",
        ] {
            assert!(!is_own(other, local, SHARED), "{other}");
        }
    }

    #[test]
    fn other_machines_do_not_change_tables() {
        let [local, other] = ["192.168.1.5", "192.168.1.6"].map(|address| address.parse::<IpAddr>().unwrap());
        let checked =
            |method, path, peer| check_machine(&method, &Uri::from_static(path), Ends { local, peer }).is_ok();
        for (method, path) in [
            (Method::POST, "/api/v1/tables/htm-24M"),
            (Method::DELETE, "/api/v1/tables/htm-24M"),
            (Method::DELETE, "/api/v1/tables/htm-24M/generation"),
        ] {
            assert!(!checked(method.clone(), path, other), "{method} {path}");
            assert!(checked(method.clone(), path, local) && checked(method, path, LOOPBACK.peer), "{path}");
        }
        assert!(checked(Method::GET, "/api/v1/tables", other) && checked(Method::POST, "/api/v1/solve", other));
    }

    #[test]
    fn only_one_host_passes() {
        let own = ("host", "localhost:7217");
        assert!(passes(&[own], "/"));
        assert!(passes(&[own], "http://localhost:7217/"));
        assert!(!passes(&[own], "http://evil.example/"));
        for second in ["localhost:7217", "evil.example"] {
            assert!(!passes(&[own, ("host", second)], "/"), "{second}");
        }
    }

    #[test]
    fn only_the_servers_own_page_passes() {
        let is_allowed = |origin| passes(&[("host", "localhost:7217"), ("origin", origin)], "/");
        assert!(is_allowed("http://localhost:7217"));
        for other in ["http://localhost:3000", "https://localhost:7217", "http://evil.example", "null", ""] {
            assert!(!is_allowed(other), "{other}");
        }
    }

    #[test]
    fn requests_that_another_site_causes_do_not_pass() {
        let is_allowed = |site| passes(&[("host", "localhost:7217"), ("sec-fetch-site", site)], "/");
        assert!(is_allowed("same-origin") && is_allowed("none"));
        for other in ["cross-site", "same-site", "", "CROSS-SITE"] {
            assert!(!is_allowed(other), "{other}");
        }
    }
}
