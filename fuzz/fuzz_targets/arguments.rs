//! What the command line and Python take as arguments, through the readers behind them: arrays, names, sizes, times, lists.
#![no_main]

use arbitrary::Arbitrary;
use cosette::cube::{Corner, Cube, Edge, Format, Metric, ReadOptions};
use cosette::table::TableId;
use cosette_app::batch::{Lines, List, Settings};
use cosette_app::words::{TableName, bytes, seconds, table_choice};
use cosette_fuzz::{check_cube, check_error, check_message, check_position};
use libfuzzer_sys::fuzz_target;

#[derive(Debug, Arbitrary)]
enum Input {
    /// `Cube.from_arrays`.
    Arrays { corners: [(u8, u8); 8], edges: [(u8, u8); 12] },
    /// The same, of pieces that exist.
    Pieces { corners: [(u8, u8); 8], edges: [(u8, u8); 12] },
    /// Names and numbers.
    Name(String),
    /// `Cube`, `solve`.
    Position { text: String, format: String, niss: bool },
    /// `solve_many` and batches.
    List { text: Vec<u8>, format: Option<u8> },
}

fuzz_target!(|input: Input| match input {
    Input::Arrays { corners, edges } => arrays(&corners, &edges),
    Input::Pieces { corners, edges } => {
        arrays(
            &corners.map(|(piece, twist)| (piece % 8, twist % 3)),
            &edges.map(|(piece, flip)| (piece % 12, flip % 2)),
        );
    }
    Input::Name(name) => names(&name),
    Input::Position { text, format, niss } => match format.parse::<Format>() {
        Ok(format) => check_position(&text, Some(format), &ReadOptions { niss }),
        Err(error) => {
            check_message(&format, &error.to_string());
            check_position(&text, None, &ReadOptions { niss });
        }
    },
    Input::List { text, format } => {
        let format = format.and_then(|number| Format::ALL.get(usize::from(number)).copied());
        let list = List::read(Lines::new(&text[..]).map(Result::unwrap), &Settings { format, ..Settings::default() });
        for entry in list.entries() {
            match &entry.input {
                Ok(input) => check_cube(&input.cube),
                Err(error) => check_error(&entry.text, error),
            }
        }
        let _ = list.fingerprint();
    }
});

fn arrays(corners: &[(u8, u8); 8], edges: &[(u8, u8); 12]) {
    match Cube::from_cubies(corners, edges) {
        Ok(cube) => {
            check_cube(&cube);
            let corner = |slot: Corner| (cube.corner(slot).0.index() as u8, cube.corner(slot).1);
            let edge = |slot: Edge| (cube.edge(slot).0.index() as u8, cube.edge(slot).1);
            assert_eq!((&Corner::ALL.map(corner), &Edge::ALL.map(edge)), (corners, edges));
        }
        Err(error) => assert!(error.to_string().len() < 300),
    }
}

fn names(name: &str) {
    let check = |error: &dyn std::fmt::Display| check_message(name, &error.to_string());
    name.parse::<Metric>().map_or_else(|error| check(&error), |metric| assert_eq!(metric.name(), name));
    name.parse::<Format>().map_or_else(|error| check(&error), |format| assert_eq!(format.name(), name));
    name.parse::<TableId>().map_or_else(|error| check(&error), |id| assert_eq!(id.to_string().parse(), Ok(id)));
    name.parse::<TableName>().map_or_else(|error| check(&error), drop);
    table_choice(name).map_or_else(|error| check(&error), drop);
    bytes(name).map_or_else(|error| check(&error), drop);
    seconds(name).map_or_else(|error| check(&error), drop);
}
