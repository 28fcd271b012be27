//! Parsing and formatting of tables, amounts of memory, times and other numbers.

use cosette::ThreadCount;
use cosette::cube::Metric;
pub use cosette::numbers::{counted, grouped};
use cosette::table::{TableId, TableSize, UnknownTable};
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Returns the mean of some values.
pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Returns the mean of a distribution; `counts[v]` is the number of cases with the value v.
pub fn mean_of_distribution(counts: &[u64]) -> f64 {
    let sum: f64 = counts
        .iter()
        .zip(0..)
        .map(|(&count, value)| count as f64 * f64::from(value))
        .sum();
    sum / counts.iter().sum::<u64>() as f64
}

/// A table by its size, `190M`, or by its full name, `htm-190M`.
#[derive(Clone, Copy, Debug)]
pub struct TableName {
    /// The metric, if the name includes it.
    pub metric: Option<Metric>,
    /// The size.
    pub size: TableSize,
}

impl FromStr for TableName {
    type Err = UnknownTable;

    fn from_str(name: &str) -> Result<TableName, UnknownTable> {
        let with_metric = || {
            name.parse().map(|TableId { metric, size }| TableName {
                metric: Some(metric),
                size,
            })
        };
        name.parse()
            .map(|size| TableName { metric: None, size })
            .or_else(|_: UnknownTable| with_metric())
    }
}

/// A table to solve with; `None` for `auto`. The alias exists because clap treats an `Option` as an
/// optional argument.
pub type TableChoice = Option<TableName>;

/// Parses a choice of a table.
///
/// # Errors
///
/// Returns [`UnknownTable`] if there is no table of this name.
pub fn table_choice(name: &str) -> Result<TableChoice, UnknownTable> {
    if name == "auto" {
        Ok(None)
    } else {
        name.parse().map(Some)
    }
}

/// Parses a number of seconds: `60`, `0.5`, `60s`.
///
/// # Errors
///
/// Returns a message with the accepted forms.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).trim_end();
    let seconds = number
        .parse()
        .ok()
        .filter(|seconds: &f64| seconds.is_finite() && *seconds >= 0.0);
    let seconds = seconds.ok_or("write a non-negative number of seconds, such as 60 or 0.5")?;
    // A time beyond the range of the clock means no limit.
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Parses a whole number in a range. The error message names the range.
pub fn whole_number<T: FromStr>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    let error = match range.clone().into_inner() {
        (0, u64::MAX) => "write a whole number from 0 to 2^64 - 1".to_owned(),
        (min, u64::MAX) => format!("write a whole number of at least {min}"),
        (min, max) => format!("write a whole number from {min} to {max}"),
    };
    move |text| {
        let is_in_range = text.parse().is_ok_and(|number| range.contains(&number));
        let number = text.parse().ok().filter(|_| is_in_range);
        number.ok_or_else(|| error.clone())
    }
}

/// Parses the length of a solution. Lengths beyond any solution are clamped to 255.
///
/// # Errors
///
/// Returns a message with the accepted form.
pub fn length(text: &str) -> Result<u8, String> {
    let length = whole_number::<u64>(0..=u64::MAX)(text)
        .map_err(|_| "write a number of moves, such as 18")?;
    Ok(u8::try_from(length).unwrap_or(u8::MAX))
}

/// Parses a number of threads.
///
/// # Errors
///
/// Returns a message with the accepted range.
pub fn threads(text: &str) -> Result<ThreadCount, String> {
    let limit = ThreadCount::limit();
    let number: u64 = whole_number(1..=u64::MAX)(text)
        .map_err(|_| format!("write a number of threads from 1 to {limit}"))?;
    ThreadCount::new(usize::try_from(number).unwrap_or(usize::MAX))
        .map_err(|error| error.to_string())
}

/// Minimum number of bytes; a smaller number probably lacks its unit.
const MIN_BYTES: f64 = 1000.0;

/// Parses a number of bytes: `2G`, `500M`, `1.5GB`, `2GiB`.
///
/// # Errors
///
/// Returns a message with the accepted forms.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || Err("write a number with a unit, such as 2G or 500M".to_owned());
    let unit_start = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_start);
    let unit = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1_000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000u64,
        "KIB" => 1 << 10,
        "MIB" => 1 << 20,
        "GIB" => 1 << 30,
        _ => return wrong(),
    };
    match number.parse::<f64>().map(|number| number * unit as f64) {
        Ok(bytes) if bytes >= MIN_BYTES => Ok(bytes as u64),
        _ => wrong(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_and_whole_names() {
        let name: TableName = "QTM-1.5g".parse().unwrap();
        assert_eq!((name.metric, name.size.name()), (Some(Metric::Qtm), "1.5G"));
        assert!("190M".parse::<TableName>().unwrap().metric.is_none());
        assert!("htm190M".parse::<TableName>().is_err());
    }
}
