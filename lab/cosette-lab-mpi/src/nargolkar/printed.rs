//! The times that the thesis prints, and what follows from them.

/// A row of a table: the depth, the times of its configurations, and the mean as printed.
pub struct Times {
    pub depth: u8,
    pub times: &'static [f64],
    pub mean: f64,
}

/// Table 5.1: the sequential program, in seconds.
pub const SECONDS: [Times; 6] = [
    Times { depth: 12, times: &[103.0, 101.0, 101.0, 102.0, 100.0], mean: 101.3 },
    Times { depth: 14, times: &[100.0, 103.0, 104.0, 100.0, 100.0], mean: 101.4 },
    Times { depth: 15, times: &[103.0, 104.0, 100.0, 100.0, 101.0], mean: 101.6 },
    Times { depth: 16, times: &[99.0, 101.0, 100.0, 99.0, 100.0], mean: 99.8 },
    Times { depth: 17, times: &[315.0, 104.0, 104.0, 118.0, 114.0], mean: 151.0 },
    Times { depth: 18, times: &[379.0, 166.0, 157.0, 155.0, 142.0], mean: 199.8 },
];

/// Table 5.2: the sequential program, in minutes.
pub const MINUTES: [Times; 4] = [
    Times { depth: 19, times: &[17.38, 5.28, 3.71, 9.56, 3.95], mean: 7.12 },
    Times { depth: 20, times: &[3.23, 36.48, 88.53, 255.0, 236.0], mean: 123.85 },
    Times { depth: 21, times: &[32.51, 223.6, 27.05, 277.36, 464.61], mean: 205.03 },
    Times { depth: 22, times: &[97.66, 676.16], mean: 386.91 },
];

/// Table 5.3: eight processors, in minutes.
pub const MINUTES_ON_EIGHT: [Times; 4] = [
    Times { depth: 19, times: &[8.38, 2.36, 2.08, 1.68, 3.86], mean: 3.38 },
    Times { depth: 20, times: &[1.93, 19.48, 47.2, 124.93, 107.5], mean: 60.24 },
    Times { depth: 21, times: &[24.2, 160.64, 3.13, 180.06, 213.93], mean: 116.39 },
    Times { depth: 22, times: &[307.5], mean: 307.05 },
];

/// Table 5.4: the superflip, by number of processors, in hours.
pub const SUPERFLIP_HOURS: [(usize, f64); 5] =
    [(1, 51.94972), (2, 43.63417), (4, 40.55639), (6, 27.87778), (8, 22.23417)];

/// What the generation of the table takes, in minutes: the flat 100 seconds of Table 5.1.
pub const GENERATION: f64 = 100.0 / 60.0;

/// The run of appendix B: the limit, the processor that ended it, and when, in seconds, where it says so.
pub const RUN: [(u8, usize, Option<f64>); 8] = [
    (12, 0, None),
    (13, 1, Some(108.932165)),
    (14, 0, None),
    (15, 1, Some(109.466568)),
    (16, 0, None),
    (17, 1, Some(143.674447)),
    (18, 0, None),
    (19, 1, Some(414.972172)),
];

/// When its search begins, in seconds.
pub const BEGIN: f64 = 108.921634;

/// How many nodes a second one of her processors generates: limit 17q follows 15q on the same one.
pub fn rate(nodes_of_17: u64) -> f64 {
    nodes_of_17 as f64 / (143.674447 - 109.466568)
}

impl Times {
    pub fn true_mean(&self) -> f64 {
        self.times.iter().sum::<f64>() / self.times.len() as f64
    }

    /// Whether the printed mean is that of the printed times, as far as its digits go.
    pub fn is_right(&self, digit: f64) -> bool {
        (self.true_mean() - self.mean).abs() <= 0.5001 * digit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_means_are_wrong() {
        let wrong = |rows: &[Times], digit| -> Vec<(u8, f64)> {
            rows.iter().filter(|row| !row.is_right(digit)).map(|row| (row.depth, row.mean)).collect()
        };
        assert_eq!(wrong(&SECONDS, 0.1), [(12, 101.3)]);
        assert_eq!(wrong(&MINUTES, 0.01), [(19, 7.12)]);
        assert_eq!(wrong(&MINUTES_ON_EIGHT, 0.01), [(19, 3.38), (20, 60.24), (22, 307.05)]);
        assert!((SECONDS[0].true_mean() - 101.4).abs() < 1e-9 && (MINUTES[0].true_mean() - 7.976).abs() < 1e-9);
        let on_eight = [MINUTES_ON_EIGHT[0].true_mean(), MINUTES_ON_EIGHT[1].true_mean()];
        assert!((on_eight[0] - 3.672).abs() < 1e-9 && (on_eight[1] - 60.208).abs() < 1e-9);
    }

    #[test]
    fn her_processors_generate_one_and_a_half_million_nodes_a_second() {
        assert!((rate(50_023_079) / 1e6 - 1.462).abs() < 0.001);
    }
}
