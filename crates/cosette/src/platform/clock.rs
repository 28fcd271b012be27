//! The clock.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use of_host::Instant;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use of_host::set_clock;

/// The clock of WebAssembly without a system.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod of_host {
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Gives the library a clock: the time since some moment in the past, which never goes backwards. The first call counts.
    /// Without a clock no time passes: deadlines are never reached, and reports say that nothing took any time.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, as [`std::time::Instant`] is.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub fn elapsed(self) -> Duration {
            Instant::now().0.saturating_sub(self.0)
        }

        pub fn checked_add(self, duration: Duration) -> Option<Instant> {
            self.0.checked_add(duration).map(Instant)
        }
    }
}
