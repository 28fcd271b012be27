//! Saving levels, and restoring them instead of searching them.

use super::level_file::LevelFile;
use super::members::BITMAP;
use super::{BLOCK, CosetError, CosetSearch, Level, bits, rice, words_of};
use crate::block_file::Storage;
use crate::control::{Control, Threads};
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromBytes;
use zerocopy::little_endian::U64;

impl CosetSearch<'_> {
    /// Appends the last level to a file.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, or if the file cannot be written; the file
    /// then keeps the levels that it had.
    ///
    /// # Panics
    ///
    /// Panics if it is not the next level of the file.
    pub fn save<S: Storage + Send>(
        &mut self,
        saved: &mut LevelFile<S>,
        control: &Control<'_>,
    ) -> Result<(), CosetError> {
        let Some(level) = &self.level else {
            return Ok(());
        };
        assert_eq!(
            usize::from(level.moves),
            saved.levels().len(),
            "it is the next level of the file"
        );
        self.fresh.iter_mut().for_each(|bits| bits.sort_unstable());
        let encode = |number: usize| {
            let [marked, before] =
                [&self.marked, &self.before].map(|bitmap| &bitmap[number * BLOCK..][..BLOCK]);
            let words: Vec<(u64, u64)> = match &self.fresh {
                None => words_of(marked)
                    .zip(words_of(before))
                    .map(|(marked, before)| (!before, marked & !before))
                    .collect(),
                Some(bits) => {
                    let start = (number * BLOCK * 8) as u64;
                    let [from, to] = [start, start + BLOCK as u64 * 8]
                        .map(|end| bits.partition_point(|&bit| bit < end));
                    if from == to {
                        return Vec::new();
                    }
                    let mut words: Vec<(u64, u64)> =
                        words_of(marked).map(|marked| (!marked, 0)).collect();
                    for bit in bits[from..to].iter().map(|bit| bit - start) {
                        let (open, set) = &mut words[(bit / 64) as usize];
                        (*open, *set) = (*open | 1 << (bit % 64), *set | 1 << (bit % 64));
                    }
                    words
                }
            };
            rice::encode(&words)
        };
        Ok(Threads::run(control.threads(), |threads| {
            saved.append(level, BITMAP / BLOCK, threads, encode)
        })??)
    }

    /// Restores the next level from a file; `None` if there is none. Progress counts parts of the
    /// level.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, if the file cannot be read or is corrupted,
    /// or on cancellation; the marked positions are then invalid.
    ///
    /// # Panics
    ///
    /// Panics if the file is of the coset of another position.
    pub fn restore<S: Storage>(
        &mut self,
        saved: &LevelFile<S>,
        control: &Control<'_>,
    ) -> Result<Option<Level>, CosetError> {
        assert_eq!(
            *saved.position(),
            self.position,
            "the file is of this position"
        );
        let Some(level) = saved
            .levels()
            .nth(self.level.map_or(0, |level| usize::from(level.moves) + 1))
        else {
            return Ok(None);
        };
        let step = format!("level {} of the file", level.moves);
        let (control, done) = (&control.step(&step), AtomicU64::new(0));
        let passes = self.count() >= self.few;
        if passes {
            std::mem::swap(&mut self.marked, &mut self.before);
        }
        let blocks = self
            .marked
            .chunks_mut(BLOCK)
            .zip(self.before.chunks(BLOCK))
            .enumerate()
            .collect();
        let decode = |(number, (marked, before)): (usize, (&mut [u8], &[u8])), bytes: &[u8]| {
            if control.is_cancelled() {
                return None;
            }
            if bytes.is_empty() && !passes {
                return Some((0, Vec::new()));
            }
            let mut decoder = rice::Decoder::new(bytes)?;
            let mut fresh = Vec::new();
            let marked = <[U64]>::mut_from_bytes(marked).expect("a block has whole words");
            let (mut first, mut count) = ((number * BLOCK * 8) as u64, 0);
            for (marked, before) in marked.iter_mut().zip(words_of(before)) {
                let old = if passes { before } else { marked.get() };
                let new = decoder.word(!old)?;
                marked.set(old | new);
                count += u64::from(new.count_ones());
                if !passes {
                    fresh.extend(bits(std::iter::once(new)).map(|bit| first + bit));
                    first += 64;
                }
            }
            control.report(
                1 + done.fetch_add(1, Ordering::Relaxed),
                (BITMAP / BLOCK) as u64,
            );
            decoder.is_done().then_some((count, fresh))
        };
        let decoded = Threads::run(control.threads(), |threads| {
            saved.decode(level.moves, blocks, threads, decode)
        })?;
        if control.is_cancelled() {
            return Err(CosetError::Cancelled);
        }
        let (counts, fresh): (Vec<u64>, Vec<Vec<u64>>) = decoded?.into_iter().unzip();
        if self.count() + counts.iter().sum::<u64>() != level.total {
            return Err(saved.miscounted(level.moves).into());
        }
        self.fresh = (!passes).then(|| fresh.concat());
        self.level = Some(level);
        Ok(Some(level))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coset::{CosetTables, LevelFileError, SearchEffort};
    use crate::cube::{Cube, Metric};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::path::Path;
    use std::sync::RwLock;

    fn opened(
        bytes: Vec<u8>,
        position: &Cube,
        metric: Metric,
    ) -> Result<LevelFile<RwLock<Vec<u8>>>, LevelFileError> {
        LevelFile::open_or_create_in(
            Path::new("levels"),
            RwLock::new(bytes),
            position,
            metric,
            SearchEffort::Exhaustive,
        )
    }

    /// Wherever the file ends, the search resumes from the levels before, and finds the same
    /// levels.
    #[test]
    #[ignore = "6 GB, and some minutes"]
    fn a_search_that_was_killed_goes_on_from_the_last_whole_level() {
        let (control, position) = (Control::default(), Cube::SOLVED);
        let mut chance = ChaCha8Rng::seed_from_u64(3);
        for (metric, last) in [(Metric::Htm, 8), (Metric::Qtm, 9)] {
            let tables = CosetTables::new(metric);
            let mut search = CosetSearch::new(&tables, &position).unwrap();
            let mut saved = opened(Vec::new(), &position, metric).unwrap();
            // Passes from a few levels on.
            search.few = 1000;
            for _ in 0..=last {
                search.advance(SearchEffort::Exhaustive, &control).unwrap();
                search.save(&mut saved, &control).unwrap();
            }
            let (levels, whole) = (saved.levels().collect::<Vec<Level>>(), saved.bytes());
            let listed = search.newly_marked().collect::<Vec<Cube>>();
            for _ in 0..2 {
                let mut saved = opened(
                    whole[..chance.random_range(0..whole.len())].to_vec(),
                    &position,
                    metric,
                )
                .unwrap();
                search.restart(&position, &control).unwrap();
                for expected in &levels {
                    let level = match search.restore(&saved, &control).unwrap() {
                        Some(level) => level,
                        None => {
                            let level = search.advance(SearchEffort::Exhaustive, &control).unwrap();
                            search.save(&mut saved, &control).unwrap();
                            level
                        }
                    };
                    assert_eq!(
                        (level.moves, level.total, level.is_exact),
                        (expected.moves, expected.total, true)
                    );
                }
                assert!(search.newly_marked().eq(listed.iter().copied()));
            }
        }
    }
}
