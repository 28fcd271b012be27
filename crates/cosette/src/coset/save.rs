//! Saving levels, and restoring them instead of searching them.

use super::error::CosetError;
use super::level::Level;
use super::level_folder::{CODES, LevelFolder};
use super::rice;
use super::search::{BLOCK, CosetSearch, bits, words_of};
use crate::control::Control;
use std::sync::atomic::{AtomicU64, Ordering};
use zerocopy::FromBytes;
use zerocopy::little_endian::U64;

impl CosetSearch<'_> {
    /// Saves the last level in a folder.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, if the level cannot be written, or on
    /// cancellation; the folder then keeps the levels that it had.
    ///
    /// # Panics
    ///
    /// Panics if it is not the next level of the folder.
    pub fn save(
        &mut self,
        folder: &mut LevelFolder,
        control: &Control<'_>,
    ) -> Result<(), CosetError> {
        let Some(level) = self.level else {
            return Ok(());
        };
        assert_eq!(
            usize::from(level.moves),
            folder.levels().len(),
            "it is the next level of the folder"
        );
        self.fresh.iter_mut().for_each(|bits| bits.sort_unstable());
        let encode = |number| rice::encode(&self.newly_marked_words(number));
        Ok(folder.append(&level, encode, control)?)
    }

    /// Returns for each word of a block the bits that no level before the last has marked, and of
    /// these the ones that the last level has marked; no words if there are none.
    fn newly_marked_words(&self, number: usize) -> Vec<(u64, u64)> {
        let block = number * BLOCK..(number + 1) * BLOCK;
        let marked = words_of(&self.marked[block.clone()]);
        let Some(bits) = &self.fresh else {
            let before = words_of(&self.before[block]);
            let words = marked.zip(before);
            return words
                .map(|(marked, before)| (!before, marked & !before))
                .collect();
        };
        let start = block.start as u64 * 8;
        let end = block.end as u64 * 8;
        let first = bits.partition_point(|&bit| bit < start);
        let after = bits.partition_point(|&bit| bit < end);
        if first == after {
            return Vec::new();
        }
        let mut words: Vec<(u64, u64)> = marked.map(|marked| (!marked, 0)).collect();
        for bit in bits[first..after].iter().map(|bit| bit - start) {
            let (open, set) = &mut words[(bit / 64) as usize];
            *open |= 1 << (bit % 64);
            *set |= 1 << (bit % 64);
        }
        words
    }

    /// Restores the next level from a folder; `None` if there is none. Progress counts parts of the
    /// level.
    ///
    /// # Errors
    ///
    /// Returns an error if threads cannot be started, if the level cannot be read or is corrupted,
    /// or on cancellation; the marked positions are then invalid.
    ///
    /// # Panics
    ///
    /// Panics if the folder is of the coset of another position.
    pub fn restore(
        &mut self,
        folder: &LevelFolder,
        control: &Control<'_>,
    ) -> Result<Option<Level>, CosetError> {
        assert_eq!(
            *folder.position(),
            self.position,
            "the folder is of this position"
        );
        let next = self.level.map_or(0, |level| level.moves + 1);
        let Some(level) = folder.levels().nth(next.into()) else {
            return Ok(None);
        };
        let step = format!("level {} of the file", level.moves);
        let control = &control.step(&step);
        let done = AtomicU64::new(0);
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
        let decode = |(number, (marked, before)): (usize, (&mut [u8], &[u8])), code: &[u8]| {
            if control.is_cancelled() {
                return None;
            }
            if code.is_empty() && !passes {
                return Some((0, Vec::new()));
            }
            let decoded = if passes {
                (mark_after_pass(code, marked, before)?, Vec::new())
            } else {
                mark(code, marked, (number * BLOCK * 8) as u64)?
            };
            control.report(1 + done.fetch_add(1, Ordering::Relaxed), CODES as u64);
            Some(decoded)
        };
        let decoded = folder.decode(level.moves, blocks, control, decode);
        if control.is_cancelled() {
            return Err(CosetError::Cancelled);
        }
        let (counts, fresh): (Vec<u64>, Vec<Vec<u64>>) = decoded?.into_iter().unzip();
        if self.count() + counts.iter().sum::<u64>() != level.total {
            return Err(folder.miscounted(level.moves).into());
        }
        self.fresh = (!passes).then(|| fresh.concat());
        self.level = Some(level);
        Ok(Some(level))
    }
}

/// Sets the words of a block to those before the level and the newly marked bits, and returns the
/// number of these. `None` if the code is invalid.
fn mark_after_pass(code: &[u8], marked: &mut [u8], before: &[u8]) -> Option<u64> {
    let mut decoder = rice::Decoder::new(code)?;
    let mut count = 0;
    for (marked, before) in words_to_mark(marked).iter_mut().zip(words_of(before)) {
        let new = decoder.word(!before)?;
        marked.set(before | new);
        count += u64::from(new.count_ones());
    }
    decoder.is_done().then_some(count)
}

/// Adds the newly marked bits to a block whose first bit is `first`, and returns their number and
/// the bits. `None` if the code is invalid.
fn mark(code: &[u8], marked: &mut [u8], first: u64) -> Option<(u64, Vec<u64>)> {
    let mut decoder = rice::Decoder::new(code)?;
    let mut fresh = Vec::new();
    for (marked, first) in words_to_mark(marked).iter_mut().zip((first..).step_by(64)) {
        let new = decoder.word(!marked.get())?;
        marked.set(marked.get() | new);
        fresh.extend(bits(std::iter::once(new)).map(|bit| first + bit));
    }
    decoder.is_done().then_some((fresh.len() as u64, fresh))
}

fn words_to_mark(block: &mut [u8]) -> &mut [U64] {
    <[U64]>::mut_from_bytes(block).expect("a block has whole words")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coset::{CosetTables, SearchEffort};
    use crate::cube::{Cube, Metric};
    use std::fs;

    /// Whatever level is the last that is complete, the search resumes from it, and finds the same
    /// levels.
    #[test]
    #[ignore = "6 GB, and some minutes"]
    fn a_search_that_was_killed_goes_on_from_the_last_whole_level() {
        let control = Control::default();
        let position = Cube::SOLVED;
        let exact = SearchEffort::Exhaustive;
        for (metric, last) in [(Metric::Htm, 8), (Metric::Qtm, 9)] {
            let home = tempfile::tempdir().unwrap();
            let open = || LevelFolder::open_or_create(home.path(), &position, metric, exact);
            let tables = CosetTables::new(metric);
            let mut search = CosetSearch::new(&tables, &position).unwrap();
            // Passes from a few levels on.
            search.few = 1000;
            let mut expected = Vec::new();
            for lost in [0, 3, last - 1] {
                let file = |name: &str| home.path().join(format!("{lost:02}.{name}"));
                if lost > 0 {
                    fs::rename(file("level"), file("level.part")).unwrap();
                }
                let mut folder = open().unwrap();
                assert_eq!(folder.levels().len(), lost);
                search.restart(&position, &control).unwrap();
                let mut found = Vec::new();
                for _ in 0..=last {
                    let level = match search.restore(&folder, &control).unwrap() {
                        Some(level) => level,
                        None => {
                            let level = search.advance(exact, &control).unwrap();
                            search.save(&mut folder, &control).unwrap();
                            level
                        }
                    };
                    assert!(level.is_exact);
                    found.push((level.moves, level.total));
                }
                let listed: Vec<Cube> = search.newly_marked().collect();
                if lost == 0 {
                    expected = vec![(found.clone(), listed.clone())];
                }
                assert!(expected == [(found, listed)]);
            }
        }
    }
}
