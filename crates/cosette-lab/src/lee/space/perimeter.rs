//! The stored space as the perimeter of a search.

use super::{Key, StoredError, StoredSpace};
use crate::lab::LabError;
use crate::lee::Perimeter;
use cosette::cube::{Cube, Move};

/// Positions are found by halving, some hundred accesses each; an index is faster.
///
/// # Panics
/// If the file, which could be read when it was opened, can no longer be.
impl Perimeter for StoredSpace {
    fn distance(&self, position: &Cube) -> Option<u8> {
        let found = self.find(Key::of(position)).unwrap_or_else(|fault| panic!("{fault}"));
        found.map(StoredSpace::distance_at)
    }

    fn depth(&self) -> u8 {
        self.depth
    }

    fn way_home(&self, position: &Cube) -> Option<Vec<Move>> {
        let find = |position: &Cube| self.find(Key::of(position));
        self.follow_home(position, find).unwrap_or_else(|fault| panic!("{fault}"))
    }
}

impl StoredSpace {
    /// Follows the stored moves from a position to the solved one, with this way of finding positions.
    pub(in crate::lee) fn follow_home(
        &self,
        position: &Cube,
        find: impl Fn(&Cube) -> Result<Option<u64>, LabError>,
    ) -> Result<Option<Vec<Move>>, LabError> {
        let Some(mut index) = find(position)? else { return Ok(None) };
        let (mut position, mut way) = (*position, Vec::new());
        while let Some(home) = self.get(index)?.home {
            (position, way) = (position.turned(home), [way, vec![home]].concat());
            match find(&position)? {
                Some(next) if StoredSpace::distance_at(next) < StoredSpace::distance_at(index) => index = next,
                _ => return Err(StoredError::NoWayHome { path: self.path().to_owned(), index }.into()),
            }
        }
        Ok(Some(way))
    }
}
