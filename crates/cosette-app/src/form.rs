//! The forms in which solutions are printed.

use cosette::cube::{Move, Moves, ReadOptions, parse_moves};

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
    /// A link to alg.cubing.net
    Link,
}

impl Form {
    /// A solution, given as moves, in this form.
    ///
    /// # Panics
    /// If these are not moves.
    pub fn rewrite(self, solution: &str) -> String {
        match self {
            Form::Moves => solution.to_owned(),
            _ => self.write(parse_moves(solution, &ReadOptions::default()).expect("it is a solution").moves()),
        }
    }

    /// A solution in this form.
    pub fn write(self, solution: &[Move]) -> String {
        let inverse = |moves: &[Move]| moves.iter().rev().map(|m| m.inverse()).collect::<Vec<Move>>();
        match self {
            Form::Moves => Moves(solution).to_string(),
            Form::Scramble => Moves(&inverse(solution)).to_string(),
            Form::Niss => match solution.split_at(solution.len().div_ceil(2)) {
                (first, []) => Moves(first).to_string(),
                (first, second) => format!("{} ({})", Moves(first), Moves(&inverse(second))),
            },
            Form::Link => {
                let escaped = |moves: &[Move]| Moves(moves).to_string().replace(' ', "_").replace('\'', "-");
                format!("https://alg.cubing.net/?setup={}&alg={}", escaped(&inverse(solution)), escaped(solution))
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
        let niss = ReadOptions { niss: true };
        let read = |text: &str, options| parse_moves(text, options).unwrap().position();
        for text in ["", "R", "R U2 F'", "R U2 F' D L2 B"] {
            let solution = parse_moves(text, &niss).unwrap().moves().to_vec();
            let position = Cube::from_moves(&solution).inverse();
            let scramble = Form::Scramble.write(&solution);
            assert_eq!(read(&scramble, &niss), position, "{text}");
            assert_eq!(Form::Niss.rewrite(text), Form::Niss.write(&solution));
            assert!(read(&format!("{scramble} {}", Form::Niss.write(&solution)), &niss).is_solved(), "{text}");
        }
        let solution = parse_moves("R U2 F'", &niss).unwrap().moves().to_vec();
        assert_eq!(Form::Niss.write(&solution), "R U2 (F)");
        assert_eq!(Form::Link.write(&solution), "https://alg.cubing.net/?setup=F_U2_R-&alg=R_U2_F-");
    }
}
