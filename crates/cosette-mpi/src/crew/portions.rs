//! How much of the work that is left a lease holds.

use std::time::Duration;

/// Where nobody knows how long the work takes, before the first lease is at its end, a lease holds this share of all, divided
/// by the number of threads.
const FIRST_SHARE: u64 = 64;

/// The sizes of leases.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// A lease that takes less is not worth its messages.
    pub least: Duration,
    /// A lease that takes more is lost for too long when the job is killed, and keeps its place in the order for too long.
    pub most: Duration,
    /// A lease holds this share of what is left, divided by the number of threads.
    pub share: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { least: Duration::from_millis(3), most: Duration::from_millis(200), share: 4 }
    }
}

/// How long the work takes that is measured in the unit of [`cosette::search::distributed::Iteration::work_in_first`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    sizes: Sizes,
    work: u64,
    time: Duration,
}

/// What was foretold of the whole counts as so much of it that was searched: one part in this many.
const TRUST: u32 = 200;

impl Pace {
    /// The pace of so much work, which is likely to take one thread so long, for leases of these sizes.
    pub fn expecting(sizes: Sizes, work: u64, time: Option<Duration>) -> Pace {
        let work = if time.is_some() { work / u64::from(TRUST) } else { 0 };
        Pace { sizes, work, time: time.unwrap_or_default() / TRUST }
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
        let (threads, Sizes { least, most, share }) = (threads as u64, self.sizes);
        let portion = match (self.work_within(least), self.work_within(most)) {
            (Some(least), Some(most)) => (left / (share * threads)).clamp(least, most.max(least)),
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
    }

    #[test]
    fn the_pace_can_be_foretold() {
        let expecting = |seconds| Pace::expecting(Sizes::default(), 12_800, seconds).portion((8, 12_800), 2);
        assert_eq!(expecting(None), 100);
        assert_eq!(expecting(Some(Duration::from_millis(12_800))), 3);
    }
}
