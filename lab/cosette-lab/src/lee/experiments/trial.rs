//! Absent positions to ask for, and how long asking takes, from disk and from memory.

use crate::error::LabError;
use crate::lab::Lab;
use crate::lee::absence::{Accesses, HashedSpace};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use cosette::cube::{Cube, Move, random_positions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::fs::File;
use std::time::{Duration, Instant};

/// Positions that are not stored.
pub struct Absent {
    /// Uniformly random ones.
    pub random: Vec<Cube>,
    /// Those one move beyond: children of random positions of the last level. A search that comes near asks for them.
    pub beyond: Vec<Cube>,
}

impl Absent {
    /// Draws `count` of each. That they are absent is checked with the classes, which share no look-up with the hashing
    /// schemes; a random position is stored with a chance of 10⁻¹¹ at most.
    pub fn draw(
        lab: &Lab<'_>,
        space: &StoredSpace,
        classes: &Perimeter,
        count: usize,
        seed: u64,
    ) -> Result<Absent, LabError> {
        lab.step("drawing absent positions", 0, 2 * count as u64);
        let is_absent = |position: &Cube| classes.distance(position).is_none();
        let level = StoredSpace::level(space.depth());
        let child = |number: u64| {
            lab.check()?;
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            rng.set_stream(number);
            let parent = space.get(rng.random_range(level.clone()))?.position;
            let children = std::iter::repeat_with(|| parent.turned(Move::ALL[rng.random_range(0..Move::COUNT)]));
            // Each position of the last level within eight moves has a child beyond.
            Ok(children.take(1000).find(is_absent))
        };
        lab.control.in_pool(|| {
            let mut positions = random_positions(seed);
            let mut random = Vec::with_capacity(count);
            while random.len() < count {
                lab.check()?;
                let some: Vec<Cube> = positions.by_ref().take((count - random.len()).min(20_000)).collect();
                random.par_extend(some.into_par_iter().filter(is_absent));
            }
            lab.step("drawing absent positions", count as u64, 2 * count as u64);
            let beyond: Vec<Option<Cube>> =
                (0..count as u64).into_par_iter().map(child).collect::<Result<_, LabError>>()?;
            Ok(Absent { random, beyond: beyond.into_iter().flatten().collect() })
        })?
    }

    /// The keys of the random ones and of those beyond.
    pub fn keys(&self) -> [Vec<Key>; 2] {
        [&self.random, &self.beyond].map(|positions| positions.iter().map(Key::of).collect())
    }
}

/// Where what is looked up lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// On disk: the system is asked to forget the files again and again, and not to read ahead.
    Disk,
    /// In the system's page cache.
    Memory,
}

/// How long looking up takes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// How many positions were looked up.
    pub positions: u64,
    /// How many random accesses that took.
    pub accesses: u64,
    /// How long.
    pub elapsed: Duration,
}

impl Timing {
    /// Seconds for a million positions.
    pub fn million(&self) -> f64 {
        1e6 * self.elapsed.as_secs_f64() / self.positions as f64
    }

    /// Microseconds an access.
    pub fn access(&self) -> f64 {
        1e6 * self.elapsed.as_secs_f64() / self.accesses as f64
    }
}

/// Looks up absent positions one after another on one thread, as many as `limit` allows. `None` if the system cannot
/// drop a file from its page cache.
pub fn time(
    lab: &Lab<'_>,
    hashed: &HashedSpace,
    keys: &[Key],
    from: Source,
    limit: Duration,
) -> Result<Option<Timing>, LabError> {
    let start = Instant::now();
    let mut timing = Timing::default();
    for some in keys.chunks(if from == Source::Disk { 50 } else { 200 }) {
        lab.check()?;
        if from == Source::Disk && !hashed.files().into_iter().all(forget) {
            return Ok(None);
        }
        let (start_of_some, mut accesses) = (Instant::now(), Accesses::default());
        for &key in some {
            debug_assert!(hashed.find(key, &mut Accesses::default())?.is_none());
            hashed.find(key, &mut accesses)?;
        }
        timing.elapsed += start_of_some.elapsed();
        timing.accesses += accesses.total();
        timing.positions += some.len() as u64;
        if start.elapsed() > limit {
            break;
        }
    }
    Ok(Some(timing))
}

/// Asks the system to drop a file from the page cache, and not to read ahead. Pages that are not on
/// disk yet stay; these files have been synced.
#[cfg(target_os = "linux")]
fn forget(file: &File) -> bool {
    use rustix::fs::{Advice, fadvise};
    fadvise(file, 0, None, Advice::DontNeed).is_ok() && fadvise(file, 0, None, Advice::Random).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn forget(_: &File) -> bool {
    false
}
