//! Page templates: the texts of an experiment and the printed figures of its paper, as Markdown;
//! code fills in the rest.
//!
//! ```text
//! ## partial: Heuristics from partial problems
//!
//! *Lee 2013, Tables IX and X*
//!
//! Paragraphs before the tables. `{seed}` stands for a value.
//!
//! ### X
//! Table X: the bound of 50 random positions.
//! | pairs | average, paper | ours* | ratio* |
//! | ----- | .2             | .2    | .3     |
//! | ab    | 11.44          | ?     | ?      |
//!
//! Paragraphs after the tables.
//! ```
//!
//! The second line of a table has the type of each column: words, or numbers with the format of the
//! values filled in for `?`: `#` for counts, `.3` for three digits after the point, `~` for
//! estimates, `s` for seconds. A printed number is shown with the digits of the source. A column
//! marked with `*` holds results of long runs, which may be stored from an earlier one. A table
//! with words after its name, `### X: all as printed`, is folded under them on the page.

use crate::experiment::{Cell, Experiment, KeptColumns, ResultTable};
use crate::stored_results::StoredResults;
use std::fmt::Display;
use std::time::Duration;

/// The form of an experiment, partly filled in.
pub struct PageTemplate {
    experiment: Experiment,
    tables: Vec<FormTable>,
}

/// A table of a form.
pub struct FormTable {
    name: &'static str,
    /// The number format of each column.
    formats: Vec<&'static str>,
    /// The columns that hold results of long runs.
    long: Vec<usize>,
    table: ResultTable,
}

impl PageTemplate {
    /// The form of this name among those in a text.
    ///
    /// # Panics
    /// Panics if there is none, or if it is incomplete.
    pub fn read(text: &'static str, name: &'static str) -> PageTemplate {
        let mut sections = text
            .split("\n## ")
            .filter_map(|section| section.strip_prefix(name)?.strip_prefix(": "));
        let mut blocks = sections
            .next()
            .unwrap_or_else(|| panic!("unknown template {name}"))
            .trim_end()
            .split("\n\n");
        let title = blocks.next().unwrap_or_default();
        let source = blocks.next().unwrap_or_default().trim_matches('*');
        let mut form = PageTemplate {
            experiment: Experiment::new(name, title, source),
            tables: Vec::new(),
        };
        for block in blocks {
            match block.strip_prefix("### ") {
                Some(table) => form.tables.push(FormTable::read(table)),
                None if form.tables.is_empty() => form.experiment.text.push(block.to_owned()),
                None => form.experiment.remarks.push(block.to_owned()),
            }
        }
        form
    }

    /// Fills in a value at each place of its name.
    pub fn say(&mut self, name: &str, value: impl Display) -> &mut PageTemplate {
        let place = format!("{{{name}}}");
        let value = value.to_string();
        let paragraphs = self
            .experiment
            .text
            .iter_mut()
            .chain(&mut self.experiment.remarks);
        let captions = self.tables.iter_mut().map(|table| &mut table.table.caption);
        paragraphs
            .chain(captions)
            .for_each(|text| *text = text.replace(&place, &value));
        self
    }

    /// Fills in the circumstances of the stored results at `{kept}`, and those of the columns that
    /// hold them, if an earlier run has computed any.
    pub fn say_kept(&mut self, kept: &StoredResults) -> &mut PageTemplate {
        let earlier = kept.earlier();
        for FormTable { long, table, .. } in self
            .tables
            .iter_mut()
            .filter(|table| !table.long.is_empty())
        {
            table.kept = earlier.clone().map(|run| KeptColumns {
                columns: long.clone(),
                run,
            });
        }
        self.say("kept", kept.circumstances())
    }

    /// The table of this name.
    ///
    /// # Panics
    /// Panics if there is none.
    pub fn table(&mut self, name: &str) -> &mut FormTable {
        self.tables
            .iter_mut()
            .find(|table| table.name == name)
            .unwrap_or_else(|| panic!("unknown table {name}"))
    }

    /// Returns the experiment with the values filled in up to now.
    pub fn experiment(self) -> Experiment {
        self.experiment
            .tables(self.tables.into_iter().map(|table| table.table))
    }
}

impl FormTable {
    fn read(text: &'static str) -> FormTable {
        let (head, rows): (Vec<&str>, Vec<&str>) =
            text.lines().partition(|line| !line.starts_with('|'));
        let cells = |row: &'static str| {
            row.trim_matches('|')
                .split('|')
                .map(str::trim)
                .collect::<Vec<_>>()
        };
        let mut columns = cells(rows[0]);
        let mut long = Vec::new();
        for (number, column) in columns.iter_mut().enumerate() {
            if let Some(name) = column.strip_suffix('*') {
                *column = name;
                long.push(number);
            }
        }
        let (name, folded) = head[0].split_once(": ").unwrap_or((head[0], ""));
        let formats = cells(rows[1]);
        let mut table = ResultTable {
            folded,
            ..ResultTable::new(head[1..].join(" "), &columns)
        };
        for row in &rows[2..] {
            let cell =
                |(text, format): (&str, &&str)| match format.starts_with('-') && !text.is_empty() {
                    true => Cell::text(text),
                    false => printed(text),
                };
            table.row(cells(row).into_iter().zip(&formats).map(cell));
        }
        FormTable {
            name,
            formats,
            long,
            table,
        }
    }

    /// Adds a row.
    pub fn row(&mut self, values: impl IntoIterator<Item = Value>) {
        let cells: Vec<Cell> = self
            .formats
            .iter()
            .zip(values)
            .map(|(format, value)| value.cell(format))
            .collect();
        self.table.row(cells);
    }

    /// Fills in each row, from left to right, with the result of `values`.
    pub fn fill<V: IntoIterator<Item = Value>>(
        &mut self,
        mut values: impl FnMut(FormRow<'_>) -> V,
    ) {
        for row in &mut self.table.rows {
            let mut values = values(FormRow(row)).into_iter();
            for (cell, format) in row
                .iter_mut()
                .zip(&self.formats)
                .filter(|(cell, _)| **cell == Cell::text("?"))
            {
                *cell = values.next().expect("a value for each `?`").cell(format);
            }
            debug_assert!(values.next().is_none(), "more values than places");
        }
    }

    /// Its rows.
    pub fn rows(&self) -> impl Iterator<Item = FormRow<'_>> {
        self.table.rows.iter().map(|row| FormRow(row))
    }
}

/// A row of a form.
#[derive(Clone, Copy)]
pub struct FormRow<'a>(&'a [Cell]);

impl FormRow<'_> {
    /// Returns the text in a column; empty if it holds a number.
    pub fn words(&self, column: usize) -> &str {
        if let Cell::Text(words) = &self.0[column] {
            words
        } else {
            ""
        }
    }

    /// Returns the number in a column; not a number if it holds none.
    pub fn number(&self, column: usize) -> f64 {
        match self.0[column] {
            Cell::Count(count) => count as f64,
            Cell::Large(count) => count as f64,
            Cell::Number(number, _) | Cell::Estimate(number) => number,
            _ => f64::NAN,
        }
    }

    /// Returns a number in the format of a column.
    pub fn as_in(&self, column: usize, number: f64) -> Cell {
        match self.0[column] {
            Cell::Number(_, digits) if number < 1e6 => Cell::Number(number, digits),
            _ => Cell::Estimate(number),
        }
    }

    /// Returns the count in a column, written in digits if the column holds words; zero if it holds
    /// none.
    pub fn count(&self, column: usize) -> u64 {
        match &self.0[column] {
            Cell::Count(count) => *count,
            Cell::Text(words) => words.parse().unwrap_or_default(),
            _ => 0,
        }
    }
}

/// Parses a printed cell: a count, an estimate (`9.5e9`), a number with its digits, or words; an
/// empty cell for an empty text and for `-`.
fn printed(text: &str) -> Cell {
    match (text.parse::<u128>(), text.parse::<f64>()) {
        (Ok(count), _) => whole(count),
        (_, Ok(number)) if text.contains('e') => Cell::Estimate(number),
        (_, Ok(number)) => Cell::Number(
            number,
            text.split_once('.').map_or(0, |(_, digits)| digits.len()),
        ),
        _ if matches!(text, "" | "-") => Cell::Nothing,
        _ => Cell::text(text),
    }
}

fn whole(count: u128) -> Cell {
    u64::try_from(count).map_or(Cell::Large(count), Cell::Count)
}

/// The value filled in for a cell.
pub enum Value {
    /// A whole number.
    Whole(u128),
    /// A number; shown as an empty cell if it is not finite.
    Real(f64),
    /// A cell whose format differs from that of its column.
    Cell(Cell),
}

impl Value {
    fn cell(self, format: &str) -> Cell {
        let number = match self {
            Value::Cell(cell) => return cell,
            Value::Real(number) if !number.is_finite() => return Cell::Nothing,
            Value::Real(number) => number,
            Value::Whole(count) if matches!(format, "#") => return whole(count),
            Value::Whole(count) => count as f64,
        };
        match format {
            "#" => Cell::Count(number.round() as u64),
            "~" => Cell::Estimate(number),
            "s" => Cell::Seconds(number),
            _ => Cell::Number(
                number,
                format[1..]
                    .parse()
                    .unwrap_or_else(|_| panic!("`{format}` shows no numbers")),
            ),
        }
    }
}

macro_rules! from_whole_numbers {
    ($($number:ty)*) => { $(impl From<$number> for Value {
        fn from(number: $number) -> Value {
            Value::Whole(number as u128)
        }
    })* };
}

from_whole_numbers!(u8 u32 u64 u128 usize);

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Real(number)
    }
}

impl From<Duration> for Value {
    fn from(time: Duration) -> Value {
        Value::Real(time.as_secs_f64())
    }
}

impl From<&str> for Value {
    fn from(words: &str) -> Value {
        Value::Cell(Cell::text(words))
    }
}

impl From<String> for Value {
    fn from(words: String) -> Value {
        Value::Cell(Cell::Text(words))
    }
}

impl From<Cell> for Value {
    fn from(cell: Cell) -> Value {
        Value::Cell(cell)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Cell(Cell::Nothing), T::into)
    }
}

/// The values of a row.
macro_rules! row {
    ($($value:expr),* $(,)?) => { [$($crate::template::Value::from($value)),*] };
}

pub(crate) use row;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Forms\n\n## one: First\n\n*Somewhere*\n\nOf {what}.\n\n### a\nA \
        caption\nin two lines\n\
                        | what | paper | ours* | ratio |\n| --- | .2 | # | .2 |\n| x | 10.80 | ? \
                        | ? |\n\n\
                        After {what}.\n\n## two: Second\n\n*Elsewhere*\n";

    #[test]
    fn what_code_computes_stands_beside_what_is_printed() {
        let mut form = PageTemplate::read(TEXT, "one");
        form.say("what", 7)
            .say_kept(&StoredResults::read("# by another\na = 1"));
        form.table("a").fill(|row| row![10u8, 10.0 / row.number(1)]);
        form.table("a")
            .row(row!["y", 1u64 << 60, None::<u8>, f64::INFINITY]);
        let shown = form.experiment();
        assert_eq!(
            (&shown.text[..], &shown.remarks[..]),
            (&["Of 7.".to_owned()][..], &["After 7.".to_owned()][..])
        );
        let table = &shown.tables[0];
        assert_eq!(
            (&table.caption[..], &table.columns[2]),
            ("A caption in two lines", &"ours")
        );
        assert_eq!(
            table.rows[0],
            [
                Cell::text("x"),
                Cell::Number(10.8, 2),
                Cell::Count(10),
                Cell::Number(10.0 / 10.8, 2)
            ]
        );
        assert_eq!(table.rows[1][2..], [Cell::Nothing, Cell::Nothing]);
        assert_eq!(
            table.kept.as_ref().map(|kept| &kept.columns[..]),
            Some(&[2][..])
        );
        assert_eq!(
            PageTemplate::read(TEXT, "two").experiment().source,
            "Elsewhere"
        );
    }
}
