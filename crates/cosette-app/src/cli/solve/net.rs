//! A position as a coloured net.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use cosette::cube::{Cube, Face};
use std::io::{self, Write};

/// The faces of the net, line by line.
const NET: [&[Option<Face>]; 3] =
    [&[None, Some(Face::U)], &[Some(Face::L), Some(Face::F), Some(Face::R), Some(Face::B)], &[None, Some(Face::D)]];

/// Writes the net: each facelet with the letter of its face on its colour, so that it can be read without colours too.
pub fn write(out: &mut impl Write, position: &Cube) -> io::Result<()> {
    let facelets: Vec<char> = position.facelets().chars().collect();
    for faces in NET {
        for row in 0..3 {
            for face in faces {
                match face {
                    None => write!(out, "       ")?,
                    Some(face) => {
                        let first = 9 * face.index() + 3 * row;
                        facelets[first..first + 3].iter().try_for_each(|&letter| write_facelet(out, letter))?;
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
    let style = Style::new().fg_color(Some(AnsiColor::Black.into())).bg_color(Some(colour(letter)));
    write!(out, "{style}{letter} {style:#}")
}

/// The usual colours.
fn colour(letter: char) -> Color {
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
    fn without_colours_it_is_the_usual_net() {
        let mut out = anstream::StripStream::new(Vec::new());
        write(&mut out, &Cube::SOLVED).unwrap();
        let net = String::from_utf8(out.into_inner()).unwrap();
        let lines: Vec<&str> = net.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 9);
        assert_eq!((lines[0], lines[4]), ("       U U U", "L L L  F F F  R R R  B B B"));
    }
}
