//! Ctrl-C and termination signals of the system.

#[cfg(unix)]
use crate::cli::failure;
use crate::cli::failure::Exit;
use crate::lock;
use cosette::Cancel;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

/// `true` once an interruption has been requested.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The cancellation token of the running work.
static RUNNING: Mutex<Option<Cancel>> = Mutex::new(None);

/// Time within which a repeated signal counts as the same request. Ctrl-C is exempt: users press it
/// twice on purpose.
#[cfg(unix)]
const REPETITION_TIME: Duration = Duration::from_secs(1);

/// Listens for Ctrl-C and termination signals of the system. The first one stops the running work,
/// which then prints its partial results. The second one, or the first if no work is running, ends
/// the command at once. Except for Ctrl-C, a signal that is repeated within a second counts as the
/// same request.
pub fn listen() {
    if let Err(refused) = start_listening() {
        tracing::warn!(%refused, "Ctrl-C will end the command without printing partial results");
    }
}

#[cfg(unix)]
fn start_listening() -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ};
    // Hang-ups that `nohup` ignores must remain ignored. Batch systems announce the end of a job
    // with the last three.
    let all = [SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU];
    let signals = all
        .into_iter()
        .filter(|&signal| signal != SIGHUP || !is_ignored(signal));
    // With an empty handler, exceeding the file size limit is a write error and does not end the
    // process.
    signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    let mut signals = signal_hook::iterator::Signals::new(signals)?;
    let mut first_time = None;
    let listen = move || {
        for signal in signals.forever() {
            // A closing terminal and `timeout` send their signals twice, to the program and to its
            // group.
            let is_repeated = signal != SIGINT
                && first_time.is_some_and(|first: Instant| first.elapsed() < REPETITION_TIME);
            // SIGXCPU is repeated with each second of processor time.
            if is_requested() && (is_repeated || signal == SIGXCPU) {
                continue;
            }
            first_time.get_or_insert_with(Instant::now);
            failure::remember_signal(signal as u8);
            request();
        }
    };
    std::thread::Builder::new()
        .name("signals".into())
        .spawn(listen)
        .map(drop)
}

#[cfg(not(unix))]
fn start_listening() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(request)
}

/// Returns `true` if this process is known to have been started with the signal ignored.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Requests an interruption, like Ctrl-C.
pub fn request() {
    match &*lock(&RUNNING) {
        Some(cancel) if !REQUESTED.swap(true, Ordering::Relaxed) => cancel.cancel(),
        _ => std::process::exit(Exit::Interrupted.code().into()),
    }
}

/// Returns `true` if an interruption was requested.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Interruptible work: Ctrl-C stops it until this guard is dropped. It may be nested in other
/// interruptible work.
pub struct Interruptible {
    /// The cancellation token of the work.
    pub cancel: Cancel,
    /// The cancellation token of the enclosing work, if there is any.
    enclosing: Option<Cancel>,
}

impl Interruptible {
    /// Starts interruptible work.
    pub fn start() -> Interruptible {
        let cancel = Cancel::new();
        let enclosing = lock(&RUNNING).replace(cancel.clone());
        // A request that arrived just after the end of the previous work applies to this work.
        if is_requested() {
            cancel.cancel();
        }
        Interruptible { cancel, enclosing }
    }
}

impl Drop for Interruptible {
    fn drop(&mut self) {
        *lock(&RUNNING) = self.enclosing.take();
    }
}
