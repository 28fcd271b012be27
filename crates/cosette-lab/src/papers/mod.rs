//! The papers, and the experiments that reproduce what they print.

mod fast;
mod list;

pub use list::PAPERS;

use crate::experiment::Experiment;
use crate::lab::{Effort, Lab, LabError};
use std::path::PathBuf;
use std::time::Duration;

/// A paper, or a system that was told of in one.
pub struct Paper {
    /// Its name in the command and that of its page: `korf`.
    pub name: &'static str,
    /// Who and when: `Korf 1997`.
    pub title: &'static str,
    /// Where it was published.
    pub reference: &'static str,
    /// What of it is run again, in a sentence or two.
    pub about: &'static str,
    /// Its experiments.
    pub experiments: &'static [Entry],
}

/// An experiment that can be had by its name.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub about: &'static str,
    /// Computes it.
    pub run: fn(&Lab<'_>, &Request) -> Result<Experiment, LabError>,
}

/// How experiments are to be computed.
#[derive(Clone, Debug)]
pub struct Request {
    /// How much of the paper's experiment is run.
    pub effort: Effort,
    /// The file of scrambles to solve, where the experiment solves some; drawn from the seed where none is given.
    pub instances: Option<PathBuf>,
    /// Where chance starts from.
    pub seed: u64,
    /// Where long searches keep what they have done, to go on from there.
    pub checkpoint: Option<PathBuf>,
    /// Long searches generate so many nodes at most.
    pub max_nodes: Option<u64>,
    /// Long searches end after this time, and show what is complete.
    pub time: Option<Duration>,
}

impl Request {
    /// What is computed where nothing is asked for in particular.
    pub fn new(effort: Effort) -> Request {
        Request { effort, instances: None, seed: 1, checkpoint: None, max_nodes: None, time: None }
    }
}

impl Paper {
    /// The paper of this name.
    pub fn named(name: &str) -> Option<&'static Paper> {
        PAPERS.iter().find(|paper| paper.name == name)
    }

    /// The experiment of this name.
    pub fn experiment(&self, name: &str) -> Option<&'static Entry> {
        self.experiments.iter().find(|entry| entry.name == name)
    }
}
