//! The Python package `cosette`, written with PyO3: `import cosette`.
//!
//! The classes and their docstrings are here, the functions of the module and the exceptions in `python/cosette`. Searches
//! run in threads that do not hold Python's lock, so other Python threads keep running. The calling thread delivers
//! events and checks for signals (`background`).
//!
//! | module | what it holds |
//! |---|---|
//! | `cube`, `symmetry`, `random` | positions, symmetries; random positions and walks, scrambles of a case |
//! | `request` | what arguments may be, and what they ask for |
//! | `solver` | the solver, and how its table is chosen and loaded |
//! | `many` | many positions at once |
//! | `arrays` | arrays of many positions, as bytes |
//! | `dataset` | data sets in files |
//! | `fewest` | fewest moves |
//! | `answer` | what has been proven about a position |
//! | `background` | work that Ctrl-C stops, and what is shown meanwhile |
//! | `errors` | exceptions, and how they say how to fix it |

mod answer;
mod arrays;
mod background;
mod cube;
mod dataset;
mod errors;
mod fewest;
mod many;
mod random;
mod request;
mod solver;
mod symmetry;

/// Python aligns its objects to 16 bytes, and PyO3 does not refuse a class that needs more.
macro_rules! assert_python_can_align {
    ($($class:ty),*) => { $(const _: () = assert!(align_of::<$class>() <= 16);)* };
}
assert_python_can_align!(
    answer::Answer,
    cube::Cube,
    many::Answers,
    random::Positions,
    random::Scramble,
    random::Scrambles,
    random::Walks,
    solver::Solver,
    symmetry::Symmetry
);

/// What Python sees as `cosette._cosette`.
#[pyo3::pymodule(name = "_cosette")]
mod module {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::arrays::{
        facelets_after, faults, lengths, lines, moves_of, neighbours, random_facelets, read_cubes, write_cubes,
    };
    #[pymodule_export]
    use crate::cube::Cube;
    #[pymodule_export]
    use crate::dataset::write_dataset;
    #[pymodule_export]
    use crate::fewest::{fewest, insertions};
    #[pymodule_export]
    use crate::many::Answers;
    #[pymodule_export]
    use crate::random::{Positions, Scramble, Scrambles, Walks, random_positions, random_walks, scrambles};
    #[pymodule_export]
    use crate::solver::{Solver, solve_goal};
    #[pymodule_export]
    use crate::symmetry::Symmetry;
    use cosette::cube::{Corner, Edge};
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("CORNERS", PyTuple::new(py, Corner::ALL.map(|slot| slot.to_string()))?)?;
        module.add("EDGES", PyTuple::new(py, Edge::ALL.map(|slot| slot.to_string()))?)
    }
}
