//! The formats in which solutions are printed.

use cosette::cube::{DisplayMoves, Move, ParseOptions, Sequence, Symmetry, inverse, parse_moves};

/// The format of a printed solution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum SolutionFormat {
    /// The moves that solve the position
    #[default]
    Moves,
    /// The moves that create the position: a scramble
    Scramble,
    /// The first half on the position and the second half, in parentheses, on its inverse, as in
    /// fewest-moves notation
    Niss,
    /// An alg.cubing.net link that applies the moves of the position and then the solution
    Link,
}

/// Maximum number of input moves in a link: browsers reject very long addresses.
const MAX_SETUP: usize = 500;

impl SolutionFormat {
    /// Converts a solution, written as moves, to this format. `given` is the input sequence, if the
    /// position was given as moves.
    ///
    /// # Panics
    ///
    /// Panics if the solution is not a sequence of moves.
    pub fn rewrite(self, solution: &str, given: Option<&Sequence>) -> String {
        match self {
            SolutionFormat::Moves => solution.to_owned(),
            _ => self.write(
                parse_moves(solution, &ParseOptions::default())
                    .expect("it is a solution")
                    .moves(),
                given,
            ),
        }
    }

    /// Formats a solution. `given` is the input sequence, if the position was given as moves.
    pub fn write(self, solution: &[Move], given: Option<&Sequence>) -> String {
        match self {
            SolutionFormat::Moves => DisplayMoves(solution).to_string(),
            SolutionFormat::Scramble => DisplayMoves(&inverse(solution)).to_string(),
            SolutionFormat::Niss => match solution.split_at(solution.len().div_ceil(2)) {
                (first, []) => DisplayMoves(first).to_string(),
                (first, second) => {
                    // Moves on the inverse are written for the orientation before the rotations of
                    // the input.
                    let back = given
                        .map_or(Symmetry::IDENTITY, Sequence::rotation)
                        .inverse();
                    let mut on_inverse = inverse(second);
                    for m in &mut on_inverse {
                        *m = back.conjugate_move(*m);
                    }
                    format!("{} ({})", DisplayMoves(first), DisplayMoves(&on_inverse))
                }
            },
            SolutionFormat::Link => {
                let given = given
                    .filter(|given| given.moves().len() <= MAX_SETUP)
                    .map(Sequence::to_string);
                let setup = given.unwrap_or_else(|| DisplayMoves(&inverse(solution)).to_string());
                let address = format!(
                    "https://alg.cubing.net/?setup={setup}&alg={}",
                    DisplayMoves(solution)
                );
                address.replace(' ', "_").replace('\'', "-")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_solutions_can_be_read_again() {
        let niss = ParseOptions {
            niss: true,
            ..ParseOptions::default()
        };
        let read = |text: &str| parse_moves(text, &niss).unwrap();
        let is_solved = |text: &str| read(text).position().is_solved();
        for text in ["", "R", "R U2 F'", "R U2 F' D L2 B"] {
            let solution = read(text).moves().to_vec();
            let scramble = SolutionFormat::Scramble.write(&solution, None);
            assert!(is_solved(&format!("{scramble} {text}")), "{text}");
            let written = SolutionFormat::Niss.write(&solution, None);
            assert_eq!(SolutionFormat::Niss.rewrite(text, None), written);
            assert!(is_solved(&format!("{scramble} {written}")), "{text}");
        }
        for text in ["x R U F2 D", "r U F2 D R", "M2 y' R U F2 S L"] {
            let given: Sequence = text.parse().unwrap();
            let written = SolutionFormat::Niss.write(&inverse(given.moves()), Some(&given));
            assert!(is_solved(&format!("{text} {written}")), "{text} {written}");
        }
        let solution = read("R U2 F'").moves().to_vec();
        assert_eq!(SolutionFormat::Niss.write(&solution, None), "R U2 (F)");
        let plain = "https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-";
        assert_eq!(SolutionFormat::Link.write(&solution, None), plain);
        for (given, link) in [
            // The input moves are not simplified, and all rotations move to their end.
            (
                "x F U R2 R L L' M'",
                "https://alg.cubing.net/?setup=D_F_R2_R_L_L-_L_R-_x2&alg=R_U2_F-",
            ),
            ("(R U)300", plain),
        ] {
            let given: Sequence = given.parse().unwrap();
            assert_eq!(SolutionFormat::Link.write(&solution, Some(&given)), link);
        }
    }
}
