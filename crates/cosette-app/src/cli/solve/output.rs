//! Results on standard output, as text, JSON or a stream of events.

use super::text::ResultText;
use crate::cli::failure::Failure;
use crate::cli::stderr::tell;
use crate::events::{SearchEvent, write_line};
use crate::lock;
use crate::solve_result::ParsedPosition;
use anstyle::{Ansi256Color, AnsiColor, Color};
use cosette::Cancel;
use cosette::cube::{Cube, Face, Sequence, Symmetry};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard};

/// Writer of results to standard output, in a fixed mode.
pub struct SolveOutput {
    mode: OutputMode,
    sink: Mutex<Sink>,
}

/// The output stream and its first error. Events come from the threads of a search, which cannot
/// return errors, so an error is stored until the search has ended.
struct Sink {
    out: anstream::AutoStream<io::Stdout>,
    error: Option<io::Error>,
}

/// The mode of the output.
#[derive(Clone, Copy)]
pub enum OutputMode {
    /// Human-readable text.
    Text {
        /// `true` to draw the net.
        show: bool,
    },
    /// Solutions only.
    Solutions,
    /// A JSON object for each result.
    Json,
    /// A JSON object for each event and each result.
    Events,
}

impl SolveOutput {
    /// Creates a writer to standard output.
    pub fn new(mode: OutputMode) -> SolveOutput {
        SolveOutput {
            mode,
            sink: Mutex::new(Sink {
                out: anstream::stdout(),
                error: None,
            }),
        }
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        lock(&self.sink)
    }

    /// Writes the start of the search of a position; `cube` is the position as given, not relative
    /// to a target.
    pub fn start(&self, position: &ParsedPosition<'_>, cube: &Cube) -> io::Result<()> {
        let out = &mut self.sink().out;
        match self.mode {
            OutputMode::Events => write_line(out, &SearchEvent::started(position, cube)),
            OutputMode::Text { show: true } => {
                let sequence = position.input.sequence.as_ref();
                let rotation = sequence.map_or(Symmetry::IDENTITY, Sequence::rotation);
                write_net(out, cube, rotation)
            }
            _ => Ok(()),
        }
    }

    /// Writes an event of a search, and stops the search if the event cannot be written.
    pub fn follow(&self, event: &SearchEvent, cancel: &Cancel) {
        if let OutputMode::Events = self.mode {
            let mut sink = self.sink();
            if sink.error.is_none() {
                sink.error = write_line(&mut sink.out, event).err();
                if sink.error.is_some() {
                    cancel.cancel();
                }
            }
        }
    }

    /// Writes `count` empty lines, one for each line without a position, so that output line i
    /// answers input line i.
    pub fn skip(&self, count: usize) -> io::Result<()> {
        let out = &mut self.sink().out;
        match self.mode {
            OutputMode::Text { .. } | OutputMode::Solutions => {
                (0..count).try_for_each(|_| writeln!(out))
            }
            OutputMode::Json | OutputMode::Events => Ok(()),
        }
    }

    /// Writes the result of the position on the command line, or of a line of standard input.
    pub fn result(&self, text: &ResultText<'_>) -> io::Result<()> {
        let mut sink = self.sink();
        if let Some(error) = sink.error.take() {
            return Err(error);
        }
        let out = &mut sink.out;
        let result = text.result;
        match self.mode {
            OutputMode::Json => write_line(out, result),
            OutputMode::Events => write_line(out, &SearchEvent::Answer(Box::new(result.clone()))),
            OutputMode::Text { .. } if result.line.is_some() => text.write_line(out),
            OutputMode::Text { .. } => text.write(out),
            OutputMode::Solutions if result.line.is_some() => text.write_solutions_in_line(out),
            OutputMode::Solutions => {
                if result.stop_reason.is_some() || result.unreachable.is_some() {
                    // Standard error explains why solutions may be missing.
                    let mut statements = Vec::new();
                    if text.is_of_goal() {
                        text.write_statements(&mut statements)?;
                    } else {
                        text.write(&mut statements)?;
                    }
                    tell(String::from_utf8_lossy(&statements).trim_end());
                }
                text.write_solutions(out)
            }
        }
    }

    /// Writes the error of a text without a result. In text output, the error is a comment in place
    /// of the result of a line; the error of a single position is not written.
    pub fn failure(&self, failure: &Failure) -> io::Result<()> {
        let Some(solve_failure) = failure.solve_failure() else {
            return Ok(());
        };
        let out = &mut self.sink().out;
        match self.mode {
            OutputMode::Json => write_line(out, &solve_failure),
            OutputMode::Events => write_line(out, &SearchEvent::Failure(solve_failure)),
            OutputMode::Text { .. } | OutputMode::Solutions => match solve_failure.line {
                Some(line) => writeln!(out, "// line {line}: {}", solve_failure.error),
                None => Ok(()),
            }
            .and_then(|()| out.flush()),
        }
    }
}

/// The faces of the net, line by line.
const NET: [&[Option<Face>]; 3] = [
    &[None, Some(Face::U)],
    &[Some(Face::L), Some(Face::F), Some(Face::R), Some(Face::B)],
    &[None, Some(Face::D)],
];

/// Writes the net of a cube in the orientation after `rotation`. Each facelet has the letter of its
/// face before the rotation (white up, green in front), printed on its color, so that the net is
/// readable without colors too.
fn write_net(out: &mut impl Write, position: &Cube, rotation: Symmetry) -> io::Result<()> {
    let before = rotation.inverse();
    let letter = |letter| {
        Face::ALL
            .into_iter()
            .find(|face| face.letter() == letter)
            .map_or(letter, |face| before.face(face).letter())
    };
    let facelets: Vec<char> = position.facelets().chars().map(letter).collect();
    for faces in NET {
        for row in 0..3 {
            for face in faces {
                match face {
                    None => write!(out, "       ")?,
                    Some(face) => {
                        let first = 9 * face.index() + 3 * row;
                        facelets[first..first + 3]
                            .iter()
                            .try_for_each(|&letter| write_facelet(out, letter))?;
                        write!(out, " ")?;
                    }
                }
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_facelet(out: &mut impl Write, letter: char) -> io::Result<()> {
    let style = anstyle::Style::new()
        .fg_color(Some(AnsiColor::Black.into()))
        .bg_color(Some(color(letter)));
    write!(out, "{style}{letter} {style:#}")
}

/// Returns the color of a face in the standard color scheme.
fn color(letter: char) -> Color {
    match letter {
        'U' => AnsiColor::BrightWhite.into(),
        'R' => AnsiColor::Red.into(),
        'F' => AnsiColor::Green.into(),
        'D' => AnsiColor::BrightYellow.into(),
        'L' => Ansi256Color(208).into(),
        _ => AnsiColor::BrightBlue.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colors_the_net_shows_the_letters_of_faces() {
        let mut out = anstream::StripStream::new(Vec::new());
        write_net(&mut out, &Cube::SOLVED, Symmetry::IDENTITY).unwrap();
        // After x, the front is up and the bottom in front.
        write_net(&mut out, &Cube::SOLVED, Symmetry::rotation(Face::R)).unwrap();
        let net = String::from_utf8(out.into_inner()).unwrap();
        let lines: Vec<&str> = net.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[0], "       U U U");
        assert_eq!(lines[4], "L L L  F F F  R R R  B B B");
        assert_eq!(lines[9], "       F F F");
        assert_eq!(lines[13], "L L L  D D D  R R R  U U U");
    }
}
