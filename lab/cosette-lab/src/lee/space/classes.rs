//! The symmetry classes of positions, level by level.
//!
//! The 48 conjugates of a position are equally far from solved, so a breadth-first search need only keep one of each class,
//! and there are 2,101,575 classes at distance 7 where there are 100,803,036 positions. Every neighbour of a class at distance d
//! is a conjugate of a child of its representative.
//!
//! ```text
//! next level: the representatives of all children, sorted, each once, without those of the last two levels
//! ```

use super::record::{EDGE_BITS, Key, Record};
use crate::error::LabError;
use crate::lee::sort;
use crate::pieces::{Conjugation, corner_number, corners_of, edge_number, edges_of};
use cosette::Control;
use cosette::cube::{Cube, Move, Symmetry};
use rayon::prelude::*;
use std::cmp::Ordering;

/// How many representatives a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// The representative of the position's class, and a symmetry that leads there: the conjugate with the least corners, slot
/// by slot, and among those the least edges. So the corners of a representative tell the class of its corners.
pub(super) fn representative(position: &Cube) -> (Key, Symmetry) {
    let (corners, edges) = (corners_of(position), edges_of(position));
    // Slot 0 alone rules out most symmetries.
    let first = |conjugation: &Conjugation| conjugation.first_corner(&corners);
    let least_first = Conjugation::all().iter().map(first).min();
    let (mut least, mut ties) = ([u8::MAX; 8], 0u64);
    for (s, conjugation) in Conjugation::all().iter().enumerate() {
        if Some(first(conjugation)) != least_first {
            continue;
        }
        let conjugate = conjugation.corners(&corners);
        match conjugate.cmp(&least) {
            Ordering::Less => (least, ties) = (conjugate, 1 << s),
            Ordering::Equal => ties |= 1 << s,
            Ordering::Greater => {}
        }
    }
    let bits = (0..Symmetry::COUNT).filter(|s| ties >> s & 1 == 1);
    let tied = bits.map(|s| (Conjugation::by(s).edges(&edges), s));
    let (edges, s) = tied.min().expect("one conjugate is the least");
    let key = u128::from(corner_number(&least)) << EDGE_BITS | u128::from(edge_number(&edges));
    (Key(key), Symmetry::from_index(s))
}

/// The classes one move farther than `last`: their records, sorted. `before` are those one move nearer than `last`. Uses the
/// threads of this pool.
pub(super) fn next(before: &[Record], last: &[Record], control: &Control<'_>) -> Result<Vec<Record>, LabError> {
    let check = || if control.is_cancelled() { Err(LabError::Cancelled) } else { Ok(()) };
    let mut children = vec![Record::new(Key(0), None); last.len() * Move::COUNT];
    let chunks = children.par_chunks_mut(CHUNK * Move::COUNT).zip(last.par_chunks(CHUNK));
    chunks.try_for_each(|(children, parents)| {
        check()?;
        for (children, parent) in children.chunks_mut(Move::COUNT).zip(parents) {
            let parent = parent.key().position().expect("a level holds positions");
            for (child, m) in children.iter_mut().zip(Move::ALL) {
                let (key, s) = representative(&parent.turned(m));
                *child = Record::new(key, Some(s.conjugate_move(m.inverse())));
            }
        }
        Ok::<(), LabError>(())
    })?;
    sort(&mut children, control);
    check()?;
    children.dedup_by_key(|child| child.key());
    let mut nearer = [before.iter().peekable(), last.iter().peekable()];
    children.retain(|child| {
        nearer.iter_mut().all(|level| {
            while level.next_if(|record| record.key() < child.key()).is_some() {}
            level.peek().is_none_or(|record| record.key() != child.key())
        })
    });
    children.shrink_to_fit();
    check()?;
    Ok(children)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cosette::cube::random_positions;

    #[test]
    fn all_conjugates_have_one_representative() {
        let symmetric = Cube::from_moves(&[Move::ALL[1], Move::ALL[10]]);
        let obvious = |position: &Cube| {
            Symmetry::all().map(|s| position.conjugate(s)).min_by_key(|p| (corners_of(p), edges_of(p))).unwrap()
        };
        for position in random_positions(8).take(30).chain([Cube::SOLVED, symmetric]) {
            let (key, s) = representative(&position);
            assert_eq!(Key::of(&position.conjugate(s)), key);
            assert_eq!(Key::of(&obvious(&position)), key);
            assert!(Symmetry::all().all(|s| representative(&position.conjugate(s)).0 == key));
        }
    }

    #[test]
    fn classes_are_as_many_as_known() {
        let (mut before, mut last, mut counts) = (Vec::new(), vec![Record::new(Key(0), None)], vec![1]);
        for _ in 0..4 {
            let next = next(&before, &last, &Control::default()).unwrap();
            counts.push(next.len());
            before = std::mem::replace(&mut last, next);
        }
        assert_eq!(counts, [1, 2, 9, 75, 934]);
    }
}
