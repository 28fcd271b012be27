//! How much of the remaining work a lease holds.

use cosette::cube::Metric;
use std::time::Duration;

/// While the rate is unknown, before the first lease has ended, a lease holds this fraction of all the work: one part in so many, for
/// each of its threads divided by the number of all.
const FIRST_FRACTION: u64 = 64;

/// The sizes of leases.
#[derive(Clone, Copy, Debug)]
pub struct LeaseSizes {
    /// A lease that takes less is not worth its messages.
    pub min: Duration,
    /// A lease that takes more loses too much work when the job is killed, and holds on to tasks that no longer come first.
    pub max: Duration,
    /// A lease holds one part in so many of the remaining work, for each thread of its rank divided by the number of all.
    pub fraction: u64,
}

impl Default for LeaseSizes {
    fn default() -> LeaseSizes {
        LeaseSizes { min: Duration::from_millis(3), max: Duration::from_millis(200), fraction: 4 }
    }
}

/// A thread that has less to do in an iteration is not worth the messages.
const WORTH_A_THREAD: Duration = Duration::from_micros(100);

/// How long all threads together are likely to search an iteration, from the length of the last one and the time it took:
/// longer, as there are more canonical sequences.
pub fn expected_time((last, took): (u8, Duration), length: u8, metric: Metric) -> Option<Duration> {
    (last < length).then(|| took.mul_f64(metric.growth().powi((length - last).into())))
}

/// How much work a thread does in a given time, in the unit of [`cosette::search::distributed::Iteration::work_in_first`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rate {
    sizes: LeaseSizes,
    work: u64,
    time: Duration,
}

/// The expectation for a whole iteration weighs as much as this fraction of it that was searched: one part in this many.
const TRUST: u32 = 200;

impl Rate {
    /// The rate at which `work` takes one thread `time`, where that can be predicted.
    pub fn expecting(sizes: LeaseSizes, work: u64, time: Option<Duration>) -> Rate {
        let work = if time.is_some() { work / u64::from(TRUST) } else { 0 };
        Rate { sizes, work, time: time.unwrap_or_default() / TRUST }
    }

    /// Records a lease that was searched to its end.
    pub fn learn(&mut self, work: u64, time: Duration) {
        self.work += work;
        self.time += time;
    }

    fn work_within(&self, time: Duration) -> Option<u64> {
        let seconds = self.time.as_secs_f64();
        (seconds > 0.0).then(|| (self.work as f64 / seconds * time.as_secs_f64()) as u64)
    }

    /// The work that is dealt out first, of `all` the work.
    pub fn first_work(&self, all: u64, threads: usize) -> u64 {
        let most = self.work_within(self.sizes.max).map(|work| work.saturating_mul(threads as u64));
        all.min(most.unwrap_or(all / FIRST_FRACTION))
    }

    /// How many threads all the work is worth.
    pub fn most_threads(&self, all: u64) -> usize {
        self.work_within(WORTH_A_THREAD).map_or(usize::MAX, |work| all.div_ceil(work.max(1)) as usize)
    }

    /// The work for each thread in the next lease, while `left` of `all` the work remains.
    pub fn next_work(&self, (left, all): (u64, u64), threads: usize) -> u64 {
        let (threads, LeaseSizes { min, max, fraction }) = (threads as u64, self.sizes);
        let work = match (self.work_within(min), self.work_within(max)) {
            (Some(min), Some(max)) => (left / (fraction * threads)).clamp(min, max.max(min)),
            _ => all / (FIRST_FRACTION * threads),
        };
        work.max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_become_smaller_towards_the_end() {
        let mut rate = Rate::default();
        assert_eq!(rate.next_work((12_800, 12_800), 2), 100);
        rate.learn(1_000, Duration::from_secs(1));
        // A share of what is left, and neither more than 200 ms nor less than 3 ms.
        assert_eq!(rate.next_work((10_000, 12_800), 2), 200);
        assert_eq!(rate.next_work((800, 12_800), 2), 100);
        assert_eq!(rate.next_work((8, 12_800), 2), 3);
        assert_eq!(rate.next_work((0, 12_800), 2), 3);
    }

    #[test]
    fn the_rate_can_be_predicted() {
        let expecting = |seconds| Rate::expecting(LeaseSizes::default(), 12_800, seconds).next_work((8, 12_800), 2);
        assert_eq!(expecting(None), 100);
        assert_eq!(expecting(Some(Duration::from_millis(12_800))), 3);
    }
}
