//! The training of the alphabets: alternation (Lloyd 1982), as for codebooks of vector
//! quantization, with random changes.
//!
//! ```text
//! repeat:
//!     change an alphabet, or pairs of some, at random
//!     four times:
//!         pack each word in its best alphabet
//!         in each alphabet, replace pair by pair while that loses less in the words packed in it
//!     undo the change if all words together lose more than before
//! ```
//!
//! The words are of two kinds. Some words of some classes of several tables stand for what most
//! searches read. The words of positions near the superflip stand for what is read where edges are
//! flipped while the corners are nearly solved: there, entries far below the base value decide.
//! Without the second kind, the superflip needs five times as many probes.

use super::{ALPHABETS, Alphabet, LEVELS, Packing, best_alphabet};
use crate::cube::{Cube, Move};
use crate::table::generate::tests::{LevelPairs, words_of_positions, words_of_some_classes};

/// The tables that words are taken from; the recommended one counts twice.
const TABLES: [&str; 5] = ["94M", "190M", "750M", "1.5G", "1.5G"];
/// The total weight of all words near the superflip; every other word has the weight 1.
const WEIGHT_OF_SUPERFLIP: f64 = 1000.0;
/// Number of random changes of the test. `CHANGES=2000 SEED=5 cargo test … -- --ignored --nocapture
/// training` found the alphabets, from others found in the same way.
const CHANGES: usize = 30;

struct Training {
    /// Each word with its weight.
    words: Vec<(f64, LevelPairs)>,
}

/// The total weight with which each pair of levels occurs, by first level + [`LEVELS`] · second
/// level.
type Shares = [f64; LEVELS * LEVELS];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pair(&mut self) -> [u8; 2] {
        [(); 2].map(|()| self.below(LEVELS) as u8)
    }

    /// Returns the alphabets with a random change: an alphabet is replaced by another with two new
    /// pairs, or three pairs of any alphabets are new.
    fn changed(&mut self, mut alphabets: [Alphabet; 16]) -> [Alphabet; 16] {
        let alphabet = self.below(16);
        if self.below(2) == 0 {
            alphabets[alphabet] = alphabets[self.below(16)];
            (0..2).for_each(|_| alphabets[alphabet].pairs[self.below(8)] = self.pair());
        } else {
            (0..3).for_each(|_| alphabets[self.below(16)].pairs[self.below(8)] = self.pair());
        }
        alphabets
    }
}

impl Training {
    fn new() -> Training {
        let typical = TABLES
            .into_iter()
            .flat_map(|size| words_of_some_classes(size.parse().unwrap()));
        let mut words: Vec<_> = typical.map(|word| (1.0, word)).collect();
        let near_superflip = words_of_positions("190M".parse().unwrap(), &near_superflip());
        let weight = WEIGHT_OF_SUPERFLIP / near_superflip.len() as f64;
        words.extend(near_superflip.into_iter().map(|word| (weight, word)));
        // A word of zeros, so that one alphabet can pack any word.
        words.push((1.0, [0; 20]));
        Training { words }
    }

    /// Returns the total loss of all words, and the shares of the pairs in the words packed in each
    /// alphabet.
    fn packed(&self, alphabets: &[Alphabet; 16]) -> (f64, [Shares; 16]) {
        let packing = Packing::of(alphabets);
        let mut total = 0.0;
        let mut shares = [[0.0; LEVELS * LEVELS]; 16];
        for (weight, word) in &self.words {
            let (alphabet, loss) = best_alphabet(word, &|&pair| &packing.pairs[usize::from(pair)]);
            total += weight * f64::from(loss);
            word.iter()
                .for_each(|&pair| shares[alphabet][usize::from(pair)] += weight);
        }
        (total, shares)
    }

    /// Returns the alphabets after four rounds of alternation.
    fn improved(&self, mut alphabets: [Alphabet; 16]) -> [Alphabet; 16] {
        for _ in 0..4 {
            let (_, shares) = self.packed(&alphabets);
            for (alphabet, shares) in alphabets.iter_mut().zip(&shares) {
                improve(alphabet, shares);
            }
        }
        alphabets
    }
}

/// Replaces pair by pair of an alphabet while that reduces the loss.
fn improve(alphabet: &mut Alphabet, shares: &Shares) {
    let occurring: Vec<_> = (0..shares.len())
        .filter(|&pair| shares[pair] > 0.0)
        .collect();
    let loss_with = |alphabet: &Alphabet| -> f64 {
        let loss = |&pair: &usize| {
            let levels = [(pair % LEVELS) as u8, (pair / LEVELS) as u8];
            shares[pair]
                * alphabet
                    .pack(levels)
                    .map_or(f64::INFINITY, |(_, loss)| f64::from(loss))
        };
        occurring.iter().map(loss).sum()
    };
    let mut least = loss_with(alphabet);
    let mut code = 0;
    let mut unchanged = 0;
    while unchanged < 8 {
        let candidates = (0..LEVELS * LEVELS).map(|pair| {
            let mut other = *alphabet;
            other.pairs[code] = [(pair % LEVELS) as u8, (pair / LEVELS) as u8];
            (loss_with(&other), other)
        });
        let (loss, other) = candidates
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("some pairs");
        (least, *alphabet, unchanged) = if loss < least {
            (loss, other, 0)
        } else {
            (least, *alphabet, unchanged + 1)
        };
        code = (code + 1) % 8;
    }
}

/// Positions six to nine moves from the superflip.
fn near_superflip() -> Vec<Cube> {
    let superflip: Cube = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"
        .parse()
        .unwrap();
    let mut random = Random(1);
    let mut walk =
        |length| (0..length).fold(superflip, |cube, _| cube.apply(Move::ALL[random.below(18)]));
    (0..60_000).map(|i| walk(6 + i % 4)).collect()
}

#[test]
#[ignore = "ten seconds; it says something new only after a change to the alphabets or to what a \
    table holds"]
fn training_finds_no_better_alphabets() {
    let training = Training::new();
    let changes = std::env::var("CHANGES").map_or(CHANGES, |changes| changes.parse().unwrap());
    let (ours, _) = training.packed(&ALPHABETS);
    let mut best = ALPHABETS;
    let mut least = ours;
    let mut random = Random(std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap()));
    for change in 0..changes {
        let other = training.improved(if change == 0 {
            best
        } else {
            random.changed(best)
        });
        let (loss, _) = training.packed(&other);
        if loss < least {
            best = other;
            least = loss;
            println!("after {change} changes: {least} of {ours}");
        }
    }
    for mut alphabet in best {
        alphabet.pairs.sort_unstable();
        println!(
            "    Alphabet::new(b\"{}\"),",
            alphabet.pairs.map(|[a, b]| format!("{a}{b}")).join(" ")
        );
    }
    assert!(ours <= 1.02 * least, "{ours} {least}");
}
