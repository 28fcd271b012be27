//! The positions of appendix C, and the superflip.

use cosette::cube::{Cube, Metric, Move, parse_reid};
use std::sync::LazyLock;

/// A line of appendix C.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Its number there, from one.
    pub number: usize,
    /// The depth that is printed: the length of the sequence.
    pub printed: u8,
    /// The proven distances in half and in quarter turns.
    distances: [u8; 2],
    /// The moves as printed.
    pub sequence: &'static str,
}

impl Pattern {
    /// All of the appendix, in its order.
    pub fn all() -> &'static [Pattern] {
        static ALL: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
            let lines = include_str!("patterns.txt").lines().filter(|line| !line.starts_with('#'));
            lines.zip(1..).map(|(line, number)| read(line, number).expect("the file is part of the program")).collect()
        });
        &ALL
    }

    /// The moves of the sequence.
    pub fn moves(&self) -> Vec<Move> {
        moves(self.sequence).expect("checked when it was read")
    }

    /// The position that the sequence leads to.
    pub fn position(&self) -> Cube {
        Cube::from_moves(&self.moves())
    }

    /// Its proven distance.
    pub fn distance(&self, metric: Metric) -> u8 {
        match metric {
            Metric::Htm => self.distances[0],
            Metric::Qtm => self.distances[1],
        }
    }
}

fn read(line: &'static str, number: usize) -> Option<Pattern> {
    let mut words = line.splitn(4, ' ');
    let mut distance = || words.next()?.parse::<u8>().ok();
    let (printed, distances) = (distance()?, [distance()?, distance()?]);
    let sequence = words.next()?;
    moves(sequence)?;
    Some(Pattern { number, printed, distances, sequence })
}

/// The moves written in `text`.
fn moves(text: &str) -> Option<Vec<Move>> {
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// The superflip: every edge flipped in its place.
pub fn superflip() -> Cube {
    parse_reid("FU RU BU LU FD RD BD LD RF LF RB LB UFR URB UBL ULF DRF DFL DLB DBR").expect("twenty pieces")
}

/// The distance of the superflip (Reid 1995; in quarter turns Bryan 1995).
pub fn superflip_distance(metric: Metric) -> u8 {
    match metric {
        Metric::Htm => 20,
        Metric::Qtm => 24,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_appendix_has_thirty_lines() {
        let patterns = Pattern::all();
        assert_eq!(patterns.len(), 30);
        for pattern in patterns {
            let moves = moves(pattern.sequence).expect("moves");
            assert_eq!(moves.len(), usize::from(pattern.printed), "{}", pattern.sequence);
            for metric in Metric::ALL {
                let length = metric.length(&moves);
                assert!(usize::from(pattern.distance(metric)) <= length, "{}", pattern.sequence);
            }
            assert_eq!(pattern.distance(Metric::Qtm) % 2 == 1, pattern.position().is_odd());
        }
    }

    #[test]
    fn the_superflip_is_its_own_inverse_and_commutes_with_all() {
        assert_eq!(superflip().inverse(), superflip());
        assert_eq!(superflip().symmetries().len(), 48);
        assert!(!superflip().is_solved());
    }
}
