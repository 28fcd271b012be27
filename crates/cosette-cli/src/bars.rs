//! What the terminal shows while work goes on: on standard error, and nothing where that is no terminal.

use cosette::search::Event;
use cosette::{OnProgress, Progress};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

const TICK: Duration = Duration::from_millis(100);

/// Whether somebody watches.
pub fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Does `work` under a bar with the remaining time, which shows once there is something to reckon from.
pub fn with_bar<T>(what: &str, work: impl FnOnce(OnProgress<'_>) -> T) -> T {
    let bar = bar("{spinner} {msg}");
    bar.set_message(what.to_owned());
    let under_way = Once::new();
    let result = work(&|Progress { done, total }| {
        under_way.call_once(|| {
            bar.set_style(style("{spinner} {msg} {wide_bar} {percent:>3} %, {eta} left"));
            bar.set_length(total);
            bar.reset_eta();
        });
        bar.set_position(done);
    });
    bar.finish_and_clear();
    result
}

/// The steps of a long piece of work, one after the other.
pub struct Steps {
    bar: ProgressBar,
    what: Mutex<String>,
}

impl Steps {
    /// Shows that work begins.
    pub fn show() -> Steps {
        Steps { bar: bar("{spinner} {msg} {wide_bar} {percent:>3} %, {eta} left"), what: Mutex::default() }
    }

    /// Says how far a step is.
    pub fn follow(&self, what: &str, progress: Progress) {
        let mut shown = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        if *shown != what {
            what.clone_into(&mut shown);
            self.bar.set_message(what.to_owned());
            self.bar.reset_elapsed();
            self.bar.reset_eta();
        }
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The proven lower bound, rising.
pub struct Bound {
    bar: ProgressBar,
    /// What is known meanwhile.
    in_hand: String,
}

impl Bound {
    /// Shows a bound that is not yet known, and how long a solution is in hand.
    pub fn show(in_hand: Option<usize>) -> Bound {
        let in_hand = in_hand.map(|length| format!("a solution of {length} moves is in hand")).unwrap_or_default();
        let bar = bar("{spinner} {msg} {bar:30} {elapsed}");
        bar.set_message(in_hand.clone());
        Bound { bar, in_hand }
    }

    /// Follows a search.
    pub fn follow(&self, event: Event<'_>) {
        match event {
            Event::ThresholdStarted { length } => {
                let parts = [self.in_hand.clone(), format!("at least {length} moves")];
                self.bar.set_message(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; "));
                self.bar.set_length(1);
                self.bar.set_position(0);
            }
            Event::Progress { progress: Progress { done, total }, .. } => {
                self.bar.set_length(total);
                self.bar.set_position(done);
            }
            Event::ThresholdDone(_) => {}
        }
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn bar(template: &str) -> ProgressBar {
    if !is_watched() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1);
    bar.set_style(style(template));
    bar.enable_steady_tick(TICK);
    bar
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well formed")
}
