//! Each fuzz target with its corpus and with two thousand inputs generated from it, on any Rust and
//! without sanitizers. `.ci/fuzz` searches for inputs that reach new code.

use cosette_fuzz::{TARGETS, Target};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs;
use std::path::{Path, PathBuf};

/// Number of inputs generated for each target.
const INPUTS: usize = 2000;
/// Maximum length of an input of random bytes.
const MAX_LENGTH: usize = 600;

/// Calls each target with the inputs of its corpus, and with others.
#[test]
fn targets_hold_for_generated_inputs() {
    std::thread::scope(|scope| {
        for target in TARGETS {
            scope.spawn(|| check(target));
        }
    });
}

fn check(target: &Target) {
    let Target {
        name,
        dictionary,
        run,
    } = target;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = corpus(&folder.join("corpus").join(name));
    let dictionary = folder.join(format!("dictionaries/{dictionary}.dict"));
    let words = words(&fs::read_to_string(dictionary).unwrap());
    corpus.iter().for_each(|input| run(input));
    let mut chance = ChaCha8Rng::seed_from_u64(name.len() as u64);
    for number in 0..INPUTS {
        let input = input(&corpus, &words, &mut chance);
        // A panic prints the number of the input, which reproduces it.
        let result = std::panic::catch_unwind(|| run(&input));
        let text = String::from_utf8_lossy(&input);
        assert!(result.is_ok(), "input {number} of {name}: {text:?}");
    }
}

fn corpus(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(files) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

/// The words of a dictionary of libFuzzer: one in quotation marks in each line, with `\\`, `\"` and
/// `\xAB`.
fn words(dictionary: &str) -> Vec<Vec<u8>> {
    let words = dictionary
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.strip_suffix('"'));
    words.map(|text| word(text.as_bytes())).collect()
}

fn word(mut line: &[u8]) -> Vec<u8> {
    let mut word = Vec::new();
    while let [first, rest @ ..] = line {
        let (byte, rest) = match (first, rest) {
            (b'\\', [b'x', high, low, rest @ ..]) => {
                let digit =
                    |byte: &u8| (*byte as char).to_digit(16).expect("a hexadecimal digit") as u8;
                (16 * digit(high) + digit(low), rest)
            }
            (b'\\', [escaped, rest @ ..]) => (*escaped, rest),
            _ => (*first, rest),
        };
        word.push(byte);
        line = rest;
    }
    word
}

/// An input: one of the corpus, or random bytes and words, after some changes.
fn input(corpus: &[Vec<u8>], words: &[Vec<u8>], chance: &mut ChaCha8Rng) -> Vec<u8> {
    let mut input = match corpus.choose(chance) {
        Some(input) if chance.random_ratio(7, 8) => input.clone(),
        _ => {
            let mut bytes = vec![0; chance.random_range(0..MAX_LENGTH)];
            chance.fill_bytes(&mut bytes);
            bytes
        }
    };
    for _ in 0..chance.random_range(1..=8) {
        let start = chance.random_range(0..=input.len());
        let end = chance.random_range(start..=input.len().min(start + 40));
        let change = match chance.random_range(0..6) {
            0 => Vec::new(),
            1 => vec![chance.random()],
            2 => input[start..end].repeat(2),
            3 => input[start..end]
                .iter()
                .map(|byte| byte ^ 1 << chance.random_range(0..8))
                .collect(),
            4 => corpus
                .choose(chance)
                .map_or_else(Vec::new, |other| other[other.len().min(start)..].to_vec()),
            _ => words.choose(chance).cloned().unwrap_or_default(),
        };
        // A word is inserted as often as it replaces other bytes.
        let end = if chance.random() { start } else { end };
        input.splice(start..end, change);
    }
    input
}
