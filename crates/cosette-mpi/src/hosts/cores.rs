//! The cores of a host, and which of them its ranks may run on. Batch systems and `mpirun` bind ranks to cores.

use std::collections::BTreeSet;
use std::fs;

/// The cores that this process may run on, as in `0-3,8`; empty if the system does not say.
pub fn allowed() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap_or_default().trim().to_owned()
}

/// How many cores the host has, if the system says.
pub fn of_host() -> Option<usize> {
    Some(parse_list(fs::read_to_string("/sys/devices/system/cpu/online").ok()?.trim())?.len())
}

/// The cores in a list such as `0-3,8`.
pub fn parse_list(list: &str) -> Option<BTreeSet<usize>> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last]: [usize; 2] = [first.parse().ok()?, last.parse().ok()?];
        (first <= last).then_some(first..=last)
    };
    let ranges: Vec<_> = list.split(',').map(range).collect::<Option<_>>()?;
    Some(ranges.into_iter().flatten().collect())
}

/// Runs `work` with this thread, and those it starts, allowed on these cores, whatever it is bound to. It stays where it is bound
/// if the system refuses.
#[cfg(target_os = "linux")]
pub fn run_on<T>(cores: &BTreeSet<usize>, work: impl FnOnce() -> T) -> T {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let bound = sched_getaffinity(None);
    let mut all = CpuSet::new();
    cores.iter().filter(|&&core| core < CpuSet::MAX_CPU).for_each(|&core| all.set(core));
    let is_widened = bound.is_ok() && sched_setaffinity(None, &all).is_ok();
    let done = work();
    if let (true, Ok(bound)) = (is_widened, bound)
        && let Err(refused) = sched_setaffinity(None, &bound)
    {
        tracing::warn!(%refused, "this rank is no longer bound to its cores");
    }
    done
}

/// Other systems do not bind ranks.
#[cfg(not(target_os = "linux"))]
pub fn run_on<T>(_: &BTreeSet<usize>, work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(parse_list("0-2,8"), Some(BTreeSet::from([0, 1, 2, 8])));
        assert_eq!(parse_list("7"), Some(BTreeSet::from([7])));
        assert_eq!(parse_list(""), None);
        assert_eq!(parse_list("3-1"), None);
        assert!(of_host().is_none_or(|cores| cores > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn work_runs_on_all_cores_and_then_on_its_own_again() {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let all = sched_getaffinity(None).unwrap();
        let cores: BTreeSet<usize> = (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core)).collect();
        let mut one = CpuSet::new();
        one.set(*cores.first().unwrap());
        sched_setaffinity(None, &one).unwrap();
        let inside = run_on(&cores, || std::thread::spawn(|| sched_getaffinity(None).unwrap().count()).join().unwrap());
        assert_eq!((inside as usize, sched_getaffinity(None).unwrap().count()), (cores.len(), 1));
    }
}
