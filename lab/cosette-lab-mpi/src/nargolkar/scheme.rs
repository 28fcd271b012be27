//! The split by limits as arithmetic: which processor searches which limit when, if time is counted in nodes.
//!
//! Each limit, in rising order, goes to the processor that is free first. The proof is complete when the limit with the goal has
//! met it and all smaller limits have ended; larger ones begin later and delay nothing.
//!
//! Say that each tree has b times the nodes of the one before, that the last one has size 1, and that its first solution is met
//! after the fraction f of it. Then one processor takes 1/b + 1/b² + … + f = 1/(b − 1) + f. With enough processors the last two trees
//! are searched at the same time, and those before them elsewhere: the proof takes max(f, 1/b). So
//!
//! ```text
//! S(f) = (1/(b − 1) + f) / max(f, 1/b)
//! ```
//!
//! which rises to f = 1/b and falls after it: at most b/(b − 1) + 1 = (2 b − 1)/(b − 1), that is 15/7 for b = 8.

/// A limit, and the nodes that it takes: all of its tree, or those to the first solution.
pub type Tree = (u8, u64);

/// Who searches a limit, from when to when, in nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    pub limit: u8,
    pub processor: usize,
    pub begin: u64,
    pub end: u64,
}

/// The limits, in rising order, on this many processors.
pub fn by_limits(trees: &[Tree], processors: usize) -> Vec<Turn> {
    let mut free = vec![0; processors];
    let turn = |&(limit, nodes): &Tree| {
        let processor = (0..processors).min_by_key(|&processor| free[processor]).expect("there is a processor");
        let begin = free[processor];
        free[processor] += nodes;
        Turn { limit, processor, begin, end: begin + nodes }
    };
    trees.iter().map(turn).collect()
}

/// How many times faster this many processors prove the goal than one.
pub fn speedup(trees: &[Tree], processors: usize) -> f64 {
    let alone: u64 = trees.iter().map(|tree| tree.1).sum();
    let last = by_limits(trees, processors).iter().map(|turn| turn.end).max().unwrap_or_default();
    alone as f64 / last as f64
}

/// The speedup with enough processors, where trees grow by this factor and the goal is met after this fraction of the last.
pub fn speedup_at(growth: f64, fraction: f64) -> f64 {
    (1.0 / (growth - 1.0) + fraction) / fraction.max(1.0 / growth)
}

/// The most that any number of processors can gain.
pub fn ceiling(growth: f64) -> f64 {
    speedup_at(growth, 1.0 / growth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ceiling_is_fifteen_sevenths() {
        assert!((ceiling(8.0) - 15.0 / 7.0).abs() < 1e-12);
        assert!((ceiling(13.0) - 25.0 / 12.0).abs() < 1e-12);
        assert!((speedup_at(8.0, 1.0) - 8.0 / 7.0).abs() < 1e-12, "complete limits");
        for percent in 1..=100 {
            assert!(speedup_at(8.0, f64::from(percent) / 100.0) <= ceiling(8.0));
        }
    }

    #[test]
    fn limits_go_to_the_processor_that_is_free_first() {
        // Each tree eight times the one before, and the goal after an eighth of the last.
        let trees: Vec<Tree> = (0..7).map(|limit| (limit, 8u64.pow(limit.into()))).chain([(7, 8u64.pow(6))]).collect();
        let turns = by_limits(&trees, 2);
        assert_eq!((turns[0].processor, turns[1].processor, turns[2].processor), (0, 1, 0));
        assert_eq!(turns[2].begin, 1);
        assert!((speedup(&trees, 8) - 15.0 / 7.0).abs() < 1e-3);
        assert!(speedup(&trees, 1) == 1.0 && speedup(&trees, 2) < speedup(&trees, 3));
    }
}
