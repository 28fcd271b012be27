//! Results of long runs, kept as text: what they were computed with, then a line for each result, `key = values`.
//!
//! With full effort an experiment reads the file of this kind in the folder of results, or else in that of the lab's tables,
//! computes what it lacks and adds it line by line, so an interrupted run continues where it stopped. The files in `lab/cosette-lab/results`
//! are such files, with lines on machine, commit and time at their head. They are part of the program: with quick effort they
//! are shown, unless the folder of results has others.

use crate::error::LabError;
use crate::experiment::{Cell, Effort, Request};
use crate::lab::Lab;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The kept results of one experiment.
pub struct Kept {
    /// What the results were computed with.
    pub circumstances: String,
    lines: Mutex<BTreeMap<String, String>>,
    /// Where results are added.
    file: Option<Mutex<PathBuf>>,
}

impl Kept {
    /// The results in a text: lines that begin with `#` say how they were computed.
    ///
    /// # Panics
    /// If a line is not a result.
    pub fn read(text: &str) -> Kept {
        let (head, results): (Vec<&str>, Vec<&str>) =
            text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with('#'));
        let head: Vec<&str> = head.iter().map(|line| line.trim_start_matches(['#', ' '])).collect();
        let result = |line: &str| {
            let (key, values) = line.split_once(" = ").unwrap_or_else(|| panic!("`{line}` is not a result"));
            (key.to_owned(), values.to_owned())
        };
        let lines = results.into_iter().map(result).collect();
        Kept { circumstances: head.join(" "), lines: Mutex::new(lines), file: None }
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
        Ok(Kept { file: Some(Mutex::new(path)), ..Kept::read(whole) })
    }

    /// The values of a result.
    pub fn get(&self, key: &str) -> Option<Vec<String>> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.get(key).map(|values| values.split(' ').map(str::to_owned).collect())
    }

    /// A number of a result.
    pub fn number(&self, key: &str, place: usize) -> Option<f64> {
        self.get(key)?.get(place)?.parse().ok()
    }

    /// All results whose keys begin so, with the rest of the key.
    pub fn all(&self, start: &str) -> Vec<(String, Vec<String>)> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let rest = lines.iter().filter_map(|(key, values)| Some((key.strip_prefix(start)?, values)));
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
        if let Some(path) = &self.file {
            let path = path.lock().unwrap_or_else(PoisonError::into_inner);
            let file = OpenOptions::new().create(true).append(true).open(&*path);
            file.and_then(|mut file| writeln!(file, "{key} = {values}")).map_err(LabError::io("write", &path))?;
        }
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), values);
        Ok(())
    }
}

/// A value as it was written, in a cell: a whole number, a number with its digits, or words.
pub fn cell(value: &str) -> Cell {
    match (value.parse::<u64>(), value.parse::<f64>()) {
        (Ok(count), _) => Cell::Count(count),
        (_, Ok(number)) => Cell::Number(number, value.split_once('.').map_or(0, |(_, digits)| digits.len())),
        _ => Cell::text(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_results_and_how_they_were_computed() {
        let kept = Kept::read("# On a machine,\n# in 3 s.\n\na b = 1 2.5\na c = x\n");
        assert_eq!(kept.circumstances, "On a machine, in 3 s.");
        assert_eq!(kept.number("a b", 1), Some(2.5));
        assert_eq!(kept.all("a").len(), 2);
        kept.add("a d", &[&7, &"y"]).unwrap();
        assert_eq!(kept.get("a d"), Some(vec!["7".to_owned(), "y".to_owned()]));
        assert_eq!(["12", "2.50", "x"].map(cell), [Cell::Count(12), Cell::Number(2.5, 2), Cell::text("x")]);
    }
}
