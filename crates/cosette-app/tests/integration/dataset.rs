//! Data sets: the same rows however they are made, and the files as others read them.

use super::support::table;
use cosette::cube::{Cube, FaceletLayout, Metric, parse_facelets, parse_moves};
use cosette::{Cancel, Progress, Solver, ThreadCount};
use cosette_app::dataset::{
    Dataset, DatasetError, DatasetRow, PositionSource, Shard, card_path, journal_path,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn set(positions: PositionSource, rows: u64) -> Dataset {
    let shard = Shard::WHOLE;
    let metric = Metric::Htm;
    let layout = FaceletLayout::DeepCubeA;
    Dataset {
        positions,
        rows,
        seed: 7,
        shard,
        metric,
        layout,
        optimal_moves: true,
    }
}

fn walks() -> Dataset {
    set(PositionSource::Walks(vec![0, 1, 3]), 20)
}

fn solver() -> Solver {
    Solver::new(table(), ThreadCount::new(2).unwrap())
}

/// The rows, made without being stopped.
fn made(set: &Dataset, journal: &Path) -> Vec<DatasetRow> {
    set.generate((&solver(), journal), &Cancel::new(), &mut |_| {})
        .unwrap()
        .unwrap()
}

#[test]
fn shards_and_interrupted_runs_have_the_rows_of_the_whole() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = made(&walks(), &path("whole"));
    assert_eq!(
        whole.iter().map(|row| row.index).collect::<Vec<_>>(),
        (0..20).collect::<Vec<_>>()
    );
    assert!(whole.iter().all(|row| {
        row.walk_length
            .is_some_and(|walk| usize::from(row.length) <= walk)
    }));
    let shard = |number: u64| Dataset {
        shard: Shard::new(number, 3).unwrap(),
        ..walks()
    };
    let shards: Vec<DatasetRow> = (1..=3)
        .flat_map(|number| made(&shard(number), &path(&number.to_string())))
        .collect();
    assert_eq!(shards, whole);

    let (stopped, cancel) = (path("stopped"), Cancel::new());
    let mut stop = |progress: Progress| {
        if progress.done == 5 {
            cancel.cancel();
        }
    };
    let (solver, one) = (solver(), ThreadCount::ONE);
    let begun = walks()
        .generate(
            (&solver.clone().with_threads(one), &stopped),
            &cancel,
            &mut stop,
        )
        .unwrap();
    assert!(begun.is_none());
    let mut first = None;
    let again = walks().generate((&solver, &stopped), &Cancel::new(), &mut |progress| {
        first.get_or_insert(progress.done);
    });
    assert_eq!((again.unwrap(), first), (Some(whole), Some(1)));
    let other = shard(1).generate((&solver, &stopped), &Cancel::new(), &mut |_| {});
    assert!(
        other
            .unwrap_err()
            .to_string()
            .ends_with("was started with --shard 1/1, not with --shard 1/3")
    );
}

#[test]
fn positions_are_as_asked() {
    let folder = TempDir::new().unwrap();
    let distances = |positions: PositionSource, rows: u64, name: &str| {
        let set = Dataset {
            optimal_moves: false,
            ..set(positions, rows)
        }
        .validated()
        .unwrap();
        made(&set, &folder.path().join(name))
            .iter()
            .map(|row| row.length)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        distances(PositionSource::Distance(9), 5, "distance"),
        [9; 5]
    );
    assert_eq!(
        distances(
            PositionSource::all_at_distance(2, Metric::Htm).unwrap(),
            u64::MAX,
            "all-at-distance"
        ),
        [2; 243]
    );
    let drawn = |seed, rows| {
        let set = Dataset {
            seed,
            ..set(
                PositionSource::all_at_distance(2, Metric::Htm).unwrap(),
                rows,
            )
        }
        .validated()
        .unwrap();
        let PositionSource::AllAtDistance(2, cubes) = set.positions else {
            panic!("{:?}", set.positions)
        };
        cubes.to_vec()
    };
    assert_eq!(
        (drawn(1, 9), drawn(1, 5).len()),
        ([&drawn(1, 5)[..], &drawn(1, 9)[5..]].concat(), 5)
    );
    assert_ne!(drawn(1, 9), drawn(2, 9));
    let listed: Vec<Cube> = ["R U", "R R'", "R L2 U"]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    assert_eq!(
        distances(PositionSource::Listed(listed.into()), u64::MAX, "list"),
        [2, 0, 3]
    );
    let nothing = PositionSource::Symmetric("O".parse().unwrap());
    let coset = PositionSource::Coset {
        of: Cube::SOLVED,
        within: 17,
    };
    for refused in [
        PositionSource::Distance(20),
        PositionSource::Walks(Vec::new()),
        nothing,
        coset,
    ] {
        assert!(matches!(
            set(refused, 3).validated(),
            Err(DatasetError::Refused(_))
        ));
    }
    let layout_of_text = set(PositionSource::Random, 3)
        .is_at(&folder.path().join("a.csv"))
        .unwrap_err();
    assert!(
        layout_of_text
            .to_string()
            .contains("the layout deepcubea is only for arrays"),
        "{layout_of_text}"
    );
    assert!(PositionSource::all_at_distance(7, Metric::Htm).is_err());
    for text in ["0/3", "4/3", "3", "a/b"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

#[test]
fn files_have_the_rows() {
    let folder = TempDir::new().unwrap();
    let (set, path) = (walks(), |name: &str| folder.path().join(name));
    let rows = made(&set, &path("journal"));
    let arrays = |name: &'static str| {
        (
            walks(),
            name,
            "`optimal_moves` is true for each of the `moves`",
        )
    };
    let text = |name: &'static str| {
        let set = Dataset {
            layout: FaceletLayout::Kociemba,
            ..walks()
        };
        (
            set,
            name,
            "`optimal_moves` are the moves that begin a shortest solution",
        )
    };
    for (set, name, said) in [
        arrays("a.npz"),
        #[cfg(feature = "parquet")]
        arrays("a.parquet"),
        text("a.csv"),
        text("a.jsonl"),
    ] {
        assert!(!set.is_at(&path(name)).unwrap());
        let made = set.make_file((&solver(), &path(name)), &Cancel::new(), &mut |_| {});
        assert_eq!(
            (made.unwrap(), set.is_at(&path(name)).unwrap()),
            (Some(20), true)
        );
        let refused = Dataset { rows: 21, ..set }.is_at(&path(name)).unwrap_err();
        assert!(refused.to_string().contains("already exists"));
        let card = fs::read_to_string(card_path(&path(name))).unwrap();
        assert!(
            card.contains("\"walks\": \"0,1,3\"") && card.contains(said),
            "{card}"
        );
        assert!(
            card.contains(
                "`length` is the length of the shortest solutions, and `solution` is one of them"
            ),
            "{card}"
        );
        assert!(!journal_path(&path(name)).exists());
    }
    assert!(set.is_at(&path("a.txt")).is_err());
    #[cfg(not(feature = "parquet"))]
    assert!(
        set.is_at(&path("a.parquet"))
            .unwrap_err()
            .to_string()
            .contains("--features parquet")
    );
    let optimal = |row: &DatasetRow| {
        let lengths = row.neighbor_distances.as_ref().unwrap().iter();
        let moves = set
            .layout
            .moves(set.metric)
            .iter()
            .zip(lengths)
            .filter(|&(_, &after)| after < row.length);
        let mut moves: Vec<_> = moves.map(|(m, _)| *m).collect();
        moves.sort_by_key(|m| m.index());
        moves
            .iter()
            .map(|&m| cosette::cube::DisplayMoves(&[m]).to_string())
            .collect::<Vec<_>>()
    };

    #[cfg(feature = "parquet")]
    assert_parquet(&path("a.parquet"), &rows);

    let lines = fs::read_to_string(path("a.jsonl")).unwrap();
    for (line, row) in lines.lines().zip(&rows) {
        let object: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            parse_facelets(object["facelets"].as_str().unwrap()).unwrap(),
            row.position
        );
        assert_eq!(
            (&object["length"], &object["optimal_moves"]),
            (&row.length.into(), &optimal(row).into())
        );
    }
    let csv = fs::read_to_string(path("a.csv")).unwrap();
    let mut csv = csv.lines();
    assert_eq!(
        csv.next(),
        Some("index,facelets,metric,length,solution,walk_length,optimal_moves,neighbor_distances")
    );
    assert_eq!((csv.clone().count(), lines.lines().count()), (20, 20));
    let cells: Vec<&str> = csv.nth(1).unwrap().split(',').collect();
    assert_eq!(
        cells[2..7],
        [
            "htm",
            "1",
            &cosette::cube::DisplayMoves(rows[1].solution.as_ref().unwrap()).to_string(),
            "1",
            &optimal(&rows[1]).join(" ")
        ]
    );
}

#[cfg(feature = "parquet")]
fn assert_parquet(path: &Path, rows: &[DatasetRow]) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let parquet = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    for (record, row) in parquet.get_row_iter(None).unwrap().zip(rows) {
        let record = record.unwrap();
        assert_eq!(
            (record.get_long(0).unwrap(), record.get_byte(2).unwrap()),
            (row.index as i64, row.length as i8)
        );
        let facelets = record
            .get_list(1)
            .unwrap()
            .elements()
            .iter()
            .map(|value| value.to_string().parse().unwrap());
        let facelets: Vec<u8> = facelets.collect();
        assert_eq!(facelets, walks().layout.write(&row.position));
        assert_eq!(
            parse_moves(record.get_string(3).unwrap(), &Default::default())
                .unwrap()
                .moves(),
            row.solution.as_ref().unwrap()
        );
        assert_eq!(
            record.get_int(4).unwrap() as usize,
            row.walk_length.unwrap()
        );
        assert_eq!(record.get_list(5).unwrap().len(), 18);
    }
    assert_eq!(parquet.metadata().file_metadata().num_rows(), 20);
}
