//! The work of every rank: searching its assigned pieces.
//!
//! One thread searches while this one polls for messages, so that a goal that another rank declares
//! takes effect at once.
//!
//! ```text
//! a piece arrives:      search it
//! a solution is found:  declare it to all ranks without waiting, and report it to rank 0
//! a goal is declared:   cancel the search to that limit or a larger one; continue smaller ones,
//!                       unless the first goal ends all
//! ```

use super::plan::{PieceResult, RankMessage, SearchPiece, WorkSpent};
use cosette::{Cancel, Control, ThreadCount};
use cosette_lab::ida::{Cut, IdaPart};
use cosette_lab::lab::processor_time;
use cosette_lab::reid::Reid;
use cosette_lab::reid::bound::ReidNode;
use cosette_mpi::world::{FIRST, World, poll_interval};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::Scope;
use std::time::Instant;

/// A searched piece, and the processor time that it took.
type Searched = (SearchPiece, IdaPart, f64);

/// A rank at work.
pub struct NargolkarRank<'s, 'e> {
    pub world: &'e World,
    pub reid: &'e Reid,
    scope: &'s Scope<'s, 'e>,
    /// The number of the last problem with a goal, and the length of its shortest solution that was
    /// declared: another rank's declaration may arrive before the first piece of the problem.
    goal: (u32, u8),
    running: Option<(SearchPiece, Cancel)>,
    /// The number of the problem.
    number: u32,
    /// The tree of the problem that was last searched.
    cut: Option<Arc<Cut<ReidNode>>>,
    /// All nodes generated for the problem.
    generated: u64,
    /// Time spent since the last result.
    spent: WorkSpent,
    results: (Sender<Searched>, Receiver<Searched>),
}

impl<'s, 'e> NargolkarRank<'s, 'e> {
    /// Creates a rank; its searches are threads of the scope.
    pub fn new(
        world: &'e World,
        reid: &'e Reid,
        scope: &'s Scope<'s, 'e>,
    ) -> NargolkarRank<'s, 'e> {
        NargolkarRank {
            world,
            reid,
            scope,
            goal: (0, u8::MAX),
            running: None,
            number: 0,
            cut: None,
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
            Some((_, RankMessage::Search(piece))) => self.begin(piece),
            Some((_, RankMessage::Goal(number, limit))) => self.goal_declared(number, limit),
            Some(other) => return Some(other),
            None => {
                let wait = poll_interval(1, self.running.is_none());
                if let Ok(searched) = self.results.1.recv_timeout(wait) {
                    self.finish(searched);
                }
            }
        }
        None
    }

    /// Handles the declaration of a solution of this length for the problem with this number.
    fn goal_declared(&mut self, number: u32, limit: u8) {
        if number > self.goal.0 || number == self.goal.0 && limit < self.goal.1 {
            self.goal = (number, limit);
        }
        if let Some((piece, cancel)) = &self.running
            && self.is_needless(piece)
        {
            cancel.cancel();
        }
    }

    /// Returns `true` if a goal makes the search of a piece needless.
    fn is_needless(&self, piece: &SearchPiece) -> bool {
        self.goal.0 == piece.problem.number && piece.problem.is_needless(piece.limit, self.goal.1)
    }

    /// Sends a message, and measures that.
    fn send(&mut self, rank: usize, message: &RankMessage) {
        let start = Instant::now();
        self.world.send(rank, message);
        self.spent.communication += start.elapsed().as_secs_f64();
    }

    fn finish(&mut self, (piece, part, computation): Searched) {
        self.running = None;
        self.generated += part.nodes;
        self.spent.computation += computation;
        if !part.solutions.is_empty() {
            let number = piece.problem.number;
            self.goal_declared(number, piece.limit);
            for rank in (0..self.world.size()).filter(|&rank| rank != self.world.rank()) {
                self.send(rank, &RankMessage::Goal(number, piece.limit));
            }
        }
        self.report(piece.limit, part);
    }

    fn report(&mut self, limit: u8, part: IdaPart) {
        let done = PieceResult {
            limit,
            part,
            generated: self.generated,
            spent: std::mem::take(&mut self.spent),
        };
        self.send(FIRST, &RankMessage::Done(done));
    }

    /// Begins a piece; a needless one ends at once.
    fn begin(&mut self, piece: SearchPiece) {
        if self.is_needless(&piece) {
            return self.report(piece.limit, IdaPart::default());
        }
        let cut = self.cut(&piece);
        let cancel = Cancel::new();
        self.running = Some((piece.clone(), cancel.clone()));
        let reid = self.reid;
        let results = self.results.0.clone();
        self.scope.spawn(move || {
            let before = processor_time();
            let part = search(reid, &piece, &cut, &cancel);
            // The receiver lives as long as the rank.
            let _ = results.send((piece, part, processor_time() - before));
        });
    }

    /// The tasks of the tree of a piece, which are the same on all ranks.
    fn cut(&mut self, piece: &SearchPiece) -> Arc<Cut<ReidNode>> {
        let problem = &piece.problem;
        if problem.number != self.number {
            self.number = problem.number;
            self.generated = 0;
            self.cut = None;
        }
        let known = self.cut.take().filter(|cut| cut.threshold == piece.limit);
        let cut = known.unwrap_or_else(|| {
            let limits = problem.ida_limits(piece.limit);
            let ida = self.reid.ida();
            Arc::new(ida.cut(&problem.position, piece.limit, &limits))
        });
        self.cut.insert(cut).clone()
    }
}

/// Searches a piece; one that is an entire tree includes the nodes above its tasks.
fn search(reid: &Reid, piece: &SearchPiece, cut: &Cut<ReidNode>, cancel: &Cancel) -> IdaPart {
    let limits = piece.problem.ida_limits(piece.limit);
    let control = Control::new(ThreadCount::ONE).with_cancel(cancel);
    let tasks = piece.tasks.clone().unwrap_or(0..cut.tasks());
    let position = &piece.problem.position;
    let mut part = reid
        .ida()
        .search_part(position, cut, tasks, &limits, &control);
    if piece.tasks.is_none() {
        part.nodes += cut.trunk.nodes;
        part.tests += cut.trunk.tests;
        part.complete &= cut.trunk.complete;
        part.solutions.extend_from_slice(&cut.trunk.solutions);
    }
    part
}
