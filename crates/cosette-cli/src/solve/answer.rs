//! What has been proven of a position.

use crate::exit::Exit;
use crate::failure::{Failure, Quoted};
use crate::interrupt;
use cosette::cube::{Input, Metric, Move, Moves, canonical};
use cosette::search::{Options, Outcome, Report, Threshold, Wanted};
use cosette_lab::engine::Engine;
use std::num::NonZeroUsize;

/// Why a search ended before it had all that was wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All lengths up to the limit are ruled out.
    MaxLength,
    /// The time is up.
    Timeout,
    /// The user asked.
    Interrupt,
}

impl Stop {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::MaxLength => "max-length",
            Stop::Timeout => "timeout",
            Stop::Interrupt => "interrupt",
        }
    }
}

/// A position and what the search has proven of it.
pub struct Answer<'a> {
    /// The text of the position.
    pub text: &'a Quoted,
    /// The position.
    pub input: &'a Input,
    /// A solution that may not be the shortest.
    known: Option<Vec<Move>>,
    /// What the search says.
    pub report: Report,
    /// How many solutions were asked for.
    pub wanted: Wanted,
    /// Why it ended early, if it did.
    pub stopped: Option<Stop>,
    /// What is counted.
    pub metric: Metric,
    /// What solved looked things up in.
    pub tables: String,
    /// What solved.
    pub engine: &'static str,
    /// Whether it proves that its solutions are the shortest.
    pub is_optimal: bool,
}

impl<'a> Answer<'a> {
    /// The answer to a position. `was_stopped` tells whether the engine was asked to stop.
    pub fn new(
        text: &'a Quoted,
        input: &'a Input,
        report: Report,
        options: &Options<'_>,
        engine: &dyn Engine,
        was_stopped: bool,
    ) -> Answer<'a> {
        let mut report = report;
        let (metric, is_optimal) = (engine.metric(), engine.is_optimal());
        let unproven = if is_optimal { Vec::new() } else { std::mem::take(&mut report.solutions) };
        let one = matches!(options.wanted, Wanted::One | Wanted::AtMost(NonZeroUsize::MIN));
        let known = options.known.map(<[Move]>::to_vec).into_iter().chain(unproven);
        let known = known.chain(undone(input).filter(|_| is_optimal));
        let known = known.min_by_key(|moves| metric.length(moves));
        let is_shortest = |moves: &&Vec<Move>| metric.length(moves) == usize::from(report.lower_bound);
        if let Some(known) = known.as_ref().filter(is_shortest).filter(|_| one && report.solutions.is_empty()) {
            // The search stopped just where a known solution is as long as what is proven: a shortest one.
            report.solutions.push(known.clone());
            report.outcome = Outcome::Optimal;
        }
        let longest = options.max_length.map_or(usize::MAX, usize::from);
        let is_short_enough = known.as_ref().is_some_and(|moves| metric.length(moves) <= longest);
        let stopped = match report.outcome {
            Outcome::Optimal => None,
            _ if !is_optimal && is_short_enough => None,
            _ if !is_optimal && !was_stopped => Some(Stop::MaxLength),
            Outcome::NoneWithinLimit => Some(Stop::MaxLength),
            Outcome::Cancelled if interrupt::is_asked() => Some(Stop::Interrupt),
            Outcome::Cancelled => Some(Stop::Timeout),
        };
        Answer {
            text,
            input,
            known,
            report,
            wanted: options.wanted,
            stopped,
            metric,
            tables: engine.tables(),
            engine: engine.name(),
            is_optimal,
        }
    }

    /// Whether the solutions are all there are of their length.
    pub fn has_all(&self) -> bool {
        let is_last = |threshold: &&Threshold| threshold.length == self.report.lower_bound;
        let last = self.report.thresholds.last().filter(is_last);
        self.stopped.is_none() && last.is_some_and(|threshold| threshold.exhausted)
    }

    /// The exit code for this.
    pub fn exit(&self) -> Exit {
        match self.stopped {
            None => Exit::Solved,
            Some(Stop::MaxLength | Stop::Timeout) => Exit::Limit,
            Some(Stop::Interrupt) => Exit::Interrupted,
        }
    }

    /// Does everything that will be shown as a solution on the position once more, independently of the search.
    pub fn check(&self) -> Result<(), Failure> {
        let solves = |moves: &[Move]| self.input.cube.after(moves).is_solved();
        let is_shortest = |moves: &[Move]| self.metric.length(moves) == usize::from(self.report.lower_bound);
        let wrong_solution = self.report.solutions.iter().find(|moves| !solves(moves) || !is_shortest(moves)).cloned();
        let wrong_known = || self.best_known().filter(|moves| !solves(moves));
        match wrong_solution.or_else(|| wrong_known().map(<[Move]>::to_vec)) {
            None => Ok(()),
            Some(wrong) => {
                Err(Failure::Mismatch { solution: Moves(&wrong).to_string(), facelets: self.input.cube.facelets() })
            }
        }
    }

    /// The shortest solution known where none is proven shortest: that of the two-phase search, or the given moves, undone.
    pub fn best_known(&self) -> Option<&[Move]> {
        self.known.as_deref().filter(|_| self.report.solutions.is_empty())
    }

    /// No shortest solution is longer than this: what is known, or God's number.
    pub fn upper_bound(&self) -> usize {
        let diameter = usize::from(self.metric.diameter());
        match (self.report.length(), self.best_known()) {
            (Some(length), _) => length.into(),
            (None, Some(known)) => self.metric.length(known).min(diameter),
            (None, None) => diameter,
        }
    }
}

/// The given moves, undone: a solution, where the position was given as moves.
fn undone(input: &Input) -> Option<Vec<Move>> {
    let sequence = input.sequence.as_ref()?;
    let moves: Vec<Move> = sequence.moves().iter().rev().map(|m| m.inverse()).collect();
    Some(canonical(&moves))
}
