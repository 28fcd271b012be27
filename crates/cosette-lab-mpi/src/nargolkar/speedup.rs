//! What several processors gain.

/// What several processors gain over one. Nodes on the critical path may stand for times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// How many times faster: the time on one divided by the time on several.
    pub speedup: f64,
    /// The share of the processors that was useful: the speedup divided by their number.
    pub efficiency: f64,
    /// The serial fraction e = (1/S − 1/p) / (1 − 1/p), determined experimentally (A. H. Karp and H. P. Flatt,
    /// "Measuring parallel processor performance", CACM 33, 1990); undefined for one processor.
    pub serial_fraction: Option<f64>,
}

impl Gain {
    /// The gain of these processors, if both times are positive.
    pub fn of(processors: usize, on_one: f64, on_several: f64) -> Option<Gain> {
        if !(on_one > 0.0 && on_several > 0.0) || processors == 0 {
            return None;
        }
        let (p, speedup) = (processors as f64, on_one / on_several);
        let serial_fraction = (processors > 1).then(|| (1.0 / speedup - 1.0 / p) / (1.0 - 1.0 / p));
        Some(Gain { speedup, efficiency: speedup / p, serial_fraction })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serial_fraction(processors: usize, on_one: f64, on_several: f64) -> f64 {
        Gain::of(processors, on_one, on_several).and_then(|gain| gain.serial_fraction).expect("several processors")
    }

    #[test]
    fn the_serial_fraction_is_that_of_karp_and_flatt() {
        // Perfectly parallel work has none, work that gains nothing is all serial.
        assert!(serial_fraction(8, 8.0, 1.0).abs() < 1e-12);
        assert!((serial_fraction(8, 8.0, 8.0) - 1.0).abs() < 1e-12);
        // A tenth serial on four processors: 0.1 + 0.9 / 4 of the time (Amdahl).
        assert!((serial_fraction(4, 1.0, 0.1 + 0.9 / 4.0) - 0.1).abs() < 1e-12);
        // More than linear: negative.
        assert!(serial_fraction(2, 3.0, 1.0) < 0.0);
    }

    #[test]
    fn speedup_and_efficiency() {
        let gain = Gain::of(4, 10.0, 4.0).expect("times");
        assert_eq!((gain.speedup, gain.efficiency), (2.5, 0.625));
        assert_eq!(Gain::of(1, 10.0, 10.0).expect("times").serial_fraction, None);
        assert_eq!(Gain::of(2, 10.0, 0.0), None);
        assert_eq!(Gain::of(0, 10.0, 1.0), None);
    }
}
