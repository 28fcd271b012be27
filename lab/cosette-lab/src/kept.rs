//! Results of long runs, kept as text: a line for each result, `key = values`, under lines that begin with `#` and say on
//! which machine, when and how those below were computed.
//!
//! With full effort an experiment reads the file of this kind in the folder of results, computes what it lacks and adds it
//! line by line, so an interrupted run continues where it stopped. The files in `lab/cosette-lab/results` are such files. They
//! are part of the program ([`FILES`]): with quick effort they are shown, unless the folder of results has others. Tables say
//! which of their columns were computed by such an earlier run.

use crate::error::LabError;
use crate::experiment::{Effort, Request};
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
pub static FILES: [(&str, &str); 13] = files![
    "distances",
    "engines",
    "fast-korf-ten",
    "korf-instances",
    "lee-hashing",
    "lee-partial",
    "lee-search",
    "lee-space",
    "lee-times",
    "reid-korf-ten",
    "reid-superflip-htm",
    "reid-superflip-qtm",
    "symmetric"
];

/// The kept results of one experiment.
#[derive(Default)]
pub struct Kept {
    results: Mutex<Results>,
    /// Where they were read, and with full effort where results are added.
    path: PathBuf,
    is_open: bool,
    /// How this run computes what it adds.
    now: String,
}

#[derive(Default)]
struct Results {
    lines: BTreeMap<String, String>,
    /// How earlier runs computed them.
    earlier: Vec<String>,
    /// How many lines this run has added.
    added: usize,
}

impl Kept {
    /// The results in a text; `None` if a line is not one.
    fn parse(text: &str) -> Option<Kept> {
        let mut results = Results::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(head) = line.strip_prefix('#') {
                results.earlier.push(head.trim_start().to_owned());
            } else {
                let (key, values) = line.split_once(" = ")?;
                results.lines.insert(key.to_owned(), values.to_owned());
            }
        }
        Some(Kept { results: Mutex::new(results), ..Kept::default() })
    }

    /// The results in a text of the program.
    ///
    /// # Panics
    /// If a line is not a result.
    pub fn read(text: &str) -> Kept {
        Kept::parse(text).expect("each line is a result")
    }

    /// The results of this name that are part of the program.
    ///
    /// # Panics
    /// If there are none.
    pub fn of_program(name: &str) -> Kept {
        let (_, text) = FILES.iter().find(|(known, _)| *known == name).expect("the program has these results");
        Kept::read(text)
    }

    /// The results in a file, to be added to if it `is_open`; none if there is no file.
    fn load(path: PathBuf, is_open: bool) -> Result<Kept, LabError> {
        let text = if path.exists() { fs::read_to_string(&path) } else { Ok(String::new()) };
        let text = text.map_err(LabError::io("read", &path))?;
        // A line that was not written to its end is dropped.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        if is_open && whole.len() < text.len() {
            fs::write(&path, whole).map_err(LabError::io("write", &path))?;
        }
        let Some(kept) = Kept::parse(if is_open { whole } else { &text }) else {
            return Err(LabError::NotResults { path });
        };
        Ok(Kept { path, is_open, ..kept })
    }

    /// The kept results of an experiment: with full effort to be added to, in the folder of results or else in the lab's.
    pub fn of(lab: &Lab<'_>, request: &Request, name: &str) -> Result<Kept, LabError> {
        match request.effort {
            Effort::Full => Kept::open(request, request.results.as_deref().unwrap_or(lab.folder.path()), name),
            Effort::Quick => Ok(Kept::in_folder(request, name)?.unwrap_or_else(|| Kept::of_program(name))),
        }
    }

    /// What is shown in place of a search that the request does not ask for: with quick effort, the results of this name in its
    /// folder, or those that are part of the program unless it limits the search or chooses what is searched.
    pub fn shown(request: &Request, name: &str) -> Result<Option<Kept>, LabError> {
        if request.effort == Effort::Full {
            return Ok(None);
        }
        let of_program = || request.is_default().then(|| Kept::of_program(name));
        Ok(Kept::in_folder(request, name)?.or_else(of_program))
    }

    /// The results in the folder of the request, if it has some.
    fn in_folder(request: &Request, name: &str) -> Result<Option<Kept>, LabError> {
        if let Some(folder) = request.results.as_deref() {
            fs::read_dir(folder).map_err(LabError::io("read", folder))?;
        }
        let path = request.results.as_deref().map(|folder| path_in(folder, name)).filter(|path| path.exists());
        path.map(|path| Kept::load(path, false)).transpose()
    }

    /// Where a search keeps what it computes: with full effort in the folder of results, if there is one.
    pub fn begin(request: &Request, name: &str) -> Result<Kept, LabError> {
        match request.results.as_deref().filter(|_| request.effort == Effort::Full) {
            Some(folder) => Kept::open(request, folder, name),
            None => Ok(Kept { now: request.origin.to_string(), ..Kept::default() }),
        }
    }

    /// The results in a folder, to be added to.
    fn open(request: &Request, folder: &Path, name: &str) -> Result<Kept, LabError> {
        fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
        let now = request.origin.to_string();
        Ok(Kept { now, ..Kept::load(path_in(folder, name), true)? })
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes sure that they are of these positions: results say so in their first line.
    pub fn are_of(&self, positions: &[Cube]) -> Result<(), LabError> {
        let checksum = checksum(positions);
        match self.value::<String>("positions", 1) {
            Some(known) if known != checksum => Err(LabError::OtherPositions { path: self.path.clone() }),
            Some(_) => Ok(()),
            None => self.add("positions", &[&positions.len(), &checksum]),
        }
    }

    /// How the results were computed, by earlier runs and by this one.
    pub fn circumstances(&self) -> String {
        self.runs().join(" ")
    }

    /// The same, run by run.
    pub fn runs(&self) -> Vec<String> {
        let results = self.results();
        let now = (results.added > 0 && !results.earlier.contains(&self.now)).then_some(&self.now);
        results.earlier.iter().chain(now).cloned().collect()
    }

    /// How earlier runs computed results, if any of them are theirs.
    pub fn earlier(&self) -> Option<String> {
        let results = self.results();
        (results.added < results.lines.len()).then(|| results.earlier.join(" "))
    }

    /// The values of a result.
    pub fn get(&self, key: &str) -> Option<Vec<String>> {
        self.results().lines.get(key).map(|values| values.split(' ').map(str::to_owned).collect())
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
        let rest = results.lines.iter().filter_map(|(key, values)| Some((key.strip_prefix(start)?, values)));
        rest.map(|(key, values)| (key.trim_start().to_owned(), values.split(' ').map(str::to_owned).collect()))
            .collect()
    }

    /// Whether results can be added: with full effort.
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// Adds a result.
    pub fn add(&self, key: &str, values: &[&dyn Display]) -> Result<(), LabError> {
        let values = values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ");
        let mut results = self.results();
        if self.is_open {
            let is_said = results.added > 0 || results.earlier.last() == Some(&self.now);
            let head = if is_said { String::new() } else { format!("# {}\n", self.now) };
            let file = OpenOptions::new().create(true).append(true).open(&self.path);
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
    positions.iter().for_each(|position| hash.update(position.facelets().as_bytes()));
    format!("{:016x}", hash.digest())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Origin;

    #[test]
    fn lines_are_results_and_how_they_were_computed() {
        let kept = Kept::read("# On a machine,\n# in 3 s.\n\na b = 1 2.5\na c = x\n");
        assert_eq!(kept.circumstances(), "On a machine, in 3 s.");
        assert_eq!(kept.number("a b", 1), Some(2.5));
        assert_eq!(kept.all("a").len(), 2);
        kept.add("a d", &[&7, &"y"]).unwrap();
        assert_eq!(kept.get("a d"), Some(vec!["7".to_owned(), "y".to_owned()]));
        for (name, _) in FILES {
            assert!(Kept::of_program(name).circumstances().contains("ed on 2026-"), "{name} says when");
        }
    }

    #[test]
    fn what_an_earlier_run_has_computed_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let open = |machine: &str| {
            let origin = Origin { date: "today".into(), machine: machine.into(), commit: "c0ffee".into() };
            Kept::open(&Request { origin, ..Request::new(Effort::Full) }, folder.path(), "trial")
        };
        let kept = open("the first").unwrap();
        kept.add("a", &[&1]).unwrap();
        assert_eq!(kept.earlier(), None, "all is computed now");
        let run = "Computed on today on the first, at commit c0ffee.";
        assert_eq!(kept.circumstances(), run);
        // Another machine goes on, and what a killed run leaves of a line is cut off.
        let path = folder.path().join("trial.txt");
        fs::write(&path, fs::read_to_string(&path).unwrap() + "half a li").unwrap();
        let kept = open("the second").unwrap();
        kept.add("b", &[&2]).unwrap();
        assert_eq!(kept.earlier().as_deref(), Some(run));
        assert_eq!(kept.circumstances(), format!("{run} Computed on today on the second, at commit c0ffee."));
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 2);
        fs::write(&path, "something else\n").unwrap();
        assert!(matches!(open("the third"), Err(LabError::NotResults { .. })));
    }

    #[test]
    fn results_are_of_the_positions_that_they_say() {
        let kept = Kept::default();
        kept.are_of(&[Cube::SOLVED]).unwrap();
        kept.are_of(&[Cube::SOLVED]).unwrap();
        assert!(matches!(kept.are_of(&[]), Err(LabError::OtherPositions { .. })));
    }
}
