//! The hashing schemes as an experiment: what the paper's Tables III to VIII show.
//!
//! Everything in those tables follows from one list: how many buckets hold how many positions ([`Sizes`]). The paper prints
//! the whole list for 100 and 500 million buckets, so its tables can be computed again from its own Table III.

use super::kept::Kept;
use super::sizes::{Sizes, poisson};
use super::spread::Spread;
use super::trial::Absent;
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::lee::absence::{BUCKETS, Hash, Method};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::StoredSpace;

/// What was computed once, with full effort.
pub(super) const RESULTS: &str = include_str!("../../../results/lee-hashing.txt");

/// The seconds that the paper assumes for a random access to a disk.
const ACCESS: f64 = 0.010;

/// How fast the paper's hashing schemes confirm absence, counted: d_back is 7, with the paper's numbers of buckets.
pub fn absence(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-hashing", RESULTS)?;
    if kept.is_open() {
        count_all(lab, &kept, 7, &BUCKETS, 1_000_000, request.seed_or(1))?;
    }
    let good = &BUCKETS.map(|buckets| Sizes::kept(&kept, Hash::Mixed, buckets));
    Ok(Experiment::new("absence", "Hashing schemes that confirm absence fast", "Lee 2013, Tables III to VIII")
        .text(
            "Each stored position falls into one of 524,288, 100 or 500 million buckets. \"Ours\" is what counting all \
             109,043,123 positions gives with XXH3, a good hash function. \"From its Table III\" is what follows from the \
             paper's own list of bucket sizes: it tells misprints from differences between hash functions. A random position \
             is absent and falls into each bucket with the same chance, so accesses follow from the sizes too; those counted \
             for a million random positions agree.",
        )
        .text(kept.circumstances.clone())
        .tables([first_buckets(good)])
        .tables([1, 2].map(|i| collisions(i, &good[i])))
        .tables([fit(good), bytes(good), rates(good), real_sizes(good), accesses(good), hours(good), summary(good)])
        .tables([poor_hash(&kept)]))
}

/// Counts, for each number of buckets and each hash function, buckets by size, and the accesses that absent positions take.
fn count_all(lab: &Lab<'_>, kept: &Kept, depth: u8, buckets: &[u64], asked: usize, seed: u64) -> Result<(), LabError> {
    let trials = buckets.iter().flat_map(|&buckets| Hash::ALL.map(|hash| (buckets, hash)));
    let missing = |&(buckets, hash): &(u64, Hash)| kept.get(&format!("{} {buckets} largest", hash.name())).is_none();
    let missing: Vec<(u64, Hash)> = trials.filter(missing).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let space = StoredSpace::in_lab(lab, depth)?;
    let classes = Perimeter::new(depth, lab)?;
    let absent = Absent::draw(lab, &space, &classes, asked, seed)?;
    let [random, beyond] = absent.keys();
    for (buckets, hash) in missing {
        let (spread, answers) = Spread::count(lab, &space, hash, buckets, &[&random, &beyond])?;
        let key = format!("{} {buckets}", hash.name());
        for (name, sizes) in ["random", "beyond"].into_iter().zip(&answers) {
            for method in Method::ALL {
                let accesses: u64 = sizes.iter().map(|&size| method.accesses(size)).sum();
                let mean = format!("{:.4}", accesses as f64 / sizes.len() as f64);
                kept.add(&format!("{key} {name} {}", method.number()), &[&mean, &sizes.len()])?;
            }
        }
        // Of the poor one the empty buckets are enough.
        for (size, count) in spread.sizes.iter().filter(|(size, _)| hash == Hash::Mixed || **size == 0) {
            kept.add(&format!("{key} size {size}"), &[count])?;
        }
        // Last, so that a trial that was interrupted is counted again.
        kept.add(&format!("{key} largest"), &[&spread.largest()])?;
    }
    Ok(())
}

/// The paper's Table III: for half a million buckets what it prints of it, for the others all.
const FIRST: [(u32, u64); 11] = [
    (0, 285_080),
    (2, 6),
    (3, 5),
    (4, 72),
    (5, 16),
    (410, 256),
    (411, 259),
    (412, 268),
    (413, 266),
    (5520, 1),
    (5560, 1),
];
const SECOND: [u64; 13] =
    [33_613_590, 36_640_358, 19_976_849, 7_261_843, 1_982_473, 431_992, 78_773, 12_218, 1644, 233, 25, 1, 1];
const THIRD: [u64; 8] = [402_035_741, 87_663_071, 9_565_144, 696_162, 38_187, 1641, 53, 1];

/// The paper's own lists, where they are complete.
fn printed(i: usize) -> Option<Sizes> {
    [None, Some(Sizes::of(&SECOND)), Some(Sizes::of(&THIRD))].into_iter().nth(i).flatten()
}

/// How many of the paper's half a million buckets are not empty.
const fn filled() -> u64 {
    BUCKETS[0] - FIRST[0].1
}

/// Of half a million buckets the paper's Table III tells enough to know bytes and mean accesses: the filled ones, and those
/// with two or three positions.
fn first_bytes(method: Method) -> u64 {
    let filled = filled();
    let (two, three) = (FIRST[1].1, FIRST[2].1);
    let numbers = CUMULATIVE[7]
        - match method {
            Method::Start | Method::One => 0,
            Method::Two => filled + two,
            Method::Three => 2 * filled + three,
        };
    4 * (BUCKETS[0] * method.words() as u64 + numbers)
}

/// The mean accesses with half a million buckets, from what the paper tells of them.
fn first_accesses(method: Method) -> f64 {
    let filled = filled();
    let in_entry = [0, 0, FIRST[1].1, FIRST[1].1 + FIRST[2].1][method as usize];
    1.0 + ((filled - in_entry) + CUMULATIVE[7]) as f64 / BUCKETS[0] as f64
}

/// Table III for half a million buckets.
fn first_buckets(good: &[Sizes; 3]) -> Table {
    let caption = "Table III, 524,288 buckets: the lines that the paper prints of it. With a random function no bucket would \
                   hold fewer than a hundred positions.";
    let mut table = Table::headed(caption, "positions in a bucket | buckets, paper | ours");
    for (size, paper) in FIRST {
        let ours = good[0].of_size(size..=size);
        table.row([Cell::Text(size.to_string()), Cell::Count(paper), Cell::Count(ours)]);
    }
    let [smallest, largest] = [good[0].smallest(), good[0].largest()];
    let all = Cell::Text(format!("{smallest} to {largest}"));
    table.row([all, Cell::Nothing, Cell::Count(good[0].of_size(smallest..=largest))]);
    table
}

/// Table III for more buckets.
fn collisions(i: usize, good: &Sizes) -> Table {
    let paper = printed(i).expect("the paper prints all of it");
    let caption = ["", "Table III, 100,000,000 buckets.", "Table III, 500,000,000 buckets."][i];
    let mut table = Table::headed(caption, "positions in a bucket | buckets, paper | ours | ratio | Poisson");
    let expected: Vec<f64> = poisson(CUMULATIVE[7] as f64 / BUCKETS[i] as f64).take(20).collect();
    let largest = paper.largest().max(good.largest());
    for size in 0..=largest {
        let [paper, ours] = [&paper, good].map(|sizes| sizes.of_size(size..=size));
        table.row([
            Cell::Count(size.into()),
            Cell::Count(paper),
            Cell::Count(ours),
            Cell::ratio(ours as f64, paper as f64),
            Cell::Count((expected[size as usize] * BUCKETS[i] as f64).round() as u64),
        ]);
    }
    table
}

/// How well the sizes follow Poisson's law.
fn fit(good: &[Sizes; 3]) -> Table {
    let columns = "buckets | empty, paper, % | ours | Poisson | cells | chi-squared, paper | ours";
    let caption = "How well bucket sizes follow Poisson's law. Chi-squared is the sum of (counted − expected)² / expected; for a \
                   random function it is about the number of cells less one, give or take the root of twice that.";
    let mut table = Table::headed(caption, columns);
    for (i, ours) in good.iter().enumerate() {
        let paper = printed(i);
        let (own, cells) = ours.chi_squared();
        let empty = paper.as_ref().map_or(FIRST[0].1 as f64 / BUCKETS[0] as f64, |paper| paper.share(..=0));
        table.row([
            Cell::Count(BUCKETS[i]),
            Cell::Number(100.0 * empty, 2),
            Cell::Number(100.0 * ours.share(..=0), 2),
            Cell::Number(100.0 * (-(CUMULATIVE[7] as f64) / BUCKETS[i] as f64).exp(), 2),
            Cell::Count(cells as u64),
            paper.map_or(Cell::text("beyond all measure"), |paper| Cell::Number(paper.chi_squared().0, 1)),
            Cell::Number(own, 1),
        ]);
    }
    table
}

/// Table IV.
fn bytes(good: &[Sizes; 3]) -> Table {
    const PAPER: [[u64; 4]; 3] = [
        [440_366_796, 440_366_796, 441_507_092, 443_604_204],
        [1_236_172_492, 1_089_611_060, 1_290_719_456, 1_632_624_712],
        [4_436_172_492, 4_085_520_208, 6_006_054_880, 8_000_485_584],
    ];
    let columns =
        "buckets | method | paper | from its Table III | difference | 4 bytes × buckets of four or more | ours | ratio";
    let mut table = Table::headed("Table IV: bytes of hash1 and hash2, beside the positions.", columns);
    for (i, ours) in good.iter().enumerate() {
        for method in Method::ALL {
            let paper = PAPER[i][method as usize];
            let again = printed(i).map_or_else(|| first_bytes(method), |sizes| sizes.bytes(method));
            let large = printed(i).map_or_else(|| filled() - FIRST[1].1 - FIRST[2].1, |sizes| sizes.of_size(4..));
            table.row([
                Cell::Count(BUCKETS[i]),
                Cell::Count(method.number()),
                Cell::Count(paper),
                Cell::Count(again),
                Cell::Count(paper - again),
                if method == Method::Three { Cell::Count(4 * large) } else { Cell::Nothing },
                Cell::Count(ours.bytes(method)),
                Cell::ratio(ours.bytes(method) as f64, paper as f64),
            ]);
        }
    }
    table
}

/// The first half of Table V.
fn rates(good: &[Sizes; 3]) -> Table {
    const PAPER: [[&str; 4]; 3] = [
        ["0.5443", "0", "1.14e-5", "0.95e-5"],
        ["0.3361", "0.3664", "0.1998", "0.0726"],
        ["0.8041", "0.1753", "0.1913", "0.0139"],
    ];
    let columns = "buckets | positions in a bucket | paper | from its Table III | ours";
    let mut table = Table::headed("Table V, first half: the share of buckets with so many positions.", columns);
    for (i, ours) in good.iter().enumerate() {
        for (size, paper) in (0..4).zip(PAPER[i]) {
            let first = FIRST.iter().find(|(own, _)| *own == size).map_or(0, |(_, count)| *count);
            let again = printed(i).map_or(first as f64 / BUCKETS[0] as f64, |sizes| sizes.share(size..=size));
            table.row([
                Cell::Count(BUCKETS[i]),
                Cell::Count(size.into()),
                Cell::text(paper),
                Cell::Number(again, if i == 0 && size > 0 { 7 } else { 4 }),
                Cell::Number(ours.share(size..=size), 4),
            ]);
        }
    }
    table
}

fn with_deviation((mean, deviation): (f64, f64)) -> Cell {
    Cell::Text(format!("{mean:.2}±{deviation:.2}"))
}

/// The second half of Table V.
fn real_sizes(good: &[Sizes; 3]) -> Table {
    const PAPER: [[&str; 4]; 3] = [
        ["455.85±412.11", "455.85±412.11", "454.86±412.11", "453.87±412.11"],
        ["1.64±0.86", "2.43±0.71", "2.32±0.61", "2.25±0.54"],
        ["1.11±0.34", "2.08±0.28", "2.06±0.24", "2.04±0.21"],
    ];
    let columns = "buckets | method | paper | from its Table III | ours";
    let caption =
        "Table V, second half: how many numbers of a bucket stand in hash2, for buckets that have some there.";
    let mut table = Table::headed(caption, columns);
    for (i, ours) in good.iter().enumerate() {
        for method in Method::ALL {
            let size = |sizes: &Sizes| with_deviation(sizes.mean(|size| method.in_hash2(size).into(), false));
            table.row([
                Cell::Count(BUCKETS[i]),
                Cell::Count(method.number()),
                Cell::text(PAPER[i][method as usize]),
                printed(i).map_or(Cell::Nothing, |sizes| size(&sizes)),
                size(ours),
            ]);
        }
    }
    table
}

/// Table VI.
fn accesses(good: &[Sizes; 3]) -> Table {
    const PAPER: [[&str; 4]; 3] = [
        ["209.44±359.54", "209.44±359.54", "208.98±359.22", "208.53±358.91"],
        ["2.75±1.43", "2.39±1.45", "2.19±1.27", "2.12±1.13"],
        ["1.41±0.85", "1.24±0.56", "1.22±0.48", "1.22±0.47"],
    ];
    let columns = "buckets | method | paper | from its Table III | ours | ratio";
    let mut table = Table::headed("Table VI: random accesses to confirm that a random position is absent.", columns);
    for (i, ours) in good.iter().enumerate() {
        for method in Method::ALL {
            let paper = PAPER[i][method as usize];
            let (mean, _) = ours.accesses(method);
            let printed_mean = paper.split('±').next().and_then(|mean| mean.parse().ok()).unwrap_or_default();
            table.row([
                Cell::Count(BUCKETS[i]),
                Cell::Count(method.number()),
                Cell::text(paper),
                printed(i).map_or_else(
                    || Cell::Text(format!("{:.2}", first_accesses(method))),
                    |sizes| with_deviation(sizes.accesses(method)),
                ),
                with_deviation(ours.accesses(method)),
                Cell::ratio(mean, printed_mean),
            ]);
        }
    }
    table
}

/// Table VII.
fn hours(good: &[Sizes; 3]) -> Table {
    const PAPER: [[f64; 4]; 3] = [[581.78, 581.78, 580.51, 579.24], [7.65, 6.63, 6.08, 5.88], [3.93, 3.44, 3.39, 3.38]];
    let columns = "buckets | method | paper | from its Table III | ours | ratio";
    let caption = "Table VII: hours to confirm that a million random positions are absent, at 10 ms an access.";
    let mut table = Table::headed(caption, columns);
    let hours = |accesses: f64| accesses * 1e6 * ACCESS / 3600.0;
    for (i, ours) in good.iter().enumerate() {
        for method in Method::ALL {
            let paper = PAPER[i][method as usize];
            let again = printed(i).map_or_else(|| first_accesses(method), |sizes| sizes.accesses(method).0);
            let own = hours(ours.accesses(method).0);
            table.row([
                Cell::Count(BUCKETS[i]),
                Cell::Count(method.number()),
                Cell::Number(paper, 2),
                Cell::Number(hours(again), 2),
                Cell::Number(own, 2),
                Cell::ratio(own, paper),
            ]);
        }
    }
    table
}

/// Table VIII, and the text beside it.
fn summary(good: &[Sizes; 3]) -> Table {
    let columns = "what | paper | ours | ratio";
    let mut table = Table::headed("Table VIII and the text: method 3 with 100 and 500 million buckets.", columns);
    let [fewer, more] =
        [&good[1], &good[2]].map(|sizes| (sizes.bytes(Method::Two) as f64, sizes.accesses(Method::Two).0));
    let space = (40 * CUMULATIVE[7]) as f64;
    for (what, paper, ours) in [
        ("stored positions, GB", 4.36, space / 1e9),
        ("hash1 and hash2 with 100 million buckets, GB", 1.29, fewer.0 / 1e9),
        ("hash1 and hash2 with 500 million buckets, GB", 6.01, more.0 / 1e9),
        ("more bytes with 500 million buckets, GB", 4.72, (more.0 - fewer.0) / 1e9),
        ("time with 500 million, in per cent of that with 100 million", 55.7, 100.0 * more.1 / fewer.1),
        (
            "method 4 and 500 million, in per cent of the stored positions",
            183.4,
            100.0 * good[2].bytes(Method::Three) as f64 / space,
        ),
    ] {
        let digits = if paper > 50.0 { 1 } else { 2 };
        table.row([
            Cell::text(what),
            Cell::Number(paper, digits),
            Cell::Number(ours, digits),
            Cell::ratio(ours, paper),
        ]);
    }
    table
}

/// What a poor hash function does, where it matters.
fn poor_hash(kept: &Kept) -> Table {
    let columns = "buckets | hash | empty, % | largest bucket | accesses, random | accesses, one move beyond";
    let caption = "A poor hash function (the arrangement of the corners, modulo the number of buckets) beside XXH3, with \
                   method 2: for random positions, and for those one move outside the perimeter.";
    let mut table = Table::headed(caption, columns);
    for (buckets, hash) in BUCKETS.iter().flat_map(|&buckets| Hash::ALL.map(|hash| (buckets, hash))) {
        let number = |rest: &str| kept.number(&format!("{} {buckets} {rest}", hash.name()), 0);
        let accesses = |of| number(of).map_or(Cell::Nothing, |accesses| Cell::Number(accesses, 3));
        table.row([
            Cell::Count(buckets),
            Cell::text(hash.name()),
            Cell::Number(100.0 * number("size 0").unwrap_or(0.0) / buckets as f64, 2),
            number("largest").map_or(Cell::Nothing, |size| Cell::Count(size as u64)),
            accesses("random 2"),
            accesses("beyond 2"),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page says of the paper's own figures.
    #[test]
    fn the_papers_tables_follow_from_its_table_iii() {
        for (i, (bytes, accesses)) in [
            ([1_236_172_492, 1_089_611_060, 1_290_719_456, 1_632_624_712], ["2.75", "2.39", "2.19", "2.12"]),
            ([4_436_172_492, 4_085_520_208, 6_006_054_880, 8_000_485_584], ["1.41", "1.24", "1.22", "1.22"]),
        ]
        .into_iter()
        .enumerate()
        {
            let sizes = printed(i + 1).unwrap();
            assert_eq!((sizes.buckets(), sizes.positions()), (BUCKETS[i + 1], CUMULATIVE[7]));
            // Method 4 with an index more for each bucket of four or more.
            let more = [0, 0, 0, 4 * sizes.of_size(4..)];
            assert_eq!(Method::ALL.map(|method| sizes.bytes(method) + more[method as usize]), bytes);
            assert_eq!(Method::ALL.map(|method| format!("{:.2}", sizes.accesses(method).0)), accesses);
        }
        // Half a million buckets: methods 1 to 3 to the byte, method 4 with an index more for each of 239,197 buckets.
        assert_eq!(Method::ALL.map(first_bytes), [440_366_796, 440_366_796, 441_507_092, 443_604_204 - 4 * 239_197]);
        // Methods 1 and 2 as printed; methods 3 and 4 without the one or two positions whose numbers stand in hash1.
        let without = [0, 0, 1, 2].map(|numbers| (numbers * filled()) as f64 / BUCKETS[0] as f64);
        let printed_accesses = ["209.44", "209.44", "208.98", "208.53"];
        let accesses = Method::ALL.map(|method| format!("{:.2}", first_accesses(method) - without[method as usize]));
        assert_eq!(accesses, printed_accesses);
        // Both lists are as random as a good hash function makes them.
        let chi = [1, 2].map(|i| printed(i).unwrap().chi_squared());
        assert!((chi[0].0 - 13.2).abs() < 0.1 && chi[0].1 == 11, "{chi:?}");
        assert!((chi[1].0 - 9.8).abs() < 0.1 && chi[1].1 == 7, "{chi:?}");
    }
}
