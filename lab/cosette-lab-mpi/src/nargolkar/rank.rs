//! The work of every rank: searching its assigned pieces.
//!
//! One thread searches while this one polls for messages, so that a goal that another rank declares
//! takes effect at once.
//!
//! ```text
//! a piece arrives:      search it, in its turn
//! a solution is found:  declare it to all ranks without waiting, and report it to rank 0
//! a goal is declared:   cancel the search to that limit or a larger one; continue smaller ones,
//!                       unless the first goal ends all
//! ```
//!
//! Ranks search with Reid's tables; the time of each rank to load or rebuild a table is measured
//! too.

use super::plan::{PieceResult, RankMessage, SearchPiece, SearchProblem, WorkSpent};
use super::records::TableTimes;
use cosette::cube::{DisplayMoves, Metric, Move};
use cosette::search::Solver;
use cosette::table::{TableFileState, TableId, TableSize};
use cosette::{Cancel, Control, ThreadCount};
use cosette_app::engine::Engine;
use cosette_lab::bound_table::DistanceStorage;
use cosette_lab::error::LabError;
use cosette_lab::ida::{Cut, Ida};
use cosette_lab::lab::{Lab, LabTable, processor_time};
use cosette_lab::reid::Reid;
use cosette_lab::reid::bound::{CosetBound, ReidNode};
use cosette_lab::reid::table::CosetTable;
use cosette_mpi::world::{FIRST, World};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// Sleep times of the thread that polls for messages: while the other thread searches, which
/// polling disturbs; and while there is nothing to search, so that the next piece begins soon.
const POLL_INTERVALS: [Duration; 2] = [Duration::from_millis(1), Duration::from_micros(100)];

/// A rank at work.
pub struct NargolkarRank<'s, 'e> {
    world: &'e World,
    bounds: &'e RankEngines,
    scope: &'s Scope<'s, 'e>,
    job: Option<Arc<Job>>,
    /// The number of the problem.
    number: u32,
    /// For this problem and later ones, the length of the shortest solution that was declared:
    /// another rank's declaration may arrive before the problem itself.
    goals: BTreeMap<u32, u8>,
    queue: VecDeque<SearchPiece>,
    under_way: Option<(u8, Cancel)>,
    /// All nodes generated for the problem.
    generated: u64,
    /// Time spent on the problem.
    spent: WorkSpent,
    results: (Sender<PieceResult>, Receiver<PieceResult>),
}

/// The data of a problem for the searching thread.
struct Job {
    problem: SearchProblem,
    /// The tree of the limit that is searched in parts.
    cut: Mutex<Option<Arc<Cut<ReidNode>>>>,
}

impl<'s, 'e> NargolkarRank<'s, 'e> {
    /// A rank without a problem; its searches are threads of the scope.
    pub fn new(
        world: &'e World,
        bounds: &'e RankEngines,
        scope: &'s Scope<'s, 'e>,
    ) -> NargolkarRank<'s, 'e> {
        NargolkarRank {
            world,
            bounds,
            scope,
            job: None,
            number: 0,
            goals: BTreeMap::new(),
            queue: VecDeque::new(),
            under_way: None,
            generated: 0,
            spent: WorkSpent::default(),
            results: mpsc::channel(),
        }
    }

    /// Works until rank 0 has no more problems.
    pub fn serve(mut self) {
        while !matches!(self.turn(), Some((_, RankMessage::End))) {}
    }

    /// Handles one message, or waits for one. A message that is not for a searching rank is
    /// returned, with its sender.
    pub fn turn(&mut self) -> Option<(usize, RankMessage)> {
        let start = Instant::now();
        let received = self.world.receive();
        if received.is_some() {
            self.spent.communication += start.elapsed().as_secs_f64();
        }
        match received {
            Some((_, RankMessage::Begin(number, problem))) => self.begin(number, problem),
            Some((_, RankMessage::Search(piece))) => self.queue.push_back(piece),
            Some((_, RankMessage::Goal(number, limit))) => self.goal_declared(number, limit),
            Some(other) => return Some(other),
            None => {
                let wait = POLL_INTERVALS[usize::from(self.under_way.is_none())];
                if let Ok(done) = self.results.1.recv_timeout(wait) {
                    self.finish(done);
                }
            }
        }
        self.start_next();
        None
    }

    fn begin(&mut self, number: u32, problem: SearchProblem) {
        self.job = Some(Arc::new(Job {
            problem,
            cut: Mutex::default(),
        }));
        (self.number, self.generated, self.spent) = (number, 0, WorkSpent::default());
        self.goals.retain(|&of, _| of >= number);
    }

    /// Handles the declaration of a solution of this length for the problem with this number.
    fn goal_declared(&mut self, number: u32, limit: u8) {
        let known = self.goals.entry(number).or_insert(limit);
        *known = limit.min(*known);
        if let Some((of, cancel)) = &self.under_way
            && self.is_needless(*of)
        {
            cancel.cancel();
        }
    }

    /// Returns `true` if a goal makes the search to this limit needless.
    fn is_needless(&self, limit: u8) -> bool {
        let job = self.job.as_ref();
        job.is_some_and(|job| job.problem.is_needless(limit, self.goal()))
    }

    /// Sends a message, and measures that.
    fn send(&mut self, rank: usize, message: &RankMessage) {
        let start = Instant::now();
        self.world.send(rank, message);
        self.spent.communication += start.elapsed().as_secs_f64();
    }

    /// The length of the shortest solution that was declared, or `u8::MAX`.
    fn goal(&self) -> u8 {
        self.goals.get(&self.number).copied().unwrap_or(u8::MAX)
    }

    fn finish(&mut self, mut done: PieceResult) {
        self.under_way = None;
        self.generated += done.nodes;
        done.generated = self.generated;
        self.spent.computation += done.spent.computation;
        if !done.solutions.is_empty() {
            self.goal_declared(self.number, done.piece.limit);
            let others = (0..self.world.size()).filter(|&rank| rank != self.world.rank());
            others.for_each(|rank| {
                self.send(rank, &RankMessage::Goal(self.number, done.piece.limit))
            });
        }
        self.start_next();
        done.spent = self.spent;
        self.send(FIRST, &RankMessage::Done(done));
    }

    /// Begins the next piece if none is running; a needless piece ends at once.
    fn start_next(&mut self) {
        while self.under_way.is_none()
            && let Some(piece) = self.queue.pop_front()
        {
            if self.is_needless(piece.limit) {
                let done = PieceResult {
                    piece,
                    nodes: 0,
                    tests: 0,
                    is_complete: false,
                    solutions: Vec::new(),
                    generated: self.generated,
                    spent: self.spent,
                };
                self.send(FIRST, &RankMessage::Done(done));
                continue;
            }
            let job = self.job.clone().expect("a problem comes before its pieces");
            let bounds = self.bounds;
            let cancel = Cancel::new();
            let results = self.results.0.clone();
            self.under_way = Some((piece.limit, cancel.clone()));
            self.scope.spawn(move || {
                // The receiver lives as long as the rank.
                let _ = results.send(job.search(bounds, piece, &cancel));
            });
        }
    }
}

impl Job {
    fn search(&self, bounds: &RankEngines, piece: SearchPiece, cancel: &Cancel) -> PieceResult {
        let before = processor_time();
        let limits = self.problem.ida_limits();
        let control = Control::new(ThreadCount::ONE).with_cancel(cancel);
        let cut = self.cut(bounds, piece.limit);
        let (first, end) = piece.tasks.unwrap_or((0, cut.tasks()));
        let ida = bounds.ida(self.problem.metric);
        let mut part = ida.search_part(&self.problem.position, &cut, first..end, &limits, &control);
        if piece.tasks.is_none() {
            part.nodes += cut.trunk.nodes;
            part.tests += cut.trunk.tests;
            part.complete &= cut.trunk.complete;
            part.solutions.extend_from_slice(&cut.trunk.solutions);
        }
        PieceResult {
            piece,
            nodes: part.nodes,
            tests: part.tests,
            is_complete: part.complete,
            solutions: texts(&part.solutions),
            generated: 0,
            spent: WorkSpent {
                computation: processor_time() - before,
                communication: 0.0,
            },
        }
    }

    fn cut(&self, bounds: &RankEngines, limit: u8) -> Arc<Cut<ReidNode>> {
        let mut kept = self.cut.lock().expect("no thread panics");
        match &*kept {
            Some(cut) if cut.threshold == limit => cut.clone(),
            _ => {
                let ida = bounds.ida(self.problem.metric);
                let cut = ida.cut(&self.problem.position, limit, &self.problem.ida_limits());
                kept.insert(Arc::new(cut)).clone()
            }
        }
    }
}

/// The solutions, as text.
pub fn texts(solutions: &[Vec<Move>]) -> Vec<String> {
    let text = |moves: &Vec<Move>| DisplayMoves(moves).to_string();
    solutions.iter().map(text).collect()
}

/// Reid's solvers, by metric, and on rank 0 the fast engines.
pub struct RankEngines(Vec<Reid>, Vec<Solver>);

impl RankEngines {
    /// Loads the bounds in these metrics, with their tables from disk; a missing table is generated
    /// and stored.
    pub fn load(lab: &Lab<'_>, metrics: &[Metric]) -> Result<RankEngines, LabError> {
        Ok(RankEngines(
            metrics
                .iter()
                .map(|&metric| Reid::new(lab, metric))
                .collect::<Result<_, LabError>>()?,
            Vec::new(),
        ))
    }

    /// Adds the fast engine in these metrics, with tables of this size; a missing one is generated
    /// and stored.
    pub fn with_fastest(
        self,
        lab: &Lab<'_>,
        metrics: &[Metric],
        size: TableSize,
    ) -> Result<RankEngines, LabError> {
        let solver = |&metric| {
            let id = TableId { metric, size };
            if !matches!(lab.folder.state(id), TableFileState::Complete) {
                lab.folder.generate(id, &lab.control)?;
            }
            Ok(Solver::new(
                Arc::new(lab.folder.load(id, &lab.control)?),
                ThreadCount::ONE,
            ))
        };
        Ok(RankEngines(
            self.0,
            metrics
                .iter()
                .map(solver)
                .collect::<Result<_, LabError>>()?,
        ))
    }

    /// The fast engine with one thread in a metric, where it was loaded.
    pub fn fastest(&self, metric: Metric) -> Option<&Solver> {
        self.1.iter().find(|solver| solver.metric() == metric)
    }

    /// Reid's solver in a metric.
    pub fn reid(&self, metric: Metric) -> &Reid {
        self.0
            .iter()
            .find(|reid| reid.metric() == metric)
            .expect("the metrics of all searches are loaded")
    }

    /// The search of one thread in a metric.
    pub fn ida(&self, metric: Metric) -> Ida<'_, CosetBound> {
        self.reid(metric).ida()
    }
}

/// Has every rank load its table and then generate it on one thread, all at the same time. Returns
/// the times of all ranks.
pub fn measure_tables(
    world: &World,
    lab: &Lab<'_>,
    metric: Metric,
) -> Result<Vec<TableTimes>, LabError> {
    let own = measure_own(world, lab, metric);
    let text = own
        .as_ref()
        .ok()
        .and_then(|table| serde_json::to_string(table).ok())
        .unwrap_or("failed".into());
    let all = world.all_gather(&text);
    own?;
    Ok(all
        .iter()
        .filter_map(|text| serde_json::from_str(text).ok())
        .collect())
}

fn measure_own(world: &World, lab: &Lab<'_>, metric: Metric) -> Result<TableTimes, LabError> {
    let table = CosetTable {
        metric,
        storage: DistanceStorage::FourBits,
    };
    world.barrier();
    let start = Instant::now();
    drop(lab.table(&table)?);
    let load = start.elapsed().as_secs_f64();
    world.barrier();
    let start = Instant::now();
    table.generate(&lab.control)?;
    let fill = start.elapsed().as_secs_f64();
    Ok(TableTimes {
        ranks: world.size(),
        rank: world.rank(),
        metric,
        load,
        fill,
    })
}
