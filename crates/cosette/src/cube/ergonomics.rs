//! Execution cost: an estimate of the time to execute a sequence by hand.
//!
//! The measure is a simplified form of the movecount coefficient (MCC) of trangium,
//! <https://trangium.github.io/MovecountCoefficient/>, with its weights: a quarter turn takes 1, a
//! half turn 1.65. Slowdowns are counted in the same unit.
//!
//! | | |
//! |---|--:|
//! | a quarter turn; a half turn | 1; 1.65 |
//! | S or E; their half turns | 1.25; 2.3 and 2.05 |
//! | F with both wrists in neutral position, done by a thumb | 0.25 more |
//! | a wrist that would turn too far, or B with both wrists in neutral position: regrip | 2 more |
//! | R or l if the right side is held, r or L if the left side is held: the other side is held from then on (at first the left side) | 1 more |
//! | U and D, or two other opposite faces, one after the other: turned together | the slower turn, and 0.5 |
//! | x, y, z: regrip, both wrists in neutral position | 2 |
//! | a wrist that is turned at the start | 0.35 |
//!
//! At the start, both wrists are in neutral position or one of them is turned by a quarter,
//! whichever costs least. A wrist moves between one quarter back and two forward. Unlike in MCC,
//! fingers do not tire, and the cost does not depend on which finger turns a layer.

use super::LayerTurn;

// In hundredths of a quarter turn.
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

/// Returns the cost of the turns if the left and the right wrist begin in these positions, in
/// quarters forward.
fn from_wrists(mut wrists: [i32; 2], names: &[Vec<char>]) -> u32 {
    let mut total = 0;
    let mut last_cost = 0;
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
                let (hand, clockwise) = if letter.eq_ignore_ascii_case(&'r') {
                    (1, 1)
                } else {
                    (0, -1)
                };
                let wrist = wrists[hand];
                // A half turn is possible in both directions.
                let turned = match amount {
                    '2' if wrist >= 1 => wrist - 2,
                    '2' => wrist + 2,
                    '\'' => wrist - clockwise,
                    _ => wrist + clockwise,
                };
                if (-1..=2).contains(&turned) {
                    wrists[hand] = turned;
                } else {
                    // The regrip is to the neutral position.
                    wrists[hand] = turned - wrist;
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
        // Opposite faces are turned together; `total` contains the cost of the first of them.
        if i > 0 && are_opposite(names[i - 1][0], letter) {
            cost = cost.max(last_cost) + 50 - last_cost;
            last_cost = 0;
        } else {
            last_cost = cost;
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
    fn sequences_that_are_harder_by_hand_cost_more() {
        let cost = |text| execution_cost(&parse_turns(text, &ParseOptions::default()).unwrap());
        let known = ["", "R", "R2", "R U R' U'", "U D'"].map(cost);
        assert_eq!(known, [0, 100, 165, 400, 150]);
        // In each list, no sequence is easier than the one before it. A wrist cannot turn all the
        // way round, as in R R R R.
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
