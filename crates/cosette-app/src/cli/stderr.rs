//! Standard error: messages, and progress bars if it is a terminal.

use crate::events::SearchEvent;
use crate::lock;
use crate::solve_result::is_within_diameter;
use crate::units::counted;
use cosette::Progress;
use cosette::cube::Metric;
use indicatif::{ProgressBar, ProgressFinish, ProgressState, ProgressStyle, WeakProgressBar};
use std::fmt::{self, Display};
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses hints and progress from now on; only errors and warnings are shown.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// The progress bar that was shown last, if it is visible.
static VISIBLE_BAR: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// Writes a message and a line feed, above a visible progress bar. A message that cannot be written
/// is dropped.
pub fn tell(message: impl Display) {
    let write = || {
        let _ = writeln!(anstream::stderr(), "{}", message);
    };
    let bar = lock(&VISIBLE_BAR)
        .as_ref()
        .and_then(WeakProgressBar::upgrade);
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Writes a hint to the user, unless hints are [suppressed](be_quiet).
pub fn hint(message: impl Display) {
    if !is_quiet() {
        tell(message);
    }
}

/// Time between two redraws of a progress bar.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// Returns `true` if progress is shown.
pub fn is_watched() -> bool {
    io::stderr().is_terminal() && !is_quiet()
}

/// A progress bar for work in several steps. It appears with the first step.
pub struct StepBar {
    bar: ProgressBar,
    step: Mutex<String>,
}

impl StepBar {
    /// Shows a bar.
    pub fn show() -> StepBar {
        StepBar {
            bar: bar("{spinner} {msg} {wide_bar} {percent:>3} %{left}", 0),
            step: Mutex::default(),
        }
    }

    /// Shows the progress of a step.
    pub fn follow(&self, step: &str, progress: Progress) {
        let mut shown_step = lock(&self.step);
        if *shown_step != step {
            step.clone_into(&mut shown_step);
            self.bar.set_message(step.to_owned());
            self.bar.reset_elapsed();
            self.bar.reset_eta();
            tick(&self.bar);
        }
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
    }
}

/// A progress bar for a search, with the bounds proven until now.
pub struct SearchBar {
    bar: ProgressBar,
    known: Mutex<KnownBounds>,
}

/// The known bounds on the length of the shortest solutions, the progress of the iteration, and the
/// length and the nodes of the one before.
#[derive(Default)]
struct KnownBounds {
    min: Option<u8>,
    max: Option<usize>,
    progress: Option<Progress>,
    time_left: Option<Duration>,
    before: Option<(u8, u64)>,
}

impl SearchBar {
    /// Shows a bar.
    pub fn show() -> SearchBar {
        let bar = bar("{spinner} {bar:10} {wide_msg}", 0);
        tick(&bar);
        SearchBar {
            bar,
            known: Mutex::default(),
        }
    }

    /// Shows an event of a search in this metric. A solution is printed above the bar.
    pub fn follow(&self, event: &SearchEvent, metric: Metric) {
        let mut known = lock(&self.known);
        match event {
            SearchEvent::Solution { moves, length } => {
                known.max = Some(*length).filter(|&length| is_within_diameter(length, metric));
                self.bar.println(format!("{length}: {moves}"));
            }
            SearchEvent::IterationStarted { length } => {
                self.bar.set_position(0);
                *known = KnownBounds {
                    min: Some(*length),
                    max: known.max,
                    before: known.before,
                    ..KnownBounds::default()
                }
            }
            SearchEvent::IterationFinished(iteration) => {
                known.before = Some((iteration.length, iteration.nodes));
            }
            &SearchEvent::Progress {
                done,
                total,
                seconds_left,
                ..
            } => {
                self.bar.set_length(total);
                self.bar.set_position(done);
                known.progress = Some(Progress { done, total });
                known.time_left = seconds_left.map(Duration::from_secs_f64);
            }
            SearchEvent::Building {
                doing,
                percent,
                seconds_left,
            } => {
                self.bar.set_length(100);
                self.bar.set_position(*percent);
                let left = seconds_left.map(|seconds| {
                    let left = HumanDuration(Duration::from_secs_f64(seconds));
                    format!(", about {left} left")
                });
                let left = left.unwrap_or_default();
                self.bar.set_message(format!("{doing}, {percent} %{left}"));
                return;
            }
            _ => {}
        }
        self.bar.set_message(known.to_string());
    }
}

impl fmt::Display for KnownBounds {
    /// Formats the bounds, e.g. `17 ≤ length ≤ 18, 61 % of length 17 (16: 900 nodes), about 4 s left
    /// for it`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(min) = self.min {
            write!(f, "{min} ≤ ")?;
        }
        write!(f, "length")?;
        if let Some(max) = self.max {
            write!(f, " ≤ {max}")?;
        }
        if let (Some(length), Some(progress)) = (self.min, self.progress) {
            write!(f, ", {} % of length {length}", progress.percent())?;
        }
        if let Some((length, nodes)) = self.before {
            write!(f, " ({length}: {})", counted(nodes, "node"))?;
        }
        // This is the time for the iteration, not for the search, which ends earlier if this length
        // has a solution, and continues with the next length if it has none.
        if let Some(time_left) = self.time_left {
            write!(f, ", about {} left for it", HumanDuration(time_left))?;
        }
        Ok(())
    }
}

/// A duration, rounded down to a whole number of seconds, minutes, hours or days.
struct HumanDuration(Duration);

impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_secs() {
            seconds @ ..120 => write!(f, "{seconds} s"),
            seconds @ ..7_200 => write!(f, "{} min", seconds / 60),
            seconds @ ..172_800 => write!(f, "{} h", seconds / 3_600),
            seconds => write!(f, "{} days", seconds / 86_400),
        }
    }
}

/// A progress bar that counts positions.
pub struct CountBar {
    bar: ProgressBar,
}

impl CountBar {
    /// Shows a bar of `total` positions, of which `done` are solved already; `at_once` positions
    /// are solved in parallel. Once the last positions have been started, no time is estimated,
    /// because those that remain are the ones that take longest.
    pub fn show(done: usize, total: usize, at_once: usize) -> CountBar {
        let bar = bar(
            "{spinner} {wide_bar} {human_pos} of {human_len}, {per_sec}{left}",
            at_once,
        );
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        bar.reset_eta();
        tick(&bar);
        CountBar { bar }
    }

    /// Counts one more position.
    pub fn step(&self) {
        self.bar.inc(1);
    }

    /// Lets `write` print above the bar.
    pub fn above<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }
}

/// Redraws a visible bar at regular intervals.
fn tick(bar: &ProgressBar) {
    if !bar.is_hidden() {
        bar.enable_steady_tick(REDRAW_INTERVAL);
    }
}

/// Returns a bar with this template, which estimates the remaining time while more than `last`
/// positions remain.
fn bar(template: &str, last: usize) -> ProgressBar {
    if !is_watched() {
        return ProgressBar::hidden();
    }
    let left = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        if is_estimated(state.pos(), state.len().unwrap_or_default(), last as u64) {
            let _ = write!(out, ", about {} left", HumanDuration(state.eta()));
        }
    };
    let style = ProgressStyle::with_template(template).expect("the template is well formed");
    let bar = ProgressBar::new(1)
        .with_finish(ProgressFinish::AndClear)
        .with_style(style.with_key("left", left));
    *lock(&VISIBLE_BAR) = Some(bar.downgrade());
    bar
}

/// Returns `true` if there is a basis for an estimate, and more than `last` positions remain.
fn is_estimated(done: u64, total: u64, last: u64) -> bool {
    done > 0 && total.saturating_sub(done) > last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_last_positions_is_not_estimated() {
        assert!(is_estimated(2, 10, 2) && is_estimated(1, 2, 0));
        assert!(!is_estimated(0, 10, 2) && !is_estimated(2, 3, 2) && !is_estimated(2, 2, 0));
    }
}
