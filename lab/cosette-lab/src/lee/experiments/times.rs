//! How long looking up absent positions takes, from disk and from memory.

use super::kept::Kept;
use super::trial::{Absent, Source, Timing, time};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::absence::{BUCKETS, Hash, HashedSpace, Method, Scheme};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::StoredSpace;
use std::time::Duration;

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-times.txt");

/// How long it takes to confirm absence with the paper's schemes and XXH3. With full effort up to 10 GB of arrays are written
/// into the lab's folder and removed again.
pub fn times(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-times", RESULTS)?;
    if kept.is_open() {
        measure_all(lab, &kept, 7, &BUCKETS, [1_000_000, 10_000], request.seed_or(1))?;
    }
    let columns = "buckets | method | computed with 10 ms, s | from disk, s | asked for | µs an access | \
                   from the page cache, s | asked for | µs an access";
    let caption = "Seconds to confirm that a million random positions are absent, with XXH3: measured on some of the million, and \
                   scaled.";
    let mut table = Table::headed(caption, columns);
    for buckets in BUCKETS {
        for method in Method::ALL {
            let values = kept.get(&format!("{buckets} {}", method.number())).unwrap_or_default();
            let number = |place: usize| values.get(place).and_then(|value| value.parse::<f64>().ok());
            let cell = |place, digits| number(place).map_or(Cell::Nothing, |value| Cell::Number(value, digits));
            let asked = |place| number(place).map_or(Cell::Nothing, |value| Cell::Count(value as u64));
            table.row([
                Cell::Count(buckets),
                Cell::Count(method.number()),
                cell(0, 0),
                cell(1, 1),
                asked(2),
                cell(3, 2),
                cell(4, 1),
                asked(5),
                cell(6, 2),
            ]);
        }
    }
    Ok(Experiment::new("times", "Confirming absence, measured", "Beside Lee 2013, Table VII")
        .text(
            "The arrays of each method were written to disk, and asked for random absent positions, one after another on one \
             thread.",
        )
        .text(kept.circumstances.clone())
        .tables([table]))
}

/// Builds the arrays of each method, measures and removes them. `asked` is how many positions are looked up at most, and in
/// how many milliseconds.
fn measure_all(
    lab: &Lab<'_>,
    kept: &Kept,
    depth: u8,
    buckets: &[u64],
    [asked, limit]: [u64; 2],
    seed: u64,
) -> Result<(), LabError> {
    let mut space = StoredSpace::in_lab(lab, depth)?;
    let classes = Perimeter::new(depth, lab)?;
    let absent = Absent::draw(lab, &space, &classes, asked as usize, seed)?;
    let [random, _] = absent.keys();
    let limit = Duration::from_millis(limit);
    for (buckets, method) in buckets.iter().flat_map(|&buckets| Method::ALL.map(|method| (buckets, method))) {
        let key = format!("{buckets} {}", method.number());
        if kept.get(&key).is_some() {
            continue;
        }
        let what = format!("method {} with {buckets} buckets", method.number());
        let path = lab.folder.path().join("lee-index-trial");
        let scheme = Scheme { hash: Hash::Mixed, method, buckets };
        let hashed = HashedSpace::build(space, &path, scheme, &lab.control.step(&what))?;
        let from_disk = time(lab, &hashed, &random, Source::Disk, limit);
        let from_memory = hashed.verify(&lab.control).and_then(|()| {
            hashed.space().verify(&lab.control.silent())?;
            time(lab, &hashed, &random, Source::Memory, limit)
        });
        StoredSpace::remove(&path)?;
        let values = |timing: Option<Timing>| match timing {
            Some(timing) => {
                format!("{:.3} {} {:.2}", timing.million(), timing.positions, timing.access())
            }
            None => "- - -".into(),
        };
        let from_memory = from_memory?;
        let accesses = from_memory.as_ref().map_or(0.0, |timing| timing.accesses as f64 / timing.positions as f64);
        let computed = format!("{:.1}", accesses * 1e6 * 0.010);
        kept.add(&key, &[&computed, &values(from_disk?), &values(from_memory)])?;
        space = hashed.into_space();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lee::experiments::tests::in_empty_lab;

    #[test]
    fn each_method_is_measured_and_its_file_removed() {
        in_empty_lab(|lab| {
            let kept = Kept::read("");
            measure_all(lab, &kept, 3, &[2000], [500, 50], 1).unwrap();
            for method in Method::ALL {
                assert!(kept.number(&format!("2000 {}", method.number()), 4).unwrap() > 0.0);
            }
            assert_eq!(std::fs::read_dir(lab.folder.path()).unwrap().count(), 1, "the space");
        });
    }
}
