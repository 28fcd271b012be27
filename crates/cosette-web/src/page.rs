//! The web app, embedded in the program from `ui/dist` at build time.

use axum::extract::Query;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

/// The command that builds the bundle.
pub const BUILD_COMMAND: &str = "npm --prefix crates/cosette-web/ui run bundle";

#[derive(RustEmbed)]
#[folder = "ui/dist"]
#[allow_missing = true]
struct Bundle;

/// Returns `true` if the program was built with the web app.
pub fn is_embedded() -> bool {
    Bundle::get("index.html").is_some()
}

/// Responds with a file of the web app.
pub async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Bundle::get(path) else {
        return if path == "index.html" {
            without_bundle()
        } else {
            (StatusCode::NOT_FOUND, Html(NOT_FOUND)).into_response()
        };
    };
    let hash: String = file.metadata.sha256_hash()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{hash}\"");
    // Vite puts a hash in the names of the files it generates; the content of other files may
    // change.
    let caching = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let cache_headers = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, caching.to_owned()),
    ];
    if headers
        .get(header::IF_NONE_MATCH)
        .is_some_and(|cached_tag| cached_tag.as_bytes() == tag.as_bytes())
    {
        return (StatusCode::NOT_MODIFIED, cache_headers).into_response();
    }
    let content_type = [(header::CONTENT_TYPE, file.metadata.mimetype().to_owned())];
    (cache_headers, content_type, file.data).into_response()
}

const NOT_FOUND: &str =
    "<!doctype html><title>Cosette</title><p>Page not found. <a href=\"/\">Go to Cosette</a>.";

/// Returns the response of a program that was built without the bundle.
fn without_bundle() -> Response {
    let page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Cosette</title>\
         <p>This cosette-web was built without the web app. In the project folder,\
         <pre>{BUILD_COMMAND}\ncargo run --release -p cosette-web</pre>\
         <p>builds it and starts the server. The HTTP API works without it: see\
         <a href=\"/api/v1/openapi.json\">/api/v1/openapi.json</a>.</html>\n"
    );
    (StatusCode::SERVICE_UNAVAILABLE, Html(page)).into_response()
}

/// Returns a form for the token. It preserves the position and the options in the address, e.g. of
/// a link. It is styled with attributes, because requests for the style sheets need the token.
pub fn token_form(uri: &Uri) -> String {
    let parameters = Query::<Vec<(String, String)>>::try_from_uri(uri)
        .map(|Query(all)| all)
        .unwrap_or_default();
    let other_parameters = parameters.iter().filter(|(name, _)| name != "token");
    let hidden_inputs = other_parameters.map(|(name, value)| {
        format!(
            "<input type=\"hidden\" name=\"{}\" value=\"{}\">",
            escaped(name),
            escaped(value)
        )
    });
    // Only the path `/` accepts a token. There, the form has no action, which preserves the
    // fragment of a link.
    let form = match uri.path() {
        "/" => include_str!("token_form.html").to_owned(),
        _ => include_str!("token_form.html").replace("<form ", "<form action=\"/\" "),
    };
    let form = match parameters.iter().any(|(name, _)| name == "token") {
        true => {
            let wrong = "<p role=\"alert\" id=\"refused\" style=\"margin: 0 0 1rem; color: \
                light-dark(#b3261e, #ff8a80); font-weight: 600\">That token is wrong.</p>";
            let field = "aria-invalid=\"true\" aria-describedby=\"refused\" aria-label";
            form.replace("<p ", &format!("{wrong}<p "))
                .replace("aria-label", field)
        }
        false => form,
    };
    // The parameters are inserted last, so that the replacements above do not change them.
    form.replace("<input ", &(hidden_inputs.collect::<String>() + "<input "))
}

/// Escapes a text for an HTML attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
