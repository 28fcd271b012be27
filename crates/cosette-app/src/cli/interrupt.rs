//! Ctrl-C and the system's requests to end.

#[cfg(unix)]
use crate::cli::failure;
use crate::cli::failure::Exit;
use cosette::Cancel;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

/// A signal that comes again within this time is the same request; Ctrl-C is pressed twice on purpose.
#[cfg(unix)]
const REPEATED: Duration = Duration::from_secs(1);

fn running() -> MutexGuard<'static, Option<Cancel>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Listens for Ctrl-C and the system's requests to end. The first one stops the running work, which then prints what it
/// has. The second one, or the first if no work is running, ends the command at once; but for Ctrl-C, one that follows within
/// a second is the same request.
pub fn listen() {
    if let Err(refused) = start_listening() {
        tracing::warn!(%refused, "Ctrl-C will end the command without printing what is proven");
    }
}

#[cfg(unix)]
fn start_listening() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
    // `nohup` has hang-ups ignored, and that is to stay so. Batch systems announce the end of a job with the last three.
    let all = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU];
    let signals = all.into_iter().filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    // With a handler that does nothing, writing beyond the limit of a file's size is an error and not the end.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    let mut first = None;
    let listen = move || {
        for signal in signals.forever() {
            // A terminal that is closed, and `timeout`, send theirs twice, to the program and to its group.
            let is_repeated = signal != SIGINT && first.is_some_and(|first: Instant| first.elapsed() < REPEATED);
            // This one comes again with each second of processor time.
            if is_requested() && (is_repeated || signal == SIGXCPU) {
                continue;
            }
            first.get_or_insert_with(Instant::now);
            failure::remember_signal(signal as u8);
            request();
        }
    };
    std::thread::Builder::new().name("signals".into()).spawn(listen).map(drop)
}

#[cfg(not(unix))]
fn start_listening() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(request)
}

/// Whether this process was started with a signal ignored, where the system says so.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Does what Ctrl-C does.
pub fn request() {
    match &*running() {
        Some(cancel) if !REQUESTED.swap(true, Ordering::Relaxed) => cancel.cancel(),
        _ => std::process::exit(Exit::Interrupted.code().into()),
    }
}

/// Whether the user has asked to stop.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Work that Ctrl-C stops, until this is dropped; it may be a part of other such work.
pub struct Interruptible {
    /// The request to stop it.
    pub cancel: Cancel,
    /// That of the work that it is a part of.
    whole: Option<Cancel>,
}

impl Interruptible {
    /// Starts such work.
    pub fn start() -> Interruptible {
        let cancel = Cancel::new();
        let whole = running().replace(cancel.clone());
        // A request that came just after the previous work had ended is for this one.
        if is_requested() {
            cancel.cancel();
        }
        Interruptible { cancel, whole }
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        *running() = self.whole.take();
    }
}
