//! The forms in which solutions are printed.

use cosette::cube::{Move, Moves, ReadOptions, Sequence, Symmetry, inverse, parse_moves};

/// How a solution is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Form {
    /// The moves that solve the position
    #[default]
    Moves,
    /// The moves that make the position: a scramble
    Scramble,
    /// The first half on the position and the second, in brackets, on its inverse, as in fewest-moves notation
    Niss,
    /// A link to alg.cubing.net, which turns the faces as the moves of the position do, and then solves it
    Link,
}

/// The most moves of a position that a link holds: browsers refuse very long addresses.
const LONGEST_SETUP: usize = 500;

impl Form {
    /// A solution, given as moves, in this form, of a position that was given as this sequence, if it was one.
    ///
    /// # Panics
    /// If these are not moves.
    pub fn rewrite(self, solution: &str, given: Option<&Sequence>) -> String {
        match self {
            Form::Moves => solution.to_owned(),
            _ => self.write(parse_moves(solution, &ReadOptions::default()).expect("it is a solution").moves(), given),
        }
    }

    /// A solution in this form, of a position that was given as this sequence, if it was one.
    pub fn write(self, solution: &[Move], given: Option<&Sequence>) -> String {
        match self {
            Form::Moves => Moves(solution).to_string(),
            Form::Scramble => Moves(&inverse(solution)).to_string(),
            Form::Niss => match solution.split_at(solution.len().div_ceil(2)) {
                (first, []) => Moves(first).to_string(),
                (first, second) => {
                    // Moves on the inverse are done as the cube is held before the rotations of the position.
                    let held = given.map_or(Symmetry::IDENTITY, Sequence::rotation).inverse();
                    let on_inverse: Vec<Move> = inverse(second).into_iter().map(|m| held.conjugate_move(m)).collect();
                    format!("{} ({})", Moves(first), Moves(&on_inverse))
                }
            },
            Form::Link => {
                let given = given.filter(|given| given.moves().len() <= LONGEST_SETUP).map(Sequence::to_string);
                let setup = given.unwrap_or_else(|| Moves(&inverse(solution)).to_string());
                let address = format!("https://alg.cubing.net/?setup={setup}&alg={}", Moves(solution));
                address.replace(' ', "_").replace('\'', "-")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::Cube;

    #[test]
    fn what_is_written_can_be_read_again() {
        let niss = ReadOptions { niss: true, ..ReadOptions::default() };
        let read = |text: &str, options| parse_moves(text, options).unwrap().position();
        for text in ["", "R", "R U2 F'", "R U2 F' D L2 B"] {
            let solution = parse_moves(text, &niss).unwrap().moves().to_vec();
            let position = Cube::from_moves(&solution).inverse();
            let scramble = Form::Scramble.write(&solution, None);
            assert_eq!(read(&scramble, &niss), position, "{text}");
            assert_eq!(Form::Niss.rewrite(text, None), Form::Niss.write(&solution, None));
            assert!(read(&format!("{scramble} {}", Form::Niss.write(&solution, None)), &niss).is_solved(), "{text}");
        }
        for text in ["x R U F2 D", "r U F2 D R", "M2 y' R U F2 S L"] {
            let given: Sequence = text.parse().unwrap();
            let written = Form::Niss.write(&inverse(given.moves()), Some(&given));
            assert!(read(&format!("{text} {written}"), &niss).is_solved(), "{text} {written}");
        }
        let solution = parse_moves("R U2 F'", &niss).unwrap().moves().to_vec();
        assert_eq!(Form::Niss.write(&solution, None), "R U2 (F)");
        let link = |given| Form::Link.write(&solution, given);
        assert_eq!(link(None), "https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-");
        // The moves of the position as they were given, rotations too.
        let given: Sequence = "x F U R2 R L L' M'".parse().unwrap();
        assert_eq!(link(Some(&given)), "https://alg.cubing.net/?setup=D_F_R2_R_L_L-_L_R-_x2&alg=R_U2_F-");
        let long: Sequence = "(R U)300".parse().unwrap();
        assert_eq!(link(Some(&long)), link(None));
    }
}
