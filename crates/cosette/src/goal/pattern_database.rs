//! Pattern databases: lower bounds on the cost of the remaining turns.
//!
//! A database combines some coordinates. It has an entry of a byte for each combination of their
//! patterns: the minimum cost of turns that lead to goal patterns of all these coordinates. If the
//! coordinates cover all constraints of the goal, this cost is exact. Some entries do not
//! correspond to a position, because two patterns have different pieces in one slot; no position
//! leads to them.

use super::coordinate::{Coordinate, MAX_COORDINATES};
use super::definition::Mask;
use super::turns::FaceEffect;
use crate::Control;
use crate::cube::Cube;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Maximum number of entries, a byte each, of a database.
const MAX_ENTRIES: u64 = 120_000_000;
/// Maximum number of entries of all databases. As for the limits below, databases that are needed
/// to cover some coordinate may exceed it.
const MAX_ENTRIES_IN_ALL: u64 = 130_000_000;
/// Maximum number of entries of all databases but the largest.
const MAX_ENTRIES_OF_OTHERS: u64 = 25_000_000;
/// Maximum number of databases. With R, U and F there would be 15 with 125 million entries: they
/// prune 8 % more nodes than six with 45 million, take a second more to build, and double the
/// probes.
const MAX_DATABASES: usize = 6;

/// Maximum number of progress reports for a database.
const MAX_REPORTS: u64 = 400;
/// Name of the build step in progress reports.
const BUILD_STEP: &str = "building the pattern databases of the goal";
/// Number of entries for each thread; a smaller database is done before another has started.
const ENTRIES_PER_THREAD: usize = 2_000_000;

/// An entry from which no turns lead to the goal patterns.
pub(super) const UNREACHABLE: u8 = u8::MAX;
/// Maximum stored cost, which also stands for all larger costs.
const MAX_COST: u8 = UNREACHABLE - 1;

/// Pattern databases over the coordinates of a goal.
pub(super) struct Databases {
    pub coordinates: Vec<Coordinate>,
    pub databases: Vec<PatternDatabase>,
}

impl Databases {
    /// Builds databases that cover all coordinates of a mask, for turns with these effects; each
    /// combines as many coordinates as fit. Reports the number of entries from which all turns were
    /// undone, out of the entries that can occur. `None` if the build is cancelled.
    pub fn build(mask: &Mask, effects: &[FaceEffect], control: &Control<'_>) -> Option<Databases> {
        let control = control.step(BUILD_STEP);
        control.report(0, 1);
        let coordinates = Coordinate::from_mask(mask, &FaceEffect::moves(effects), &control)?;
        let sizes: Vec<u64> = coordinates.iter().map(|c| c.len() as u64).collect();
        let sets = chosen_sets(&sizes);
        let joint_len = |set: &[usize]| {
            let of_set: Vec<&Coordinate> = set.iter().map(|&c| &coordinates[c]).collect();
            Coordinate::joint_len(&of_set)
        };
        let total = sets.iter().map(|set| joint_len(set)).sum();
        let mut done = 0;
        let mut covered = BTreeSet::new();
        let mut databases = Vec::new();
        for set in sets {
            let len = joint_len(&set);
            let on_progress = |expanded: u64| control.report(done + expanded.min(len), total);
            let mut database =
                PatternDatabase::generate(&set, &coordinates, effects, &control, &on_progress)?;
            database
                .new_coordinates
                .retain(|&coordinate| covered.insert(coordinate));
            databases.push(database);
            done += len;
        }
        control.report(total, total);
        Some(Databases {
            coordinates,
            databases,
        })
    }

    /// Returns the maximum number of steps of the breadth-first searches that build the databases.
    pub fn work(mask: &Mask, effects: &[FaceEffect]) -> u64 {
        let sizes = Coordinate::sizes(mask, &FaceEffect::moves(effects));
        let entries: u64 = chosen_sets(&sizes)
            .iter()
            .map(|set| entries(set.iter().copied(), &sizes))
            .sum();
        entries * effects.len() as u64
    }

    /// Returns the patterns of a position; `None` if from one of them the turns lead to no goal
    /// pattern.
    pub fn patterns(&self, normalized: &Cube) -> Option<[u32; MAX_COORDINATES]> {
        let mut patterns = [0; MAX_COORDINATES];
        for (pattern, coordinate) in patterns.iter_mut().zip(&self.coordinates) {
            *pattern = coordinate.rank(normalized)?;
        }
        Some(patterns)
    }

    /// Returns the maximum of the lower bounds of the databases.
    #[inline(always)]
    pub fn bound(&self, patterns: &[u32; MAX_COORDINATES]) -> u8 {
        self.databases
            .iter()
            .map(|database| database.bound(patterns))
            .max()
            .unwrap_or(0)
    }
}

/// A pattern database; its coordinates are indices into [`Databases::coordinates`].
pub(super) struct PatternDatabase {
    /// Each coordinate, and the weight of its pattern in the index of an entry. The first
    /// coordinate has weight one: its patterns are adjacent.
    digits: Vec<(usize, u32)>,
    /// Coordinates that no database before this one has.
    pub new_coordinates: Vec<usize>,
    costs: Vec<u8>,
}

impl PatternDatabase {
    /// Returns the lower bound, given the pattern of each coordinate.
    #[inline(always)]
    pub fn bound(&self, patterns: &[u32]) -> u8 {
        let index: u32 = self
            .digits
            .iter()
            .map(|&(coordinate, weight)| patterns[coordinate] * weight)
            .sum();
        self.costs[index as usize]
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

    /// Generates a database. Calls `on_progress` up to [`MAX_REPORTS`] times, from any thread, with
    /// the number of entries from which all effects were undone. `None` if the work is cancelled.
    fn generate(
        set: &[usize],
        coordinates: &[Coordinate],
        effects: &[FaceEffect],
        control: &Control<'_>,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Option<PatternDatabase> {
        let of_set: Vec<&Coordinate> = set.iter().map(|&c| &coordinates[c]).collect();
        let search = BackwardSearch::new(&of_set, effects, on_progress);
        let max_turn_cost = effects.iter().map(|effect| effect.cost).max().unwrap_or(1);
        let mut cost = 0;
        let mut last_found = 0;
        // The search is complete once no entry has been found at as many costs in a row as the most
        // expensive turn costs.
        while cost < MAX_COST && cost - last_found < max_turn_cost {
            cost += 1;
            if search.find_entries(cost, control)? {
                last_found = cost;
            }
        }
        let costs = search.costs.into_iter().map(AtomicU8::into_inner);
        let cost_of_unreached = if cost == MAX_COST {
            MAX_COST
        } else {
            UNREACHABLE
        };
        let costs = costs.map(|cost| cost.min(cost_of_unreached)).collect();
        let mut digits = Vec::new();
        let mut weight = 1;
        for &coordinate in set.iter().rev() {
            digits.push((coordinate, weight));
            weight *= coordinates[coordinate].len() as u32;
        }
        Some(PatternDatabase {
            digits,
            new_coordinates: set.to_vec(),
            costs,
        })
    }
}

/// A breadth-first search backwards from the goal patterns: by increasing cost, with each effect
/// undone.
///
/// The last coordinate is the *inner* one; its patterns index the entries of a *row*. There is a
/// row for each combination of patterns of the other coordinates, the *outer* ones.
struct BackwardSearch<'a> {
    outer: &'a [&'a Coordinate],
    effects: &'a [FaceEffect],
    on_progress: &'a (dyn Fn(u64) + Sync),
    rows: usize,
    width: usize,
    /// By effect, and by pattern of the inner coordinate after the effect: the pattern before it.
    inner_before: Vec<Vec<u32>>,
    /// By effect and outer coordinate, and by pattern after the effect: the pattern before it.
    outer_before: Vec<Vec<Vec<u32>>>,
    costs: Vec<AtomicU8>,
    /// Number of pairs of an entry and an effect that was undone from it.
    pairs: AtomicU64,
}

impl<'a> BackwardSearch<'a> {
    fn new(
        coordinates: &'a [&'a Coordinate],
        effects: &'a [FaceEffect],
        on_progress: &'a (dyn Fn(u64) + Sync),
    ) -> BackwardSearch<'a> {
        let (inner, outer) = coordinates.split_last().expect("a table has a coordinate");
        let width = inner.len();
        let rows = outer.iter().map(|coordinate| coordinate.len()).product();
        let outer_before = |effect: &FaceEffect| {
            let outer = outer.iter();
            outer.map(|coordinate| coordinate.before(effect)).collect()
        };
        let search = BackwardSearch {
            outer,
            effects,
            on_progress,
            rows,
            width,
            inner_before: effects.iter().map(|effect| inner.before(effect)).collect(),
            outer_before: effects.iter().map(outer_before).collect(),
            costs: (0..rows * width)
                .map(|_| AtomicU8::new(UNREACHABLE))
                .collect(),
            pairs: AtomicU64::new(0),
        };
        for row in (0..rows).filter(|&row| search.is_goal_row(row)) {
            for cost in &search.row(row)[..inner.goal_len()] {
                cost.store(0, Relaxed);
            }
        }
        search
    }

    fn row(&self, row: usize) -> &[AtomicU8] {
        &self.costs[row * self.width..][..self.width]
    }

    fn is_goal_row(&self, row: usize) -> bool {
        self.patterns(row)
            .all(|(coordinate, pattern)| pattern < coordinate.goal_len())
    }

    /// Returns the pattern of each outer coordinate in a row, the last one first.
    fn patterns(&self, mut row: usize) -> impl Iterator<Item = (&Coordinate, usize)> {
        self.outer.iter().rev().map(move |coordinate| {
            let pattern = row % coordinate.len();
            row /= coordinate.len();
            (*coordinate, pattern)
        })
    }

    /// Returns the row before an effect.
    fn row_before(&self, row: usize, effect: usize) -> usize {
        let mut before = 0;
        let mut weight = 1;
        let patterns_before = self.outer_before[effect].iter().rev();
        for ((coordinate, pattern), patterns) in self.patterns(row).zip(patterns_before) {
            before += patterns[pattern] as usize * weight;
            weight *= coordinate.len();
        }
        before
    }

    /// Finds the entries of this cost, and returns `true` if there are any; `None` if the search is
    /// cancelled.
    fn find_entries(&self, cost: u8, control: &Control<'_>) -> Option<bool> {
        let next_row = AtomicUsize::new(0);
        let is_found = AtomicBool::new(false);
        let threads = control
            .threads()
            .at_most(1 + self.costs.len() / ENTRIES_PER_THREAD);
        threads.run(&|_| {
            let mut frontier = Vec::with_capacity(self.width);
            loop {
                let row = next_row.fetch_add(1, Relaxed);
                if row >= self.rows || control.is_cancelled() {
                    return;
                }
                if self.expand_row(row, cost, &mut frontier) {
                    is_found.store(true, Relaxed);
                }
            }
        });
        (!control.is_cancelled()).then(|| is_found.into_inner())
    }

    /// Undoes effects from the entries of a row, to find entries of this cost: each effect from the
    /// entries whose cost, plus the cost of the effect, is `cost`. Returns `true` if any was found.
    fn expand_row(&self, row: usize, cost: u8, frontier: &mut Vec<u32>) -> bool {
        let mut frontier_cost = UNREACHABLE;
        let mut is_found = false;
        let mut pairs = 0;
        for (number, effect) in self.effects.iter().enumerate() {
            if effect.cost > cost {
                continue;
            }
            if frontier_cost != cost - effect.cost {
                frontier_cost = cost - effect.cost;
                let entries = self.row(row).iter().zip(0..);
                frontier.clear();
                frontier.extend(
                    entries
                        .filter(|(entry, _)| entry.load(Relaxed) == frontier_cost)
                        .map(|(_, pattern)| pattern),
                );
            }
            if frontier.is_empty() {
                continue;
            }
            pairs += frontier.len() as u64;
            let target = self.row(self.row_before(row, number));
            let before = &self.inner_before[number][..];
            for &pattern in &*frontier {
                let entry = &target[before[pattern as usize] as usize];
                if entry.load(Relaxed) == UNREACHABLE {
                    entry.store(cost, Relaxed);
                    is_found = true;
                }
            }
        }
        if pairs > 0 {
            self.add_pairs(pairs);
        }
        is_found
    }

    fn add_pairs(&self, pairs: u64) {
        let effects = self.effects.len() as u64;
        let pairs_per_report = 1 + self.costs.len() as u64 * effects / MAX_REPORTS;
        let before = self.pairs.fetch_add(pairs, Relaxed);
        let after = before + pairs;
        if before / pairs_per_report < after / pairs_per_report {
            (self.on_progress)(after / effects);
        }
    }
}

/// Returns the number of entries of a database over these coordinates.
fn entries(set: impl Iterator<Item = usize>, sizes: &[u64]) -> u64 {
    set.map(|c| sizes[c]).fold(1, u64::saturating_mul)
}

/// Returns the largest sets of coordinates that fit in a database each, and in the limits of all
/// databases together. The sets cover every coordinate.
fn chosen_sets(sizes: &[u64]) -> Vec<Vec<usize>> {
    let members = |set: u32| (0..sizes.len()).filter(move |c| set >> c & 1 == 1);
    let entries = |set: u32| entries(members(set), sizes);
    // A coordinate with a single pattern gives no bound.
    let is_useful = |set: &u32| members(*set).all(|c| sizes[c] > 1);
    let useful = (1..1 << sizes.len()).filter(is_useful);
    let mut sets: Vec<(Reverse<u64>, u32)> =
        useful.map(|set| (Reverse(entries(set)), set)).collect();
    sets.retain(|set| set.0.0 <= MAX_ENTRIES);
    sets.sort_unstable();
    let largest = sets.first().map_or(0, |set| set.0.0);
    let mut chosen: Vec<u32> = Vec::new();
    let mut covered: u32 = 0;
    let mut total: u64 = 0;
    // The first pass obeys the limits of all databases. The second covers the other coordinates
    // without these limits, but with no coordinate that is covered already.
    for may_exceed in [false, true] {
        for &(Reverse(entries), set) in &sets {
            let is_taken = if may_exceed {
                set & covered == 0
            } else {
                chosen.len() < MAX_DATABASES
                    && total + entries <= MAX_ENTRIES_IN_ALL.min(largest + MAX_ENTRIES_OF_OTHERS)
                    && chosen.iter().all(|&larger| larger & set != set)
            };
            if is_taken {
                chosen.push(set);
                covered |= set;
                total += entries;
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
    use super::super::{GoalSolver, TurnMetric, TurnSet};
    use super::PatternDatabase;
    use crate::{Control, Symmetry, ThreadCount};

    fn solver(goal: &str, turns: &str, metric: TurnMetric) -> GoalSolver {
        let turns = TurnSet::parse(turns, metric, "").unwrap();
        let control = Control::new(ThreadCount::new(2).unwrap());
        GoalSolver::new(&goal.parse().unwrap(), &turns, &control).unwrap()
    }

    /// The number of positions at each distance, from 0 on.
    fn counts(database: &PatternDatabase) -> Vec<usize> {
        let mut counts = database.distribution().to_vec();
        counts.truncate(255);
        let last = counts.iter().rposition(|&count| count > 0);
        counts.truncate(last.map_or(0, |last| last + 1));
        counts
    }

    /// The coordinates of Kociemba's phase 2: the corners, the edges of U and D, and the edges
    /// between them.
    #[test]
    fn databases_have_only_patterns_that_turns_reach() {
        const TURNS: &str = "U D R2 F2 L2 B2";
        let solver_of = |goal| solver(goal, TURNS, TurnMetric::Htm);
        let solver = solver_of("solved");
        let built = solver.databases.get().unwrap();
        let lengths = built.coordinates.iter().map(Coordinate::len);
        assert!(lengths.eq([40_320, 1, 40_320, 24]));
        let databases = built.databases.iter();
        let entries = databases.map(|database| database.distribution().iter().sum::<usize>());
        assert!(entries.eq([40_320 * 24, 40_320 * 24]));
        // These turns flip no edge, but F does.
        let flipped = "F".parse().unwrap();
        let report = solver_of("eo:FB").search(&flipped).run();
        assert!(report.unreachable.is_some());
    }

    /// The group that R and U generate: half of its database, as the corners, which have only 120
    /// orders, decide the parity of the edges.
    #[test]
    #[ignore = "150 MB, and ten seconds"]
    fn two_faces_reach_a_known_number_of_positions() {
        let solver = solver("solved", "R U", TurnMetric::Htm);
        let effects = solver.sequences.effects(&[Symmetry::IDENTITY]);
        let coordinates = &solver.databases.get().unwrap().coordinates;
        let all = 0..coordinates.len();
        let all: Vec<usize> = all.filter(|&c| coordinates[c].len() > 1).collect();
        let control = Control::default();
        let table = PatternDatabase::generate(&all, coordinates, &effects, &control, &|_| {});
        let expected = [
            1, 6, 18, 54, 162, 486, 1_457, 4_360, 13_016, 38_482, 113_094, 328_920, 942_351,
            2_616_973, 6_774_848, 15_105_592, 24_231_019, 19_421_274, 3_843_568, 47_465, 54,
        ];
        assert_eq!(counts(&table.unwrap()), expected);
        assert_eq!(expected.iter().sum::<usize>(), 73_483_200);
    }

    /// Compares databases that cover a whole goal with `tests/oracles/goals.txt`.
    #[test]
    fn exact_databases_have_the_known_numbers_by_distance() {
        let rows = include_str!("../../tests/oracles/goals.txt").lines();
        for row in rows.filter(|row| !row.starts_with('#')) {
            let fields: Vec<&str> = row.split("; ").collect();
            let [goal, turns, metric, expected] = fields[..] else {
                panic!("{row} has other fields")
            };
            let solver = solver(goal, turns, metric.parse().unwrap());
            let built = solver.databases.get().unwrap();
            let [exact] = &built.databases[..] else {
                panic!("one table is enough for {goal}")
            };
            let counts = counts(exact);
            let coordinates: Vec<_> = built.coordinates.iter().collect();
            let length = Coordinate::joint_len(&coordinates);
            assert!(counts.iter().sum::<usize>() as u64 <= length, "{row}");
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            assert_eq!(counts.join(" "), expected, "{row}");
        }
    }
}
