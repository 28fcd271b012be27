//! The recorded costs of a solve.

use cosette_app::json;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// What a solve by one thread has cost, threshold by threshold. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// The position, as 54 facelets.
    pub position: String,
    pub table: String,
    /// The order of the position's stabilizer.
    pub symmetries: usize,
    /// The length of its solutions, if they were reached.
    pub solved: Option<u8>,
    /// How long the solve took, all solutions of the last length included.
    pub seconds: f64,
    /// How long it takes to cut the position into root tasks.
    pub cut: f64,
    /// The thresholds that were cut into root tasks, each searched to its end. Those before them take a millisecond together.
    pub thresholds: Vec<Threshold>,
}

/// A threshold that was cut into root tasks. The lists follow the order in which a thread takes the tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Threshold {
    /// The length of the solutions that were searched.
    pub length: u8,
    /// How long one thread took for all tasks, taken as it usually takes them.
    pub seconds: f64,
    /// The work in each task, predicted by the last threshold.
    pub work: Vec<u64>,
    /// The nodes in each task.
    pub nodes: Vec<u64>,
    /// The places of tasks with solutions, and the nodes in each until the first of them.
    pub solutions: Vec<(usize, u64)>,
}

/// The traces in a file, one per line, at least one.
pub fn read(path: &Path) -> io::Result<Vec<Trace>> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let traces: Vec<Trace> = json::read_lines(path)?;
    let mut thresholds =
        traces.iter().zip(1..).flat_map(|(trace, line)| trace.thresholds.iter().map(move |of| (of, line)));
    match thresholds.find(|(threshold, _)| !threshold.is_valid()) {
        Some((Threshold { length, .. }, line)) => {
            Err(invalid(format!("line {line}: the lists of length {length} do not belong together")))
        }
        None if traces.is_empty() => Err(invalid("it holds no trace".into())),
        None => Ok(traces),
    }
}

impl Threshold {
    /// Whether its lists belong together.
    fn is_valid(&self) -> bool {
        let of_a_task = |&(task, nodes): &(usize, u64)| self.nodes.get(task).is_some_and(|&all| nodes <= all);
        self.work.len() == self.nodes.len() && self.solutions.iter().all(of_a_task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace() -> Trace {
        let threshold =
            Threshold { length: 15, seconds: 0.5, work: vec![3, 2], nodes: vec![70, 30], solutions: vec![(1, 30)] };
        Trace {
            position: "UUU".into(),
            table: "htm-24M".into(),
            symmetries: 1,
            solved: Some(15),
            seconds: 0.6,
            cut: 0.01,
            thresholds: vec![threshold],
        }
    }

    #[test]
    fn traces_are_read_as_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("traces");
        let line = serde_json::to_string(&trace()).unwrap();
        std::fs::write(&path, format!("{line}\n{line}\n")).unwrap();
        assert_eq!(read(&path).unwrap(), [trace(), trace()]);
        let mut invalid = trace();
        invalid.thresholds[0].solutions = vec![(2, 1)];
        std::fs::write(&path, format!("{line}\n{}\n", serde_json::to_string(&invalid).unwrap())).unwrap();
        assert!(read(&path).unwrap_err().to_string().starts_with("line 2: the lists of length 15"));
        std::fs::write(&path, "").unwrap();
        assert_eq!(read(&path).unwrap_err().to_string(), "it holds no trace");
        std::fs::write(&path, "{}").unwrap();
        assert!(read(&path).unwrap_err().to_string().starts_with("line 1: missing field"));
    }
}
