//! Execution cost: an estimate of the time to execute a sequence by hand.
//!
//! The measure is a small relative of the movecount coefficient (MCC) of trangium,
//! <https://trangium.github.io/MovecountCoefficient/>, with its weights: a quarter turn takes 1, a
//! half turn 1.65. Slowdowns are counted in the same unit.
//!
//! | | |
//! |---|--:|
//! | a quarter turn; a half turn | 1; 1.65 |
//! | S or E; their half turns | 1.25; 2.3 and 2.05 |
//! | F with both wrists in neutral position, done by a thumb | 0.25 more |
//! | a wrist that would turn too far, or B with both wrists in neutral position: regrip | 2 more |
//! | R, l after r, L, or the other way: the other side is held (at first the left one) | 1 more |
//! | U and D, or two other opposite faces, one after the other: done together | the slower of them, and 0.5 |
//! | x, y, z: regrip | 2 |
//! | beginning with a wrist turned | 0.35 |
//!
//! A wrist begins in neutral position or turned by one quarter, whichever is best, and moves
//! between one quarter back and two forward. Unlike MCC, fingers do not tire, and nothing depends
//! on which of them turns a layer.

use super::LayerTurn;

const QUARTER: u32 = 100;
const HALF: u32 = 165;
const REGRIP: u32 = 200;
const TURNED_START: u32 = 35;

/// Returns the estimated time to execute the turns by hand, in hundredths of a quarter turn of R.
pub fn execution_cost(turns: &[LayerTurn]) -> u32 {
    let names: Vec<Vec<char>> = turns
        .iter()
        .map(|turn| turn.to_string().chars().collect())
        .collect();
    [[1, 0], [-1, 0], [0, 1], [0, -1]]
        .map(|wrists| TURNED_START + from_wrists(wrists, &names))
        .into_iter()
        .fold(from_wrists([0, 0], &names), u32::min)
}

/// Returns the cost of the turns if the left and the right wrist begin like this.
fn from_wrists(mut wrists: [i32; 2], names: &[Vec<char>]) -> u32 {
    let mut total = 0;
    let mut last = 0;
    let mut holds_left = true;
    for (i, name) in names.iter().enumerate() {
        let letter = name[0];
        let amount = name.get(1).copied().unwrap_or(' ');
        let mut cost = match (letter, amount) {
            ('S', '2') => 230,
            ('E', '2') => 205,
            (_, '2') => HALF,
            ('S' | 'E', _) => QUARTER + 25,
            _ => QUARTER,
        };
        let are_neutral = wrists == [0, 0];
        match letter {
            'R' | 'r' | 'L' | 'l' => {
                let (hand, forward) = if letter.eq_ignore_ascii_case(&'r') {
                    (1, 1)
                } else {
                    (0, -1)
                };
                let wrist = wrists[hand];
                let to = match amount {
                    '2' if wrist >= 1 => wrist - 2,
                    '2' => wrist + 2,
                    '\'' => wrist - forward,
                    _ => wrist + forward,
                };
                if (-1..=2).contains(&to) {
                    wrists[hand] = to;
                } else {
                    wrists[hand] = to - wrist;
                    cost += REGRIP;
                }
                let is_left_held = matches!(letter, 'R' | 'l');
                if is_left_held != holds_left {
                    cost += QUARTER;
                }
                holds_left = is_left_held;
            }
            'F' | 'f' if are_neutral => cost += 25,
            'B' | 'b' if are_neutral => cost += REGRIP,
            'x' | 'y' | 'z' => {
                cost = REGRIP;
                wrists = [0, 0];
            }
            _ => {}
        }
        // Opposite faces are turned together.
        if i > 0 && are_opposite(names[i - 1][0], letter) {
            cost = cost.max(last) + 50 - last;
            last = 0;
        } else {
            last = cost;
        }
        total += cost;
    }
    total
}

fn are_opposite(one: char, other: char) -> bool {
    let mut pairs = ["UD", "RL", "FB"].into_iter();
    one != other && pairs.any(|pair| pair.contains(one) && pair.contains(other))
}

#[cfg(test)]
mod tests {
    use super::execution_cost;
    use crate::cube::{ParseOptions, parse_turns};

    #[test]
    fn it_agrees_with_hands() {
        let cost = |text| execution_cost(&parse_turns(text, &ParseOptions::default()).unwrap());
        let known = ["", "R", "R2", "R U R' U'", "U D'"].map(cost);
        assert_eq!(known, [0, 100, 165, 400, 150]);
        // Each is harder than the one before. A wrist does not turn round.
        for rising in [
            &[
                "R U R' U'",
                "F R U R' U' F'",
                "F U R U' R' F'",
                "B U R U' R' B'",
                "S U R U' R' E'",
                "R y U x R y U",
            ][..],
            &["R U R' U R", "R R R R"],
            &["R R' R R'", "R r R r"],
        ] {
            assert!(
                rising.iter().map(|text| cost(text)).is_sorted(),
                "{rising:?}"
            );
        }
    }
}
