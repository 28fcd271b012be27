//! Pattern databases: lower bounds on the cost of the remaining turns.
//!
//! A database has some coordinates as its digits and a byte for each number that they form: the
//! minimum cost of turns that lead to a goal pattern of each. If the digits cover all constraints
//! of the goal, it is exact. Numbers that do not correspond to a position are in it as well (two
//! coordinates may have different pieces in one slot); no position leads to them.

use super::coordinate::Coordinate;
use super::turns::FaceEffect;
use crate::Control;
use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Maximum entries, a byte each, of one database, and of all except those that are needed to cover
/// some coordinate.
const MAX_ENTRIES: u64 = 120_000_000;
const MAX_ENTRIES_IN_ALL: u64 = 130_000_000;
/// Maximum entries of all databases but the largest, and maximum number of databases, with the same
/// exception. With R, U and F there would be 15 with 125 million entries: they prune 8 % more nodes
/// than six with 45 million, take a second more to build, and double the probes.
const MAX_ENTRIES_OF_OTHERS: u64 = 25_000_000;
const MAX_TABLES: usize = 6;

/// Maximum number of progress reports for a database.
const REPORTS: u64 = 400;

/// The entry of patterns from which no turns lead to a goal pattern.
pub(super) const UNREACHABLE: u8 = u8::MAX;
/// Maximum stored cost; larger costs are stored as this.
const MAX_COST: u8 = UNREACHABLE - 1;

/// A pattern database; its coordinates are indices into a list.
pub(super) struct PatternDatabase {
    /// Each coordinate, and the weight of its patterns in the index. The last one has weight one:
    /// its patterns are adjacent.
    digits: Vec<(usize, u32)>,
    /// Coordinates that no database before this one has.
    pub moved: Vec<usize>,
    costs: Vec<u8>,
}

impl PatternDatabase {
    /// Builds databases over all `coordinates`, with as many of these together as fit. `None` if it
    /// is cancelled. Reports the number of entries from which all turns
    /// were undone, out of those that can occur.
    pub fn over(
        coordinates: &[Coordinate],
        effects: &[FaceEffect],
        control: &Control<'_>,
    ) -> Option<Vec<PatternDatabase>> {
        let sizes: Vec<u64> = coordinates
            .iter()
            .map(|coordinate| coordinate.len() as u64)
            .collect();
        let sets = chosen_sets(&sizes);
        let reached = |set: &Vec<usize>| {
            let of_set: Vec<&Coordinate> = set.iter().map(|&c| &coordinates[c]).collect();
            Coordinate::joint_len(&of_set)
        };
        let total = sets.iter().map(reached).sum();
        let mut done = 0;
        let mut tables: Vec<PatternDatabase> = Vec::new();
        for set in sets {
            let is_new = |coordinate: &usize| {
                tables
                    .iter()
                    .all(|table| table.digits.iter().all(|digit| digit.0 != *coordinate))
            };
            let moved = set.iter().copied().filter(is_new).collect();
            let len = reached(&set);
            let on_progress = |expanded: u64| control.report(done + expanded.min(len), total);
            tables.push(PatternDatabase {
                moved,
                ..PatternDatabase::generate(set, coordinates, effects, control, &on_progress)?
            });
            done += len;
        }
        control.report(total, total);
        Some(tables)
    }

    /// Returns the total number of entries of the databases over coordinates of these sizes.
    pub fn total_entries(sizes: &[u64]) -> u64 {
        chosen_sets(sizes)
            .iter()
            .map(|set| entries(set, sizes))
            .sum()
    }

    /// Returns the lower bound for the pattern of each coordinate.
    #[inline(always)]
    pub fn least(&self, patterns: &[u32]) -> u8 {
        let number: u32 = self
            .digits
            .iter()
            .map(|&(coordinate, step)| patterns[coordinate] * step)
            .sum();
        self.costs[number as usize]
    }

    /// Returns the number of entries of each cost, including those that do not correspond to a
    /// position.
    #[cfg(test)]
    pub fn distribution(&self) -> Vec<usize> {
        let mut counts = vec![0; 256];
        self.costs
            .iter()
            .for_each(|&cost| counts[usize::from(cost)] += 1);
        counts
    }

    /// Searches breadth first from the goal patterns, backwards: by increasing cost, with each
    /// effect undone. Calls `on_progress` some hundred times, from any thread, with the number of
    /// entries from which all effects were undone.
    fn generate(
        set: Vec<usize>,
        coordinates: &[Coordinate],
        effects: &[FaceEffect],
        control: &Control<'_>,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Option<PatternDatabase> {
        let (&inner, outer) = set.split_last().expect("a table has a coordinate");
        let size = |&c: &usize| coordinates[c].len();
        let width = size(&inner);
        let rows = outer.iter().map(size).product::<usize>();
        let mut digits = vec![(inner, 1)];
        let mut step = width as u32;
        for &coordinate in outer.iter().rev() {
            digits.push((coordinate, step));
            step *= coordinates[coordinate].len() as u32;
        }
        // The inverse of each effect on the patterns of a row, and on the row.
        let undone: Vec<Vec<u32>> = effects
            .iter()
            .map(|effect| effect.undone(&coordinates[inner]))
            .collect();
        let outer_undone: Vec<Vec<Vec<u32>>> = effects
            .iter()
            .map(|effect| {
                outer
                    .iter()
                    .map(|&c| effect.undone(&coordinates[c]))
                    .collect()
            })
            .collect();
        let row_after = |row: usize, effect: usize| {
            let mut rest = row;
            let mut after = 0;
            let mut step = 1;
            for (&c, undone) in outer.iter().zip(&outer_undone[effect]).rev() {
                let size = coordinates[c].len();
                after += undone[rest % size] as usize * step;
                (rest, step) = (rest / size, step * size);
            }
            after
        };
        let is_wanted_row = |row: usize| {
            let mut rest = row;
            outer.iter().rev().all(|&c| {
                let pattern = rest % coordinates[c].len();
                rest /= coordinates[c].len();
                pattern < coordinates[c].wanted()
            })
        };
        let costs: Vec<AtomicU8> = (0..rows * width)
            .map(|_| AtomicU8::new(UNREACHABLE))
            .collect();
        for row in (0..rows).filter(|&row| is_wanted_row(row)) {
            costs[row * width..][..coordinates[inner].wanted()]
                .iter()
                .for_each(|cost| cost.store(0, Relaxed));
        }
        let dearest = effects.iter().map(|effect| effect.cost).max().unwrap_or(1);
        // Counts pairs of entries and effects.
        let pairs_done = AtomicU64::new(0);
        let pairs_of_report = 1 + (costs.len() * effects.len()) as u64 / REPORTS;
        let add_pairs = |pairs: u64| {
            let before = pairs_done.fetch_add(pairs, Relaxed);
            if before / pairs_of_report < (before + pairs) / pairs_of_report {
                on_progress((before + pairs) / effects.len() as u64);
            }
        };
        // Not in line with the loops of a row.
        let add_pairs: &(dyn Fn(u64) + Sync) = &add_pairs;
        let mut cost = 0;
        let mut last_found = 0;
        // The search is complete once no entry was found for as long as the most expensive turn
        // takes.
        while cost < MAX_COST && cost - last_found < dearest {
            cost += 1;
            let next_row = AtomicUsize::new(0);
            let is_found = AtomicBool::new(false);
            let work = |_: usize| {
                let mut frontier = Vec::with_capacity(width);
                loop {
                    let row = next_row.fetch_add(1, Relaxed);
                    if row >= rows || control.is_cancelled() {
                        return;
                    }
                    let mut from = UNREACHABLE;
                    // Of an entry and an effect that is undone.
                    let mut pairs = 0;
                    for (number, effect) in effects
                        .iter()
                        .enumerate()
                        .filter(|(_, effect)| effect.cost <= cost)
                    {
                        if from != cost - effect.cost {
                            from = cost - effect.cost;
                            let entries = costs[row * width..][..width].iter().enumerate();
                            frontier.clear();
                            frontier.extend(
                                entries
                                    .filter(|(_, entry)| entry.load(Relaxed) == from)
                                    .map(|(i, _)| i as u32),
                            );
                        }
                        if frontier.is_empty() {
                            continue;
                        }
                        pairs += frontier.len() as u64;
                        let target = &costs[row_after(row, number) * width..][..width];
                        let mut found = false;
                        for &pattern in &frontier {
                            let entry = &target[undone[number][pattern as usize] as usize];
                            if entry.load(Relaxed) == UNREACHABLE {
                                entry.store(cost, Relaxed);
                                found = true;
                            }
                        }
                        if found {
                            is_found.store(true, Relaxed);
                        }
                    }
                    if pairs > 0 {
                        add_pairs(pairs);
                    }
                }
            };
            // A small database is done before a thread has started.
            let threads = control.threads().at_most(1 + costs.len() / 2_000_000);
            threads.run(&work);
            if control.is_cancelled() {
                return None;
            }
            if is_found.into_inner() {
                last_found = cost;
            }
        }
        let mut costs: Vec<u8> = costs.into_iter().map(AtomicU8::into_inner).collect();
        if cost == MAX_COST {
            costs
                .iter_mut()
                .for_each(|cost| *cost = (*cost).min(MAX_COST));
        }
        Some(PatternDatabase {
            digits,
            moved: Vec::new(),
            costs,
        })
    }
}

/// Returns the number of entries of a database over these coordinates.
fn entries(set: &[usize], sizes: &[u64]) -> u64 {
    set.iter().map(|&c| sizes[c]).fold(1, u64::saturating_mul)
}

/// Returns the largest sets of coordinates that fit in a database, within the total limit, such
/// that they cover every coordinate.
fn chosen_sets(sizes: &[u64]) -> Vec<Vec<usize>> {
    let members = |set: u32| (0..sizes.len()).filter(move |c| set >> c & 1 == 1);
    let entries = |set: u32| members(set).map(|c| sizes[c]).fold(1, u64::saturating_mul);
    // A coordinate with a single pattern gives no bound.
    let is_told = |set: &u32| members(*set).all(|c| sizes[c] > 1);
    let told = (1..1 << sizes.len()).filter(is_told);
    let fitting = told
        .map(|set| (entries(set), set))
        .filter(|&(entries, _)| entries <= MAX_ENTRIES);
    let mut sets: Vec<(Reverse<u64>, u32)> = fitting
        .map(|(entries, set)| (Reverse(entries), set))
        .collect();
    sets.sort_unstable();
    let largest = sets.first().map_or(0, |&(Reverse(entries), _)| entries);
    let mut chosen: Vec<u32> = Vec::new();
    let mut covered: u32 = 0;
    let mut in_all: u64 = 0;
    // Only a coordinate that no fitting set covers may exceed the limit, and then none is repeated.
    for may_exceed in [false, true] {
        for &(Reverse(entries), set) in &sets {
            let is_taken = match may_exceed {
                false => {
                    chosen.len() < MAX_TABLES
                        && in_all + entries
                            <= MAX_ENTRIES_IN_ALL.min(largest + MAX_ENTRIES_OF_OTHERS)
                        && chosen.iter().all(|&larger| larger & set != set)
                }
                true => set & covered == 0,
            };
            if is_taken {
                chosen.push(set);
                (covered, in_all) = (covered | set, in_all + entries);
            }
        }
    }
    let by_size = |set: u32| {
        let mut members: Vec<usize> = members(set).collect();
        members.sort_by_key(|&c| sizes[c]);
        members
    };
    chosen.into_iter().map(by_size).collect()
}

#[cfg(test)]
mod tests {
    use super::super::coordinate::Coordinate;
    use super::super::databases::Databases;
    use super::super::{Goal, GoalSolver, TurnMetric, TurnSet};
    use crate::{Control, Symmetry, ThreadCount};

    /// Kociemba's second phase: corners, edges of U and D, and the edges between them.
    #[test]
    fn tables_have_what_turns_reach() {
        let turns = TurnSet::parse("U D R2 F2 L2 B2", TurnMetric::Htm, "").unwrap();
        let solver =
            GoalSolver::new(&"solved".parse().unwrap(), &turns, &Control::default()).unwrap();
        let Databases {
            coordinates,
            bounds,
        } = solver.databases.get().unwrap();
        let lengths = coordinates
            .iter()
            .map(super::Coordinate::len)
            .collect::<Vec<_>>();
        assert_eq!(lengths, [40_320, 1, 40_320, 24]);
        let entries: Vec<usize> = bounds
            .iter()
            .map(|bounds| bounds.distribution().iter().sum())
            .collect();
        assert_eq!(entries, [40_320 * 24, 40_320 * 24]);
        // An edge is flipped after one move.
        let eo: Goal = "eo:FB".parse().unwrap();
        let search = GoalSolver::new(&eo, &turns, &Control::default()).unwrap();
        assert!(
            search
                .search(&"F".parse().unwrap())
                .run()
                .unreachable
                .is_some()
        );
    }

    /// The group that R and U generate: a sixth of its table, as its corners have 120 orders, and
    /// they decide the parity of the edges.
    #[test]
    #[ignore = "150 MB, and ten seconds"]
    fn two_faces_reach_a_known_number_of_positions() {
        let turns = TurnSet::parse("R U", TurnMetric::Htm, "").unwrap();
        let control = Control::default();
        let solver = GoalSolver::new(&"solved".parse().unwrap(), &turns, &control).unwrap();
        let effects = solver.sequences.effects(&[Symmetry::IDENTITY]);
        let coordinates = &solver.databases.get().unwrap().coordinates;
        let all = (0..coordinates.len())
            .filter(|&c| coordinates[c].len() > 1)
            .collect();
        let table = super::PatternDatabase::generate(all, coordinates, &effects, &control, &|_| {})
            .unwrap();
        let expected = [
            1, 6, 18, 54, 162, 486, 1_457, 4_360, 13_016, 38_482, 113_094, 328_920, 942_351,
            2_616_973, 6_774_848, 15_105_592, 24_231_019, 19_421_274, 3_843_568, 47_465, 54,
        ];
        assert_eq!(table.distribution()[..21], expected);
        assert_eq!(
            table.distribution()[21..255]
                .iter()
                .chain(&expected)
                .sum::<usize>(),
            73_483_200
        );
    }

    /// Known numbers of arrangements by distance: of parts of the cube, of the 2×2×2 cube, which is
    /// the corners when one of them does not turn, and of the group of half turns.
    #[test]
    fn what_fits_in_a_table_has_the_known_numbers_by_distance() {
        let faces = "U R F D L B";
        let three = "R U F";
        let htm = TurnMetric::Htm;
        let qtm = TurnMetric::Qtm;
        let known: [(&str, &str, TurnMetric, &[usize]); 8] = [
            (
                "htr",
                "U D R2 F2 L2 B2",
                htm,
                &[
                    1, 2, 9, 36, 124, 530, 1_806, 3_732, 5_158, 7_070, 7_218, 3_202, 488, 24,
                ],
            ),
            (
                "solved",
                "U2 R2 F2 D2 L2 B2",
                htm,
                &[
                    1, 6, 27, 120, 519, 1_932, 6_484, 20_310, 55_034, 113_892, 178_495, 179_196,
                    89_728, 16_176, 1_488, 144,
                ],
            ),
            (
                "cross:D",
                faces,
                htm,
                &[1, 15, 158, 1_394, 9_809, 46_381, 97_254, 34_966, 102],
            ),
            ("eo:FB", faces, htm, &[1, 2, 25, 202, 620, 900, 285, 13]),
            (
                "2x2x2:DLF",
                faces,
                htm,
                &[1, 9, 90, 852, 7_169, 44_182, 131_636, 68_940, 561],
            ),
            (
                "corners",
                faces,
                htm,
                &[
                    1, 18, 243, 2_874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176,
                    45_391_616, 15_139_616, 64_736,
                ],
            ),
            (
                "corners",
                three,
                htm,
                &[
                    1, 9, 54, 321, 1_847, 9_992, 50_136, 227_536, 870_072, 1_887_748, 623_800,
                    2_644,
                ],
            ),
            (
                "corners",
                three,
                qtm,
                &[
                    1, 6, 27, 120, 534, 2_256, 8_969, 33_058, 114_149, 360_508, 930_588, 1_350_852,
                    782_536, 90_280, 276,
                ],
            ),
        ];
        for (goal, turns, metric, expected) in known {
            let goal: Goal = goal.parse().unwrap();
            let turns: TurnSet = TurnSet::parse(turns, metric, "").unwrap();
            let control = Control::new(ThreadCount::new(2).unwrap());
            let solver = GoalSolver::new(&goal, &turns, &control).unwrap();
            let databases = solver.databases.get().unwrap();
            let [exact] = &databases.bounds[..] else {
                panic!("one table is enough for {goal}")
            };
            let mut counts = exact.distribution();
            counts.truncate(255);
            let coordinates: Vec<_> = databases.coordinates.iter().collect();
            assert!(
                counts.iter().sum::<usize>() as u64 <= Coordinate::joint_len(&coordinates),
                "{goal} with {turns}"
            );
            counts.truncate(
                expected
                    .len()
                    .max(counts.iter().rposition(|&count| count > 0).unwrap_or(0) + 1),
            );
            assert_eq!(counts, expected, "{goal} with {turns}");
        }
    }
}
