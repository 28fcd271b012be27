//! Positions of a coset, with the distances that a search of the whole coset proves.

use super::description::{Dataset, DatasetError, DatasetRow};
use cosette::Control;
use cosette::coset::{CosetError, CosetSearch, CosetTables, SearchEffort};
use cosette::cube::Cube;
use std::collections::BinaryHeap;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Number of positions between two checks for cancellation.
const AT_ONCE: u64 = 1 << 20;

impl Dataset {
    /// Creates the file of positions of a coset, with its card, in half a minute and 5.7 GB of
    /// memory. Returns the number of rows.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError`] if there are too few such positions, if there is too little memory,
    /// on cancellation, or if the file cannot be written.
    pub fn make_coset_file(
        &self,
        (of, within): (&Cube, u8),
        path: &Path,
        control: &Control<'_>,
    ) -> Result<usize, DatasetError> {
        let tables = CosetTables::new(self.metric);
        let mut search = CosetSearch::new(&tables, of)?;
        // Selects the positions with the smallest random numbers: a uniform choice, whatever the
        // order of positions in a level.
        let mut chosen: BinaryHeap<(u64, u64, u8)> = BinaryHeap::new();
        while search.level().is_none_or(|level| level.moves < within) {
            let moves = search.advance(SearchEffort::Exhaustive, control)?.moves;
            for (looked, number) in (1..).zip(search.newly_marked_numbers()) {
                if looked % AT_ONCE == 0 && control.is_cancelled() {
                    return Err(CosetError::Cancelled.into());
                }
                let row = (
                    xxh3_64_with_seed(&number.to_le_bytes(), self.seed),
                    number,
                    moves,
                );
                if (chosen.len() as u64) < self.rows {
                    chosen.push(row);
                } else if let Some(mut last) = chosen.peek_mut().filter(|last| row < **last) {
                    *last = row;
                }
            }
        }
        if search.count() < self.rows {
            let count = search.count();
            let why = format!(
                "the coset has only {count} positions within {within} moves; use at most {count} \
                    rows"
            );
            return Err(DatasetError::Refused(why));
        }
        let range = self.range();
        let rows = (0..)
            .zip(chosen.into_sorted_vec())
            .filter(|(index, _)| range.contains(index));
        let row = |(index, (_, number, length))| {
            let position = search.position(number);
            DatasetRow {
                index,
                position,
                walk_length: None,
                length,
                solution: None,
                neighbor_distances: None,
            }
        };
        let rows: Vec<DatasetRow> = rows.map(row).collect();
        let written = self.write(&rows, "none", path);
        written.map_err(|error| DatasetError::Write {
            path: path.to_owned(),
            error,
        })?;
        Ok(rows.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::{PositionSource, Shard};
    use cosette::cube::{FaceletLayout, Metric};

    #[test]
    fn a_file_has_distances_without_solutions() {
        let positions = PositionSource::Coset {
            of: Cube::SOLVED,
            within: 3,
        };
        let shard = Shard::WHOLE;
        let metric = Metric::Htm;
        let layout = FaceletLayout::Kociemba;
        let set = Dataset {
            positions,
            rows: 1,
            seed: 0,
            shard,
            metric,
            layout,
            optimal_moves: false,
        };
        let position = "R2 U".parse().unwrap();
        let row = DatasetRow {
            index: 0,
            position,
            walk_length: None,
            length: 2,
            solution: None,
            neighbor_distances: None,
        };
        let folder = tempfile::tempdir().unwrap();
        let text = |name: &str| {
            set.write(
                std::slice::from_ref(&row),
                "none",
                &folder.path().join(name),
            )
            .unwrap();
            std::fs::read_to_string(folder.path().join(name)).unwrap()
        };
        let facelets = position.facelets();
        let csv = format!("index,facelets,metric,lower_bound,upper_bound\n0,{facelets},htm,2,2\n");
        assert_eq!(text("coset.csv"), csv);
        assert!(text("coset.jsonl").contains(r#""lower_bound": 2, "upper_bound": 2}"#));
        let card = std::fs::read_to_string(folder.path().join("coset.csv.md")).unwrap();
        assert!(card.contains("| 2 | 1 |"), "{card}");
    }
}
