//! A position, its table, and an executor that records its work.

use crate::support::table;
use cosette::ThreadCount;
use cosette::cube::{Cube, Metric, Move, parse_moves};
use cosette::search::distributed::{
    Executor, Iteration, Searcher, SearcherEvent, Tasks, ThreadExecutor, WorkControl, WorkUnit,
};
use cosette::search::{Options, SolutionCount};
use cosette::table::TableId;
use cosette_app::search_journal::{FinishedUnit, SearchJournal, SearchRecord};
use std::cell::RefCell;
use std::sync::Mutex;
use std::time::Instant;

/// A sequence of 15 moves, and the position it makes.
pub const SCRAMBLE: &str = "R U2 F' L D B2 R' U F L2 D' B U2 R2 F";

pub fn moves(text: &str) -> Vec<Move> {
    parse_moves(text, &Default::default())
        .unwrap()
        .moves()
        .to_vec()
}

pub fn position() -> Cube {
    Cube::from_moves(&moves(SCRAMBLE))
}

pub fn table_id(size: &str) -> TableId {
    TableId {
        metric: Metric::Htm,
        size: size.parse().unwrap(),
    }
}

pub fn tasks() -> Tasks {
    Tasks::of(&position(), &table())
}

pub fn all() -> Options<'static> {
    Options {
        solution_count: SolutionCount::All,
        ..Options::default()
    }
}

/// How many tasks are searched between two commits.
const GROUP: usize = 1000;

/// Searches groups of tasks and records each.
pub struct Recording<'a> {
    pub journal: &'a Mutex<SearchJournal>,
    pub tasks: Tasks,
    searcher: Searcher,
    alone: ThreadExecutor,
}

impl Recording<'_> {
    pub fn new(journal: &Mutex<SearchJournal>, tasks: Tasks) -> Recording<'_> {
        Recording {
            journal,
            tasks,
            searcher: Searcher::default(),
            alone: ThreadExecutor::new(ThreadCount::ONE),
        }
    }

    fn search_group(&mut self, iteration: &Iteration<'_>, tasks: &[u16]) -> FinishedUnit {
        let solutions = RefCell::new(Vec::new());
        let on_event = |find: SearcherEvent<'_>| {
            if let SearcherEvent::Solution(moves) = find {
                iteration.add_solution(moves);
                solutions.borrow_mut().push(moves.to_vec());
            }
        };
        let part = WorkUnit {
            tasks: tasks.to_vec(),
            nodes: Vec::new(),
        };
        let job = (iteration.length(), part);
        let result = self.searcher.search(
            (&table(), &self.tasks),
            job,
            &WorkControl::default(),
            &on_event,
        );
        iteration.add_counts(result.counts);
        result
            .priority
            .iter()
            .for_each(|&(task, priority)| iteration.add_priority(task, priority));
        FinishedUnit {
            length: iteration.length(),
            tasks: tasks.to_vec(),
            counts: result.counts,
            priority: result.priority,
            solutions: solutions.into_inner(),
            ..FinishedUnit::default()
        }
    }
}

impl Executor for Recording<'_> {
    fn search(&mut self, iteration: &Iteration<'_>) -> WorkUnit {
        if !iteration.is_split() {
            return self.alone.search(iteration);
        }
        let start = Instant::now();
        for group in iteration.remaining().tasks.chunks(GROUP) {
            let part = FinishedUnit {
                elapsed: start.elapsed(),
                ..self.search_group(iteration, group)
            };
            let mut journal = self.journal.lock().unwrap();
            journal.append(&SearchRecord::Unit(part));
            journal.commit().unwrap();
        }
        WorkUnit::default()
    }
}
