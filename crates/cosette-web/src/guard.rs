//! Who may talk to the server: programs of this machine, and its own page.
//!
//! A browser sends requests to 127.0.0.1 on behalf of any page that asks it to. Such a request is known by its `Origin`, which
//! names that page; every request that changes something has one. And a page whose name is made to point to
//! 127.0.0.1 after it was loaded (DNS rebinding) is known by its `Host`, which is that name.

use crate::refusal::Refusal;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names of this machine within itself.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// What the page may do: use what this server sends, and nothing else. The flat cube that the player shows where there is no
/// WebGL has styles in its elements.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
                           img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
                           frame-ancestors 'none'";

/// On every answer.
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Lets through what comes from this machine, and says in every answer what the page may do.
pub async fn guard(request: Request, next: Next) -> Response {
    let mut response = match check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(headers: &HeaderMap) -> Result<(), Refusal> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or("");
    if !is_own(host) {
        let error = format!("`{host}` is not a name of this server");
        return Err(Refusal::new(StatusCode::FORBIDDEN, error, "ask for 127.0.0.1 or localhost"));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            let error = format!("a page of `{origin}` may not use this server");
            Err(Refusal::new(StatusCode::FORBIDDEN, error, "use the page that the server itself shows"))
        }
        _ => Ok(()),
    }
}

/// Whether a host, with or without a port, is this machine.
fn is_own(host: &str) -> bool {
    let port = |name| host.strip_prefix(name).map(|rest| rest.strip_prefix(':').unwrap_or(rest));
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    OWN_NAMES.into_iter().filter_map(port).any(is_port)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_this_machine_pass() {
        for own in ["127.0.0.1:7217", "localhost:80", "localhost", "[::1]:7217"] {
            assert!(is_own(own), "{own}");
        }
        for other in ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:7217", "127.0.0.1:x", "::1"]
        {
            assert!(!is_own(other), "{other}");
        }
    }

    #[test]
    fn only_the_servers_own_page_passes() {
        let asked = |origin: &'static str| {
            let host = (header::HOST, HeaderValue::from_static("localhost:7217"));
            check(&HeaderMap::from_iter([host, (header::ORIGIN, HeaderValue::from_static(origin))])).is_ok()
        };
        assert!(asked("http://localhost:7217"));
        for other in ["http://localhost:3000", "https://localhost:7217", "http://evil.example", "null", ""] {
            assert!(!asked(other), "{other}");
        }
    }
}
