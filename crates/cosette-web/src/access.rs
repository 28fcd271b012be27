//! Access control: the server accepts its own page, the pages that `--allow-origin` names, programs
//! on this machine that have the token, and with `--host` programs on other machines.
//!
//! A browser sends requests to 127.0.0.1 on behalf of any page. The `Origin` of such a request
//! names the page; every request that changes something has an `Origin`. Requests for images,
//! scripts and the like have none, but their `Sec-Fetch-Site` states that another site caused them.
//! The owner of a page may also point its name to 127.0.0.1 after the page was loaded (DNS
//! rebinding): such requests have that name as their `Host`.
//!
//! With `--host`, other machines may use the server by any IP address, because the server does not
//! know the addresses that containers and routers map to it. This is safe, because DNS rebinding
//! needs a name. Other machines may not change the tables of this one.
//!
//! The token keeps other users of the machine out: whoever can connect to the port must also know
//! the token. The printed address contains it. The response to that address sets a cookie and
//! redirects to the page without the token, so the token stays out of the address bar, bookmarks
//! and the history. Scripts cannot read the cookie, and requests that other sites cause do not
//! carry it. Pages of another port of this machine are of the same site, so the cookie counts only
//! in requests of the server's own page. Programs, and the pages that `--allow-origin` names, send
//! the token as `Authorization: Bearer` instead. The token appears in no log: the address is
//! printed on standard output, and a token that the user chose is not printed at all.

use crate::api_error::ApiError;
use crate::jobs::SEARCH_ID;
use crate::page;
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use cosette::cube::shortened;
use cosette_app::random;
use rand::RngExt;
use std::fmt;
use std::hint::black_box;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;
use tower_http::cors::{AllowHeaders, CorsLayer};

/// The addresses that are assumed for a connection whose addresses are unknown.
const LOOPBACK: ConnectionAddrs = ConnectionAddrs {
    local: IpAddr::V4(Ipv4Addr::LOCALHOST),
    peer: IpAddr::V4(Ipv4Addr::LOCALHOST),
};

/// The names of a machine on its own loopback interface, which nobody else can redirect to another
/// address.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Maximum length of a header quoted in an error, in characters.
const MAX_QUOTE: usize = 100;

/// Content security policy of the page: only resources of this server. The flat cube, which the
/// player shows without WebGL, needs style attributes.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                           style-src-attr 'unsafe-inline'; font-src 'self'; \
                           img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; \
                           form-action 'self'; frame-ancestors 'none'";

/// The security headers of every response.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// The header in which a browser states whether another site caused a request.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The port of a host that names none.
const HTTP_PORT: u16 = 80;

/// The addresses of the two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionAddrs {
    /// The address of this machine that the client has connected to.
    pub local: IpAddr,
    /// The address of the client.
    pub peer: IpAddr,
}

impl ConnectionAddrs {
    /// Returns `true` if the client runs on this machine.
    pub fn is_local(self) -> bool {
        self.peer.is_loopback() || self.peer == self.local
    }
}

/// The port of the server, and its visibility to other machines.
#[derive(Clone, Copy, Debug)]
pub struct ListenConfig {
    pub port: u16,
    /// `true` if the server listens for other machines too (`--host`).
    pub is_shared: bool,
}

/// The addresses and pages whose requests the server accepts.
pub struct Guard {
    pub listening: ListenConfig,
    /// The origins of other pages that may use the API (`--allow-origin`).
    pub allowed_origins: Vec<HeaderValue>,
}

/// Returns the layer that lets pages of other origins use the API, by CORS. The layer also responds
/// to their preflight requests, which have no token.
pub fn cors(allowed_origins: Vec<HeaderValue>) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(allowed_origins)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([SEARCH_ID, header::RETRY_AFTER])
}

/// Middleware that rejects requests of other pages, requests for other hosts, and changes of tables
/// from other machines. It adds the security headers to every response.
pub async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let addresses = request.extensions().get().copied().unwrap_or(LOOPBACK);
    let checked = check_headers(request.headers(), request.uri(), addresses.local, &guard)
        .and_then(|()| check_machine(request.method(), request.uri(), addresses));
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Rejects a request of another machine that would change tables.
fn check_machine(method: &Method, uri: &Uri, addresses: ConnectionAddrs) -> Result<(), ApiError> {
    let is_for_tables = uri
        .path()
        .strip_prefix(API)
        .is_some_and(|path| path.starts_with("/tables"));
    if addresses.is_local() || method.is_safe() || !is_for_tables {
        return Ok(());
    }
    let error = "tables can be generated and removed only on the server's machine";
    Err(ApiError::forbidden(error, "open the web app there"))
}

/// Checks the headers of a request that has reached the server at the address `local`.
fn check_headers(
    headers: &HeaderMap,
    uri: &Uri,
    local: IpAddr,
    guard: &Guard,
) -> Result<(), ApiError> {
    let listening = guard.listening;
    let host = single_value(headers, header::HOST)?.unwrap_or("");
    let uri_host = uri.authority().map(|authority| authority.as_str());
    if let Some(other) = [Some(host), uri_host]
        .into_iter()
        .flatten()
        .find(|host| !is_own(host, local, listening))
    {
        let error = format!(
            "`{}` is not an address of this server",
            shortened(other, MAX_QUOTE)
        );
        let port = listening.port;
        let help = match local.is_loopback() {
            true => format!("use 127.0.0.1:{port} or localhost:{port}"),
            false => format!("use its IP address, such as {}:{port}", literal(local)),
        };
        return Err(ApiError::forbidden(error, help));
    }
    let foreign_page = match (
        single_value(headers, header::ORIGIN)?,
        single_value(headers, FETCH_SITE)?,
    ) {
        (Some(origin), _) if guard.allowed_origins.iter().any(|own| own == origin) => return Ok(()),
        (Some(origin), _) if !is_own_page(origin, host) => {
            format!("a page of `{}`", shortened(origin, MAX_QUOTE))
        }
        (None, Some(site)) if !matches!(site, "same-origin" | "none") => {
            "a page of another site".to_owned()
        }
        _ => return Ok(()),
    };
    let help = "use the web app of this server, by its typed address; for pages of your own, start \
                the server with --allow-origin";
    let error = format!("{foreign_page} is not allowed to use this server");
    Err(ApiError::forbidden(error, help))
}

/// Returns `true` if an `Origin` is that of the page of this server, in a request to `host`.
fn is_own_page(origin: &str, host: &str) -> bool {
    origin.strip_prefix("http://") == Some(host)
}

/// Returns the value of a header that may appear only once; `?` if it is not text.
fn single_value(headers: &HeaderMap, name: HeaderName) -> Result<Option<&str>, ApiError> {
    let mut values = headers.get_all(&name).into_iter();
    match (values.next(), values.next()) {
        (_, Some(_)) => {
            let error = format!("the request has more than one header `{name}`");
            Err(ApiError::malformed(error, "send it once"))
        }
        (value, None) => Ok(value.map(|value| value.to_str().unwrap_or("?"))),
    }
}

/// Formats an address for a URL.
pub fn literal(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}

/// Returns `true` if `host` names the server that a request has reached at the address `local`. Any
/// IP address names a shared server.
fn is_own(host: &str, local: IpAddr, ListenConfig { port, is_shared }: ListenConfig) -> bool {
    // The colons of an IPv6 address are in square brackets.
    let (name, is_its_port) = match host.rsplit_once(':') {
        Some((name, digits)) if !digits.ends_with(']') => (name, digits == port.to_string()),
        _ => (host, port == HTTP_PORT),
    };
    let is_own_name = OWN_NAMES.iter().any(|own| own.eq_ignore_ascii_case(name));
    let is_its_name = if is_shared {
        is_own_name || is_address(name)
    } else {
        name == literal(local) || local.is_loopback() && is_own_name
    };
    is_its_port && is_its_name
}

/// Returns `true` for an IP address in the format of URLs, and `false` for a name.
fn is_address(name: &str) -> bool {
    match name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => name.parse::<Ipv4Addr>().is_ok(),
    }
}

/// The path of the API.
pub const API: &str = "/api/v1";

/// The path of the OpenAPI document below that of the API.
pub const DOCUMENT: &str = "/openapi.json";

/// The environment variable that chooses the token.
pub const TOKEN_VARIABLE: &str = "COSETTE_TOKEN";

/// Minimum length of a token that the user chooses, in characters.
const MIN_TOKEN_LENGTH: usize = 8;

/// The secret that requests must contain. It is never part of a log.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Creates a token of 128 random bits of the operating system.
    pub fn random() -> AccessToken {
        AccessToken(format!("{:032x}", random::system().random::<u128>()))
    }

    /// Returns the token as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Compares a text with the token, in a time that depends only on the lengths of both.
    fn matches(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |difference, (ours, theirs)| {
            // Keeps the compiler from stopping at the first difference.
            black_box(difference | (ours ^ theirs))
        });
        self.0.len() == text.len() && difference == 0
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(…)")
    }
}

impl FromStr for AccessToken {
    type Err = String;

    fn from_str(text: &str) -> Result<AccessToken, String> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if text.len() >= MIN_TOKEN_LENGTH && text.chars().all(is_allowed) {
            Ok(AccessToken(text.to_owned()))
        } else {
            Err(format!(
                "a token needs at least {MIN_TOKEN_LENGTH} letters, digits, dots, hyphens and \
                 underscores"
            ))
        }
    }
}

/// The token that requests must have, and the name of its cookie.
#[derive(Debug)]
pub struct Access {
    token: Option<AccessToken>,
    cookie: String,
}

impl Access {
    /// Requires `token`, or none. The name of the cookie contains the port, because browsers do not
    /// separate the cookies of different ports.
    pub fn new(token: Option<AccessToken>, port: u16) -> Access {
        Access {
            token,
            cookie: format!("cosette-{port}"),
        }
    }

    /// Returns `true` if a request has the token in its `Authorization` or, unless a page of
    /// another origin has caused it, in its cookie.
    fn is_authorized(&self, request: &Parts, token: &AccessToken) -> bool {
        let values = |name| {
            request
                .headers
                .get_all(name)
                .into_iter()
                .filter_map(|value| value.to_str().ok())
        };
        let bearer = values(header::AUTHORIZATION).filter_map(|value| {
            let (scheme, text) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(text.trim())
        });
        let cookies = values(header::COOKIE)
            .flat_map(|value| value.split(';'))
            .filter_map(|cookie| {
                let (name, text) = cookie.trim().split_once('=')?;
                (name == self.cookie).then_some(text)
            });
        let host = values(header::HOST).next().unwrap_or_default();
        let is_own = values(header::ORIGIN).all(|origin| is_own_page(origin, host));
        let cookies = cookies.filter(|_| is_own);
        bearer.chain(cookies).any(|text| token.matches(text))
    }

    /// Returns the response to the printed address: the cookie, and a redirect to the page with the
    /// other parameters of the address, such as a position.
    fn entry_response(&self, token: &AccessToken, request: &Parts) -> Response {
        let parameters = request.uri.query().unwrap_or_default().split('&');
        let other_parameters: Vec<&str> = parameters
            .filter(|parameter| !parameter.starts_with("token="))
            .collect();
        let location = if other_parameters.is_empty() {
            "/".to_owned()
        } else {
            format!("/?{}", other_parameters.join("&"))
        };

        let cookie = format!(
            "{}={}; HttpOnly; SameSite=Strict; Path=/",
            self.cookie,
            token.text()
        );
        let headers = [
            (header::SET_COOKIE, &*cookie),
            (header::LOCATION, &*location),
            (header::CACHE_CONTROL, "no-store"),
        ];
        (StatusCode::SEE_OTHER, headers).into_response()
    }
}

/// Returns the token in the address of the page, without surrounding whitespace, which phone
/// keyboards add.
fn token_in_address(request: &Parts) -> Option<String> {
    let is_page = request.uri.path() == "/" && matches!(request.method, Method::GET | Method::HEAD);
    if !is_page {
        return None;
    }
    let Query(parameters) = Query::<Vec<(String, String)>>::try_from_uri(&request.uri).ok()?;
    let (_, token) = parameters.into_iter().find(|(name, _)| name == "token")?;
    Some(token.trim().to_owned())
}

/// Middleware that rejects requests without the token.
pub async fn require_token(
    State(access): State<Arc<Access>>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    // The document contains no secret, and programs that read it have no token.
    let is_public = parts.uri.path().strip_prefix(API) == Some(DOCUMENT);
    if let Some(token) = access.token.as_ref().filter(|_| !is_public) {
        if token_in_address(&parts).is_some_and(|text| token.matches(&text)) {
            return access.entry_response(token, &parts);
        }
        if !access.is_authorized(&parts, token) {
            return refusal(&parts);
        }
    }
    next.run(Request::from_parts(parts, body)).await
}

/// Returns the response to a request without the token: JSON from the API, a form for the token
/// elsewhere.
fn refusal(request: &Parts) -> Response {
    let mut response = if request.uri.path().starts_with(API) {
        let help = format!(
            "send `Authorization: Bearer TOKEN`, with the token from the address that cosette-web \
             printed or from {TOKEN_VARIABLE}; in a browser, open that address again"
        );
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "the token is missing or wrong",
            help,
        )
        .into_response()
    } else {
        (
            StatusCode::UNAUTHORIZED,
            [(header::CACHE_CONTROL, "no-store")],
            Html(page::token_form(&request.uri)),
        )
            .into_response()
    };
    response
        .headers_mut()
        .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server for this machine alone.
    const LOCAL: ListenConfig = ListenConfig {
        port: 7217,
        is_shared: false,
    };
    /// A server for other machines too.
    const SHARED: ListenConfig = ListenConfig {
        port: 7217,
        is_shared: true,
    };

    /// Checks a request to port 7217 with these headers.
    fn check_request(
        headers: &[(&'static str, &'static str)],
        address: &'static str,
    ) -> Result<(), ApiError> {
        let header = |&(name, value)| {
            (
                HeaderName::from_static(name),
                HeaderValue::from_static(value),
            )
        };
        let mut map = HeaderMap::new();
        for (name, value) in headers.iter().map(header) {
            map.append(name, value);
        }
        let guard = Guard {
            listening: LOCAL,
            allowed_origins: Vec::new(),
        };
        check_headers(&map, &Uri::from_static(address), LOOPBACK.local, &guard)
    }

    #[test]
    fn errors_quote_little_of_a_header() {
        let own_host = ("host", "localhost:7217");
        let long: &'static str = "x".repeat(10_000).leak();
        for headers in [&[("host", long)][..], &[own_host, ("origin", long)]] {
            let error = check_request(headers, "/").unwrap_err().to_string();
            assert!(error.len() < 300, "{error}");
        }
    }

    #[test]
    fn only_names_of_this_machine_and_addresses_of_a_shared_server_pass() {
        // A shared server in a container has been reached at another address than its own.
        let container = "172.17.0.2".parse().unwrap();
        let rows = include_str!("../tests/hosts.txt").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let (columns, host) = row.split_at_checked(20).unwrap_or((row, ""));
            let mut columns = columns.split_whitespace();
            let port = columns.next().unwrap().parse().unwrap();
            for (server, local) in [(LOCAL, LOOPBACK.local), (SHARED, container)] {
                let passes = is_own(host, local, ListenConfig { port, ..server });
                let expected = columns.next() == Some("yes");
                assert_eq!(passes, expected, "{row}: {server:?}");
            }
        }
    }

    #[test]
    fn other_machines_do_not_change_tables() {
        let [local, other] =
            ["192.168.1.5", "192.168.1.6"].map(|address| address.parse::<IpAddr>().unwrap());
        let checked = |method, path, peer| {
            check_machine(
                &method,
                &Uri::from_static(path),
                ConnectionAddrs { local, peer },
            )
            .is_ok()
        };
        for (method, path) in [
            (Method::POST, "/api/v1/tables/htm-24M"),
            (Method::DELETE, "/api/v1/tables/htm-24M"),
            (Method::DELETE, "/api/v1/tables/htm-24M/generation"),
        ] {
            assert!(!checked(method.clone(), path, other), "{method} {path}");
            assert!(
                checked(method.clone(), path, local) && checked(method, path, LOOPBACK.peer),
                "{path}"
            );
        }
        assert!(
            checked(Method::GET, "/api/v1/tables", other)
                && checked(Method::POST, "/api/v1/solve", other)
        );
    }

    #[test]
    fn only_the_whole_token_matches() {
        let token: AccessToken = "correct-token".parse().unwrap();
        assert!(token.matches("correct-token"));
        for other in [
            "",
            "correct",
            "correct-token ",
            "correct-tokem",
            "Correct-token",
            "correct-token-correct-token",
        ] {
            assert!(!token.matches(other), "{other}");
        }
    }

    #[test]
    fn random_tokens_are_long_and_differ() {
        let [first, second] = [AccessToken::random(), AccessToken::random()];
        assert_ne!(first, second);
        assert_eq!(first.text().len(), 32);
        assert_eq!(first.text().parse(), Ok(first.clone()));
    }

    #[test]
    fn a_token_has_only_characters_that_addresses_and_cookies_keep() {
        for refused in [
            "",
            "short",
            "with space",
            "with;semicolon",
            "with%25percent",
            "with&and=is",
            "schlüssel",
        ] {
            assert!(refused.parse::<AccessToken>().is_err(), "{refused}");
        }
    }

    #[test]
    fn a_log_does_not_show_the_token() {
        let token: AccessToken = "correct-token".parse().unwrap();
        assert!(!format!("{:?}", Access::new(Some(token), 80)).contains("correct-token"));
    }
}
