//! Lee's system: the perimeter in memory and on disk, the heuristics from partial problems and
//! bidirectional A* against brute force and the fast engine; and the example of Lee's page. Other
//! faults of files and of the disk are tested where all files of tables are (`table_files` and
//! `generation` of the library, `.ci/attacks/disk`).

use crate::support::{cancelled, fast, in_lab, two};
use cosette::cube::{Cube, DisplayMoves, Face, Metric, Move, random_positions};
use cosette::numbers::grouped;
use cosette::search::{Options, Outcome};
use cosette::table::TableFolder;
use cosette::{Cancel, CancelReason, Control, Progress};
use cosette_app::engine::Engine;
use cosette_lab::error::{LabError, LabRemedy};
use cosette_lab::lab::Lab;
use cosette_lab::lee::experiments::Sizes;
use cosette_lab::lee::heuristic::{
    CHOSEN, Heuristic, PartialBound, PartialProblem, opposite_faces, pair, pair_with_flips,
};
use cosette_lab::lee::painting::Selection;
use cosette_lab::lee::search::{
    AstarEvent, AstarSettings, Expansion, Lee, TieOrder, search as astar,
};
use cosette_lab::lee::states::BackwardSpace;
use cosette_lab::lee::stored::{Method, PositionKey, Scheme, StoredPerimeter};
use cosette_lab::lee::{Perimeter, WITHIN};
use cosette_lab::main_engine::positions_of_length;
use cosette_lab::walks::random_walk_position;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tempfile::TempDir;

/// Does `work` in a lab with an empty folder.
fn in_empty_lab<T>(work: impl FnOnce(&Lab<'_>) -> T) -> T {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    work(&Lab {
        folder: &TableFolder::new(folder.path()),
        control: Control::new(two()),
    })
}

/// Opens or builds a perimeter on disk.
fn stored(
    lab: &Lab<'_>,
    d_back: u8,
    method: Method,
    buckets: u64,
) -> Result<StoredPerimeter, LabError> {
    let scheme = Scheme {
        d_back,
        method,
        buckets,
    };
    StoredPerimeter::in_lab(lab, scheme)
}

/// Returns all positions within `depth` moves with their distances, by brute force.
fn brute_force(depth: u8) -> HashMap<Cube, u8> {
    let mut distances = HashMap::from([(Cube::SOLVED, 0)]);
    for distance in 1..=depth {
        for position in distances.clone().into_keys() {
            for m in Move::ALL {
                distances.entry(position.apply(m)).or_insert(distance);
            }
        }
    }
    distances
}

#[test]
fn perimeters_hold_the_positions_near_solved_and_nothing_else() {
    in_empty_lab(|lab| {
        let memory = BackwardSpace::perimeter(6, lab).unwrap();
        let mut sum = 0;
        for (count, within) in memory.counts().iter().zip(WITHIN) {
            sum += count;
            assert_eq!(sum, within);
        }
        assert_eq!(memory.classes(), 172_229);
        let distances = brute_force(3);
        let absent: Vec<Cube> = random_positions(3).take(1000).collect();
        for buckets in [97, 3000, 30_000] {
            let keys = distances.keys().map(PositionKey::of);
            let mut sorted: Vec<u32> = keys.map(|key| key.bucket(buckets) as u32).collect();
            sorted.sort_unstable();
            let sizes = Sizes::of(&sorted, buckets);
            assert_eq!(sizes.buckets(), buckets);
            for method in Method::ALL {
                let stored = stored(lab, 3, method, buckets).unwrap();
                assert_eq!(stored.array_bytes(), sizes.bytes(method), "{method:?}");
                for (position, &distance) in &distances {
                    assert_eq!(stored.distance(position).unwrap(), Some(distance));
                }
                for position in &absent {
                    let key = PositionKey::of(position);
                    let bucket = key.bucket(buckets) as u32;
                    let size = sorted.iter().filter(|&&other| other == bucket).count();
                    let mut accesses = 0;
                    assert_eq!(stored.find(key, &mut accesses).unwrap(), None);
                    assert_eq!(accesses, method.accesses(size as u32), "{method:?}");
                }
            }
        }
        let stored = stored(lab, 4, Method::Two, 50_000).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for length in (0..=8).flat_map(|length| [length; 20]) {
            let position = random_walk_position(&mut rng, length);
            let proven = fast(Metric::Htm).search(&position).run().lower_bound;
            for perimeter in [&memory as &dyn Perimeter, &stored] {
                let distance = Some(proven).filter(|&proven| proven <= perimeter.depth());
                assert_eq!(perimeter.distance(&position).unwrap(), distance);
                let solution = perimeter.solution(&position).unwrap();
                assert_eq!(solution.as_ref().map(Vec::len), distance.map(usize::from));
                assert!(solution.is_none_or(|moves| position.apply_moves(&moves).is_solved()));
            }
        }
    });
}

#[test]
#[ignore = "27 GB on disk, 2 GB of memory, an hour"]
fn many_positions_are_stored() {
    for (depth, step) in [(7, 99_991), (8, 9_999_991)] {
        in_empty_lab(|lab| {
            let buckets = WITHIN[usize::from(depth)];
            let stored = stored(lab, depth, Method::One, buckets).unwrap();
            let perimeter = BackwardSpace::perimeter(depth, lab).unwrap();
            for number in (1..buckets).step_by(step) {
                let key = stored.key(number).unwrap();
                assert_eq!(stored.find(key, &mut 0).unwrap(), Some(number));
                let position = key.position().unwrap();
                assert_eq!(
                    stored.distance(&position).unwrap(),
                    perimeter.get(&position)
                );
            }
        });
    }
}

#[test]
fn what_is_altered_or_something_else_is_refused_and_nothing_is_left_of_what_is_cancelled() {
    in_empty_lab(|lab| {
        let folder = lab.folder.path();
        let open = |lab: &Lab<'_>| stored(lab, 4, Method::Two, 10_000);
        // Stopped earlier and later.
        for after in [1, 2] {
            let cancel = Cancel::new();
            let reports = AtomicU64::new(0);
            let stop = |_: &str, _: Progress| {
                if reports.fetch_add(1, Relaxed) + 1 >= after {
                    cancel.cancel();
                }
            };
            let control = Control::new(two()).on_progress(stop).with_cancel(&cancel);
            let stopped = open(&Lab {
                control,
                ..lab.clone()
            });
            assert!(stopped.unwrap_err().is_cancellation());
            assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
        }
        open(lab).unwrap();
        let path = folder.join("lee-perimeter-4-3-10000");
        let mut bytes = fs::read(&path).unwrap();
        fs::write(folder.join("lee-perimeter-4-3-9999"), &bytes).unwrap();
        let refused = stored(lab, 4, Method::Two, 9999).unwrap_err();
        let text = "holds the positions within 4 moves by method 3 with 10000 buckets";
        assert!(refused.to_string().contains(text), "{refused}");
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&path, bytes).unwrap();
        let refused = open(lab).unwrap_err();
        assert!(matches!(refused, LabError::File(_)), "{refused}");
        assert_eq!(refused.remedy(), Some(LabRemedy::RemoveAndRepeat(path)));
    });
}

/// Searches fifty positions of some lengths by each bound, with each rule of ties in turn.
fn check_lengths(
    lengths: impl Iterator<Item = (u8, PartialBound)>,
    problems: &[PartialProblem],
    perimeter: &BackwardSpace,
    lab: &Lab<'_>,
) {
    for (length, bound) in lengths {
        let positions = positions_of_length(length, 50, 1, fast(Metric::Htm), lab).unwrap();
        for (i, position) in positions.iter().enumerate() {
            let settings = AstarSettings {
                order: [TieOrder::Queue, TieOrder::Stack][i % 2],
                tie_bound: [None, Some(6), Some(8)][i / 2 % 3],
                ..AstarSettings::default()
            };
            let heuristic = Heuristic::new(problems, bound, position, &lab.control).unwrap();
            let own = heuristic.bound(position, 0);
            assert!(own <= length);
            assert_eq!(heuristic.bounds(position).into_iter().max(), Some(own));
            let ignore = &mut |_: AstarEvent<'_>| {};
            let found = astar(
                position,
                perimeter,
                &heuristic,
                &settings,
                ignore,
                &lab.control,
            );
            let report = found.unwrap().report;
            let figures = (report.outcome, report.length());
            assert_eq!(figures, (Outcome::Optimal, Some(length)));
            let moves = &report.solutions[0];
            assert_eq!(moves.len(), usize::from(length));
            assert!(position.apply_moves(moves).is_solved());
        }
    }
}

#[test]
fn the_solution_is_as_short_as_the_fast_engine_says() {
    in_lab(|lab| {
        let perimeter = BackwardSpace::perimeter(7, lab).unwrap();
        let informed = PartialBound::Informed(3);
        for selections in [opposite_faces(), CHOSEN.map(pair)] {
            let problems = PartialProblem::all(&selections, 5, informed, lab).unwrap();
            for bound in [PartialBound::HEU6, PartialBound::HEU8, informed] {
                let lengths = (8..=11).map(|length| (length, bound));
                check_lengths(lengths, &problems, &perimeter, lab);
            }
        }
    });
}

/// The forward spaces are so deep that few states are stored.
#[test]
#[ignore = "18 minutes of processor time, nearly all for length 14"]
fn the_solution_is_as_short_as_the_fast_engine_says_up_to_14() {
    in_lab(|lab| {
        let perimeter = BackwardSpace::perimeter(7, lab).unwrap();
        let bound = PartialBound::Informed(7);
        let problems = PartialProblem::all(&opposite_faces(), 7, bound, lab).unwrap();
        let lengths = [(10, 5), (11, 5), (12, 5), (13, 6), (14, 7)];
        let lengths = lengths.map(|(length, d_for)| (length, PartialBound::Informed(d_for)));
        check_lengths(lengths.into_iter(), &problems, &perimeter, lab);
    });
}

#[test]
fn forward_spaces_tell_what_the_theorem_says() {
    in_lab(|lab| {
        // All painted positions are within 14 moves where only the corners of opposite faces are
        // seen, so all distances are known.
        let selection = Selection::faces(&[Face::U, Face::D]).corners_only();
        let all = PartialProblem::new(&selection, 14, false, lab).unwrap();
        let all = all.space();
        assert_eq!(all.counts().iter().sum::<u64>(), 153_090);
        // Without and with marks beyond the backward space.
        let problems = [PartialBound::HEU8, PartialBound::Informed(6)].map(|bound| {
            PartialProblem::all(std::slice::from_ref(&selection), 2, bound, lab).unwrap()
        });
        for (i, start) in random_positions(4).take(20).enumerate() {
            for d_for in 1..=4 {
                let bound = PartialBound::Informed(d_for);
                let near = &problems[i % 2];
                let heuristic = Heuristic::new(near, bound, &start, &lab.control).unwrap();
                let mut rng = ChaCha8Rng::seed_from_u64(5);
                for moves in (0..d_for).flat_map(|moves| [moves; 20]) {
                    let position = start * random_walk_position(&mut rng, moves);
                    let value = heuristic.bound(&position, 0);
                    let distance = all.get(&position).unwrap();
                    // Its painting may be fewer moves from solved than were made.
                    let bounds = |away: u8| distance.min(2 + d_for - away + 1);
                    assert!((0..=moves).any(|away| value == bounds(away)));
                    assert!(value >= bounds(moves));
                }
            }
        }
    });
}

#[test]
fn the_engine_reports_solutions_and_bounds() {
    in_lab(|lab| {
        let bound = PartialBound::Informed(1);
        let lee = Lee {
            perimeter: Box::new(BackwardSpace::perimeter(5, lab).unwrap()),
            problems: PartialProblem::all(&opposite_faces(), 5, bound, lab).unwrap(),
            bound,
            settings: AstarSettings {
                states: 20_000,
                ..AstarSettings::default()
            },
            on_bounds: None,
        };
        let far = random_positions(7).next().unwrap();
        let stopped = cancelled();
        // Positions outside a perimeter of depth 5 count six: 3,240 lie at most three moves from
        // the root, 43,239 at four. If the search stops before the forward spaces are complete, it
        // is known that the position is not stored.
        let mut cases = vec![
            (far, None, &lab.control, Outcome::OutOfMemory, 9),
            (far, Some(8), &lab.control, Outcome::NoneWithinLimit, 9),
            (
                far,
                None,
                &stopped,
                Outcome::Cancelled(CancelReason::Requested),
                6,
            ),
        ];
        for length in [0, 3, 8] {
            for position in positions_of_length(length, 3, 3, fast(Metric::Htm), lab).unwrap() {
                cases.push((position, None, &lab.control, Outcome::Optimal, length));
                if let Some(less) = length.checked_sub(1) {
                    let none = Outcome::NoneWithinLimit;
                    cases.push((position, Some(less), &lab.control, none, length));
                }
            }
        }
        for (position, max_length, control, outcome, lower_bound) in cases {
            let options = Options {
                max_length,
                ..Options::default()
            };
            let report = lee.solve(&position, &options, &|_| {}, control);
            assert_eq!(
                (&report.outcome, report.lower_bound),
                (&outcome, lower_bound)
            );
            if outcome == Outcome::Optimal {
                let last = report.iterations.last().map(|last| last.length);
                assert_eq!(last, Some(lower_bound));
            }
        }
    });
}

// The example of the page.

const SCRAMBLE: &str = "R U F D";
const D_BACK: u8 = 1;
const BUCKETS: u64 = 8;

#[test]
fn every_row_of_the_example_is_computed_again() {
    let page = include_str!("../../pages/lee.md");
    let (_, text) = page.split_once("## A position of four moves").unwrap();
    let (text, _) = text.split_once("Here the partial problems").unwrap();
    assert!(text.contains(&format!("has depth {D_BACK}")));
    assert!(text.contains(&format!("is `{SCRAMBLE}`, four")));
    let tables = text.split("\n\n").filter(|part| part.starts_with('|'));
    let rows = tables.flat_map(|table| table.lines().skip(2));
    let rows = rows.map(|row| {
        let cells = row.trim_matches('|').split('|').map(str::trim);
        cells.collect::<Vec<_>>().join(" | ")
    });
    let rows: Vec<String> = rows.collect();
    in_lab(|lab| assert_eq!(rows, [lookups(), search(lab)].concat()));
}

/// Returns what asking for an absent position of two moves takes, one for each size of a bucket.
fn lookups() -> Vec<String> {
    let bucket = |position: &Cube| PositionKey::of(position).bucket(BUCKETS);
    let stored = std::iter::once(Cube::SOLVED).chain(Move::ALL.map(|m| *Cube::from_move(m)));
    let stored: Vec<u64> = stored.map(|position| bucket(&position)).collect();
    let mut rows = BTreeMap::new();
    for pair in Move::ALL
        .into_iter()
        .flat_map(|a| Move::ALL.map(|b| [a, b]))
    {
        if pair[0].face().axis() == pair[1].face().axis() {
            continue;
        }
        let own = bucket(&Cube::from_moves(&pair));
        let numbers = (0..stored.len()).filter(|&number| stored[number] == own);
        let names: Vec<String> = numbers.map(|number| number.to_string()).collect();
        rows.entry(names.len()).or_insert_with(|| {
            let accesses = Method::ALL.map(|method| method.accesses(names.len() as u32));
            let accesses = accesses.map(|count| count.to_string()).join(" | ");
            let names = match names.is_empty() {
                true => "none".to_owned(),
                false => names.join(", "),
            };
            format!("`{}` | {own} | {names} | {accesses}", DisplayMoves(&pair))
        });
    }
    rows.into_values().collect()
}

/// Returns each expansion with d_for = 3, and what the search takes by three bounds. Each pair of
/// faces needs four moves.
fn search(lab: &Lab<'_>) -> Vec<String> {
    let position: Cube = SCRAMBLE.parse().unwrap();
    let perimeter = BackwardSpace::perimeter(D_BACK, lab).unwrap();
    let depths = [2, 3].map(PartialBound::Informed);
    // Flips are visible only by their places otherwise.
    let problems =
        PartialProblem::all(&CHOSEN.map(pair_with_flips), D_BACK, depths[1], lab).unwrap();
    for problem in &problems {
        let solved = problem.solve(&position, 3, &lab.control).unwrap();
        assert_eq!(solved.length, Some(4));
    }
    let [two, three] =
        depths.map(|bound| Heuristic::new(&problems, bound, &position, &lab.control).unwrap());
    let mut rows = Vec::new();
    let mut totals = Vec::new();
    for (name, heuristic) in [
        ("absence alone", &Heuristic::backward(&problems, 0)),
        ("pairs, d_for = 2", &two),
        ("pairs, d_for = 3", &three),
    ] {
        let mut paths = HashMap::from([(position, Vec::new())]);
        rows.clear();
        let mut on_event = |event: AstarEvent<'_>| {
            if let AstarEvent::Expanded(expansion) = event {
                let path: Vec<Move> = paths[&expansion.position].clone();
                for m in Move::ALL {
                    let child = expansion.position.apply(m);
                    let longer = || [&path[..], &[m]].concat();
                    paths.entry(child).or_insert_with(longer);
                }
                let step = rows.len() + 1;
                rows.push(expansion_row(
                    step, &path, &expansion, &perimeter, heuristic,
                ));
            }
        };
        let settings = AstarSettings::default();
        let control = &lab.control;
        let found = astar(
            &position,
            &perimeter,
            heuristic,
            &settings,
            &mut on_event,
            control,
        );
        let found = found.unwrap();
        assert_eq!(found.report.length(), Some(4));
        let solution = DisplayMoves(&found.report.solutions[0]).to_string();
        let stored = grouped(found.stored);
        totals.push(format!("{name} | {} | {stored} | `{solution}`", rows.len()));
    }
    [rows, totals].concat()
}

/// Returns the row of an expansion: the moves to it, and the children by their f.
fn expansion_row(
    step: usize,
    path: &[Move],
    expansion: &Expansion,
    perimeter: &BackwardSpace,
    heuristic: &Heuristic<'_>,
) -> String {
    let Expansion {
        position,
        depth,
        bound,
        meeting,
    } = expansion;
    let children = Move::ALL.map(|m| position.apply(m));
    let outside = children
        .iter()
        .filter(|child| perimeter.get(child).is_none());
    let of_children: Vec<u8> = outside
        .map(|child| depth + 1 + heuristic.bound(child, D_BACK + 1))
        .collect();
    let with_f = [4, 5, 6].map(|f| {
        of_children
            .iter()
            .filter(|&&of_child| of_child == f)
            .count()
    });
    let with_f = with_f.map(|count| count.to_string()).join(" | ");
    let path = match path {
        [] => "none".to_owned(),
        _ => format!("`{}`", DisplayMoves(path)),
    };
    let f = depth + bound;
    let meeting = meeting.map_or(String::new(), |length| length.to_string());
    format!("{step} | {path} | {depth} | {bound} | {f} | {with_f} | {meeting}")
}
