//! What is known about the distances of all positions from solved.
//!
//! Half-turn metric: the numbers of positions within fifteen moves are exact (Rokicki, Kociemba, Davidson and
//! Dethridge; Scheunemann; OEIS A080601); from sixteen to nineteen moves three million random positions were solved; at
//! twenty moves there are some 490 million (Rokicki 2013). Quarter-turn metric: the numbers within eighteen quarter
//! turns are exact (OEIS A080602); beyond, only the mean is given here.

use cosette::cube::Metric;

/// How many positions the cube has.
const POSITIONS: f64 = 43_252_003_274_489_856_000.0;

/// The positions by distance, from zero.
const HTM: [u64; 16] = [
    1,
    18,
    243,
    3_240,
    43_239,
    574_908,
    7_618_438,
    100_803_036,
    1_332_343_288,
    17_596_479_795,
    232_248_063_316,
    3_063_288_809_012,
    40_374_425_656_248,
    531_653_418_284_628,
    6_989_320_578_825_358,
    91_365_146_187_124_313,
];
const QTM: [u64; 19] = [
    1,
    12,
    114,
    1_068,
    10_011,
    93_840,
    878_880,
    8_221_632,
    76_843_595,
    717_789_576,
    6_701_836_858,
    62_549_615_248,
    583_570_100_997,
    5_442_351_625_028,
    50_729_620_202_582,
    472_495_678_811_004,
    4_393_570_406_220_123,
    40_648_181_519_827_392,
    368_071_526_203_620_348,
];

/// Random positions of sixteen to nineteen moves among three million.
const HTM_SAMPLE: [f64; 4] = [79_841.0, 801_642.0, 2_011_479.0, 100_175.0];
const HTM_SAMPLES: f64 = 3_000_000.0;
const HTM_TWENTY: f64 = 4.9e8;

/// The share of all positions at this distance from solved, if it is known.
pub fn share(metric: Metric, distance: u8) -> Option<f64> {
    let distance = usize::from(distance);
    match metric {
        Metric::Htm => match distance {
            0..=15 => Some(HTM[distance] as f64 / POSITIONS),
            16..=19 => Some(HTM_SAMPLE[distance - 16] / HTM_SAMPLES),
            20 => Some(HTM_TWENTY / POSITIONS),
            _ => Some(0.0),
        },
        Metric::Qtm => match distance {
            0..=18 => Some(QTM[distance] as f64 / POSITIONS),
            19..=26 => None,
            _ => Some(0.0),
        },
    }
}

/// The mean distance of all positions from solved.
pub const fn mean(metric: Metric) -> f64 {
    match metric {
        Metric::Htm => 17.706,
        Metric::Qtm => 20.663,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up() {
        let shares = || (0..=20).map(|distance| (distance, share(Metric::Htm, distance).unwrap()));
        assert!((shares().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-4);
        let mean_of_shares: f64 = shares().map(|(distance, share)| f64::from(distance) * share).sum();
        assert!((mean_of_shares - mean(Metric::Htm)).abs() < 2e-3, "{mean_of_shares}");
    }
}
