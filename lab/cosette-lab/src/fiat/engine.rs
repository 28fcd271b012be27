//! The system: lengths one after another.

use super::length::{self, Form, LengthResult};
use super::list::Lists;
use crate::engine::{Engine, OnEvent, by_length};
use crate::error::LabError;
use cosette::Control;
use cosette::cube::{Cube, Metric};
use cosette::search::{Event, Options, Report, SolutionCount, Threshold};

/// The bidirectional search that stores quarters of solutions, `--engine fiat`.
///
/// In its reports nodes are [`LengthResult::generated`], and probes the equal products that were found: it looks nothing up.
#[derive(Debug)]
pub struct Fiat {
    lists: Lists,
    form: Form,
}

impl Fiat {
    /// A search in this metric. Lists are made when they are first needed, and kept.
    pub fn new(metric: Metric) -> Fiat {
        Fiat { lists: Lists::new(metric), form: Form::default() }
    }

    /// The same, with equal products found in this way.
    #[must_use]
    pub fn with_form(self, form: Form) -> Fiat {
        Fiat { form, ..self }
    }

    /// Its lists.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// Searches the solutions of one length, shorter ones being ruled out.
    ///
    /// # Errors
    /// On cancellation while lists are made. What is cancelled later is incomplete.
    pub fn search(
        &self,
        position: &Cube,
        length: u8,
        wanted: SolutionCount,
        control: &Control<'_>,
    ) -> Result<LengthResult, LabError> {
        length::search(&self.lists, self.form, position, (length, wanted), control)
    }
}

impl Engine for Fiat {
    fn name(&self) -> &'static str {
        "fiat"
    }

    fn metric(&self) -> Metric {
        self.lists.metric()
    }

    fn tables(&self) -> String {
        "lists of permutations".to_owned()
    }

    fn solve(&self, position: &Cube, options: &Options<'_>, on_event: OnEvent<'_>, control: &Control<'_>) -> Report {
        // With quarter turns the parity of the position is that of every solution.
        let lengths = match self.metric() {
            Metric::Htm => (0, 1),
            Metric::Qtm => (u8::from(position.is_odd()), 2),
        };
        by_length(position, self.metric(), options, lengths, (on_event, control.cancel()), |length| {
            let on_progress = |_: &str, progress| on_event(Event::Progress { length, progress, remaining: None });
            let control = control.clone().on_progress(&on_progress);
            let searched = self.search(position, length, options.solution_count, &control).ok()?;
            let threshold = Threshold {
                length,
                nodes: searched.generated,
                probes: searched.matches,
                elapsed: searched.elapsed,
                exhausted: searched.complete,
            };
            Some((threshold, searched.solutions.into_iter().collect()))
        })
    }
}
