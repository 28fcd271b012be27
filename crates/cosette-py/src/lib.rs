//! The Python package `cosette`, written with PyO3: `import cosette`.
//!
//! The classes and their docstrings are here, the functions of the module and the exceptions in `python/cosette`. A search
//! runs in threads that know nothing of Python, so other Python threads go on meanwhile. The thread that waits for it
//! hands on events and heeds signals (`work`).
//!
//! | module | what it holds |
//! |---|---|
//! | `cube`, `arrays`, `symmetry` | positions |
//! | `position` | a position as Python gives it: text or a `Cube` |
//! | `solver`, `opening` | the solver, and how its table comes into memory |
//! | `many` | many positions at once |
//! | `answer` | what has been proven of a position |
//! | `work` | work that Ctrl-C and time limits stop |
//! | `errors` | exceptions |

mod answer;
mod arrays;
mod cube;
mod errors;
mod many;
mod opening;
mod position;
mod solver;
mod symmetry;
mod work;

/// What Python sees as `cosette._cosette`.
#[pyo3::pymodule(name = "_cosette")]
mod module {
    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::cube::{Cube, Positions, random_positions};
    #[pymodule_export]
    use crate::many::Answers;
    #[pymodule_export]
    use crate::solver::Solver;
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
