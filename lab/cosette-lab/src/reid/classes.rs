//! The 64,430 classes of slots and flips under the sixteen symmetries that keep the axis of U and D.
//!
//! A class stands for up to sixteen raw coordinates; its representative is the lowest. Where the representative has a
//! stabilizer, two twists that it maps to one another stand for cosets of one class.

use super::coset::{AXIS_SYMMETRIES, AxisSymmetry, Coset, Maps, RAW};
use cosette::cube::Move;
use std::sync::LazyLock;

/// The classes, and which symmetry brings a raw coordinate to its representative.
pub struct Classes {
    /// For each raw coordinate: 16 · class + symmetry.
    class_and_symmetry: Vec<u32>,
    representatives: Vec<u32>,
    /// The symmetries that fix a representative, one bit each.
    stabilizers: Vec<u16>,
}

impl Classes {
    /// How many classes there are.
    pub const COUNT: usize = 64_430;

    /// The classes; computed at the first call, in about a tenth of a second.
    pub fn get() -> &'static Classes {
        static CLASSES: LazyLock<Classes> = LazyLock::new(Classes::compute);
        &CLASSES
    }

    fn compute() -> Classes {
        const UNSEEN: u32 = u32::MAX;
        let maps = Maps::get();
        let mut class_and_symmetry = vec![UNSEEN; RAW];
        let (mut representatives, mut stabilizers) = (Vec::new(), Vec::new());
        for raw in 0..RAW {
            if class_and_symmetry[raw] != UNSEEN {
                continue;
            }
            let (class, mut stabilizer) = (representatives.len() as u32, 0);
            for s in AxisSymmetry::all() {
                let image = Coset::new(raw, 0).conjugate(maps, s).raw();
                stabilizer |= u16::from(image == raw) << s.index();
                if class_and_symmetry[image] == UNSEEN {
                    class_and_symmetry[image] = class * AXIS_SYMMETRIES as u32 + inverse(s).index() as u32;
                }
            }
            representatives.push(raw as u32);
            stabilizers.push(stabilizer);
        }
        Classes { class_and_symmetry, representatives, stabilizers }
    }

    /// The class of a raw coordinate, and the symmetry that brings it to the representative.
    #[inline(always)]
    pub fn of(&self, raw: usize) -> (usize, AxisSymmetry) {
        let packed = self.class_and_symmetry[raw] as usize;
        (packed / AXIS_SYMMETRIES, AxisSymmetry::from_index(packed % AXIS_SYMMETRIES))
    }

    /// The lowest raw coordinate of a class.
    pub fn representative(&self, class: usize) -> usize {
        self.representatives[class] as usize
    }

    /// The symmetries that fix the representative; the identity is the first.
    pub fn stabilizer(&self, class: usize) -> impl Iterator<Item = AxisSymmetry> + use<> {
        let stabilizer = self.stabilizers[class];
        AxisSymmetry::all().filter(move |s| stabilizer >> s.index() & 1 == 1)
    }

    /// How many raw coordinates a class stands for.
    pub fn size(&self, class: usize) -> u64 {
        (AXIS_SYMMETRIES as u32 / self.stabilizers[class].count_ones()).into()
    }

    /// The class that a move makes of the representative, and the symmetry that brings it to that of the new class.
    pub fn turned(&self, maps: &Maps, class: usize, m: Move) -> (usize, AxisSymmetry) {
        self.of(Coset::new(self.representative(class), 0).turned(maps, m).raw())
    }
}

/// The symmetry that undoes this one.
fn inverse(s: AxisSymmetry) -> AxisSymmetry {
    static INVERSES: LazyLock<Vec<AxisSymmetry>> = LazyLock::new(|| {
        let find = |s: AxisSymmetry| AxisSymmetry::all().find(|t| t.symmetry() == s.symmetry().inverse());
        AxisSymmetry::all().map(|s| find(s).expect("the sixteen are a group")).collect()
    });
    INVERSES[s.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_partition_the_raw_coordinates() {
        let (maps, classes) = (Maps::get(), Classes::get());
        assert_eq!(classes.representatives.len(), Classes::COUNT);
        assert_eq!((0..Classes::COUNT).map(|class| classes.size(class)).sum::<u64>(), RAW as u64);
        for raw in (0..RAW).step_by(97) {
            let (class, s) = classes.of(raw);
            let representative = Coset::new(raw, 0).conjugate(maps, s).raw();
            assert_eq!(representative, classes.representative(class));
            let orbit = AxisSymmetry::all().map(|s| Coset::new(raw, 0).conjugate(maps, s).raw());
            assert_eq!(orbit.min(), Some(representative));
            for s in classes.stabilizer(class) {
                assert_eq!(Coset::new(representative, 0).conjugate(maps, s).raw(), representative);
            }
        }
    }
}
