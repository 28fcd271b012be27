//! Pages: Jinja templates in Markdown (`lab/cosette-lab/pages`), rendered with records.
//!
//! A template has one block for each experiment, named by it with `_` for `-`. All records of the
//! paper are variables of these names:
//!
//! ```text
//! {% block databases %}
//! ## Pattern databases
//!
//! | bound | entries | mean, paper | mean |
//! | --- | --: | --: | --: |
//! {% for row in databases.rows %}
//! | {{ row.name }} | {{ row.entries|grouped }} | {{ row.paper }} | {{ row.mean|fixed(4) }} |
//! {% endfor %}
//!
//! {{ plot("korf-law", "Nodes by entries", x="entries", y="nodes", log="xy", series=[
//!     series("this program", law.rows, "entries", "nodes"),
//!     series("Korf 1997", law.printed, "entries", "nodes", printed=true)]) }}
//! {% endblock %}
//! ```
//!
//! | filter or function | result |
//! |---|---|
//! | `grouped` | a whole number with thousands separators |
//! | `fixed(digits)` | a number with this many decimal places |
//! | `estimate` | three digits and a power of ten: 9.50·10⁹ |
//! | `seconds` | a duration: `0.25 ms`, `2.500 s`, `144.8 s` |
//! | `ratio(a, b)` | a ÷ b; none if one of them is, or if b is 0 |
//! | `series(label, rows, x, y)` | two fields of each row as a series of a plot; `printed=true` marks a paper's |
//! | `plot(name, title, …)` | a plot, drawn into the file `name.svg` beside the page |
//!
//! Filters show none as an empty text. A name that does not exist is an error. The columns of the
//! tables are lined up, so that a section reads well in a terminal too.

use crate::error::LabError;
use crate::plot::{Plot, Series, superscript, svg};
use crate::record::Record;
use cosette::numbers::grouped;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde, Value};
use minijinja::{Environment, Error, UndefinedBehavior};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The records of a paper, by the names of their experiments.
pub type Records = BTreeMap<&'static str, Record>;

/// A page, and the plots that it shows.
pub struct Page {
    /// The name of its file, without an ending.
    pub name: &'static str,
    /// The text, in Markdown.
    pub text: String,
    /// The plots.
    pub plots: Vec<Plot>,
}

impl Page {
    /// Renders a template with these records. The template finds a sentence for each run that
    /// computed them as `circumstances`.
    ///
    /// # Panics
    /// Panics if the template is invalid, or names something that does not exist.
    pub fn render(name: &'static str, template: &str, records: &Records) -> Page {
        let plots = Arc::new(Mutex::new(Vec::new()));
        let text = environment(&plots)
            .render_named_str(name, template, context(records))
            .unwrap_or_else(|error| panic!("{error:#}"));
        let plots = std::mem::take(&mut *plots.lock().expect("no thread panics"));
        Page {
            name,
            text: align_tables(&text),
            plots,
        }
    }

    /// Writes the page and its plots into a directory, and returns the paths of the files.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<Vec<PathBuf>, LabError> {
        fs::create_dir_all(directory).map_err(LabError::io("create the folder", directory))?;
        let plots = self
            .plots
            .iter()
            .map(|plot| (format!("{}.svg", plot.name), svg(plot)));
        let page = (format!("{}.md", self.name), self.text.clone());
        plots
            .chain([page])
            .map(|(file, text)| {
                let path = directory.join(file);
                fs::write(&path, text).map_err(LabError::io("write", &path))?;
                Ok(path)
            })
            .collect()
    }
}

/// Renders the section of one experiment for a terminal: without plots, and with all tables
/// unfolded.
///
/// # Panics
/// Panics if the template is invalid, or names something that does not exist.
pub fn render_section(template: &str, experiment: &str, records: &Records) -> String {
    let plots = Arc::new(Mutex::new(Vec::new()));
    let mut environment = environment(&plots);
    environment.add_function("plot", |_: String, _: String, _: Kwargs| String::new());
    let section = environment
        .template_from_str(template)
        .and_then(|template| template.render_captured(context(records)))
        .and_then(|mut page| page.with_state_mut(|state| state.render_block(&variable(experiment))))
        .unwrap_or_else(|error| panic!("{error:#}"));
    let is_shown = |line: &&str| {
        !["<details>", "</details>", "!["]
            .iter()
            .any(|start| line.starts_with(start))
    };
    let lines: Vec<&str> = section.trim().lines().filter(is_shown).collect();
    align_tables(&(lines.join("\n") + "\n"))
}

/// Returns the variables of a template.
fn context(records: &Records) -> Value {
    let mut origins: Vec<&str> = Vec::new();
    for record in records.values() {
        if !origins.contains(&record.origin.as_str()) {
            origins.push(&record.origin);
        }
    }
    let lines = wrapped(&origins.join(" "));
    let circumstances = ("circumstances".to_owned(), Value::from(lines));
    let data = records
        .iter()
        .map(|(name, record)| (variable(name), Value::from(Serde(&record.data))));
    Value::from_pairs(data.chain([circumstances]))
}

/// Returns a paragraph in lines of at most [`MAX_WIDTH`] characters.
fn wrapped(paragraph: &str) -> String {
    let mut lines = String::new();
    let mut width = 0;
    for word in paragraph.split(' ') {
        let length = word.chars().count();
        let fits = width + 1 + length <= MAX_WIDTH;
        if !lines.is_empty() {
            lines.push(if fits { ' ' } else { '\n' });
        }
        lines.push_str(word);
        width = if fits { width + 1 + length } else { length };
    }
    lines
}

/// Maximum width of a line of the circumstances, in characters.
const MAX_WIDTH: usize = 120;

/// Returns the variable of an experiment.
fn variable(experiment: &str) -> String {
    experiment.replace('-', "_")
}

/// Creates the filters and functions of templates; plots are added to `plots`.
fn environment(plots: &Arc<Mutex<Vec<Plot>>>) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // Errors show the place in the template.
    environment.set_debug(true);
    let syntax = SyntaxConfig::builder()
        .trim_blocks(true)
        .lstrip_blocks(true)
        .keep_trailing_newline(true)
        .build();
    environment.set_syntax(syntax.expect("the delimiters are those of Jinja"));
    environment.add_filter("grouped", |number: Option<f64>| {
        text(number, |number| grouped(number.round() as u128))
    });
    environment.add_filter("fixed", |number: Option<f64>, digits: usize| {
        text(number, |number| format!("{number:.digits$}"))
    });
    environment.add_filter("estimate", |number: Option<f64>| text(number, power_of_ten));
    environment.add_filter("seconds", |number: Option<f64>| text(number, seconds));
    environment.add_function("ratio", |a: Option<f64>, b: Option<f64>| {
        Some(a? / b.filter(|b| *b != 0.0)?)
    });
    environment.add_function("series", series);
    let plots = Arc::clone(plots);
    environment.add_function(
        "plot",
        move |name: String, title: String, options: Kwargs| {
            let plot = plot(name, title, &options)?;
            let image = format!("![{}]({}.svg)", plot.title, plot.name);
            plots.lock().expect("no thread panics").push(plot);
            Ok::<_, Error>(image)
        },
    );
    environment
}

/// Formats a number; an empty text for no number, and for one that is not finite.
fn text(number: Option<f64>, format: impl Fn(f64) -> String) -> String {
    number
        .filter(|number| number.is_finite())
        .map_or(String::new(), format)
}

/// Three digits and a power of ten: 9.50·10⁹; small numbers as they are.
fn power_of_ten(number: f64) -> String {
    if number.abs() < 1e4 {
        return format!("{number:.0}");
    }
    let mut text = format!("{number:.2e}");
    let exponent = text.split_off(text.find('e').expect("the format has an exponent"));
    write!(
        text,
        "·10{}",
        superscript(exponent[1..].parse().expect("it is a number"))
    )
    .expect("a string takes all");
    text
}

/// Formats a duration in seconds.
fn seconds(seconds: f64) -> String {
    match seconds {
        short if short < 0.1 => format!("{:.2} ms", 1e3 * short),
        medium if medium < 10.0 => format!("{medium:.3} s"),
        long => format!("{long:.1} s"),
    }
}

/// Returns a series of the template: a map of its label, its points, and whether a paper prints
/// them. Rows that lack one of the two fields are left out.
fn series(
    label: String,
    rows: Vec<Value>,
    x: String,
    y: String,
    options: Kwargs,
) -> Result<Value, Error> {
    let is_printed: Option<bool> = options.get("printed")?;
    options.assert_all_used()?;
    let number = |row: &Value, field: &str| {
        let value = row.get_attr(field)?;
        match value.is_none() {
            true => Ok(None),
            false => f64::try_from(value).map(Some),
        }
    };
    let points = rows
        .iter()
        .map(|row| Ok((number(row, &x)?, number(row, &y)?)))
        .collect::<Result<Vec<_>, Error>>()?;
    let points: Vec<(f64, f64)> = points
        .into_iter()
        .filter_map(|(x, y)| Some((x?, y?)))
        .collect();
    Ok(Value::from(Serde(Series {
        label,
        points,
        is_printed: is_printed.unwrap_or(false),
    })))
}

/// Reads a plot from the arguments of its function.
fn plot(name: String, title: String, options: &Kwargs) -> Result<Plot, Error> {
    let log: Option<String> = options.get("log")?;
    let log = log.unwrap_or_default();
    let Serde(series) = options.get("series")?;
    let plot = Plot {
        name,
        title,
        x: options.get("x")?,
        y: options.get("y")?,
        logarithmic: [log.contains('x'), log.contains('y')],
        series,
    };
    options.assert_all_used()?;
    Ok(plot)
}

/// Lines up the columns of the tables in a text.
fn align_tables(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut aligned = String::with_capacity(2 * text.len());
    for block in lines.chunk_by(|line, next| line.starts_with('|') == next.starts_with('|')) {
        if block[0].starts_with('|') {
            aligned += &align_table(block);
        } else {
            block.iter().for_each(|line| {
                aligned += line;
                aligned.push('\n');
            });
        }
    }
    aligned
}

/// Lines up the columns of a table: numbers at the right, where its second line says so.
fn align_table(lines: &[&str]) -> String {
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| cells(line)).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    let rule = rows.get(1).cloned().unwrap_or_default();
    let mut text = String::new();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().enumerate().filter(|(number, _)| *number != 1);
            let cells = cells.filter_map(|(_, row)| row.get(column));
            let widest = cells.map(|cell| cell.chars().count()).max();
            widest.unwrap_or_default().max(3)
        })
        .collect();
    for (number, row) in rows.iter().enumerate() {
        let cells = widths.iter().enumerate().map(|(column, &width)| {
            let cell = row.get(column).copied().unwrap_or_default();
            let is_right = rule.get(column).is_some_and(|rule| rule.ends_with(':'));
            match (number == 1, is_right) {
                (true, true) => format!("{}:", "-".repeat(width - 1)),
                (true, false) => "-".repeat(width),
                (false, true) => format!("{cell:>width$}"),
                (false, false) => format!("{cell:<width$}"),
            }
        });
        text += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

/// Returns the cells of a line of a table; `\|` does not end a cell.
fn cells(line: &str) -> Vec<&str> {
    let line = line.trim().trim_start_matches('|');
    let line = line.strip_suffix('|').unwrap_or(line);
    let mut cells = Vec::new();
    let mut start = 0;
    for (at, _) in line.match_indices('|') {
        if !line[..at].ends_with('\\') {
            cells.push(line[start..at].trim());
            start = at + 1;
        }
    }
    cells.push(line[start..].trim());
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TEMPLATE: &str = "\
# Page

{% block two_parts %}
## Two parts

{% for row in two_parts.rows %}
{% if loop.first %}
| what | count | mean | ratio |
| --- | --: | --: | --: |
{% endif %}
| {{ row.name }} | {{ row.count|grouped }} | {{ row.mean|fixed(2) }} | {{ ratio(row.mean, row.paper)|fixed(3) }} |
{% endfor %}

{{ plot(\"nodes\", \"Nodes\", x=\"count\", y=\"mean\", log=\"y\", series=[
    series(\"ours\", two_parts.rows, \"count\", \"mean\")]) }}
{% endblock %}

{{ circumstances }}
";

    fn records() -> Records {
        let record = Record {
            origin: "Computed today.".to_owned(),
            data: json!({"rows": [
                {"name": "corners", "count": 88_179_840_u64, "mean": 8.764, "paper": 8.764},
                {"name": "a|b".replace('|', "\\|"), "count": 7, "mean": null, "paper": 2},
            ]}),
        };
        Records::from([("two-parts", record)])
    }

    #[test]
    fn a_page_is_its_template_with_the_figures_of_the_records() {
        let page = Page::render("page", TEMPLATE, &records());
        let expected = "\
# Page

## Two parts

| what    |      count | mean | ratio |
| ------- | ---------: | ---: | ----: |
| corners | 88,179,840 | 8.76 | 1.000 |
| a\\|b    |          7 |      |       |

![Nodes](nodes.svg)

Computed today.
";
        assert_eq!(page.text, expected);
        let [plot] = &page.plots[..] else {
            panic!("the page has one plot")
        };
        assert_eq!(plot.logarithmic, [false, true]);
        assert_eq!(plot.series[0].points, [(88_179_840.0, 8.764)]);
    }

    #[test]
    fn a_section_in_a_terminal_has_no_plots() {
        let section = render_section(TEMPLATE, "two-parts", &records());
        assert!(section.starts_with("## Two parts\n\n| what"), "{section}");
        assert!(!section.contains("svg"), "{section}");
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!(power_of_ten(9.5e9), "9.50·10⁹");
        assert_eq!(power_of_ten(43.0), "43");
        assert_eq!(seconds(0.0123), "12.30 ms");
    }

    #[test]
    #[should_panic(expected = "`nothing` is undefined")]
    fn a_name_that_does_not_exist_is_an_error() {
        Page::render("page", "{{ nothing }}", &records());
    }
}
