//! What is asked of every position of a batch.

use cosette::cube::{Format, Metric, ReadOptions};
use cosette::search::{Options, SolutionCount, TwoPhaseUse};
use std::collections::BTreeMap;
use std::time::Duration;

/// What is asked of every position, as far as answers depend on it. Tables and threads are no part of it: a batch may go on
/// with others.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// What is counted.
    pub metric: Metric,
    /// How many solutions of a position are wanted.
    pub wanted: SolutionCount,
    /// Give up on a position once every length up to this one is ruled out.
    pub max_length: Option<u8>,
    /// How the positions are written; by default each is recognised by its look.
    pub format: Option<Format>,
    /// Whether round brackets are moves on the inverse.
    pub niss: bool,
}

impl Settings {
    /// How texts are read.
    pub(super) fn reading(&self) -> ReadOptions {
        ReadOptions { niss: self.niss }
    }

    /// What a search is asked, where each position has this time. A search that may end early has a solution in hand from
    /// its beginning.
    pub fn options(&self, timeout: Option<Duration>) -> Options<'static> {
        let may_end_early = timeout.is_some() || self.max_length.is_some();
        let two_phase = if may_end_early { TwoPhaseUse::AtOnce } else { TwoPhaseUse::Meanwhile };
        Options { wanted: self.wanted, max_length: self.max_length, known: None, two_phase }
    }

    /// Each setting with its name, as a journal notes them.
    pub(super) fn named(&self) -> BTreeMap<String, String> {
        let wanted = match self.wanted {
            SolutionCount::One => "1".into(),
            SolutionCount::AtMost(count) => count.to_string(),
            SolutionCount::All => "all".into(),
        };
        let max_length = self.max_length.map_or("none".into(), |length| length.to_string());
        let format = self.format.map_or("any", Format::name).to_owned();
        let named = [
            ("metric", self.metric.name().to_owned()),
            ("solutions", wanted),
            ("max-length", max_length),
            ("format", format),
            ("niss", self.niss.to_string()),
        ];
        named.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
