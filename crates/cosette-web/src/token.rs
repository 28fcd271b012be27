//! The token, which keeps other users of the machine out: whoever can connect to the port must also know it.
//!
//! The printed address contains the token. Each request for that address sets a cookie and is redirected to the page
//! without the token, so the token stays out of the address bar, bookmarks and the history. Scripts cannot read the
//! cookie, and requests that other sites cause do not carry it. Programs send the token as `Authorization: Bearer` instead.
//! It appears in no log: the address is printed on standard output, and a token that the user chose is not printed at all.

use crate::api_error::ApiError;
use crate::connections::Admission;
use axum::extract::{Query, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use cosette_app::random;
use rand::RngExt;
use std::fmt;
use std::hint::black_box;
use std::str::FromStr;
use std::sync::Arc;

/// The path of the API.
pub const API: &str = "/api/v1";

/// The environment variable that chooses the token.
pub const TOKEN_VARIABLE: &str = "COSETTE_TOKEN";

/// The fewest characters of a token that the user chooses.
const SHORTEST: usize = 8;

/// What every request must know. Its text is never part of a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A token of 128 random bits of the operating system.
    pub fn random() -> Token {
        Token(format!("{:032x}", random::system().random::<u128>()))
    }

    /// The token as text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Whether a text is the token. The time it takes depends only on the lengths of both.
    fn is(&self, text: &str) -> bool {
        let pairs = self.0.bytes().zip(text.bytes());
        let difference = pairs.fold(0, |difference, (ours, theirs)| black_box(difference | (ours ^ theirs)));
        self.0.len() == text.len() && difference == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromStr for Token {
    type Err = String;

    fn from_str(text: &str) -> Result<Token, String> {
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        if text.len() >= SHORTEST && text.chars().all(is_allowed) {
            Ok(Token(text.to_owned()))
        } else {
            Err(format!("a token has at least {SHORTEST} letters, digits, dots, hyphens and underscores"))
        }
    }
}

/// What a request must show.
#[derive(Debug)]
pub struct Access {
    token: Option<Token>,
    cookie: String,
}

impl Access {
    /// Requires this token, or none. Browsers do not keep the cookies of different ports apart, so the name of the cookie
    /// contains the port.
    pub fn new(token: Option<Token>, port: u16) -> Access {
        Access { token, cookie: format!("cosette-{port}") }
    }

    /// Whether a request has the token in its cookie or in its `Authorization`.
    fn is_shown_by(&self, request: &Parts, token: &Token) -> bool {
        let values = |name| request.headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        let bearer = values(header::AUTHORIZATION).filter_map(|value| {
            let (scheme, text) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case("bearer").then_some(text.trim())
        });
        let cookies = values(header::COOKIE).flat_map(|value| value.split(';')).filter_map(|cookie| {
            let (name, text) = cookie.trim().split_once('=')?;
            (name == self.cookie).then_some(text)
        });
        bearer.chain(cookies).any(|text| token.is(text))
    }

    /// The response to the printed address: the cookie, and the way to the page, with the position if there is one in the
    /// address.
    fn enter(&self, token: &Token, request: &Parts) -> Response {
        let parameters = request.uri.query().unwrap_or_default().split('&');
        let kept: Vec<&str> = parameters.filter(|parameter| !parameter.starts_with("token=")).collect();
        let location = if kept.is_empty() { "/".to_owned() } else { format!("/?{}", kept.join("&")) };

        let cookie = format!("{}={}; HttpOnly; SameSite=Strict; Path=/", self.cookie, token.text());
        let headers =
            [(header::SET_COOKIE, &*cookie), (header::LOCATION, &*location), (header::CACHE_CONTROL, "no-store")];
        (StatusCode::SEE_OTHER, headers).into_response()
    }
}

/// The token in the address of the page. Blanks around it, which keyboards of phones add, do not count.
fn token_in_address(request: &Parts) -> Option<&str> {
    let is_page = request.uri.path() == "/" && matches!(request.method, Method::GET | Method::HEAD);
    let query = request.uri.query().filter(|_| is_page)?;
    let token = query.split('&').find_map(|parameter| parameter.strip_prefix("token="))?;
    Some(token.trim_matches('+'))
}

/// Refuses requests without the token.
pub async fn check(State(access): State<Arc<Access>>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    if let Some(token) = &access.token {
        if token_in_address(&parts).is_some_and(|text| token.is(text)) {
            return access.enter(token, &parts);
        }
        if !access.is_shown_by(&parts, token) {
            return refusal(&parts);
        }
    }
    if let Some(admission) = parts.extensions.get::<Admission>() {
        admission.grant();
    }
    next.run(Request::from_parts(parts, body)).await
}

/// The response to a request without the token: JSON from the API, a form for the token elsewhere.
fn refusal(request: &Parts) -> Response {
    let mut response = if request.uri.path().starts_with(API) {
        let help = format!(
            "send `Authorization: Bearer TOKEN`, with the token from the address that cosette-web \
             printed or from {TOKEN_VARIABLE}; for the page, open that address again"
        );
        ApiError::new(StatusCode::UNAUTHORIZED, "the token is missing or wrong", help).into_response()
    } else {
        (StatusCode::UNAUTHORIZED, [(header::CACHE_CONTROL, "no-store")], Html(form(request))).into_response()
    };
    response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    response
}

/// A form for the token. It keeps the position in the address, as of a link, and its options.
fn form(request: &Parts) -> String {
    let parameters =
        Query::<Vec<(String, String)>>::try_from_uri(&request.uri).map(|Query(all)| all).unwrap_or_default();
    let kept = parameters.iter().filter(|(name, _)| name != "token");
    let hidden = kept.map(|(name, value)| {
        format!("<input type=\"hidden\" name=\"{}\" value=\"{}\">", escaped(name), escaped(value))
    });
    FORM.replace("<input ", &(hidden.collect::<String>() + "<input "))
}

/// A text as part of an HTML attribute.
fn escaped(text: &str) -> String {
    let entity = |symbol: char| match symbol {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        other => other.to_string(),
    };
    text.chars().map(entity).collect()
}

/// The style sheets of the page need the token, so the form has attributes.
const FORM: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>Cosette</title>\
     <body style=\"margin: 2rem auto; max-width: 30rem; padding: 0 1rem; font: 1.1rem/1.5 sans-serif\">\
     <p>The token is missing or wrong. Open the address that cosette-web printed, or enter its token:\
     <form action=\"/\"><input name=\"token\" aria-label=\"Token\" autocomplete=\"off\" autocapitalize=\"off\" \
     spellcheck=\"false\" style=\"font: inherit; width: 100%; box-sizing: border-box; padding: 0.5rem\" autofocus>\
     <p><button style=\"font: inherit; padding: 0.5rem 1.5rem\">Open</button></form></html>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_whole() {
        let token: Token = "correct-token".parse().unwrap();
        assert!(token.is("correct-token"));
        for other in ["", "correct", "correct-token ", "correct-tokem", "Correct-token", "correct-token-correct-token"]
        {
            assert!(!token.is(other), "{other}");
        }
    }

    #[test]
    fn random_tokens_are_long_and_differ() {
        let [first, second] = [Token::random(), Token::random()];
        assert_ne!(first, second);
        assert_eq!(first.text().len(), 32);
        assert_eq!(first.text().parse(), Ok(first.clone()));
    }

    #[test]
    fn a_token_has_only_characters_that_addresses_and_cookies_keep() {
        for refused in ["", "short", "with space", "with;semicolon", "with%25percent", "with&and=is", "schlüssel"] {
            assert!(refused.parse::<Token>().is_err(), "{refused}");
        }
    }

    #[test]
    fn a_log_does_not_show_the_token() {
        let token: Token = "correct-token".parse().unwrap();
        assert!(!format!("{:?}", Access::new(Some(token), 80)).contains("correct-token"));
    }
}
