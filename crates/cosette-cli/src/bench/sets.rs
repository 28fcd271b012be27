//! The positions that are solved: random ones of a known length, or those of a file.

use cosette::cube::{Cube, ReadOptions, random_positions, read_position};
use cosette_app::cli::failure::Failure;
use cosette_app::cli::lines;
use std::path::Path;

/// Lists which random positions have which length.
const LENGTHS: &str = include_str!("sets.txt");
const SEED: u64 = 1;

/// Positions that are measured together.
pub struct Set {
    /// Their name in the output.
    pub name: String,
    /// The positions.
    pub positions: Vec<Cube>,
    /// The length of their shortest solutions in the half-turn metric, if all have the same and it is known.
    pub length: Option<u8>,
}

impl Set {
    /// Random positions whose shortest solutions have this length.
    pub fn of_length(length: u8) -> Set {
        let numbers = numbers(length);
        let is_listed = |number: usize| numbers.contains(&number);
        let numbered = (1..).zip(random_positions(SEED)).take(numbers.iter().copied().max().unwrap_or(0));
        let positions = numbered.filter(|&(number, _)| is_listed(number)).map(|(_, position)| position);
        Set { name: format!("length {length}"), positions: positions.collect(), length: Some(length) }
    }

    /// The positions in a file, written as `cosette solve` reads them, one per line; `-` is standard input.
    pub fn in_file(path: &Path) -> Result<Set, Failure> {
        let name = match path.file_name() {
            _ if path == Path::new("-") => "standard input".into(),
            name => name.unwrap_or_default().display().to_string(),
        };
        let mut positions = Vec::new();
        for line in lines::of_file(path)?.0 {
            let input = read_position(&line.text, None, &ReadOptions::default());
            positions.push(input.map_err(|error| Failure::NotACube { error, text: line.into() })?.cube);
        }
        Ok(Set { name, positions, length: None })
    }
}

/// The numbers of the random positions with this length.
fn numbers(length: u8) -> Vec<usize> {
    let of_length = |line: &'static str| line.split_once(':').filter(|(of, _)| of.parse() == Ok(length));
    let (_, numbers) = LENGTHS.lines().find_map(of_length).expect("the list has this length");
    numbers.split_whitespace().map(|number| number.parse().expect("the list holds numbers")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_complete() {
        for (length, count) in [(16, 25), (17, 25), (18, 10)] {
            assert!(numbers(length).is_sorted_by(|a, b| a < b), "length {length}");
            assert_eq!(Set::of_length(length).positions.len(), count, "length {length}");
        }
        assert_eq!(Set::of_length(17).positions[1], random_positions(SEED).nth(1).unwrap());
    }
}
