//! Content negotiation by RFC 9110: the format of a response that a client prefers.

use crate::api_error::ApiError;
use axum::http::{HeaderMap, StatusCode, header};

/// The format of a response to a search or a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    /// Server-sent events.
    EventStream,
    /// One JSON object: the result.
    Json,
    /// The events as JSON lines.
    JsonLines,
}

/// The formats of a response to a search of one position; of equally preferred ones the first.
const RESULT_FORMATS: [ResponseFormat; 3] = [
    ResponseFormat::EventStream,
    ResponseFormat::Json,
    ResponseFormat::JsonLines,
];

/// The formats of a response that is a stream; of equally preferred ones the first.
const STREAM_FORMATS: [ResponseFormat; 2] =
    [ResponseFormat::EventStream, ResponseFormat::JsonLines];

impl ResponseFormat {
    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            ResponseFormat::EventStream => "text/event-stream",
            ResponseFormat::Json => "application/json",
            ResponseFormat::JsonLines => "application/x-ndjson",
        }
    }

    /// Returns the format of a response that may be only a result.
    ///
    /// # Errors
    ///
    /// Returns an error with status 406 if the client accepts no format.
    pub fn of_result(headers: &HeaderMap) -> Result<ResponseFormat, ApiError> {
        preferred(headers, &RESULT_FORMATS)
    }

    /// Returns the format of a response that is a stream.
    ///
    /// # Errors
    ///
    /// Returns an error with status 406 if the client accepts no stream.
    pub fn of_stream(headers: &HeaderMap) -> Result<ResponseFormat, ApiError> {
        preferred(headers, &STREAM_FORMATS)
    }
}

/// Returns the format that the client prefers: the one of the highest quality, of these the one
/// that is named most specifically, of these the first.
fn preferred(headers: &HeaderMap, formats: &[ResponseFormat]) -> Result<ResponseFormat, ApiError> {
    let values = headers.get_all(header::ACCEPT).iter();
    let accept: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    let ranges: Vec<MediaRange> = accept
        .iter()
        .flat_map(|value| value.split(','))
        .filter(|range| !range.trim().is_empty())
        .map(MediaRange::parse)
        .collect();
    if ranges.is_empty() {
        return Ok(formats[0]);
    }
    let preference = |format: &ResponseFormat| {
        let matching = ranges.iter().filter(|range| range.includes(*format));
        let range = matching.max_by_key(|range| range.specificity())?;
        (range.quality > 0).then(|| (range.quality, range.specificity()))
    };
    // Of equal ones, `max_by_key` returns the last.
    let best = formats.iter().rev().max_by_key(|format| preference(format));
    let best = best.filter(|format| preference(format).is_some());
    best.copied().ok_or_else(|| {
        let types: Vec<&str> = formats.iter().map(|format| format.media_type()).collect();
        ApiError::new(
            StatusCode::NOT_ACCEPTABLE,
            "the request accepts no format of this response",
            format!("accept one of: {}", types.join(", ")),
        )
    })
}

/// A range of media types in an `Accept` header, such as `text/*;q=0.5`.
struct MediaRange {
    /// The type and the subtype in lowercase; `*` includes all.
    name: String,
    /// The quality in thousandths.
    quality: u16,
}

impl MediaRange {
    /// Parses a range. A quality that is not a number is 0.
    fn parse(text: &str) -> MediaRange {
        let mut parts = text.split(';').map(str::trim);
        let name = parts.next().unwrap_or_default().to_ascii_lowercase();
        let quality = parts
            .filter_map(|parameter| parameter.split_once('='))
            .find(|(name, _)| name.eq_ignore_ascii_case("q"))
            .map_or(1.0, |(_, value)| value.parse().unwrap_or(0.0_f32));
        MediaRange {
            name,
            quality: (quality.clamp(0.0, 1.0) * 1000.0) as u16,
        }
    }

    fn includes(&self, format: ResponseFormat) -> bool {
        let own = format.media_type();
        let kind = self.name.strip_suffix("/*");
        kind.map_or(self.name == own, |kind| {
            kind == "*" || own.split_once('/').is_some_and(|own| own.0 == kind)
        })
    }

    /// Returns the number of parts that are not `*`.
    fn specificity(&self) -> usize {
        self.name.split('/').filter(|part| *part != "*").count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ResponseFormat::{EventStream, Json, JsonLines};

    #[test]
    fn the_preferred_format_is_that_of_rfc_9110() {
        for (accept, result, stream) in [
            ("", Some(EventStream), Some(EventStream)),
            ("*/*", Some(EventStream), Some(EventStream)),
            ("application/json", Some(Json), None),
            ("Application/JSON; charset=utf-8", Some(Json), None),
            (
                "application/json, text/plain, */*",
                Some(Json),
                Some(EventStream),
            ),
            (
                "application/json, text/event-stream",
                Some(EventStream),
                Some(EventStream),
            ),
            (
                "application/json;q=0.9, text/event-stream;q=0.1",
                Some(Json),
                Some(EventStream),
            ),
            (
                "text/event-stream;q=0.1, application/json",
                Some(Json),
                Some(EventStream),
            ),
            ("*/*, text/event-stream; Q=0", Some(Json), Some(JsonLines)),
            ("application/*", Some(Json), Some(JsonLines)),
            ("application/x-ndjson", Some(JsonLines), Some(JsonLines)),
            ("application/json;q=0", None, None),
            ("application/json;q=x", None, None),
            ("text/xml", None, None),
            ("text", None, None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT, accept.parse().unwrap());
            let found = [
                ResponseFormat::of_result(&headers),
                ResponseFormat::of_stream(&headers),
            ];
            assert_eq!(found.map(Result::ok), [result, stream], "{accept}");
        }
    }
}
