//! Data sets: the same rows however they are made, and the files as others read them.

use super::support::solver;
use cosette::cube::{Cube, DisplayMoves, FaceletLayout, Metric, parse_facelets};
use cosette::{Cancel, Progress};
use cosette_app::dataset::{Dataset, DatasetRow, PositionSource, Shard, card_path, journal_path};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn set(positions: PositionSource, rows: u64) -> Dataset {
    Dataset {
        positions,
        rows,
        seed: 7,
        shard: Shard::WHOLE,
        metric: Metric::Htm,
        layout: FaceletLayout::DeepCubeA,
        optimal_moves: true,
    }
}

fn walks() -> Dataset {
    set(PositionSource::Walks(vec![0, 1, 3]), 20)
}

/// The rows, made without being stopped.
fn made(set: &Dataset, journal: &Path) -> Vec<DatasetRow> {
    let rows = set.generate((&solver(2), journal), &Cancel::new(), &mut |_| {});
    rows.unwrap().unwrap()
}

#[test]
fn shards_and_interrupted_runs_have_the_rows_of_the_whole() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = made(&walks(), &path("whole"));
    assert!(whole.iter().map(|row| row.index).eq(0..20));
    for row in &whole {
        assert!(usize::from(row.length) <= row.walk_length.unwrap());
    }
    let shard = |number: u64| Dataset {
        shard: Shard::new(number, 3).unwrap(),
        ..walks()
    };
    let shards = (1..=3).flat_map(|number| made(&shard(number), &path(&number.to_string())));
    assert_eq!(shards.collect::<Vec<_>>(), whole);

    let stopped = path("stopped");
    let cancel = Cancel::new();
    let mut stop = |progress: Progress| {
        if progress.done == 5 {
            cancel.cancel();
        }
    };
    let begun = walks().generate((&solver(1), &stopped), &cancel, &mut stop);
    assert!(begun.unwrap().is_none());
    let mut first = None;
    let again = walks().generate((&solver(2), &stopped), &Cancel::new(), &mut |progress| {
        first.get_or_insert(progress.done);
    });
    assert_eq!((again.unwrap(), first), (Some(whole), Some(1)));
    let other = shard(1).generate((&solver(2), &stopped), &Cancel::new(), &mut |_| {});
    let error = other.unwrap_err().to_string();
    assert!(
        error.ends_with("was started with --shard 1/1, not with --shard 1/3"),
        "{error}"
    );
}

#[test]
fn positions_are_as_asked() {
    let folder = TempDir::new().unwrap();
    let at_2 = || PositionSource::all_at_distance(2, Metric::Htm).unwrap();
    let listed = ["R U", "R R'", "R L2 U"].map(|text| text.parse::<Cube>().unwrap());
    for (name, positions, rows, lengths) in [
        ("distance", PositionSource::Distance(9), 5, vec![9; 5]),
        ("all", at_2(), u64::MAX, vec![2; 243]),
        (
            "list",
            PositionSource::Listed(listed.to_vec().into()),
            u64::MAX,
            vec![2, 0, 3],
        ),
    ] {
        let set = Dataset {
            optimal_moves: false,
            ..set(positions, rows)
        };
        let rows = made(&set.validated().unwrap(), &folder.path().join(name));
        let found: Vec<u8> = rows.iter().map(|row| row.length).collect();
        assert_eq!(found, lengths, "{name}");
    }
    let drawn = |seed, rows| {
        let set = Dataset {
            seed,
            ..set(at_2(), rows)
        };
        match set.validated().unwrap().positions {
            PositionSource::AllAtDistance(2, cubes) => cubes.to_vec(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(drawn(1, 5), drawn(1, 9)[..5]);
    assert_ne!(drawn(1, 9), drawn(2, 9));
}

#[test]
fn impossible_sets_are_refused() {
    let refused = |positions| set(positions, 3).validated().unwrap_err().to_string();
    let coset = |within| PositionSource::Coset {
        of: Cube::SOLVED,
        within,
    };
    for (positions, reason) in [
        (PositionSource::Distance(20), "use a distance of at most 19"),
        (PositionSource::Walks(Vec::new()), "no walk length is given"),
        (
            PositionSource::Symmetric("O".parse().unwrap()),
            "exactly the symmetry O",
        ),
        (coset(17), "only up to distance 16"),
        (coset(16), "optimal moves are not supported"),
    ] {
        let error = refused(positions);
        assert!(error.contains(reason), "{error}");
    }
    let text = set(PositionSource::Random, 3).is_at(Path::new("a.csv"));
    let error = text.unwrap_err().to_string();
    assert!(
        error.contains("the layout deepcubea is only for arrays"),
        "{error}"
    );
    assert!(PositionSource::all_at_distance(7, Metric::Htm).is_err());
    for text in ["0/3", "4/3", "3", "a/b"] {
        assert!(text.parse::<Shard>().is_err(), "{text}");
    }
}

/// The moves that begin a shortest solution.
fn optimal_moves(row: &DatasetRow) -> Vec<String> {
    let moves = FaceletLayout::Kociemba.moves(Metric::Htm).iter();
    let nearer = moves.filter(|&&m| {
        let layout = walks().layout.moves(Metric::Htm);
        let index = layout.iter().position(|&other| other == m).unwrap();
        row.neighbor_distances.as_ref().unwrap()[index] < row.length
    });
    nearer.map(|&m| DisplayMoves(&[m]).to_string()).collect()
}

#[test]
fn a_journal_of_other_settings_is_rejected_before_a_solver_is_needed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.npz");
    made(&walks(), &journal_path(&path));
    assert!(!walks().is_at(&path).unwrap());
    let refused = Dataset { seed: 9, ..walks() }.is_at(&path).unwrap_err();
    assert!(
        refused.to_string().contains("was started with"),
        "{refused}"
    );
}

#[test]
fn files_have_the_rows() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let rows = made(&walks(), &path("journal"));
    let of_arrays = "`optimal_moves` is true for each of the `moves`";
    let of_text = "`optimal_moves` are the moves that begin a shortest solution";
    for (name, layout, said) in [
        ("a.npz", FaceletLayout::DeepCubeA, of_arrays),
        #[cfg(feature = "parquet")]
        ("a.parquet", FaceletLayout::DeepCubeA, of_arrays),
        ("a.csv", FaceletLayout::Kociemba, of_text),
        ("a.jsonl", FaceletLayout::Kociemba, of_text),
    ] {
        let set = Dataset { layout, ..walks() };
        let path = path(name);
        assert!(!set.is_at(&path).unwrap());
        let made = set.make_file((&solver(2), &path), &Cancel::new(), &mut |_| {});
        assert_eq!(made.unwrap(), Some(20));
        assert!(set.is_at(&path).unwrap() && !journal_path(&path).exists());
        let refused = Dataset { rows: 21, ..set }.is_at(&path).unwrap_err();
        assert!(refused.to_string().contains("already exists"));
        let card = fs::read_to_string(card_path(&path)).unwrap();
        let of_length =
            "`length` is the length of the shortest solutions, and `solution` is one of them";
        let walks = "\"walks\": [\n    0,\n    1,\n    3\n  ]";
        for said in [walks, said, of_length] {
            assert!(card.contains(said), "{card}");
        }
    }
    assert!(walks().is_at(&path("a.txt")).is_err());
    check_parquet(&path("a.parquet"), &rows);
    let lines = fs::read_to_string(path("a.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 20);
    for (line, row) in lines.lines().zip(&rows) {
        let object: Value = serde_json::from_str(line).unwrap();
        let facelets = object["facelets"].as_str().unwrap();
        assert_eq!(parse_facelets(facelets).unwrap(), row.position);
        assert_eq!(object["length"], row.length);
        assert_eq!(object["optimal_moves"], Value::from(optimal_moves(row)));
    }
    let csv = fs::read_to_string(path("a.csv")).unwrap();
    let csv: Vec<&str> = csv.lines().collect();
    assert_eq!(csv.len(), 21);
    let header =
        "index,facelets,metric,length,solution,walk_length,optimal_moves,neighbor_distances";
    assert_eq!(csv[0], header);
    let cells: Vec<&str> = csv[2].split(',').collect();
    let solution = DisplayMoves(&rows[1].solution).to_string();
    let optimal = optimal_moves(&rows[1]).join(" ");
    assert_eq!(cells[2..7], ["htm", "1", &solution, "1", &optimal]);
}

#[cfg(not(feature = "parquet"))]
fn check_parquet(path: &Path, _: &[DatasetRow]) {
    let error = walks().is_at(path).unwrap_err().to_string();
    assert!(error.contains("--features parquet"), "{error}");
}

#[cfg(feature = "parquet")]
fn check_parquet(path: &Path, rows: &[DatasetRow]) {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;
    let parquet = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    assert_eq!(parquet.metadata().file_metadata().num_rows(), 20);
    for (record, row) in parquet.get_row_iter(None).unwrap().zip(rows) {
        let record = record.unwrap();
        assert_eq!(record.get_long(0).unwrap(), row.index as i64);
        let facelets = record.get_list(1).unwrap().elements().iter();
        let facelets = facelets.map(|value| value.to_string().parse::<u8>().unwrap());
        assert!(facelets.eq(walks().layout.write(&row.position)));
        assert_eq!(record.get_byte(2).unwrap(), row.length as i8);
        let solution =
            cosette::cube::parse_moves(record.get_string(3).unwrap(), &Default::default());
        assert_eq!(solution.unwrap().moves(), row.solution);
        assert_eq!(
            record.get_int(4).unwrap() as usize,
            row.walk_length.unwrap()
        );
        assert_eq!(record.get_list(5).unwrap().len(), 18);
    }
}
