//! Names of metrics and formats in requests.

use cosette::cube::{Format, Metric};
use serde::Deserialize;
use utoipa::ToSchema;

/// What counts as one move.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MetricName {
    /// Any turn of a face.
    #[default]
    Htm,
    /// A quarter turn.
    Qtm,
}

impl From<MetricName> for Metric {
    fn from(name: MetricName) -> Metric {
        match name {
            MetricName::Htm => Metric::Htm,
            MetricName::Qtm => Metric::Qtm,
        }
    }
}

/// A text format of positions.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FormatName {
    /// Moves that lead from the solved cube to the position.
    Moves,
    /// 54 facelets.
    Facelets,
    /// Reid's twenty pieces.
    Reid,
    /// Speffz cycles.
    Speffz,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Format {
        match name {
            FormatName::Moves => Format::Moves,
            FormatName::Facelets => Format::Facelets,
            FormatName::Reid => Format::Reid,
            FormatName::Speffz => Format::Speffz,
        }
    }
}
