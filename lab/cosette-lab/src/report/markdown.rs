//! Experiments as Markdown, with columns that line up, so that it reads well in a terminal too.

use crate::experiment::{Cell, Experiment, Plot, Table};
use std::fmt::Write;

/// A line under a heading of this many marks, as `## Title`.
pub fn heading(level: usize, title: &str) -> String {
    format!("{} {title}\n", "#".repeat(level))
}

/// An experiment under a heading of this level. Its plots are pictures in the files that `file` says; where it says none,
/// they are left out.
pub fn experiment(experiment: &Experiment, level: usize, file: &dyn Fn(&Plot) -> Option<String>) -> String {
    let mut parts = vec![heading(level, &experiment.title), format!("*{}*\n", experiment.source)];
    parts.extend(experiment.text.iter().map(paragraph));
    parts.extend(experiment.tables.iter().map(table));
    let picture = |plot: &Plot| Some(format!("![{}]({})\n", plot.title, file(plot)?));
    parts.extend(experiment.plots.iter().filter_map(picture));
    parts.extend(experiment.remarks.iter().map(paragraph));
    parts.join("\n")
}

fn paragraph(text: &String) -> String {
    format!("{text}\n")
}

/// A table; columns without words are set to the right.
pub fn table(table: &Table) -> String {
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([table.columns[column].chars().count(), 3]).max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let has_words = |column: usize| table.rows.iter().any(|row| matches!(row[column], Cell::Text(_)));
    let right: Vec<bool> = (0..table.columns.len()).map(|column| !has_words(column)).collect();
    let line = |cells: &mut dyn Iterator<Item = String>| format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    let pad = |column: usize, text: &str| {
        let width = widths[column];
        if right[column] { format!("{text:>width$}") } else { format!("{text:<width$}") }
    };
    let rule = |column: usize| {
        let dashes = "-".repeat(widths[column] - 1);
        if right[column] { format!("{dashes}:") } else { format!("{dashes}-") }
    };
    let mut text = if table.caption.is_empty() { String::new() } else { format!("{}\n\n", table.caption) };
    text += &line(&mut table.columns.iter().enumerate().map(|(column, head)| pad(column, head)));
    text += &line(&mut (0..widths.len()).map(rule));
    for row in &rows {
        text += &line(&mut row.iter().enumerate().map(|(column, cell)| pad(column, cell)));
    }
    text
}

/// The text of a cell.
pub fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Nothing => String::new(),
        Cell::Text(text) => text.replace('|', "\\|"),
        Cell::Count(count) => grouped((*count).into()),
        Cell::Large(count) => grouped(*count),
        Cell::Estimate(estimate) => power_of_ten(*estimate),
        Cell::Number(number, digits) => format!("{number:.digits$}"),
        Cell::Seconds(seconds) if *seconds < 0.1 => format!("{:.2} ms", 1e3 * seconds),
        Cell::Seconds(seconds) if *seconds < 10.0 => format!("{seconds:.3} s"),
        Cell::Seconds(seconds) => format!("{seconds:.1} s"),
    }
}

/// Digits in groups of three: 88,179,840.
fn grouped(count: u128) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Three digits and a power of ten: 9.50·10⁹; small numbers as they are.
fn power_of_ten(number: f64) -> String {
    if number.abs() < 1e4 {
        return format!("{number:.0}");
    }
    let mut text = format!("{number:.2e}");
    let exponent = text.split_off(text.find('e').expect("the format has an exponent"));
    write!(text, "·10{}", superscript(exponent[1..].parse().expect("it is a number"))).expect("a string takes all");
    text
}

/// A whole number as an exponent.
pub fn superscript(number: i32) -> String {
    let superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| digit.to_digit(10).map_or('⁻', |digit| superscripts[digit as usize]);
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_line_up() {
        let mut shown = Table::new("Corners", &["distance", "positions", "note"]);
        shown.row([Cell::Count(0), Cell::Count(1), Cell::Nothing]);
        shown.row([Cell::Count(10), Cell::Count(15_139_616), Cell::text("most")]);
        let expected = "Corners\n\n\
            | distance |  positions | note |\n\
            | -------: | ---------: | ---- |\n\
            |        0 |          1 |      |\n\
            |       10 | 15,139,616 | most |\n";
        assert_eq!(table(&shown), expected);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(cell(&Cell::Estimate(9.5e9)), "9.50·10⁹");
        assert_eq!(cell(&Cell::Estimate(43.0)), "43");
        assert_eq!(cell(&Cell::Number(8.7641, 3)), "8.764");
        assert_eq!(cell(&Cell::Seconds(0.0123)), "12.30 ms");
        assert_eq!(cell(&Cell::ratio(1.0, 0.0)), "");
    }
}
