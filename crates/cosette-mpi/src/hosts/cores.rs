//! The cores that a rank may run on.

use std::fs;

/// The list of them, as in `0-3,8`; empty if the system does not say. Batch systems and `mpirun` bind ranks to cores.
pub fn allowed() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap_or_default().trim().to_owned()
}

/// How many cores the host has, if the system says.
pub fn of_host() -> Option<usize> {
    count(fs::read_to_string("/sys/devices/system/cpu/online").ok()?.trim())
}

/// The number of cores in a list such as `0-3,8`.
fn count(list: &str) -> Option<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last]: [usize; 2] = [first.parse().ok()?, last.parse().ok()?];
        (last + 1).checked_sub(first)
    };
    list.split(',').map(range).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cores_are_counted() {
        assert_eq!(count("0-3,8"), Some(5));
        assert_eq!(count("7"), Some(1));
        assert_eq!(count(""), None);
        assert_eq!(count("3-1"), None);
        assert!(of_host().is_none_or(|cores| cores > 0));
    }
}
