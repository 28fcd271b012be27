//! Positions in standard input or in a file, one per line.

use crate::batch::{Lines, ListError, ListLine, alternatives};
use crate::cli::failure::{ErrorReport, Exit, Failure, InputText};
use crate::cli::interrupt;
use crate::cli::stderr::hint;
use crate::name::NamedPosition;
use crate::remedies::split_help;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::path::Path;

/// Decodes text to UTF-8: a byte-order mark indicates UTF-16, which some Windows programs write.
fn decoded(mut input: impl BufRead + 'static) -> io::Result<Box<dyn BufRead>> {
    let to_unit: fn([u8; 2]) -> u16 = match input.fill_buf()? {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Ok(Box::new(input)),
    };
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let pairs = bytes.chunks_exact(2);
    let units: Vec<u16> = pairs.map(|pair| to_unit([pair[0], pair[1]])).collect();
    Ok(Box::new(io::Cursor::new(String::from_utf16_lossy(&units))))
}

fn standard_input() -> io::Result<Lines<Box<dyn BufRead>>> {
    if io::stdin().is_terminal() {
        let end = if cfg!(windows) {
            "Ctrl-Z and Enter"
        } else {
            "Ctrl-D"
        };
        hint(format_args!(
            "reading positions from standard input, one per line; press {end} to end"
        ));
    }
    decoded(io::stdin().lock()).map(Lines::new)
}

/// Returns the lines of standard input as they arrive. Prints a prompt if standard input is a
/// terminal.
///
/// # Errors
///
/// Returns an error if standard input cannot be read.
pub fn of_standard_input() -> Result<StandardInput, Failure> {
    standard_input()
        .map(StandardInput)
        .map_err(|error| unreadable("standard input", &error.into()))
}

/// Returns the failure of reading a list from a file or from standard input.
fn unreadable(name: &str, error: &ListError) -> Failure {
    let (fault, help) = split_help(&error.to_string());
    let message = match error {
        ListError::Io(_) => format!("cannot read the positions in {name}: {fault}"),
        ListError::LongLine { .. } | ListError::NotAList { .. } => format!("{name}: {fault}"),
    };
    Failure::Other(ErrorReport {
        message,
        help: Some(help),
        exit: Exit::Error,
    })
}

/// The lines of standard input, without skipped lines.
pub struct StandardInput(Lines<Box<dyn BufRead>>);

impl StandardInput {
    /// Returns the number of lines read, including the skipped ones.
    pub fn count_read(&self) -> usize {
        self.0.count_read()
    }
}

/// Answers each line of standard input with `answer`, and reports at most one invalid position per
/// line. Before each answer and at the end, calls `skip` with the number of lines without a
/// position since the previous answer, so that output line i can answer input line i.
///
/// # Errors
///
/// Returns an error if the input cannot be read, or an error of `answer`.
pub fn answer_each(
    skip: impl Fn(usize) -> io::Result<()>,
    mut answer: impl FnMut(&InputText) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let mut lines = of_standard_input()?;
    let mut worst = Exit::Success;
    let mut last_answered = 0;
    let mut reported_line = None;
    for line in lines.by_ref() {
        let line = line?;
        // Alternatives share one line number.
        skip((line.number - 1).saturating_sub(last_answered))?;
        last_answered = line.number;
        worst = worst.max(answer_one(&line.into(), &mut reported_line, &mut answer)?);
        if interrupt::is_requested() {
            return Ok(worst.max(Exit::Interrupted));
        }
    }
    skip(lines.count_read() - last_answered)?;
    Ok(worst)
}

/// Answers a text that may expand to several positions, numbered from one.
///
/// # Errors
///
/// Returns an error of `answer`.
pub fn answer_alternatives(
    text: &str,
    mut answer: impl FnMut(&InputText) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    let named = match NamedPosition::of(text) {
        Ok(named) => named,
        Err(error) => {
            return answer(&InputText {
                fault: Some(error),
                ..InputText::from(text.to_owned())
            });
        }
    };
    let texts = alternatives(&named.text);
    let input = |text: String, line| InputText {
        line,
        name: named.name.clone(),
        ..InputText::from(text)
    };
    if let [text] = &texts[..] {
        return answer(&input(text.clone(), None));
    }
    let mut worst = Exit::Success;
    let mut reported_line = None;
    for (text, line) in texts.into_iter().zip(1..) {
        let text = input(text, Some(line));
        worst = worst.max(answer_one(&text, &mut reported_line, &mut answer)?);
        if interrupt::is_requested() {
            return Ok(worst.max(Exit::Interrupted));
        }
    }
    Ok(worst)
}

/// Answers one of several texts, and reports an invalid position, unless one of the same line has
/// been reported.
fn answer_one(
    text: &InputText,
    reported_line: &mut Option<usize>,
    answer: impl FnOnce(&InputText) -> Result<Exit, Failure>,
) -> Result<Exit, Failure> {
    match answer(text) {
        Err(failure @ Failure::NotACube { .. }) => {
            let exit = failure.exit();
            if std::mem::replace(reported_line, text.line) != text.line {
                failure.report();
            }
            Ok(exit)
        }
        exit => exit,
    }
}

impl Drop for StandardInput {
    fn drop(&mut self) {
        self.0.remarks().iter().for_each(hint);
    }
}

impl Iterator for StandardInput {
    type Item = Result<ListLine, Failure>;

    fn next(&mut self) -> Option<Result<ListLine, Failure>> {
        let line = self.0.next()?;
        Some(line.map_err(|error| unreadable("standard input", &error)))
    }
}

/// Returns the positions of a file, at least one, and its number of lines; `-` is standard input.
pub fn of_file(path: &Path) -> Result<(Vec<ListLine>, usize), Failure> {
    let is_standard_input = path == Path::new("-");
    let read = || {
        let mut lines = match is_standard_input {
            true => standard_input()?,
            false => Lines::new(decoded(BufReader::new(File::open(path)?))?),
        };
        let positions: Vec<ListLine> = lines.by_ref().collect::<Result<_, ListError>>()?;
        lines.remarks().iter().for_each(hint);
        Ok((positions, lines.count_read()))
    };
    let name = if is_standard_input {
        "standard input".into()
    } else {
        path.display().to_string()
    };
    let (positions, count) = read().map_err(|error: ListError| unreadable(&name, &error))?;
    match positions.is_empty() {
        true => Err(Failure::new(
            format!("{name} contains no positions"),
            "write one position per line, as for `cosette solve`",
        )),
        false => Ok((positions, count)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_by_its_byte_order_mark() {
        let text = "R U’\r\nF2\n";
        let units: Vec<u16> = "\u{feff}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .collect();
        let bytes = |to_bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            units.iter().copied().flat_map(to_bytes).collect()
        };
        for written in [
            bytes(u16::to_le_bytes),
            bytes(u16::to_be_bytes),
            text.as_bytes().to_vec(),
        ] {
            let lines = Lines::new(decoded(io::Cursor::new(written)).unwrap());
            let texts: Vec<String> = lines.map(|line| line.unwrap().text).collect();
            assert_eq!(texts, ["R U’", "F2"]);
        }
    }
}
