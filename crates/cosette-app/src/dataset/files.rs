//! The files of data sets, and the card beside each file.

use super::columns::Column;
use super::description::{Dataset, DatasetError, DatasetRow, PositionSource, Shard};
use super::format::DatasetFormat;
use super::npz::write_npz;
#[cfg(feature = "parquet")]
use super::parquet::write_parquet;
use crate::journal::check_settings;
use crate::units::counted;
use cosette::cube::{DisplayMoves, FaceletLayout};
use cosette::search::Solver;
use cosette::{Cancel, Progress};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The error message of a build without Parquet.
const NO_PARQUET: &str = "this build of Cosette does not write Parquet; use .npz, a released \
    program, or one installed with `cargo install --path crates/cosette-cli --features parquet`";

/// Returns up to [`MAX_CARD`] bytes of a text file; empty if it cannot be read or is not text.
fn beginning(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_CARD).read_to_string(&mut text));
    if read.is_ok() { text } else { String::new() }
}

/// Returns the provenance in a card; `None` if the text is not a card.
fn about_in(card: &str) -> Option<Value> {
    let (_, json) = card.split_once("```json\n")?;
    let (json, _) = json.split_once("\n```")?;
    serde_json::from_str(json).ok()
}

/// Maximum size of a card, in bytes.
const MAX_CARD: u64 = 1 << 20;

impl Dataset {
    /// Returns `true` if the file exists and contains this data set.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError`] if another file exists there, which is not replaced, if its folder
    /// does not exist, if the file name has no known extension, if this build does not write the
    /// format, if the layout is only for arrays and the format is text, or if the journal beside
    /// the file was started with other settings.
    pub fn is_at(&self, path: &Path) -> Result<bool, DatasetError> {
        let refused = |why: String| Err(DatasetError::Refused(why));
        let shown = path.display();
        let format = match DatasetFormat::of(path) {
            Ok(format) => format,
            Err(unknown) => {
                return refused(format!("{shown} has no known file extension; {unknown}"));
            }
        };
        if format == DatasetFormat::Parquet && cfg!(not(feature = "parquet")) {
            return refused(NO_PARQUET.into());
        }
        if format.is_text() && self.layout != FaceletLayout::Kociemba {
            return refused(format!(
                "the layout {} is only for arrays, but {shown} is text; remove the layout, or use \
                    .npz or .parquet",
                self.layout.name()
            ));
        }
        if let Some(folder) = path.parent()
            && !folder.as_os_str().is_empty()
            && !folder.is_dir()
        {
            return refused(format!(
                "the folder {} does not exist; create it first",
                folder.display()
            ));
        }
        let card_path = card_path(path);
        let about = about_in(&beginning(&card_path)).unwrap_or_default();
        let has_setting = |(name, value): &(&str, Value)| about[name] == *value;
        if path.exists() {
            return match self.typed_settings().iter().all(has_setting) {
                true => Ok(true),
                false => refused(format!(
                    "{shown} already exists; use another name, or delete it"
                )),
            };
        }
        // A card without its file is replaced, but no other file is.
        match card_path.exists() && about["cosette"].is_null() {
            true => refused(format!(
                "{} already exists and was not written by Cosette; move it away, or use another \
                    name",
                card_path.display()
            )),
            false => {
                check_settings::<DatasetRow>(&journal_path(path), self.settings())?;
                Ok(false)
            }
        }
    }

    /// Creates this file and its card. Each is either complete or missing. Returns the number of
    /// rows. On cancellation, returns `None`, and the [journal](journal_path) beside the file holds
    /// the finished rows.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Dataset::generate`], or an error if the file cannot be written.
    pub fn make_file(
        &self,
        (solver, path): (&Solver, &Path),
        cancel: &Cancel,
        on_progress: &mut dyn FnMut(Progress),
    ) -> Result<Option<usize>, DatasetError> {
        let journal = journal_path(path);
        let Some(rows) = self.generate((solver, &journal), cancel, on_progress)? else {
            return Ok(None);
        };
        self.write(&rows, &solver.table().id().to_string(), path)?;
        fs::remove_file(&journal).map_err(DatasetError::write(path))?;
        Ok(Some(rows.len()))
    }

    /// Writes the rows into a file, and the card beside it.
    pub(super) fn write(
        &self,
        rows: &[DatasetRow],
        table: &str,
        path: &Path,
    ) -> Result<(), DatasetError> {
        let format = DatasetFormat::of(path).map_err(io::Error::other);
        let written = format.and_then(|format| {
            let columns = self.columns(rows, format);
            let about = self.about(table);
            // The card is written first, since a file without a card counts as another data set.
            replace(&card_path(path), |mut file| {
                file.write_all(self.card(&columns, rows, &about, path).as_bytes())
            })?;
            replace(path, |file| match format {
                DatasetFormat::Npz => write_npz(&columns, rows, &about, file),
                #[cfg(feature = "parquet")]
                DatasetFormat::Parquet => {
                    write_parquet(&columns, rows, &about, file).map_err(io::Error::other)
                }
                #[cfg(not(feature = "parquet"))]
                DatasetFormat::Parquet => Err(io::Error::other(NO_PARQUET)),
                DatasetFormat::Csv => write_csv(&columns, rows, file),
                DatasetFormat::JsonLines => write_json(&columns, rows, file),
            })
        });
        written.map_err(DatasetError::write(path))
    }

    /// Returns the provenance: the program, its table, and the settings.
    fn about(&self, table: &str) -> Value {
        let mut about = json!({"cosette": env!("CARGO_PKG_VERSION"), "table": table});
        for (name, value) in self.typed_settings() {
            about[name] = value;
        }
        let moves = self.layout.moves(self.metric).iter();
        about["moves"] = moves.map(|&m| DisplayMoves(&[m]).to_string()).collect();
        about
    }

    /// Returns the human-readable description of the file and its provenance.
    fn card(
        &self,
        columns: &[Column<'_>],
        rows: &[DatasetRow],
        about: &Value,
        path: &Path,
    ) -> String {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let positions = counted(rows.len() as u64, "position");
        let metric = self.metric.name();
        let mut counts = BTreeMap::new();
        for row in rows {
            *counts.entry(row.length).or_insert(0) += 1;
        }
        let count_lines = counts
            .iter()
            .map(|(length, count)| format!("| {length} | {count} |\n"));
        let meanings = columns.iter().map(|column| &column.meaning[..]);
        let meanings: Vec<&str> = meanings.filter(|meaning| !meaning.is_empty()).collect();
        let reproducibility = if matches!(self.positions, PositionSource::Coset { .. }) {
            "The same description reproduces the same rows on any machine."
        } else {
            "The same description reproduces the same positions and lengths on any machine; with \
                other tables or thread counts, a row may have another of its shortest solutions."
        };
        format!(
            "{}# {name}\n\n{positions} of Rubik's Cube with proven lengths of shortest solutions in \
                {metric}, made by [Cosette](https://github.com/cosette-solver/cosette).\n\n\
                | length | positions |\n|--:|--:|\n{}\n{} {reproducibility}\n\n\
                ```json\n{about:#}\n```\n",
            self.metadata(&name),
            count_lines.collect::<String>(),
            meanings.join(" "),
        )
    }

    /// Returns the YAML head of the card, by which Hugging Face names, tags and loads the data set
    /// when the card is its README.md: the file, or all shards with names that differ only in
    /// the number. It loads no `.npz`.
    fn metadata(&self, file_name: &str) -> String {
        let head = "---\npretty_name: Rubik's Cube positions with proven lengths\ntags:\n\
            - rubiks-cube\n";
        if DatasetFormat::of(Path::new(file_name)) == Ok(DatasetFormat::Npz) {
            return format!("{head}---\n\n");
        }
        let split = if file_name.contains("test") {
            "test"
        } else if file_name.contains("valid") {
            "validation"
        } else {
            "train"
        };
        let number = self.shard.number().to_string();
        let is_one_of_many = self.shard != Shard::WHOLE && file_name.matches(&number).count() == 1;
        let files = match is_one_of_many {
            true => file_name.replace(&number, "*"),
            false => file_name.to_owned(),
        };
        format!(
            "{head}configs:\n- config_name: default\n  data_files:\n  - split: {split}\n    \
                path: {files:?}\n---\n\n"
        )
    }
}

/// Returns the path of the card of this file, which describes its content and provenance.
pub fn card_path(path: &Path) -> PathBuf {
    with_suffix(path, ".md")
}

/// Returns the path of the journal of this file, which exists until the file is complete.
pub fn journal_path(path: &Path) -> PathBuf {
    with_suffix(path, ".journal")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Writes a file under a temporary name, and renames it when it is complete.
fn replace(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    let temporary_path = with_suffix(path, ".writing");
    let written = File::create(&temporary_path).and_then(|file| {
        let handle = file.try_clone()?;
        write(file)?;
        handle.sync_all()
    });
    written
        .and_then(|()| fs::rename(&temporary_path, path))
        .inspect_err(|_| drop(fs::remove_file(&temporary_path)))
}

fn write_csv(columns: &[Column<'_>], rows: &[DatasetRow], out: File) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
    writeln!(out, "{}", names.join(","))?;
    for row in rows {
        let cells = columns.iter().map(|column| (column.value)(row).text());
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
    }
    out.flush()
}

fn write_json(columns: &[Column<'_>], rows: &[DatasetRow], out: File) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for row in rows {
        let mut fields = Vec::new();
        for column in columns {
            let value = serde_json::to_string(&(column.value)(row))?;
            fields.push(format!("{:?}: {value}", column.name));
        }
        writeln!(out, "{{{}}}", fields.join(", "))?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::{Cube, Metric};

    #[test]
    fn a_file_of_a_coset_has_distances_without_solutions() {
        let set = Dataset {
            positions: PositionSource::Coset {
                of: Cube::SOLVED,
                within: 3,
            },
            rows: 1,
            seed: 0,
            shard: Shard::WHOLE,
            metric: Metric::Htm,
            layout: FaceletLayout::Kociemba,
            optimal_moves: false,
        };
        let position: Cube = "R2 U".parse().unwrap();
        let row = DatasetRow {
            index: 0,
            position,
            walk_length: None,
            length: 2,
            solution: Vec::new(),
            neighbor_distances: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| {
            let path = folder.path().join(name);
            set.write(std::slice::from_ref(&row), "none", &path)
                .unwrap();
            fs::read_to_string(path).unwrap()
        };
        let facelets = position.facelets();
        let csv = format!("index,facelets,metric,lower_bound,upper_bound\n0,{facelets},htm,2,2\n");
        assert_eq!(text("coset.csv"), csv);
        assert!(text("coset.jsonl").contains(r#""lower_bound": 2, "upper_bound": 2}"#));
        let card = fs::read_to_string(folder.path().join("coset.csv.md")).unwrap();
        assert!(card.contains("| 2 | 1 |"), "{card}");
        assert!(
            card.contains("- split: train\n    path: \"coset.csv\"\n---\n"),
            "{card}"
        );
        let third = Dataset {
            shard: Shard::new(3, 64).unwrap(),
            ..set
        };
        let metadata = third.metadata("test-3.parquet");
        assert!(metadata.contains("- split: test\n    path: \"test-*.parquet\"\n"));
    }
}
