//! The Python package `cosette`, written with PyO3: `import cosette`.
//!
//! The classes and their docstrings are here; the functions of the module and the exceptions are in
//! `python/cosette`. Searches run in threads that do not hold the GIL, so other Python threads keep
//! running. The calling thread delivers events and checks for signals (`background`).
//!
//! | module | contents |
//! |---|---|
//! | `arguments` | conversion of arguments |
//! | `cube` | positions, symmetries, random positions and walks, scrambles of a case |
//! | `solver` | the solver, its requests, and the choice and loading of its table |
//! | `many` | many positions at once |
//! | `arrays` | arrays of many positions, as bytes |
//! | `dataset` | data sets in files |
//! | `fmc` | fewest moves, reviews of solutions |
//! | `tables` | the files of the tables, and estimates of their generation |
//! | `answer` | proven results of positions |
//! | `background` | work that Ctrl-C and cancel tokens stop, and its progress line |
//! | `errors` | exceptions with help |

mod answer;
mod arguments;
mod arrays;
mod background;
mod cube;
mod dataset;
mod errors;
mod fmc;
mod many;
mod solver;
mod tables;

/// Checks that Python can align a class: Python aligns its objects to 16 bytes, and PyO3 does not
/// reject a class that needs more.
macro_rules! assert_python_can_align {
    ($($class:ty),*) => { $(const _: () = assert!(align_of::<$class>() <= 16);)* };
}
assert_python_can_align!(
    answer::PyAnswer,
    background::PyCancel,
    cube::PyCube,
    many::PyAnswers,
    cube::RandomPositions,
    cube::PyScramble,
    cube::PyScrambles,
    cube::RandomWalks,
    solver::PySolver,
    cube::PySymmetry
);

/// The contents of `cosette._cosette` in Python.
#[pyo3::pymodule(name = "_cosette")]
mod module {
    #[pymodule_export]
    use crate::answer::PyAnswer;
    #[pymodule_export]
    use crate::arrays::{
        distances, facelets_after, faults, lines, move_names, neighbor_distances, random_facelets,
        read_cubes, write_cubes,
    };
    #[pymodule_export]
    use crate::background::PyCancel;
    #[pymodule_export]
    use crate::cube::{
        PyCube, PyScramble, PyScrambles, PySymmetry, RandomPositions, RandomWalks,
        random_positions, random_walks, scrambles, solution_length,
    };
    #[pymodule_export]
    use crate::dataset::write_dataset;
    #[pymodule_export]
    use crate::fmc::{fmc, insertions, review};
    #[pymodule_export]
    use crate::many::PyAnswers;
    #[pymodule_export]
    use crate::solver::{PySolver, check_journal, solve_goal};
    #[pymodule_export]
    use crate::tables::{generate_table, generation_seconds, remove_table, table_files};
    use cosette::cube::{Corner, Edge};
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let corners = Corner::ALL.map(|slot| slot.to_string());
        let edges = Edge::ALL.map(|slot| slot.to_string());
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("CORNERS", PyTuple::new(py, corners)?)?;
        module.add("EDGES", PyTuple::new(py, edges)?)
    }
}
