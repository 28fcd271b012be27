//! The startup handshake between ranks: version, table and CPU affinity.
//!
//! A greeting is a JSON object that every version of this program must understand: fields are
//! added, never renamed or removed, and a program ignores unknown fields.

use cosette_app::cli::args::SolverArgs;
use cosette_app::cli::failure::{ErrorReport, Exit};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs;

/// The version of the messages between ranks, raised whenever they change.
const PROTOCOL: u32 = 4;

/// The greeting of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Handshake {
    /// The version of the program.
    pub version: String,
    /// The version of its messages.
    pub protocol: u32,
    /// The name of the host.
    pub host: String,
    /// The metric.
    pub metric: String,
    /// The requested table; `None` if the program chooses.
    pub table: Option<String>,
    /// The cores that the rank may run on.
    pub cores: String,
}

impl Handshake {
    /// Returns the greeting of this rank.
    pub fn of_this(args: &SolverArgs) -> Handshake {
        Handshake {
            version: env!("CARGO_PKG_VERSION").into(),
            protocol: PROTOCOL,
            host: mpi::environment::processor_name().unwrap_or_default(),
            metric: args.require_table_metric().name().into(),
            table: args.table().map(|id| id.to_string()),
            cores: allowed_cores(),
        }
    }

    /// Serializes the greeting as JSON.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).expect("plain values have a JSON text")
    }

    fn program(&self) -> String {
        format!("cosette-mpi {} (messages {})", self.version, self.protocol)
    }

    fn wanted(&self) -> String {
        match &self.table {
            Some(table) => format!("the table {table}"),
            None => format!("any table for {}", self.metric),
        }
    }
}

/// Parses the greetings of all ranks, by rank.
///
/// # Errors
///
/// Returns an error if two of them do not match.
pub fn read_greetings(texts: &[String]) -> Result<Vec<Handshake>, ErrorReport> {
    // An unreadable text gives a greeting without a version, which differs from every other.
    let greetings: Vec<Handshake> = texts
        .iter()
        .map(|text| serde_json::from_str(text).unwrap_or_default())
        .collect();
    all_alike(
        &greetings,
        Handshake::program,
        "is",
        "run the same program on all hosts",
    )?;
    all_alike(
        &greetings,
        Handshake::wanted,
        "uses",
        "give all ranks the same --table and --metric",
    )?;
    Ok(greetings)
}

/// Checks that all ranks report the same value.
fn all_alike(
    greetings: &[Handshake],
    say: fn(&Handshake) -> String,
    verb: &str,
    help: &str,
) -> Result<(), ErrorReport> {
    let [first, ..] = greetings else {
        return Ok(());
    };
    let Some(other) = greetings
        .iter()
        .position(|greeting| say(greeting) != say(first))
    else {
        return Ok(());
    };
    let description = |rank: usize| {
        let greeting = &greetings[rank];
        format!("rank {rank} on {} {verb} {}", greeting.host, say(greeting))
    };
    let message = format!(
        "the ranks do not match: {}, but {}",
        description(0),
        description(other)
    );
    Err(ErrorReport {
        message,
        help: Some(help.into()),
        exit: Exit::Error,
    })
}

/// Returns the cores that this thread may run on, to which batch systems and `mpirun` bind it,
/// e.g. `0-3,8`; empty if unknown.
fn allowed_cores() -> String {
    let status = fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap_or_default().trim().to_owned()
}

/// Returns the number of cores of the host, if known.
pub fn cores_of_host() -> Option<usize> {
    Some(
        parse_list(
            fs::read_to_string("/sys/devices/system/cpu/online")
                .ok()?
                .trim(),
        )?
        .len(),
    )
}

/// Parses a list of cores such as `0-3,8`.
pub fn parse_list(list: &str) -> Option<BTreeSet<usize>> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last]: [usize; 2] = [first.parse().ok()?, last.parse().ok()?];
        (first <= last).then_some(first..=last)
    };
    let ranges: Vec<_> = list.split(',').map(range).collect::<Option<_>>()?;
    Some(ranges.into_iter().flatten().collect())
}

/// Allows this thread, and the threads that it starts, on these cores, to which the ranks of its
/// host are bound. In a container of its own, a rank gets none of the others' cores.
#[cfg(target_os = "linux")]
pub fn use_cores(cores: &BTreeSet<usize>) {
    use rustix::thread::{CpuSet, sched_setaffinity};
    let mut all = CpuSet::new();
    cores
        .iter()
        .filter(|&&core| core < CpuSet::MAX_CPU)
        .for_each(|&core| all.set(core));
    if let Err(refused) = sched_setaffinity(None, &all) {
        tracing::debug!(%refused, "this rank stays bound to its own cores");
    }
    let usable = parse_list(&allowed_cores()).unwrap_or_default();
    let idle = cores.difference(&usable).count();
    if idle > 0 {
        tracing::warn!(
            "{idle} of the {} cores of the ranks on this host stay idle, because this rank may not \
             use them; start one rank per container, with all its cores",
            cores.len()
        );
    }
}

/// Systems other than Linux do not bind ranks.
#[cfg(not(target_os = "linux"))]
pub fn use_cores(_: &BTreeSet<usize>) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn greeting() -> Handshake {
        let [version, host, metric] = ["0.2.0", "n1", "htm"].map(String::from);
        Handshake {
            version,
            protocol: 1,
            host,
            metric,
            table: None,
            cores: "0-1".into(),
        }
    }

    fn refusal(other: Handshake) -> String {
        let texts = [greeting(), greeting(), other].map(|greeting| greeting.to_text());
        let report = read_greetings(&texts).unwrap_err();
        assert!(report.help.is_some());
        report.message
    }

    #[test]
    fn ranks_of_other_programs_are_refused() {
        let other = Handshake {
            version: "0.3.0".into(),
            host: "n2".into(),
            ..greeting()
        };
        assert_eq!(
            refusal(other),
            "the ranks do not match: rank 0 on n1 is cosette-mpi 0.2.0 (messages 1), \
             but rank 2 on n2 is cosette-mpi 0.3.0 (messages 1)"
        );
        assert!(
            refusal(Handshake {
                protocol: 2,
                ..greeting()
            })
            .contains("0.2.0 (messages 2)")
        );
    }

    #[test]
    fn ranks_that_want_other_tables_are_refused() {
        let other = Handshake {
            table: Some("htm-24M".into()),
            ..greeting()
        };
        assert_eq!(
            refusal(other),
            "the ranks do not match: rank 0 on n1 uses any table for htm, \
             but rank 2 on n1 uses the table htm-24M"
        );
        assert!(
            refusal(Handshake {
                metric: "qtm".into(),
                ..greeting()
            })
            .ends_with("any table for qtm")
        );
    }

    #[test]
    fn greetings_of_other_versions_are_understood() {
        let later = r#"{"version":"1.0.0","protocol":9,"host":"n2","unknown":1}"#;
        let report = read_greetings(&[greeting().to_text(), later.into()]).unwrap_err();
        assert!(
            report
                .message
                .contains("rank 1 on n2 is cosette-mpi 1.0.0 (messages 9)"),
            "{}",
            report.message
        );
        assert!(read_greetings(&[greeting().to_text(), "no JSON".into()]).is_err());
        let bound_elsewhere = Handshake {
            host: "n2".into(),
            cores: "2-3".into(),
            ..greeting()
        };
        assert!(
            read_greetings(&[greeting(), bound_elsewhere].map(|greeting| greeting.to_text()))
                .is_ok()
        );
    }

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(parse_list("0-2,8"), Some(BTreeSet::from([0, 1, 2, 8])));
        assert_eq!(parse_list("7"), Some(BTreeSet::from([7])));
        assert_eq!(parse_list(""), None);
        assert_eq!(parse_list("3-1"), None);
        assert!(cores_of_host().is_none_or(|cores| cores > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn threads_run_on_the_cores_of_all_ranks() {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let count = || sched_getaffinity(None).unwrap().count() as usize;
        let cores = parse_list(&allowed_cores()).unwrap();
        let mut one = CpuSet::new();
        one.set(*cores.first().unwrap());
        sched_setaffinity(None, &one).unwrap();
        assert_eq!(count(), 1);
        use_cores(&cores);
        assert_eq!(std::thread::spawn(count).join().unwrap(), cores.len());
    }
}
