//! The file formats of data sets, and the card beside each file.

use super::description::{Dataset, DatasetError, DatasetRow, PositionSource};
use super::npz::write_npz;
#[cfg(feature = "parquet")]
use super::parquet::write_parquet;
use crate::units::counted;
use cosette::cube::{DisplayMoves, FaceletLayout, Metric, Move, Turn};
use cosette::search::Solver;
use cosette::{Cancel, Progress};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file format. Columns have the same names in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetFormat {
    Npz,
    Parquet,
    Csv,
    JsonLines,
}

/// Error of a file name without a known extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("use a name that ends in .npz, .parquet, .csv or .jsonl")]
pub struct UnknownDatasetFormatError;

/// The error message of a build without Parquet.
const NO_PARQUET: &str = "this build of Cosette does not write Parquet; use .npz, a released \
    program, or one installed with `cargo install --path crates/cosette-cli --features parquet`";

impl DatasetFormat {
    /// Determines the format from a file name.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownDatasetFormatError`] if the extension is unknown.
    pub fn of(path: &Path) -> Result<DatasetFormat, UnknownDatasetFormatError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("npz") => Ok(DatasetFormat::Npz),
            Some("parquet") => Ok(DatasetFormat::Parquet),
            Some("csv") => Ok(DatasetFormat::Csv),
            Some("jsonl") => Ok(DatasetFormat::JsonLines),
            _ => Err(UnknownDatasetFormatError),
        }
    }

    /// Returns `true` if facelets are written as text.
    const fn is_text(self) -> bool {
        matches!(self, DatasetFormat::Csv | DatasetFormat::JsonLines)
    }
}

/// The type of the values of a column, in arrays of NumPy and in Parquet.
#[derive(Clone, Copy)]
pub(super) enum ValueType {
    UInt8,
    Int8,
    Int32,
    Int64,
    Bool,
    Text,
}

use ValueType::{Bool, Int8, Int32, Int64, Text, UInt8};

/// The value of a column in a row.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum ColumnValue {
    Number(i64),
    Numbers(Vec<i64>),
    Text(String),
    Texts(Vec<String>),
}

impl ColumnValue {
    /// Collects numbers.
    fn from_numbers<T: Into<i64>>(values: impl IntoIterator<Item = T>) -> ColumnValue {
        ColumnValue::Numbers(values.into_iter().map(T::into).collect())
    }

    /// Returns the value as a cell of CSV. No cell contains a comma or a quotation mark.
    fn text(self) -> String {
        match self {
            ColumnValue::Number(number) => number.to_string(),
            ColumnValue::Text(text) => text,
            ColumnValue::Numbers(numbers) => {
                let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
                texts.join(" ")
            }
            ColumnValue::Texts(texts) => texts.join(" "),
        }
    }

    pub(super) fn numbers(self) -> Vec<i64> {
        match self {
            ColumnValue::Number(number) => vec![number],
            ColumnValue::Numbers(numbers) => numbers,
            ColumnValue::Text(_) | ColumnValue::Texts(_) => Vec::new(),
        }
    }
}

/// A column of a file.
pub(super) struct Column<'a> {
    pub(super) name: &'static str,
    pub(super) kind: ValueType,
    /// The shape of the value in a row; empty for a single value.
    pub(super) shape: Vec<usize>,
    /// The meaning, as a sentence of the card; empty if the sentence of another column explains it,
    /// or if the name suffices.
    meaning: String,
    pub(super) value: Box<dyn Fn(&DatasetRow) -> ColumnValue + 'a>,
}

/// The columns of a file.
struct ColumnTable<'a>(Vec<Column<'a>>);

impl<'a> ColumnTable<'a> {
    fn add(
        &mut self,
        name: &'static str,
        kind: ValueType,
        shape: &[usize],
        meaning: impl Into<String>,
        value: impl Fn(&DatasetRow) -> ColumnValue + 'a,
    ) {
        self.0.push(Column {
            name,
            kind,
            shape: shape.to_vec(),
            meaning: meaning.into(),
            value: Box::new(value),
        });
    }
}

/// Padding after the last move of a solution.
const NO_MOVE: i64 = -1;

impl Dataset {
    /// Returns the columns of a file of this format, in order.
    fn columns(&self, rows: &[DatasetRow], format: DatasetFormat) -> Vec<Column<'_>> {
        let mut table = ColumnTable(Vec::new());
        let has_solutions = !matches!(self.positions, PositionSource::Coset { .. });
        if format != DatasetFormat::Npz {
            table.add("index", Int64, &[], "", move |row| {
                ColumnValue::Number(row.index as i64)
            });
        }
        let layout = format!("`facelets` are in the layout {}.", self.layout.name());
        if format.is_text() {
            table.add("facelets", Text, &[], layout, move |row| {
                ColumnValue::Text(row.position.facelets())
            });
            table.add("metric", Text, &[], "", move |_| {
                ColumnValue::Text(self.metric.name().to_owned())
            });
        } else {
            let shape: &[usize] = match (format, self.layout) {
                (DatasetFormat::Npz, FaceletLayout::Jumanji) => &[6, 3, 3],
                _ => &[54],
            };
            table.add("facelets", UInt8, shape, layout, move |row| {
                ColumnValue::from_numbers(self.layout.write(&row.position))
            });
        }
        let length = |row: &DatasetRow| ColumnValue::Number(row.length.into());
        if has_solutions {
            let meaning = "`length` is the length of the shortest solutions, and `solution` is \
                one of them.";
            table.add("length", Int8, &[], meaning, length);
            self.add_solutions(&mut table, rows, format);
        } else if format.is_text() {
            // `cosette coset` writes distance bounds in this form, and `cosette check` reads them.
            let meaning = "`lower_bound` (and `upper_bound`) is the length of the shortest \
                solutions.";
            table.add("lower_bound", Int8, &[], meaning, length);
            table.add("upper_bound", Int8, &[], "", length);
        } else {
            let meaning = "`length` is the length of the shortest solutions.";
            table.add("length", Int8, &[], meaning, length);
        }
        if matches!(self.positions, PositionSource::Walks(_)) {
            let meaning = "`walk_length` is the number of face turns of the random walk to the \
                position; a half turn is one.";
            table.add("walk_length", Int32, &[], meaning, move |row| {
                ColumnValue::Number(row.walk_length.unwrap_or_default() as i64)
            });
        }
        if self.optimal_moves {
            self.add_optimal_moves(&mut table, format);
        }
        table.0
    }

    /// Adds the column of solutions: numbers of moves in the layout, or text.
    fn add_solutions<'a>(
        &'a self,
        table: &mut ColumnTable<'a>,
        rows: &[DatasetRow],
        format: DatasetFormat,
    ) {
        let name = "solution";
        if format != DatasetFormat::Npz {
            table.add(name, Text, &[], "", move |row| {
                ColumnValue::Text(DisplayMoves(&row.solution).to_string())
            });
            return;
        }
        let lengths = rows.iter().map(|row| self.move_numbers(row).len());
        let longest = lengths.max().unwrap_or(0);
        table.add(name, Int8, &[longest], "", move |row| {
            let mut numbers = self.move_numbers(row);
            numbers.resize(longest, NO_MOVE);
            ColumnValue::Numbers(numbers)
        });
    }

    /// Returns the solution of a row as numbers of moves in the layout. In the quarter-turn metric,
    /// a half turn is two clockwise turns.
    fn move_numbers(&self, row: &DatasetRow) -> Vec<i64> {
        let moves = self.layout.moves(self.metric);
        let split = |&m: &Move| match self.metric {
            Metric::Qtm if m.is_half_turn() => vec![Move::new(m.face(), Turn::Clockwise); 2],
            _ => vec![m],
        };
        let number = |m: Move| {
            let number = moves.iter().position(|&other| other == m);
            number.map_or(NO_MOVE, |number| number as i64)
        };
        let moves_of_layout = row.solution.iter().flat_map(split);
        moves_of_layout.map(number).collect()
    }

    /// Adds the columns of the moves that begin a shortest solution, and of the distances after
    /// each move.
    fn add_optimal_moves(&self, table: &mut ColumnTable<'_>, format: DatasetFormat) {
        let moves = self.layout.moves(self.metric);
        let shape = &[moves.len()];
        fn distances(row: &DatasetRow) -> impl Iterator<Item = u8> {
            row.neighbor_distances.iter().flatten().copied()
        }
        let name = "optimal_moves";
        if format.is_text() {
            let meaning = "`optimal_moves` are the moves that begin a shortest solution.";
            table.add(name, Text, shape, meaning, move |row| {
                let nearer = moves.iter().zip(distances(row));
                let nearer = nearer.filter(|&(_, after)| after < row.length);
                let names = nearer.map(|(&m, _)| DisplayMoves(&[m]).to_string());
                ColumnValue::Texts(names.collect())
            });
        } else {
            let meaning = "`optimal_moves` is true for each of the `moves` that begins a shortest \
                solution.";
            table.add(name, Bool, shape, meaning, move |row| {
                ColumnValue::from_numbers(distances(row).map(|after| after < row.length))
            });
        }
        let name = "neighbor_distances";
        let meaning =
            "`neighbor_distances` are the distances from solved after each of the `moves`.";
        table.add(name, Int8, shape, meaning, move |row| {
            ColumnValue::from_numbers(distances(row))
        });
    }
}

/// Returns up to [`MAX_CARD`] bytes of a text file; empty if it cannot be read or is not text.
fn beginning(path: &Path) -> String {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_CARD).read_to_string(&mut text));
    if read.is_ok() { text } else { String::new() }
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
    /// format, or if the layout is only for arrays and the format is text.
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
        let card = beginning(&card_path);
        let card_has =
            |(name, value): &(&str, String)| card.contains(&format!("\n  \"{name}\": {value:?}"));
        if path.exists() {
            return match self.settings().iter().all(card_has) {
                true => Ok(true),
                false => refused(format!(
                    "{shown} already exists; use another name, or delete it"
                )),
            };
        }
        // A card without its file is replaced, but no other file is.
        match card_path.exists() && !card.contains("\n  \"cosette\": ") {
            true => refused(format!(
                "{} already exists and was not written by Cosette; move it away, or use another \
                    name",
                card_path.display()
            )),
            false => Ok(false),
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
        for (name, value) in self.settings() {
            about[name] = value.into();
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
            "# {name}\n\n{positions} of Rubik's Cube with proven lengths of shortest solutions in \
                {metric}, made by [Cosette](https://github.com/cosette-solver/cosette).\n\n\
                | length | positions |\n|--:|--:|\n{}\n{} {reproducibility}\n\n\
                ```json\n{about:#}\n```\n",
            count_lines.collect::<String>(),
            meanings.join(" "),
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
    use crate::dataset::Shard;
    use cosette::cube::Cube;

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
    }
}
