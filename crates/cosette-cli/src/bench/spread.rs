//! The middle of several runs, and how far they lie apart.

use super::rounded;
use serde::Serialize;
use std::fmt;

/// The median, the least and the greatest of several figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// That of these figures, of which there must be one at least.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Spread {
        let mut figures: Vec<f64> = figures.into_iter().map(rounded).collect();
        figures.sort_by(f64::total_cmp);
        let [below, above] = [(figures.len() - 1) / 2, figures.len() / 2].map(|at| figures[at]);
        Spread { median: rounded((below + above) / 2.0), min: figures[0], max: figures[figures.len() - 1] }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(3);
        let Spread { median, min, max } = self;
        write!(f, "{median:.digits$} ({min:.digits$} to {max:.digits$})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_stands_in_the_middle() {
        assert_eq!(Spread::of([3.0, 1.0, 2.0]), Spread { median: 2.0, min: 1.0, max: 3.0 });
        assert_eq!(Spread::of([4.0, 1.0]), Spread { median: 2.5, min: 1.0, max: 4.0 });
        assert_eq!(format!("{:.1}", Spread::of([7.0])), "7.0 (7.0 to 7.0)");
    }

    #[test]
    fn figures_are_kept_to_five_digits_or_whole() {
        assert_eq!(rounded(0.012345678), 0.012346);
        assert_eq!(rounded(1_234_567.8), 1_234_568.0);
        assert_eq!(rounded(0.0), 0.0);
    }
}
