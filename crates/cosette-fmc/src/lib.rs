//! Fewest-moves solving: skeletons of EO, DR, HTR and finish, as competitors find them by hand, on
//! the scramble and on its inverse (NISS).
//!
//! An attempt solves a scramble by *steps*. Each step reaches a smaller subgroup of positions, a
//! *reduction*, with turns that preserve the reduction before it. The steps are: orient the edges
//! (EO), reduce to ⟨U, D, R2, L2, F2, B2⟩ (DR), reduce to half turns (HTR), and finish. The goal
//! search of `cosette` lists all solutions of a step with a given number of moves, so the search
//! can prove that no skeleton within the limits of the steps is shorter. A skeleton that leaves
//! three pieces or two swaps is finished by an insertion.
//!
//! | module | contents |
//! |---|---|
//! | [`reduction`] | kinds of steps, reductions, and the bad pieces of a position |
//! | [`notation`] | moves on the two sides (NISS), read and written |
//! | [`step`] | steps with their options, and triggers |
//! | [`pipeline`] | the sequence of steps, parsed from one line |
//! | [`step_solvers`] | all solutions of one step |
//! | [`insertions`] | the best points for the algorithm that finishes a skeleton |
//! | [`request`] | requests for one scramble |
//! | [`report`] | skeletons of all steps, and the claims of a search: as text and as JSON |
//! | [`search`] | the search for the best skeletons |
//! | [`writeup_check`] | the checker of write-ups |
//! | [`written_solution`] | solutions as people write them: reconstructions and write-ups |
//! | [`review`] | the proven distance to solved after each move of a solution |
//!
//! Each module uses only those above it in this table.

pub mod insertions;
pub mod notation;
pub mod pipeline;
pub mod reduction;
pub mod report;
pub mod request;
pub mod review;
pub mod search;
pub mod step;
pub mod step_solvers;
pub mod writeup_check;
pub mod written_solution;

/// Test cases, and the names of reductions in them.
#[cfg(test)]
mod testing {
    use crate::reduction::Reduction;

    const CASES: &str = include_str!("../tests/cases.txt");

    /// Returns the rows of a section of `tests/cases.txt`.
    pub fn cases<const CELLS: usize>(section: &str) -> Vec<[&'static str; CELLS]> {
        let (_, text) = CASES.split_once(&format!("## {section}\n")).unwrap();
        let rows = text.lines().take_while(|line| !line.is_empty());
        rows.filter(|line| !line.starts_with('#'))
            .map(|line| {
                let cells: Vec<&str> = line.split('\t').collect();
                cells.try_into().expect(line)
            })
            .collect()
    }

    /// Returns the reduction with this name.
    pub fn reduction(name: &str) -> Reduction {
        let mut all = Reduction::all();
        all.find(|reduction| reduction.to_string() == name).unwrap()
    }

    /// Returns the names of reductions, or `none`.
    pub fn names(reductions: &[Reduction]) -> String {
        let names: Vec<String> = reductions.iter().map(Reduction::to_string).collect();
        match names[..] {
            [] => "none".to_owned(),
            _ => names.join(" "),
        }
    }
}
