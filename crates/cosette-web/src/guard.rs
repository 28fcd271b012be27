//! Which clients may use the server: programs on this machine, and its own page.
//!
//! A browser sends requests to 127.0.0.1 on behalf of any page. Such a request is recognised by its `Origin`, which names that
//! page; every request that changes something has one. A page whose name is changed to point to 127.0.0.1 after it was
//! loaded (DNS rebinding) is recognised by its `Host`, which is that name.

use crate::api_error::ApiError;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names of this machine on its own loopback interface.
const OWN_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

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

/// Refuses requests that do not come from this machine, and adds the security headers to every response.
pub async fn guard(request: Request, next: Next) -> Response {
    let mut response = match check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or("");
    if !is_own(host) {
        let error = format!("`{host}` is not a name of this server");
        return Err(ApiError::new(StatusCode::FORBIDDEN, error, "use 127.0.0.1 or localhost"));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => {
            let error = format!("a page of `{origin}` may not use this server");
            Err(ApiError::new(StatusCode::FORBIDDEN, error, "use the page that this server shows"))
        }
        _ => Ok(()),
    }
}

/// Whether a host, with or without a port, names this machine.
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
        let is_allowed = |origin: &'static str| {
            let host = (header::HOST, HeaderValue::from_static("localhost:7217"));
            check(&HeaderMap::from_iter([host, (header::ORIGIN, HeaderValue::from_static(origin))])).is_ok()
        };
        assert!(is_allowed("http://localhost:7217"));
        for other in ["http://localhost:3000", "https://localhost:7217", "http://evil.example", "null", ""] {
            assert!(!is_allowed(other), "{other}");
        }
    }
}
