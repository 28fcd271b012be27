//! Results of long runs, stored as text: a line for each result, `key = values`, under lines that
//! begin with `#` and state the machine, time and method of the results below.
//!
//! With full effort an experiment reads the file of this kind in the folder of results, computes
//! the missing results and adds them line by line, so an interrupted run resumes where it stopped.
//! The files in `lab/cosette-lab/results` are such files. They are part of the program ([`FILES`]):
//! with quick effort they are shown, unless the folder of results has others.

use crate::error::LabError;
use crate::experiment::{ExperimentOptions, RunSize};
use crate::lab::Lab;
use cosette::cube::Cube;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use xxhash_rust::xxh3::Xxh3;

/// A file of results by its name.
macro_rules! files {
    ($($name:literal),*) => { [$(($name, include_str!(concat!("../results/", $name, ".txt")))),*] };
}

/// The results that are part of the program, by name.
pub static FILES: [(&str, &str); 10] = files![
    "distances",
    "engines",
    "fast-korf-ten",
    "korf-instances",
    "lee-partial",
    "lee-search",
    "reid-korf-ten",
    "reid-superflip-htm",
    "reid-superflip-qtm",
    "symmetric"
];

/// The stored results of one experiment.
#[derive(Default)]
pub struct StoredResults {
    results: Mutex<ParsedResults>,
    /// The file they were read from; with full effort, results are added to it.
    path: PathBuf,
    is_open: bool,
    /// Circumstances of the results that this run adds.
    now: String,
}

#[derive(Default)]
struct ParsedResults {
    lines: BTreeMap<String, String>,
    /// Circumstances of the results of earlier runs.
    earlier: Vec<String>,
    /// Number of lines added by this run.
    added: usize,
}

impl StoredResults {
    /// The results in a text; `None` if a line is not one.
    fn parse(text: &str) -> Option<StoredResults> {
        let mut results = ParsedResults::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(head) = line.strip_prefix('#') {
                results.earlier.push(head.trim_start().to_owned());
            } else {
                let (key, values) = line.split_once(" = ")?;
                results.lines.insert(key.to_owned(), values.to_owned());
            }
        }
        Some(StoredResults {
            results: Mutex::new(results),
            ..StoredResults::default()
        })
    }

    /// The results in a text of the program.
    ///
    /// # Panics
    /// Panics if a line is not a result.
    pub fn read(text: &str) -> StoredResults {
        StoredResults::parse(text).expect("each line is a result")
    }

    /// The results of this name that are part of the program.
    ///
    /// # Panics
    /// Panics if there are none.
    pub fn of_program(name: &str) -> StoredResults {
        let named = FILES.iter().find(|(known, _)| *known == name);
        let (_, text) = named.expect("the program has these results");
        StoredResults::read(text)
    }

    /// Opens the stored results of an experiment: with full effort to be added to, in the folder of
    /// results or else in the lab's.
    pub fn of(
        lab: &Lab<'_>,
        request: &ExperimentOptions,
        name: &str,
    ) -> Result<StoredResults, LabError> {
        if request.effort == RunSize::Full {
            let folder = request.results.as_deref();
            return StoredResults::open(request, folder.unwrap_or(lab.folder.path()), name);
        }
        let in_folder = StoredResults::in_folder(request, name)?;
        Ok(in_folder.unwrap_or_else(|| StoredResults::of_program(name)))
    }

    /// Returns the results shown in place of a search that the request does not include: with quick
    /// effort, the results of this name in its folder, or those that are part of the program unless
    /// the request limits the search or chooses the searched positions.
    pub fn shown(
        request: &ExperimentOptions,
        name: &str,
    ) -> Result<Option<StoredResults>, LabError> {
        if request.effort == RunSize::Full {
            return Ok(None);
        }
        let in_folder = StoredResults::in_folder(request, name)?;
        let is_default = request.is_default();
        Ok(in_folder.or_else(|| is_default.then(|| StoredResults::of_program(name))))
    }

    /// The results in the folder of the request, if it has some.
    fn in_folder(
        request: &ExperimentOptions,
        name: &str,
    ) -> Result<Option<StoredResults>, LabError> {
        let Some(folder) = &request.results else {
            return Ok(None);
        };
        fs::read_dir(folder).map_err(LabError::io("read", folder))?;
        let path = path_in(folder, name);
        let results = path.exists().then(|| {
            let text = fs::read_to_string(&path).map_err(LabError::io("read", &path))?;
            StoredResults::parse(&text).ok_or(LabError::NotResults { path: path.clone() })
        });
        let results = results.transpose()?;
        Ok(results.map(|results| StoredResults { path, ..results }))
    }

    /// Opens the results that a search stores: with full effort in the folder of results, if there
    /// is one.
    pub fn begin(request: &ExperimentOptions, name: &str) -> Result<StoredResults, LabError> {
        match &request.results {
            Some(folder) if request.effort == RunSize::Full => {
                StoredResults::open(request, folder, name)
            }
            _ => Ok(StoredResults {
                now: request.origin.to_string(),
                ..StoredResults::default()
            }),
        }
    }

    /// The results in a folder, to be added to; none if it has none.
    fn open(
        request: &ExperimentOptions,
        folder: &Path,
        name: &str,
    ) -> Result<StoredResults, LabError> {
        fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
        let path = path_in(folder, name);
        let mut text = String::new();
        if path.exists() {
            text = fs::read_to_string(&path).map_err(LabError::io("read", &path))?;
            // An incomplete line is dropped.
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            if whole < text.len() {
                text.truncate(whole);
                fs::write(&path, &text).map_err(LabError::io("write", &path))?;
            }
        }
        let Some(results) = StoredResults::parse(&text) else {
            return Err(LabError::NotResults { path });
        };
        Ok(StoredResults {
            path,
            is_open: true,
            now: request.origin.to_string(),
            ..results
        })
    }

    fn results(&self) -> MutexGuard<'_, ParsedResults> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that the results are of these positions, which their first line states.
    pub fn are_of(&self, positions: &[Cube]) -> Result<(), LabError> {
        let checksum = checksum(positions);
        match self.value::<String>("positions", 1) {
            Some(known) if known != checksum => Err(LabError::OtherPositions {
                path: self.path.clone(),
            }),
            Some(_) => Ok(()),
            None => self.add("positions", &[&positions.len(), &checksum]),
        }
    }

    /// Returns the circumstances of the results, of earlier runs and of this one.
    pub fn circumstances(&self) -> String {
        self.runs().join(" ")
    }

    /// Returns the circumstances of the results, run by run.
    pub fn runs(&self) -> Vec<String> {
        let results = self.results();
        let now = (results.added > 0 && !results.earlier.contains(&self.now)).then_some(&self.now);
        results.earlier.iter().chain(now).cloned().collect()
    }

    /// The values of a result.
    pub fn get(&self, key: &str) -> Option<Vec<String>> {
        self.results()
            .lines
            .get(key)
            .map(|values| values.split(' ').map(str::to_owned).collect())
    }

    /// A value of a result.
    pub fn value<T: FromStr>(&self, key: &str, place: usize) -> Option<T> {
        self.get(key)?.get(place)?.parse().ok()
    }

    /// A number of a result.
    pub fn number(&self, key: &str, place: usize) -> Option<f64> {
        self.value(key, place)
    }

    /// All results whose keys begin so, with the rest of the key.
    pub fn all(&self, start: &str) -> Vec<(String, Vec<String>)> {
        let results = self.results();
        let rest = results
            .lines
            .iter()
            .filter_map(|(key, values)| Some((key.strip_prefix(start)?, values)));
        rest.map(|(key, values)| {
            (
                key.trim_start().to_owned(),
                values.split(' ').map(str::to_owned).collect(),
            )
        })
        .collect()
    }

    /// Returns `true` if results can be added: with full effort.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Adds a result.
    pub fn add(&self, key: &str, values: &[&dyn Display]) -> Result<(), LabError> {
        let values = values
            .iter()
            .map(|value| value.to_string())
            .collect::<Vec<_>>()
            .join(" ");
        let mut results = self.results();
        if self.is_open {
            let is_said = results.added > 0 || results.earlier.last() == Some(&self.now);
            let head = if is_said {
                String::new()
            } else {
                format!("# {}\n", self.now)
            };
            let file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&self.path);
            let written = file.and_then(|mut file| writeln!(file, "{head}{key} = {values}"));
            written.map_err(LabError::io("write", &self.path))?;
        }
        results.lines.insert(key.to_owned(), values);
        results.added += 1;
        Ok(())
    }
}

fn path_in(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.txt"))
}

/// A checksum of positions, in this order: results can be published where positions cannot.
pub fn checksum(positions: &[Cube]) -> String {
    let mut hash = Xxh3::new();
    positions
        .iter()
        .for_each(|position| hash.update(position.facelets().as_bytes()));
    format!("{:016x}", hash.digest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Provenance;

    #[test]
    fn lines_are_results_and_how_they_were_computed() {
        let kept = StoredResults::read("# On a machine,\n# in 3 s.\n\na b = 1 2.5\na c = x\n");
        assert_eq!(kept.circumstances(), "On a machine, in 3 s.");
        assert_eq!(kept.number("a b", 1), Some(2.5));
        assert_eq!(kept.all("a").len(), 2);
        kept.add("a d", &[&7, &"y"]).unwrap();
        assert_eq!(kept.get("a d"), Some(vec!["7".to_owned(), "y".to_owned()]));
        for (name, _) in FILES {
            assert!(
                StoredResults::of_program(name)
                    .circumstances()
                    .contains("ed on 2026-"),
                "{name} says when"
            );
        }
    }

    #[test]
    fn what_an_earlier_run_has_computed_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let open = |machine: &str| {
            let request = ExperimentOptions {
                origin: Provenance {
                    date: "today".into(),
                    machine: machine.into(),
                    commit: "c0ffee".into(),
                },
                ..ExperimentOptions::new(RunSize::Full)
            };
            StoredResults::open(&request, folder.path(), "trial")
        };
        let kept = open("the first").unwrap();
        kept.add("a", &[&1]).unwrap();
        let run = "Computed on today on the first, at commit c0ffee.";
        assert_eq!(kept.circumstances(), run);
        // Another machine resumes, and a line that a killed run has left incomplete is removed.
        let path = folder.path().join("trial.txt");
        fs::write(&path, fs::read_to_string(&path).unwrap() + "half a li").unwrap();
        let kept = open("the second").unwrap();
        kept.add("b", &[&2]).unwrap();
        assert_eq!(
            kept.circumstances(),
            format!("{run} Computed on today on the second, at commit c0ffee.")
        );
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 2);
        fs::write(&path, "something else\n").unwrap();
        assert!(matches!(
            open("the third"),
            Err(LabError::NotResults { .. })
        ));
    }

    #[test]
    fn results_are_of_the_positions_that_they_say() {
        let kept = StoredResults::default();
        kept.are_of(&[Cube::SOLVED]).unwrap();
        kept.are_of(&[Cube::SOLVED]).unwrap();
        assert!(matches!(
            kept.are_of(&[]),
            Err(LabError::OtherPositions { .. })
        ));
    }
}
