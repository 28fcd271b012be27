//! How much of the work that is left a lease holds.

use std::time::Duration;

/// A lease that takes less is not worth its messages.
const LEAST: Duration = Duration::from_millis(3);
/// A lease that takes more is lost for too long when the job is killed, and keeps its place in the order for too long.
const MOST: Duration = Duration::from_millis(200);
/// A lease holds this share of what is left, divided by the number of threads.
const SHARE: u64 = 4;
/// Where nobody knows how long the work takes, before the first lease is at its end, a lease holds this share of all, divided
/// by the number of threads.
const FIRST_SHARE: u64 = 64;

/// How long the work takes that is measured in the unit of [`cosette::search::Iteration::work_in_first`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    work: u64,
    time: Duration,
}

/// What was foretold of the whole counts as so much of it that was searched: one part in this many.
const TRUST: u32 = 200;

impl Pace {
    /// The pace where all the work is likely to take so long.
    pub fn expecting(work: u64, time: Option<Duration>) -> Pace {
        let trust = |time: Duration| Pace { work: work / u64::from(TRUST), time: time / TRUST };
        time.map(trust).unwrap_or_default()
    }

    /// Takes note of a lease that was searched to its end.
    pub fn learn(&mut self, work: u64, time: Duration) {
        self.work += work;
        self.time += time;
    }

    fn work_within(&self, time: Duration) -> Option<u64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| (self.work as f64 / seconds * time.as_secs_f64()) as u64)
    }

    /// The work for the next lease, where so much is left of all.
    pub fn portion(&self, (left, all): (u64, u64), threads: usize) -> u64 {
        let threads = threads as u64;
        let portion = match (self.work_within(LEAST), self.work_within(MOST)) {
            (Some(least), Some(most)) => (left / (SHARE * threads)).clamp(least, most.max(least)),
            _ => all / (FIRST_SHARE * threads),
        };
        portion.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_become_smaller_towards_the_end() {
        let mut pace = Pace::default();
        assert_eq!(pace.portion((12_800, 12_800), 2), 100);
        pace.learn(1_000, Duration::from_secs(1));
        // A share of what is left, and neither more than 200 ms nor less than 3 ms.
        assert_eq!(pace.portion((10_000, 12_800), 2), 200);
        assert_eq!(pace.portion((800, 12_800), 2), 100);
        assert_eq!(pace.portion((8, 12_800), 2), 3);
        assert_eq!(pace.portion((0, 12_800), 2), 3);
        // Foretold: 12.8 s, so 10 ms for ten units.
        assert_eq!(Pace::expecting(12_800, Some(Duration::from_millis(12_800))).portion((8, 12_800), 2), 3);
    }
}
