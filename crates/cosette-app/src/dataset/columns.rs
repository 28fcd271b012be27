//! The columns of the files of a data set.

use super::description::{Dataset, DatasetRow, PositionSource};
use super::format::DatasetFormat;
use ValueType::{Bool, Int8, Int32, Int64, Text, UInt8};
use cosette::cube::{DisplayMoves, FaceletLayout, Metric, Move, Turn};
use serde::Serialize;

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
    pub(super) fn text(self) -> String {
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
    pub(super) meaning: String,
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
    pub(super) fn columns(&self, rows: &[DatasetRow], format: DatasetFormat) -> Vec<Column<'_>> {
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
