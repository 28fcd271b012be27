//! An iteration searched in parts is the same iteration.

use crate::support::{cancelled, in_lab};
use cosette::cube::{Cube, Metric, Move, parse_reid};
use cosette::search::SolutionCount;
use cosette::{Control, ThreadCount};
use cosette_lab::ida::{Cut, Ida, IdaLimits, IdaPart, LowerBound};
use cosette_lab::packed::FourBits;
use cosette_lab::reid::bound::FourBitBound;
use cosette_lab::reid::table::{CosetTable, Storage};
use cosette_lab::walks::random_walks;
use std::collections::BTreeSet;

const SUPERFLIP: &str = "FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR";

pub fn bound(metric: Metric) -> FourBitBound {
    let table = in_lab(|lab| lab.table(&CosetTable { metric, storage: Storage::Four }));
    FourBitBound::new(FourBits::new(table.expect("there is room for the table")), false)
}

/// All parts of so many tasks, the last first.
fn parts<B: LowerBound>(
    ida: &Ida<'_, B>,
    position: &Cube,
    cut: &Cut<B::Node>,
    size: usize,
    limits: &IdaLimits,
) -> Vec<IdaPart> {
    let starts: Vec<usize> = (0..cut.tasks()).step_by(size).collect();
    let part = |&first: &usize| {
        ida.search_part(position, cut, first..cut.tasks().min(first + size), limits, &Control::new(ThreadCount::ONE))
    };
    starts.iter().rev().map(part).collect()
}

fn check(ida: &Ida<'_, FourBitBound>, position: &Cube, threshold: u8, by_symmetry: bool) {
    let limits =
        IdaLimits { solution_count: SolutionCount::All, by_parity: false, by_symmetry, ..IdaLimits::only(threshold) };
    let found = ida.search(position, &limits, &mut |_| {}, &Control::new(ThreadCount::ONE));
    let whole = found.iterations.first().expect("the threshold is searched");
    for size in [1, 7, 1000] {
        let cut = ida.cut(position, threshold, &limits);
        let mut parts = parts(ida, position, &cut, size, &limits);
        assert_eq!(cut.threshold, threshold);
        parts.push(cut.trunk.clone());
        let sum = |count: fn(&IdaPart) -> u64| parts.iter().map(count).sum::<u64>();
        let counts = (sum(|part| part.nodes), sum(|part| part.probes), sum(|part| part.tests));
        assert_eq!(counts, (whole.nodes, whole.probes, whole.tests), "{} in parts of {size}", position.reid());
        assert!(parts.iter().all(|part| part.complete));
        let solutions: BTreeSet<&Vec<Move>> = parts.iter().flat_map(|part| &part.solutions).collect();
        assert_eq!(solutions, found.solutions.iter().collect());
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    for (metric, thresholds) in [(Metric::Htm, [5, 9, 11]), (Metric::Qtm, [5, 10, 13])] {
        let bound = bound(metric);
        let ida = Ida { bound: &bound, metric };
        for walk in random_walks(2006, 5).take(3) {
            let position = Cube::from_moves(&walk);
            let first = ida.first_threshold(&position, &IdaLimits { by_parity: false, ..IdaLimits::default() });
            let searched = thresholds.iter().filter(|&&threshold| threshold >= first);
            searched.for_each(|&threshold| check(&ida, &position, threshold, false));
        }
        let superflip = parse_reid(SUPERFLIP).expect("twenty pieces");
        check(&ida, &superflip, 12, false);
        check(&ida, &superflip, 12, true);
    }
}

#[test]
fn a_part_stops_with_its_solution_or_when_asked_to() {
    let bound = bound(Metric::Htm);
    let ida = Ida { bound: &bound, metric: Metric::Htm };
    let walk = random_walks(2006, 9).next().expect("they have no end");
    let position = Cube::from_moves(&walk);
    let cut = ida.cut(&position, 9, &IdaLimits::default());
    let part = ida.search_part(&position, &cut, 0..cut.tasks(), &IdaLimits::default(), &Control::new(ThreadCount::ONE));
    assert!(!part.complete && position.after(&part.solutions[0]).is_solved());
    let cut = ida.cut(&position, 13, &IdaLimits::default());
    let part = ida.search_part(&position, &cut, 0..cut.tasks(), &IdaLimits::default(), &cancelled());
    assert!(!part.complete);
}

#[test]
fn an_iteration_generates_the_nodes_that_its_definition_says() {
    for (metric, thresholds) in [(Metric::Htm, [0, 3, 10]), (Metric::Qtm, [0, 4, 11])] {
        let bound = bound(metric);
        let ida = Ida { bound: &bound, metric };
        for (walk, threshold) in random_walks(1985, 6).zip(thresholds) {
            let position = Cube::from_moves(&walk[..usize::from(threshold).min(6)]);
            let limits =
                IdaLimits { solution_count: SolutionCount::All, by_parity: false, ..IdaLimits::only(threshold) };
            let found = ida.search(&position, &limits, &mut |_| {}, &Control::new(ThreadCount::ONE));
            let visits = ida.trace(&position, threshold);
            assert_eq!(found.iterations.first().map(|iteration| iteration.nodes), Some(visits.len() as u64));
            let ends = visits.iter().filter(|visit| visit.remaining == 0 && visit.bound == 0).count();
            let tests = if threshold == 0 { 1 } else { ends as u64 };
            assert_eq!(found.iterations.first().map(|iteration| iteration.tests), Some(tests));
        }
    }
}
