//! Solving a position in one line.

use crate::cube::{Cube, ReadError};
use crate::search::{Solution, Solver};
use crate::table::choice::OpenError;
use std::sync::{Mutex, PoisonError};

/// Why [`solve`] has no solution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text does not show a position of the cube.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is no table to solve with.
    #[error(transparent)]
    Open(#[from] OpenError),
}

/// A shortest solution, proven, of a position in any format: moves that lead to it, 54 facelets, Reid's pieces, Speffz cycles.
///
/// The first call loads the best table in the user's cache folder, or generates one of 190 MB there, which takes some
/// seconds. It is kept in memory for later calls. [`Solver`] has more to choose from.
///
/// ```no_run
/// let solution = cosette::solve("R U2 F'")?;
/// assert_eq!((solution.to_string(), solution.length()), ("F U2 R'".to_owned(), 3));
/// # Ok::<(), cosette::Error>(())
/// ```
///
/// # Errors
/// If the text does not show a position, or if there can be no table: too little memory, a damaged file.
pub fn solve(position: &str) -> Result<Solution, Error> {
    static SOLVER: Mutex<Option<Solver>> = Mutex::new(None);
    let position: Cube = position.parse()?;
    let solver = {
        let mut solver = SOLVER.lock().unwrap_or_else(PoisonError::into_inner);
        match &*solver {
            Some(solver) => solver.clone(),
            None => solver.insert(Solver::builder().open()?).clone(),
        }
    };
    Ok(solver.solve(&position))
}
