//! The file formats of data sets, and the card beside each file.

use super::description::{Dataset, DatasetError, DatasetRow, PositionSource};
use super::npz::Npz;
use crate::units::counted;
use cosette::cube::{DisplayMoves, FaceletLayout, Metric, Move, Turn};
use cosette::search::Solver;
use cosette::{Cancel, Progress};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// A file format. Columns have the same names in all of them.
///
/// | column | `.npz` | `.parquet` | `.csv`, `.jsonl` |
/// |---|---|---|---|
/// | `index` | – | number | number |
/// | `facelets` | `uint8`, rows × 54 | list of 54 | facelet string |
/// | `metric` | – | – | `htm` or `qtm` |
/// | `length` | `int8` | number | number; for a coset `lower_bound` and `upper_bound` |
/// | `solution` | `int8`, rows × the maximum length, padded with −1; moves are numbered as in the layout | text | text |
/// | `walk_length` | `int32` | number | number |
/// | `optimal_moves` | `bool`, rows × moves | list of booleans | moves |
/// | `neighbor_distances` | `int8`, rows × moves | list | numbers |
///
/// Positions of a coset have no solutions.
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

/// The error of a build without Parquet.
const NO_PARQUET: &str = "this build of Cosette does not write Parquet; use .npz, a released \
    program, or one installed with `cargo install --path crates/cosette-cli --features parquet`";

/// Padding after the last move of a solution.
const NO_MOVE: i8 = -1;

impl DatasetFormat {
    /// Determines the format from a file name.
    ///
    /// # Errors
    ///
    /// Returns [`UnknownDatasetFormatError`] if the extension is unknown.
    pub fn of(path: &Path) -> Result<DatasetFormat, UnknownDatasetFormatError> {
        match path.extension().and_then(|ending| ending.to_str()) {
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

    /// Writes the rows of a data set; `about` describes how they were made.
    fn write(self, columns: &DatasetColumns<'_>, about: &Value, out: File) -> io::Result<()> {
        match self {
            DatasetFormat::Npz => columns.write_npz(about, out),
            #[cfg(feature = "parquet")]
            DatasetFormat::Parquet => columns.write_parquet(about, out).map_err(io::Error::other),
            #[cfg(not(feature = "parquet"))]
            DatasetFormat::Parquet => Err(io::Error::other(NO_PARQUET)),
            DatasetFormat::Csv => columns.write_csv(out),
            DatasetFormat::JsonLines => columns.write_json(out),
        }
    }
}

/// Returns the beginning of a text file with any content; empty if it is not text.
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
    /// Returns [`DatasetError`] if it is another file, which is not replaced, if the file name has
    /// no known extension, or if the layout is only for arrays and the format is text.
    pub fn is_at(&self, path: &Path) -> Result<bool, DatasetError> {
        let format = DatasetFormat::of(path).map_err(|unknown| {
            DatasetError::Refused(format!(
                "{} has no known file extension; {unknown}",
                path.display()
            ))
        })?;
        if format == DatasetFormat::Parquet && cfg!(not(feature = "parquet")) {
            return Err(DatasetError::Refused(NO_PARQUET.into()));
        }
        if format.is_text() && self.layout != FaceletLayout::Kociemba {
            return Err(DatasetError::Refused(format!(
                "the layout {} is only for arrays, but {} is text; remove the layout, or use .npz \
                    or .parquet",
                self.layout.name(),
                path.display()
            )));
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(DatasetError::Refused(format!(
                "the folder {} does not exist; create it first",
                folder.display()
            )));
        }
        let card_path = card_path(path);
        let card = beginning(&card_path);
        if !path.exists() {
            // Only the card may be replaced, and no other file.
            return match card_path.exists() && !card.contains("\n  \"cosette\": ") {
                true => Err(DatasetError::Refused(format!(
                    "{} already exists and was not written by Cosette; move it away, or use \
                        another name",
                    card_path.display()
                ))),
                false => Ok(false),
            };
        }
        let has =
            |(name, value): &(&str, String)| card.contains(&format!("\n  \"{name}\": {value:?}"));
        match self.settings().iter().all(has) {
            true => Ok(true),
            false => Err(DatasetError::Refused(format!(
                "{} already exists; use another name, or delete it",
                path.display()
            ))),
        }
    }

    /// Creates this file and its card; each is complete or missing. Returns the number of rows, or
    /// `None` on cancellation; the [journal](journal_path) beside the file then holds the finished
    /// rows.
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
        let table = solver.table().id().to_string();
        let written = self
            .write(&rows, &table, path)
            .and_then(|()| fs::remove_file(&journal));
        written.map_err(|error| DatasetError::Write {
            path: path.to_owned(),
            error,
        })?;
        Ok(Some(rows.len()))
    }

    /// Writes the rows into a file, and the card beside it.
    pub(super) fn write(&self, rows: &[DatasetRow], table: &str, path: &Path) -> io::Result<()> {
        let format = DatasetFormat::of(path).map_err(io::Error::other)?;
        let columns = DatasetColumns {
            set: self,
            rows,
            moves: self.layout.moves(self.metric),
        };
        let about = self.about(table);
        // The card is written first: a file without one is taken for another data set.
        replace(&card_path(path), |mut file| {
            file.write_all(columns.card(&about, format, path).as_bytes())
        })?;
        replace(path, |file| format.write(&columns, &about, file))
    }

    /// Returns the provenance: the program, its table, and the settings.
    fn about(&self, table: &str) -> Value {
        let mut about = json!({"cosette": env!("CARGO_PKG_VERSION"), "table": table});
        for (name, value) in self.settings() {
            about[name] = value.into();
        }
        about["moves"] = self
            .layout
            .moves(self.metric)
            .iter()
            .map(|&m| DisplayMoves(&[m]).to_string())
            .collect();
        about
    }
}

/// Returns the path of the card of this file, which describes its content and provenance.
pub fn card_path(path: &Path) -> PathBuf {
    beside(path, ".md")
}

/// Returns the path of the journal with the rows of this file, until it is complete.
pub fn journal_path(path: &Path) -> PathBuf {
    beside(path, ".journal")
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Writes a file under a temporary name, and renames it when it is complete.
fn replace(path: &Path, write: impl FnOnce(File) -> io::Result<()>) -> io::Result<()> {
    let writing = beside(path, ".writing");
    let done = File::create(&writing).and_then(|file| {
        let written = file.try_clone()?;
        write(file)?;
        written.sync_all()
    });
    done.and_then(|()| fs::rename(&writing, path))
        .inspect_err(|_| drop(fs::remove_file(&writing)))
}

/// The rows, by column.
pub(super) struct DatasetColumns<'a> {
    pub(super) set: &'a Dataset,
    pub(super) rows: &'a [DatasetRow],
    pub(super) moves: &'a [Move],
}

impl DatasetColumns<'_> {
    /// Returns `true` if rows have a solution.
    pub(super) fn has_solutions(&self) -> bool {
        !matches!(self.set.positions, PositionSource::Coset { .. })
    }

    pub(super) fn has_walks(&self) -> bool {
        matches!(self.set.positions, PositionSource::Walks(_))
    }

    /// Returns, for each move, `true` if it begins a shortest solution.
    pub(super) fn optimal(row: &DatasetRow) -> impl Iterator<Item = bool> {
        row.neighbor_distances
            .iter()
            .flatten()
            .map(|&after| after < row.length)
    }

    pub(super) fn neighbor_distances(row: &DatasetRow) -> impl Iterator<Item = u8> {
        row.neighbor_distances.iter().flatten().copied()
    }

    /// Returns a solution as numbers of moves in the layout. In the quarter-turn metric, a
    /// half turn is two moves.
    fn numbered(&self, row: &DatasetRow) -> Vec<i8> {
        let quarters = |&m: &Move| match self.set.metric {
            Metric::Qtm if m.is_half_turn() => vec![Move::new(m.face(), Turn::Clockwise); 2],
            _ => vec![m],
        };
        let number = |m: Move| {
            self.moves
                .iter()
                .position(|&other| other == m)
                .map_or(NO_MOVE, |number| number as i8)
        };
        row.solution
            .iter()
            .flatten()
            .flat_map(quarters)
            .map(number)
            .collect()
    }

    fn write_npz(&self, about: &Value, out: File) -> io::Result<()> {
        let mut npz = Npz::new(out);
        let (rows, moves) = (self.rows.len(), self.moves.len());
        let facelets = self
            .rows
            .iter()
            .flat_map(|row| self.set.layout.write(&row.position))
            .collect();
        let shape = if self.set.layout == FaceletLayout::Jumanji {
            vec![rows, 6, 3, 3]
        } else {
            vec![rows, 54]
        };
        npz.add("facelets", "|u1", &shape, facelets)?;
        npz.add(
            "length",
            "|i1",
            &[rows],
            self.rows.iter().map(|row| row.length).collect(),
        )?;
        if self.has_solutions() {
            let solutions: Vec<Vec<i8>> = self.rows.iter().map(|row| self.numbered(row)).collect();
            let longest = solutions.iter().map(Vec::len).max().unwrap_or(0);
            let padded = |solution: &Vec<i8>| {
                (0..longest)
                    .map(|n| *solution.get(n).unwrap_or(&NO_MOVE) as u8)
                    .collect::<Vec<_>>()
            };
            npz.add(
                "solution",
                "|i1",
                &[rows, longest],
                solutions.iter().flat_map(padded).collect(),
            )?;
        }
        if self.has_walks() {
            let walks = self
                .rows
                .iter()
                .flat_map(|row| (row.walk_length.unwrap_or_default() as u32).to_le_bytes());
            npz.add("walk_length", "<i4", &[rows], walks.collect())?;
        }
        if self.set.optimal_moves {
            npz.add(
                "optimal_moves",
                "|b1",
                &[rows, moves],
                self.rows
                    .iter()
                    .flat_map(Self::optimal)
                    .map(u8::from)
                    .collect(),
            )?;
            npz.add(
                "neighbor_distances",
                "|i1",
                &[rows, moves],
                self.rows
                    .iter()
                    .flat_map(Self::neighbor_distances)
                    .collect(),
            )?;
        }
        let text = about.to_string().into_bytes();
        npz.add("about", &format!("|S{}", text.len()), &[], text)?;
        npz.finish()
    }

    /// Returns a row as a JSON object.
    fn object(&self, row: &DatasetRow) -> BTreeMap<&'static str, Value> {
        let mut object = BTreeMap::from([
            ("index", json!(row.index)),
            ("facelets", json!(row.position.facelets())),
            ("metric", json!(self.set.metric.name())),
        ]);
        match written(row) {
            Some(solution) => {
                object.extend([("length", json!(row.length)), ("solution", json!(solution))])
            }
            // `cosette coset` writes distance bounds in this form, and `cosette check` reads them.
            None => object
                .extend(["lower_bound", "upper_bound"].map(|bound| (bound, json!(row.length)))),
        }
        object.extend(row.walk_length.map(|length| ("walk_length", json!(length))));
        if let Some(distances) = &row.neighbor_distances {
            let optimal = self
                .moves
                .iter()
                .zip(Self::optimal(row))
                .filter(|&(_, is)| is);
            object.insert(
                "optimal_moves",
                optimal
                    .map(|(&m, _)| DisplayMoves(&[m]).to_string())
                    .collect(),
            );
            object.insert("neighbor_distances", json!(distances));
        }
        object
    }

    /// Returns the columns of text, in order.
    fn names(&self) -> Vec<&'static str> {
        let walk_length = self.has_walks().then_some("walk_length");
        let labels = self
            .set
            .optimal_moves
            .then_some(["optimal_moves", "neighbor_distances"]);
        let length = if self.has_solutions() {
            ["length", "solution"]
        } else {
            ["lower_bound", "upper_bound"]
        };
        ["index", "facelets", "metric"]
            .into_iter()
            .chain(length)
            .chain(walk_length)
            .chain(labels.into_iter().flatten())
            .collect()
    }

    /// Writes CSV. No cell contains a comma or a quotation mark.
    fn write_csv(&self, out: File) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        writeln!(out, "{}", self.names().join(","))?;
        for row in self.rows {
            let object = self.object(row);
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            };
            let cell = |name: &&str| match &object[name] {
                Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
                value => text(value),
            };
            writeln!(
                out,
                "{}",
                self.names().iter().map(cell).collect::<Vec<_>>().join(",")
            )?;
        }
        out.flush()
    }

    fn write_json(&self, out: File) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        for row in self.rows {
            let object = self.object(row);
            let field = |name: &&str| format!("{name:?}: {}", object[name]);
            writeln!(
                out,
                "{{{}}}",
                self.names()
                    .iter()
                    .map(field)
                    .collect::<Vec<_>>()
                    .join(", ")
            )?;
        }
        out.flush()
    }

    /// Returns the human-readable description of the file and its provenance.
    fn card(&self, about: &Value, format: DatasetFormat, path: &Path) -> String {
        let set = self.set;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut card = format!(
            "# {name}\n\n{} of Rubik's Cube with proven lengths of shortest solutions",
            counted(self.rows.len() as u64, "position")
        );
        let _ = write!(
            card,
            " in {}, made by [Cosette](https://github.com/cosette-solver/cosette).\n\n",
            set.metric.name()
        );
        card += "| length | positions |\n|--:|--:|\n";
        let mut lengths = BTreeMap::new();
        self.rows
            .iter()
            .for_each(|row| *lengths.entry(row.length).or_insert(0) += 1);
        for (length, count) in lengths {
            let _ = writeln!(card, "| {length} | {count} |");
        }
        let _ = write!(
            card,
            "\n`facelets` are in the layout {}.",
            set.layout.name()
        );
        // `cosette coset` writes distance bounds in this form, and `cosette check` reads them.
        let has_bounds = format.is_text() && !self.has_solutions();
        let length = if has_bounds {
            "`lower_bound` (and `upper_bound`)"
        } else {
            "`length`"
        };
        let _ = write!(card, " {length} is the length of the shortest solutions");
        if self.has_solutions() {
            card += ", and `solution` is one of them";
        }
        card += ".";
        if self.has_walks() {
            card += " `walk_length` is the number of face turns of the random walk to the \
                position; a half turn is one.";
        }
        if set.optimal_moves {
            card += match format.is_text() {
                true => " `optimal_moves` are the moves that begin a shortest solution.",
                false => {
                    " `optimal_moves` is true for each of the `moves` that begins a shortest \
                        solution."
                }
            };
            card +=
                " `neighbor_distances` are the distances from solved after each of the `moves`.";
        }
        card += match self.has_solutions() {
            true => {
                " The same description reproduces the same positions and lengths on any machine; \
                    with other tables or thread counts, a row may have another of its shortest \
                    solutions.\n"
            }
            false => " The same description reproduces the same rows on any machine.\n",
        };
        let _ = write!(card, "\n```json\n{about:#}\n```\n");
        card
    }
}

/// Returns the solution of a row as text.
pub(super) fn written(row: &DatasetRow) -> Option<String> {
    row.solution
        .as_ref()
        .map(|solution| DisplayMoves(solution).to_string())
}
