//! How tables, amounts of memory and times are written.

use cosette::cube::Metric;
use cosette::table::{TableSize, UnknownTable};
use std::str::FromStr;
use std::time::Duration;

/// A table by its size, `240M`, or by its full name, `htm-240M`.
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
        let of = |metric: Metric| name.strip_prefix(metric.name())?.strip_prefix('-').map(|size| (metric, size));
        match Metric::ALL.into_iter().find_map(of) {
            Some((metric, size)) => Ok(TableName { metric: Some(metric), size: size.parse()? }),
            None => Ok(TableName { metric: None, size: name.parse()? }),
        }
    }
}

/// A table to solve with; `None` for `auto`. It has its own name because clap takes an `Option` for an argument that may be
/// missing.
pub type TableChoice = Option<TableName>;

/// Reads a choice of a table. Fails if there is no table of this name.
pub fn table_choice(name: &str) -> Result<TableChoice, UnknownTable> {
    if name == "auto" { Ok(None) } else { name.parse().map(Some) }
}

/// Reads a number of seconds: `60`, `0.5`. The error says what to write instead.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "write a number of seconds, as in 60 or 0.5")?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// Reads a number of bytes: `2G`, `500M`, `1.5GB`, `2GiB`. The error says what to write instead.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" | "KB" => 1_000,
        "M" | "MB" => 1_000_000,
        "G" | "GB" => 1_000_000_000,
        "T" | "TB" => 1_000_000_000_000u64,
        "KIB" => 1 << 10,
        "MIB" => 1 << 20,
        "GIB" => 1 << 30,
        _ => return Err("write a number and a unit, as in 2G or 500M".into()),
    };
    match number.parse::<f64>() {
        Ok(number) => Ok((number * unit as f64) as u64),
        Err(_) => Err("write a number and a unit, as in 2G or 500M".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal_unless_they_say_otherwise() {
        assert_eq!(bytes("2G"), Ok(2_000_000_000));
        assert_eq!(bytes("1.5 GB"), Ok(1_500_000_000));
        assert_eq!(bytes("64MiB"), Ok(64 << 20));
        assert_eq!(bytes("4096"), Ok(4096));
        for wrong in ["", "G", "2X", "-2G", "1.2.3M"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tables_have_short_and_whole_names() {
        let name: TableName = "qtm-2g".parse().unwrap();
        assert_eq!((name.metric, name.size.name()), (Some(Metric::Qtm), "2G"));
        assert!("240M".parse::<TableName>().unwrap().metric.is_none());
        assert!("htm240M".parse::<TableName>().is_err());
    }
}
