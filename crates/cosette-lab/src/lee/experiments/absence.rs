//! The hashing schemes as an experiment: what the paper's Tables III to VIII show.

use super::spread::Spread;
use super::trial::{Absent, Source, Timing, time};
use crate::error::LabError;
use crate::experiment::{Cell, Effort, Experiment, Request, Table};
use crate::lab::Lab;
use crate::lee::CUMULATIVE;
use crate::lee::absence::{BUCKETS, Hash, HashedSpace, Method, Scheme};
use crate::lee::perimeter::Perimeter;
use crate::lee::space::{Key, StoredSpace};
use std::time::Duration;

/// The seconds that the paper assumes for a random access to a disk.
const ACCESS: f64 = 0.010;

/// How fast the paper's hashing schemes confirm absence: d_back is 7 with full effort; with quick effort it is 5, and
/// the numbers of buckets are cut in proportion. Up to 10 GB of arrays are written into the lab's folder and removed
/// again.
pub fn absence(lab: &Lab<'_>, request: &Request) -> Result<Experiment, LabError> {
    let (depth, asked, limit) = if request.effort == Effort::Full { (7, 1_000_000, 10_000) } else { (5, 100_000, 300) };
    let mut space = StoredSpace::in_lab(lab, depth)?;
    let classes = Perimeter::new(depth, lab)?;
    let absent = Absent::draw(lab, &space, &classes, asked, request.seed)?;
    let [random, beyond] = absent.keys();
    let share = CUMULATIVE[usize::from(depth)] as f64 / CUMULATIVE[7] as f64;

    let mut trials = Vec::new();
    let mut times = Times::new();
    for buckets in BUCKETS.map(|buckets| (buckets as f64 * share).round() as u64) {
        for hash in Hash::ALL {
            let (spread, answers) = Spread::count(lab, &space, hash, buckets, &[&random, &beyond])?;
            let [random, beyond] = answers.try_into().expect("two sets were asked for");
            trials.push(Trial { spread, random, beyond });
        }
        let trial = &trials[trials.len() - Hash::ALL.len()];
        for method in Method::ALL {
            space = times.measure(lab, space, trial, method, &random, Duration::from_millis(limit))?;
        }
    }

    let scaled = match request.effort {
        Effort::Full => "The numbers of buckets are the paper's.".into(),
        Effort::Quick => format!(
            "The paper's {} buckets are scaled with the number of positions ({:.4}), so that bucket sizes are the \
             same.",
            BUCKETS.map(|buckets| buckets.to_string()).join(", "),
            share,
        ),
    };
    Ok(Experiment::new("absence", "Hashing schemes that confirm absence fast", "Lee 2013, Tables III to VIII")
        .text(format!(
            "{} positions within {depth} moves are hashed into buckets. {scaled} An array hash1 has an entry for \
             each bucket and an array hash2 the numbers of the positions. Assumed, since the paper does not say: \
             words have four bytes, and hash2 holds only the numbers that are not in hash1.",
            space.len(),
        ))
        .text(
            "The paper's own hash function is specific to the problem and poor; the paper does not define it exactly. \
             Here the poor one is the number of the arrangement of the corners modulo the number of buckets, and the \
             good one XXH3 of the whole position. There is no column for the paper's printed figures: we do not know \
             them with certainty.",
        )
        .text(format!(
            "Absence is confirmed for {} uniformly random positions and for {} that lie one move beyond the space; \
             the symmetry classes confirm that each is absent.",
            random.len(),
            beyond.len(),
        ))
        .tables(collisions(&trials))
        .tables([rates(&trials), bytes(&trials), sizes(&trials), accesses(&trials), times.table])
        .remarks(remarks(&trials)))
}

/// A number of buckets and a hash function, counted.
struct Trial {
    spread: Spread,
    /// How many positions are in the buckets of the random absent positions.
    random: Vec<u32>,
    /// And of those one move beyond.
    beyond: Vec<u32>,
}

impl Trial {
    fn mean_accesses(sizes: &[u32], method: Method) -> f64 {
        let accesses: u64 = sizes.iter().map(|&size| method.accesses(size)).sum();
        accesses as f64 / sizes.len() as f64
    }

    /// What Poisson's law makes one expect.
    fn expected_accesses(&self, method: Method) -> f64 {
        let mean = self.spread.mean();
        let in_entry: f64 = poisson(mean).take(method.most_in_entry() as usize + 1).sum();
        2.0 - in_entry + mean
    }

    /// The first cells of a row.
    fn head(&self) -> [Cell; 2] {
        [Cell::Count(self.spread.buckets), Cell::text(self.spread.hash.name())]
    }
}

/// The chances that a bucket holds 0, 1, 2, … positions where there are `mean` on average.
fn poisson(mean: f64) -> impl Iterator<Item = f64> {
    // As logarithms, which do not underflow.
    let next = move |&(size, chance): &(u32, f64)| Some((size + 1, chance + (mean / f64::from(size + 1)).ln()));
    std::iter::successors(Some((0, -mean)), next).map(|(_, chance)| chance.exp())
}

/// Buckets of each size, a table for each number of buckets.
fn collisions(trials: &[Trial]) -> Vec<Table> {
    const UP_TO: [u32; 12] = [0, 1, 2, 3, 4, 8, 16, 64, 256, 1024, 16_384, u32::MAX];
    let table = |pair: &[Trial]| {
        let [good, poor] = [&pair[0].spread, &pair[1].spread];
        let caption = format!("Collisions: the {} buckets by how many positions they hold.", good.buckets);
        let mut table = Table::new(caption, &["positions", "XXH3", "Poisson", "corners"]);
        let (mut from, mut chances) = (0, poisson(good.mean()).take(1 << 16));
        for to in UP_TO {
            let expected: f64 = chances.by_ref().take((to - from) as usize + 1).sum();
            let name = match to {
                u32::MAX => format!("{from} and more"),
                _ if from == to => from.to_string(),
                _ => format!("{from} to {to}"),
            };
            table.row([
                Cell::text(name),
                Cell::Count(good.of_size(from..=to)),
                Cell::Number(expected * good.buckets as f64, 0),
                Cell::Count(poor.of_size(from..=to)),
            ]);
            from = to.saturating_add(1);
        }
        table
    };
    trials.chunks(Hash::ALL.len()).map(table).collect()
}

fn rates(trials: &[Trial]) -> Table {
    let columns = ["buckets", "hash", "empty, %", "Poisson, %", "ratio", "mean size", "mean of filled", "largest"];
    let mut table = Table::new("Empty buckets, and how many positions a bucket holds.", &columns);
    for trial in trials {
        let spread = &trial.spread;
        table.row(trial.head().into_iter().chain([
            Cell::Number(100.0 * spread.empty(), 2),
            Cell::Number(100.0 * spread.empty_by_poisson(), 2),
            Cell::ratio(spread.empty(), spread.empty_by_poisson()),
            Cell::Number(spread.mean(), 3),
            Cell::Number(spread.mean_of_filled(), 3),
            Cell::Count(spread.largest().into()),
        ]));
    }
    table
}

fn bytes(trials: &[Trial]) -> Table {
    let columns = ["buckets", "hash", "method 1", "method 2", "method 3", "method 4"];
    let mut table = Table::new("Extra bytes: hash1 and hash2 together, beside the positions.", &columns);
    for trial in trials {
        let bytes = Method::ALL.map(|method| Cell::Count(trial.spread.bytes(method)));
        table.row(trial.head().into_iter().chain(bytes));
    }
    table
}

fn sizes(trials: &[Trial]) -> Table {
    let columns = ["buckets", "hash", "1", "2", "3", "4", "5 and more"];
    let mut table = Table::new("Share of filled buckets by how many positions they hold, in per cent.", &columns);
    for trial in trials {
        let filled = trial.spread.of_size(1..) as f64;
        let share = |count: u64| Cell::Number(100.0 * count as f64 / filled, 2);
        let small = (1..=4).map(|size| share(trial.spread.of_size(size..=size)));
        table.row(trial.head().into_iter().chain(small).chain([share(trial.spread.of_size(5..))]));
    }
    table
}

fn accesses(trials: &[Trial]) -> Table {
    let columns = ["buckets", "hash", "method", "random", "by Poisson", "ratio", "one move beyond"];
    let caption = "Random accesses to confirm absence, mean: for random positions, and for those one move beyond the \
                   space.";
    let mut table = Table::new(caption, &columns);
    for trial in trials {
        for method in Method::ALL {
            let (counted, expected) = (Trial::mean_accesses(&trial.random, method), trial.expected_accesses(method));
            table.row(trial.head().into_iter().chain([
                Cell::Count(method.number()),
                Cell::Number(counted, 3),
                Cell::Number(expected, 3),
                Cell::ratio(counted, expected),
                Cell::Number(Trial::mean_accesses(&trial.beyond, method), 3),
            ]));
        }
    }
    table
}

/// How long it takes with the good hash function.
struct Times {
    table: Table,
}

impl Times {
    fn new() -> Times {
        let caption = "Time to confirm that a million random positions are absent, XXH3: computed with 10 ms an \
                       access; measured on this disk; and with all files in the page cache. Measured on some of the \
                       million and scaled.";
        let columns = "buckets | method | computed | from disk | asked for | µs an access | from the page cache | \
                       asked for | µs an access";
        Times { table: Table::headed(caption, columns) }
    }

    /// Builds the arrays, measures and removes them.
    fn measure(
        &mut self,
        lab: &Lab<'_>,
        space: StoredSpace,
        trial: &Trial,
        method: Method,
        random: &[Key],
        limit: Duration,
    ) -> Result<StoredSpace, LabError> {
        let Spread { buckets, hash, .. } = trial.spread;
        let what = format!("method {} with {buckets} buckets", method.number());
        let path = lab.folder.path().join("lee-index-trial");
        let hashed = HashedSpace::build(space, &path, Scheme { hash, method, buckets }, &lab.control.step(&what))?;
        debug_assert_eq!(hashed.bytes(), trial.spread.bytes(method));
        let from_disk = time(lab, &hashed, random, Source::Disk, limit);
        let from_memory = hashed.verify(&lab.control).and_then(|()| {
            hashed.space().verify(&lab.control.silent())?;
            time(lab, &hashed, random, Source::Memory, limit)
        });
        StoredSpace::remove(&path)?;
        let cells = |timing: Option<Timing>| match timing {
            Some(timing) => {
                [Cell::Seconds(timing.million()), Cell::Count(timing.positions), Cell::Number(timing.access(), 2)]
            }
            None => [Cell::Nothing, Cell::Nothing, Cell::Nothing],
        };
        let reckoned = 1e6 * ACCESS * Trial::mean_accesses(&trial.random, method);
        let row = [Cell::Count(buckets), Cell::Count(method.number()), Cell::Seconds(reckoned)].into_iter();
        self.table.row(row.chain(cells(from_disk?)).chain(cells(from_memory?)));
        Ok(hashed.into_space())
    }
}

fn remarks(trials: &[Trial]) -> Vec<String> {
    let [good, poor] = [&trials[2], &trials[3]];
    let mean = |sizes| Trial::mean_accesses(sizes, Method::One);
    vec![
        format!(
            "With a good hash function bucket sizes follow Poisson's law: {:.1} % of {} buckets are empty.",
            100.0 * good.spread.empty(),
            good.spread.buckets,
        ),
        format!(
            "The poor one leaves {:.1} % of them empty. For random positions that does not matter, since most of them \
             fall into an empty bucket: {:.3} accesses with method 2 against {:.3}. But a position near the space \
             shares its corners with many others: one move beyond it takes {:.1} accesses against {:.3}. Those are \
             the positions that a search looks up.",
            100.0 * poor.spread.empty(),
            mean(&poor.random),
            mean(&good.random),
            mean(&poor.beyond),
            mean(&good.beyond),
        ),
        "\"From disk\" means that the system was asked to drop both files from the page cache (posix_fadvise, \
         DONTNEED) before every fifty look-ups, and not to read ahead (RANDOM). The disk's own cache cannot be \
         cleared, and a modern disk takes less than 10 ms."
            .into(),
    ]
}
