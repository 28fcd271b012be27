//! The hashing schemes as an experiment: what the paper's Tables III to VIII show.
//!
//! Everything in those tables follows from one list: how many buckets hold how many positions ([`Sizes`]). The paper prints
//! the whole list for 100 and 500 million buckets, so its tables can be computed again from its own Table III.

use super::buckets::{Absent, Sizes, poisson};
use super::kept::Kept;
use super::{experiment, printed};
use crate::error::LabError;
use crate::experiment::{Cell, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::lee::absence::{BUCKETS, Hash, Method};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::StoredSpace;

/// What was computed once, with full effort.
const RESULTS: &str = include_str!("../../../results/lee-hashing.txt");

/// The seconds that the paper assumes for a random access to a disk.
const ACCESS: f64 = 0.010;

/// How fast the paper's hashing schemes confirm absence, counted: d_back is 7, with the paper's numbers of buckets.
pub fn absence(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let kept = Kept::of(lab, request, "lee-hashing", RESULTS)?;
    if kept.is_open() {
        count_all(lab, &kept, 7, &BUCKETS, 1_000_000, request.seed_or(1))?;
    }
    let all = &all(&kept);
    let [first, second, third] = all;
    let others: [fn(&Kept, &[Buckets; 3]) -> Table; 7] = [fit, bytes, rates, real_sizes, accesses, hours, summary];
    Ok(experiment("absence", "Hashing schemes that confirm absence fast", "Lee 2013, Tables III to VIII")
        .text(kept.circumstances())
        .tables([first_buckets(&kept, first), collisions(&kept, second), collisions(&kept, third)])
        .tables(others.map(|table| table(&kept, all)))
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
        let (sizes, answers) = Sizes::count(lab, &space, hash, buckets, &[&random, &beyond])?;
        let key = format!("{} {buckets}", hash.name());
        for (name, found) in ["random", "beyond"].into_iter().zip(&answers) {
            for method in Method::ALL {
                let accesses: u64 = found.iter().map(|&size| method.accesses(size)).sum();
                let mean = format!("{:.4}", accesses as f64 / found.len() as f64);
                kept.add(&format!("{key} {name} {}", method.number()), &[&mean, &found.len()])?;
            }
        }
        // Of the poor one the empty buckets are enough.
        for (size, count) in sizes.all().filter(|&(size, _)| hash == Hash::Mixed || size == 0) {
            kept.add(&format!("{key} size {size}"), &[&count])?;
        }
        // Last, so that a trial that was interrupted is counted again.
        kept.add(&format!("{key} largest"), &[&sizes.largest()])?;
    }
    Ok(())
}

/// So many buckets, in the paper and here.
struct Buckets {
    count: u64,
    /// The paper's Table III: all sizes, or of half a million buckets the lines that it prints.
    printed: Sizes,
    /// With XXH3.
    ours: Sizes,
}

impl Buckets {
    /// Whether the paper prints all sizes.
    fn is_complete(&self) -> bool {
        self.printed.positions() == CUMULATIVE[7]
    }

    /// How many buckets the paper has of these sizes.
    fn of_size(&self, sizes: impl std::ops::RangeBounds<u32>) -> u64 {
        self.printed.of_size(sizes)
    }

    /// How many of the paper's buckets are not empty.
    fn filled(&self) -> u64 {
        self.count - self.of_size(..=0)
    }

    /// The bytes of both arrays, from Table III: what it tells of buckets with up to three positions is enough.
    fn bytes(&self, method: Method) -> u64 {
        let [one, two, three] = [1, 2, 3].map(|size| self.of_size(size..=size));
        let in_hash1 = [0, one, self.filled() + two, 2 * self.filled() + three - one][method as usize];
        4 * (self.count * method.words() as u64 + CUMULATIVE[7] - in_hash1)
    }

    /// The mean accesses, from Table III.
    fn accesses(&self, method: Method) -> f64 {
        let beyond = self.count - self.of_size(..=method.most_in_entry());
        1.0 + (beyond + CUMULATIVE[7]) as f64 / self.count as f64
    }
}

/// What the paper prints, of each number of buckets, beside what is kept.
fn all(kept: &Kept) -> [Buckets; 3] {
    BUCKETS.map(|count| Buckets {
        count,
        printed: Sizes::kept(printed(), "III", count),
        ours: Sizes::kept(kept, Hash::Mixed.name(), count),
    })
}

/// What Tables IV to VII print of a method: bytes, numbers in hash2, accesses, hours.
fn of_method<T: std::str::FromStr>(buckets: &Buckets, method: Method, place: usize) -> T {
    let key = format!("IV-VII {} {}", buckets.count, method.number());
    printed().value(&key, place).unwrap_or_else(|| panic!("there is no {key}"))
}

/// A row for each number of buckets and each method.
fn by_method(mut table: Table, all: &[Buckets; 3], cells: impl Fn(&Buckets, Method) -> Vec<Cell>) -> Table {
    for (buckets, method) in all.iter().flat_map(|buckets| Method::ALL.map(|method| (buckets, method))) {
        let head = [Cell::Count(buckets.count), Cell::Count(method.number())];
        table.row(head.into_iter().chain(cells(buckets, method)));
    }
    table
}

fn with_deviation((mean, deviation): (f64, f64)) -> Cell {
    Cell::Text(format!("{mean:.2}±{deviation:.2}"))
}

/// Table III for half a million buckets.
fn first_buckets(kept: &Kept, Buckets { printed, ours, .. }: &Buckets) -> Table {
    let caption = "Table III, 524,288 buckets: the lines that the paper prints of it. With a random function no bucket would \
                   hold fewer than a hundred positions.";
    let mut table = kept.table(caption, "positions in a bucket | buckets, paper | ours*");
    for (size, paper) in printed.all() {
        table.row([Cell::Text(size.to_string()), Cell::Count(paper), Cell::Count(ours.of_size(size..=size))]);
    }
    let [smallest, largest] = [ours.smallest(), ours.largest()];
    let all = Cell::Text(format!("{smallest} to {largest}"));
    table.row([all, Cell::Nothing, Cell::Count(ours.of_size(smallest..=largest))]);
    table
}

/// Table III for more buckets.
fn collisions(kept: &Kept, Buckets { count, printed, ours }: &Buckets) -> Table {
    let caption = format!("Table III, {},000,000 buckets.", count / 1_000_000);
    let mut table = kept.table(caption, "positions in a bucket | buckets, paper | ours* | ratio* | Poisson");
    let expected = poisson(CUMULATIVE[7] as f64 / *count as f64);
    for (size, expected) in (0..=printed.largest().max(ours.largest())).zip(expected) {
        let [paper, ours] = [printed, ours].map(|sizes| sizes.of_size(size..=size));
        table.row([
            Cell::Count(size.into()),
            Cell::Count(paper),
            Cell::Count(ours),
            Cell::ratio(ours as f64, paper as f64),
            Cell::Count((expected * *count as f64).round() as u64),
        ]);
    }
    table
}

/// How well the sizes follow Poisson's law.
fn fit(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | empty, paper, % | ours* | Poisson | cells* | chi-squared, paper | ours*";
    let caption = "How well bucket sizes follow Poisson's law. Chi-squared is the sum of (counted − expected)² / expected; for a \
                   random function it is about the number of cells less one, give or take the root of twice that.";
    let mut table = kept.table(caption, columns);
    for buckets in all {
        let (own, cells) = buckets.ours.chi_squared();
        let count = buckets.count as f64;
        table.row([
            Cell::Count(buckets.count),
            Cell::Number(100.0 * (buckets.of_size(..=0) as f64 / count), 2),
            Cell::Number(100.0 * buckets.ours.share(..=0), 2),
            Cell::Number(100.0 * (-(CUMULATIVE[7] as f64) / count).exp(), 2),
            Cell::Count(cells as u64),
            match buckets.is_complete() {
                true => Cell::Number(buckets.printed.chi_squared().0, 1),
                false => Cell::text("beyond all measure"),
            },
            Cell::Number(own, 1),
        ]);
    }
    table
}

/// Table IV.
fn bytes(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | method | paper | from its Table III | difference | 4 bytes × buckets of four or more | \
                   ours* | ratio*";
    by_method(
        kept.table("Table IV: bytes of hash1 and hash2, beside the positions.", columns),
        all,
        |buckets, method| {
            let (paper, again) = (of_method::<u64>(buckets, method, 0), buckets.bytes(method));
            let ours = buckets.ours.bytes(method);
            let large = buckets.filled() - buckets.of_size(1..=3);
            vec![
                Cell::Count(paper),
                Cell::Count(again),
                Cell::Count(paper - again),
                if method == Method::Three { Cell::Count(4 * large) } else { Cell::Nothing },
                Cell::Count(ours),
                Cell::ratio(ours as f64, paper as f64),
            ]
        },
    )
}

/// The first half of Table V.
fn rates(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | positions in a bucket | paper | from its Table III | ours*";
    let mut table = kept.table("Table V, first half: the share of buckets with so many positions.", columns);
    for (buckets, size) in all.iter().flat_map(|buckets| (0..4).map(move |size| (buckets, size))) {
        let paper: String = printed().value(&format!("V {}", buckets.count), size as usize).expect("four are printed");
        let again = buckets.of_size(size..=size) as f64 / buckets.count as f64;
        table.row([
            Cell::Count(buckets.count),
            Cell::Count(size.into()),
            Cell::Text(paper),
            Cell::Number(again, if !buckets.is_complete() && size > 0 { 7 } else { 4 }),
            Cell::Number(buckets.ours.share(size..=size), 4),
        ]);
    }
    table
}

/// The second half of Table V.
fn real_sizes(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | method | paper | from its Table III | ours*";
    let caption =
        "Table V, second half: how many numbers of a bucket stand in hash2, for buckets that have some there.";
    by_method(kept.table(caption, columns), all, |buckets, method| {
        let size = |sizes: &Sizes| with_deviation(sizes.mean(|size| method.in_hash2(size).into(), false));
        let again = if buckets.is_complete() { size(&buckets.printed) } else { Cell::Nothing };
        vec![Cell::Text(of_method(buckets, method, 1)), again, size(&buckets.ours)]
    })
}

/// Table VI.
fn accesses(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | method | paper | from its Table III | ours* | ratio*";
    let caption = "Table VI: random accesses to confirm that a random position is absent.";
    by_method(kept.table(caption, columns), all, |buckets, method| {
        let paper: String = of_method(buckets, method, 2);
        let paper_mean = paper.split('±').next().and_then(|mean| mean.parse().ok()).unwrap_or_default();
        let ours = buckets.ours.accesses(method);
        let again = match buckets.is_complete() {
            true => with_deviation(buckets.printed.accesses(method)),
            false => Cell::Text(format!("{:.2}", buckets.accesses(method))),
        };
        vec![Cell::Text(paper), again, with_deviation(ours), Cell::ratio(ours.0, paper_mean)]
    })
}

/// Table VII.
fn hours(kept: &Kept, all: &[Buckets; 3]) -> Table {
    let columns = "buckets | method | paper | from its Table III | ours* | ratio*";
    let caption = "Table VII: hours to confirm that a million random positions are absent, at 10 ms an access.";
    let hours = |accesses: f64| accesses * 1e6 * ACCESS / 3600.0;
    by_method(kept.table(caption, columns), all, |buckets, method| {
        let (paper, ours) = (of_method(buckets, method, 3), hours(buckets.ours.accesses(method).0));
        let again = Cell::Number(hours(buckets.accesses(method)), 2);
        vec![Cell::Number(paper, 2), again, Cell::Number(ours, 2), Cell::ratio(ours, paper)]
    })
}

/// Table VIII, and the text beside it.
fn summary(kept: &Kept, [_, fewer, more]: &[Buckets; 3]) -> Table {
    let columns = "what | paper | ours* | ratio*";
    let mut table = kept.table("Table VIII and the text: method 3 with 100 and 500 million buckets.", columns);
    let bytes = |buckets: &Buckets, method| buckets.ours.bytes(method) as f64;
    let accesses = |buckets: &Buckets| buckets.ours.accesses(Method::Two).0;
    let space = (40 * CUMULATIVE[7]) as f64;
    let [few_bytes, many_bytes] = [fewer, more].map(|buckets| bytes(buckets, Method::Two));
    for (what, paper, ours) in [
        ("stored positions, GB", 4.36, space / 1e9),
        ("hash1 and hash2 with 100 million buckets, GB", 1.29, few_bytes / 1e9),
        ("hash1 and hash2 with 500 million buckets, GB", 6.01, many_bytes / 1e9),
        ("more bytes with 500 million buckets, GB", 4.72, (many_bytes - few_bytes) / 1e9),
        ("time with 500 million, in per cent of that with 100 million", 55.7, 100.0 * accesses(more) / accesses(fewer)),
        (
            "method 4 and 500 million, in per cent of the stored positions",
            183.4,
            100.0 * bytes(more, Method::Three) / space,
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
    let columns = "buckets | hash | empty, %* | largest bucket* | accesses, random* | accesses, one move beyond*";
    let caption = "A poor hash function (the arrangement of the corners, modulo the number of buckets) beside XXH3, with \
                   method 2: for random positions, and for those one move outside the perimeter.";
    let mut table = kept.table(caption, columns);
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
        let all = all(&Kept::read(RESULTS));
        for buckets in &all {
            // Method 4 with an index more for each bucket of four or more.
            let more = [0, 0, 0, 4 * (buckets.filled() - buckets.of_size(1..=3))];
            for method in Method::ALL {
                let bytes = buckets.bytes(method) + more[method as usize];
                assert_eq!(bytes, of_method::<u64>(buckets, method, 0));
                // Of half a million buckets methods 3 and 4 are printed without the one or two positions whose numbers stand
                // in hash1.
                let left_out = if buckets.is_complete() { 0 } else { [0, 0, 1, 2][method as usize] };
                let left_out = (left_out * buckets.filled()) as f64 / buckets.count as f64;
                let accesses = format!("{:.2}±", buckets.accesses(method) - left_out);
                assert!(of_method::<String>(buckets, method, 2).starts_with(&accesses), "{accesses}");
                if buckets.is_complete() {
                    assert_eq!(buckets.printed.bytes(method), buckets.bytes(method));
                    assert_eq!(format!("{:.2}±", buckets.printed.accesses(method).0), accesses);
                }
            }
        }
        assert_eq!(all[0].filled() - all[0].of_size(1..=3), 239_197);
        // Poisson's law leaves 33.6 % of 100 million buckets empty.
        assert!((0.334..0.338).contains(&all[1].ours.share(..=0)));
        // Both whole lists are as random as a good hash function makes them.
        let [_, second, third] = all.map(|buckets| buckets.printed);
        assert_eq!([&second, &third].map(Sizes::buckets), [BUCKETS[1], BUCKETS[2]]);
        assert_eq!([&second, &third].map(Sizes::positions), [CUMULATIVE[7]; 2]);
        let chi = [second, third].map(|sizes| sizes.chi_squared());
        assert!((chi[0].0 - 13.2).abs() < 0.1 && chi[0].1 == 11, "{chi:?}");
        assert!((chi[1].0 - 9.8).abs() < 0.1 && chi[1].1 == 7, "{chi:?}");
    }
}
