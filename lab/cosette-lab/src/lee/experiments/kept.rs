//! Results of long runs, kept as text: a line for each result, `key = values`, under lines that begin with `#` and say on
//! which machine, when and how those below were computed.
//!
//! With full effort an experiment reads the file of this kind in the folder of results, or else in that of the lab's tables,
//! computes what it lacks and adds it line by line, so an interrupted run continues where it stopped. The files in
//! `lab/cosette-lab/results` are such files. They are part of the program: with quick effort they are shown, unless the folder
//! of results has others. Tables say which of their columns were computed by such an earlier run.

use crate::error::LabError;
use crate::experiment::{Effort, Request};
use crate::lab::Lab;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The kept results of one experiment.
#[derive(Default)]
pub struct Kept {
    results: Mutex<Results>,
    /// Where results are added.
    file: Option<PathBuf>,
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
    /// The results in a text.
    ///
    /// # Panics
    /// If a line is not a result.
    pub fn read(text: &str) -> Kept {
        let (head, results): (Vec<&str>, Vec<&str>) =
            text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
        let result = |line: &str| {
            let (key, values) = line.split_once(" = ").unwrap_or_else(|| panic!("`{line}` is not a result"));
            (key.to_owned(), values.to_owned())
        };
        let earlier = head.iter().map(|line| line.trim_start_matches(['#', ' ']).to_owned()).collect();
        let lines = results.into_iter().map(result).collect();
        Kept { results: Mutex::new(Results { lines, earlier, added: 0 }), ..Kept::default() }
    }

    /// The kept results of an experiment; with full effort those in the lab's folder, to be added to.
    pub fn of(lab: &Lab<'_>, request: &Request, name: &str, kept: &str) -> Result<Kept, LabError> {
        let folder = request.results.as_deref().unwrap_or(lab.folder.path());
        let path = folder.join(format!("{name}.txt"));
        let text = if path.exists() { fs::read_to_string(&path) } else { Ok(String::new()) };
        let text = text.map_err(LabError::io("read", &path))?;
        if request.effort == Effort::Quick {
            return Ok(Kept::read(if request.results.is_some() && path.exists() { &text } else { kept }));
        }
        // A line that was not written to its end is dropped.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        fs::create_dir_all(folder).map_err(LabError::io("create the folder", folder))?;
        if whole.len() < text.len() {
            fs::write(&path, whole).map_err(LabError::io("write", &path))?;
        }
        let now = format!("Computed on {}, at commit {}.", request.origin.machine, request.origin.commit);
        Ok(Kept { file: Some(path), now, ..Kept::read(whole) })
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the results were computed, by earlier runs and by this one.
    pub fn circumstances(&self) -> String {
        let results = self.results();
        let now = (results.added > 0 && !results.earlier.contains(&self.now)).then_some(&self.now);
        results.earlier.iter().chain(now).map(String::as_str).collect::<Vec<_>>().join(" ")
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

    /// A number of a result.
    pub fn number(&self, key: &str, place: usize) -> Option<f64> {
        self.get(key)?.get(place)?.parse().ok()
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
        self.file.is_some()
    }

    /// Adds a result.
    pub fn add(&self, key: &str, values: &[&dyn Display]) -> Result<(), LabError> {
        let values = values.iter().map(|value| value.to_string()).collect::<Vec<_>>().join(" ");
        let mut results = self.results();
        if let Some(path) = &self.file {
            let is_said = results.added > 0 || results.earlier.last() == Some(&self.now);
            let head = if is_said { String::new() } else { format!("# {}\n", self.now) };
            let file = OpenOptions::new().create(true).append(true).open(path);
            file.and_then(|mut file| writeln!(file, "{head}{key} = {values}")).map_err(LabError::io("write", path))?;
        }
        results.lines.insert(key.to_owned(), values);
        results.added += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Origin;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn lines_are_results_and_how_they_were_computed() {
        let kept = Kept::read("# On a machine,\n# in 3 s.\n\na b = 1 2.5\na c = x\n");
        assert_eq!(kept.circumstances(), "On a machine, in 3 s.");
        assert_eq!(kept.number("a b", 1), Some(2.5));
        assert_eq!(kept.all("a").len(), 2);
        kept.add("a d", &[&7, &"y"]).unwrap();
        assert_eq!(kept.get("a d"), Some(vec!["7".to_owned(), "y".to_owned()]));
    }

    #[test]
    fn what_an_earlier_run_has_computed_is_said() {
        in_empty_lab(|lab| {
            let on = |machine: &str| Request {
                origin: Origin { commit: "c0ffee".into(), machine: machine.into() },
                ..Request::new(Effort::Full)
            };
            let kept = Kept::of(lab, &on("the first"), "trial", "").unwrap();
            kept.add("a", &[&1]).unwrap();
            assert_eq!(kept.earlier(), None, "all is computed now");
            assert_eq!(kept.circumstances(), "Computed on the first, at commit c0ffee.");
            // Another machine goes on.
            let kept = Kept::of(lab, &on("the second"), "trial", "").unwrap();
            kept.add("b", &[&2]).unwrap();
            let run = "Computed on the first, at commit c0ffee.";
            assert_eq!(kept.earlier().as_deref(), Some(run));
            assert_eq!(kept.circumstances(), format!("{run} Computed on the second, at commit c0ffee."));
            let text = fs::read_to_string(lab.folder.path().join("trial.txt")).unwrap();
            assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 2);
        });
    }
}
