//! Each system against simple reference implementations, published counts and the main engine; the
//! command `cosette-lab`.

mod cross_check;
mod examples;
mod fiat;
mod ida;
mod korf;
mod lee;
mod pages;
mod program;
mod reid;
mod rows;
mod searches;
mod storage;
mod thistlethwaite;

/// What the tests share: a lab whose folder of tables is kept between runs, and the fast engine.
mod support {
    use cosette::cube::{Cube, Metric};
    use cosette::search::Solver;
    use cosette::table::{Table, TableFolder, TableId};
    use cosette::{Cancel, Control, ThreadCount};
    use cosette_lab::lab::Lab;
    use std::path::Path;
    use std::sync::{Arc, OnceLock};

    /// Two threads.
    pub fn two() -> ThreadCount {
        ThreadCount::new(2).unwrap()
    }

    /// Does `work` in a lab with two threads, whose tables are kept between runs.
    pub fn in_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
        let folder = TableFolder::new(Path::new(env!("CARGO_TARGET_TMPDIR")).join("test-tables"));
        work(&Lab {
            folder: &folder,
            control: Control::new(two()),
        })
    }

    /// The fast engine with the smallest table of a metric, generated once for all tests.
    pub fn fast(metric: Metric) -> &'static Solver {
        static FAST: [OnceLock<Solver>; 2] = [OnceLock::new(), OnceLock::new()];
        FAST[metric as usize].get_or_init(|| {
            let id = TableId {
                metric,
                size: "24M".parse().unwrap(),
            };
            Solver::new(
                Arc::new(Table::generate(id, &Control::new(two())).unwrap()),
                two(),
            )
        })
    }

    /// Work that was asked to stop before it began.
    pub fn cancelled() -> Control<'static> {
        let cancel = Cancel::new();
        cancel.cancel();
        Control::default().with_cancel(&cancel)
    }

    /// The position after these moves.
    pub fn position(moves: &str) -> Cube {
        moves.parse().expect("moves")
    }
}
