//! Statistics of a journal, and the histogram of its lengths, compared with the known distance
//! distribution of all positions.
//!
//! Half-turn metric: the numbers of positions within fifteen moves are exact (Rokicki, Kociemba,
//! Davidson and Dethridge; Scheunemann; OEIS A080601); from sixteen to nineteen moves, the shares
//! are those among three million random positions; at twenty moves there are some 490 million
//! positions (Rokicki 2013). Quarter-turn metric: the numbers within eighteen quarter turns are
//! exact (OEIS A080602); beyond that, only the mean distance is given here.

use super::state::{BatchRecord, LIST};
use crate::journal::{self, JournalError};
use crate::units::mean;
use cosette::cube::{Metric, quoted};
use cosette::search::SolveResult;
use plotters::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ops::RangeInclusive;
use std::path::Path;

/// Statistics of a journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// The metric.
    pub metric: String,
    /// The goal, if the results are for a goal or for another target position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The allowed moves, if the results are for a goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allowed_moves: Option<String>,
    /// The number of texts in the list.
    pub listed: usize,
    /// The number of positions with a result.
    pub answered: usize,
    /// The number of positions with a proven length.
    pub proven: usize,
    /// The number of positions whose result was derived from another one that is equivalent under
    /// symmetry and inversion.
    pub carried_over: usize,
    /// The positions by proven length.
    pub lengths: Vec<LengthStats>,
    /// The mean of the proven lengths.
    pub mean_length: Option<f64>,
    /// The mean distance of all positions from the solved cube; `None` for goals, and for metrics
    /// other than htm and qtm.
    pub known_mean_length: Option<f64>,
    /// The number of expanded nodes.
    pub nodes: u64,
    /// The number of table lookups.
    pub probes: u64,
    /// The total time of all searches, in seconds.
    pub seconds: f64,
    /// The maximum time of a search, in seconds.
    pub longest_seconds: f64,
    /// The number of searched positions per second of search.
    pub searched_a_second: Option<f64>,
    /// The names of the tables.
    pub tables: BTreeSet<String>,
}

/// The positions of one length.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LengthStats {
    /// The length.
    pub length: u8,
    /// The number of positions with this length.
    pub positions: usize,
    /// The share of these positions among those with a proven length.
    pub share: f64,
    /// The share of this length among all positions of the cube, if it is known.
    pub known_share: Option<f64>,
    /// The mean number of expanded nodes of the searched positions.
    pub mean_nodes: Option<f64>,
    /// The mean time of the searched positions, in seconds.
    pub mean_seconds: Option<f64>,
}

impl Stats {
    /// Reads a journal, even while a process writes it.
    ///
    /// # Errors
    ///
    /// Returns [`JournalError`] on an I/O error, or if the file is corrupted or not a journal of a
    /// batch.
    pub fn of_journal(path: &Path) -> Result<Stats, JournalError> {
        let mut answers: BTreeMap<usize, SolveResult> = BTreeMap::new();
        let settings = journal::read(path, &mut |record: BatchRecord| {
            // The large fields are not needed here.
            let mut answer = record.answer;
            answer.solutions = Vec::new();
            answer.iterations = Vec::new();
            answers.entry(record.number).or_insert(answer);
        })?;
        let setting = |name: &str| settings.get(name).map_or("", String::as_str);
        Ok(Stats::new(
            setting("metric"),
            setting(LIST).parse().unwrap_or_default(),
            &answers.into_values().collect::<Vec<_>>(),
        ))
    }

    /// Computes the statistics of these results for a list with `listed` texts.
    pub fn new(metric: &str, listed: usize, answers: &[SolveResult]) -> Stats {
        let goal = answers.iter().find_map(|answer| answer.goal.clone());
        let allowed_moves = answers
            .iter()
            .find_map(|answer| answer.allowed_moves.clone());
        // The metric, unless the results are for a goal.
        let cube_metric = allowed_moves.is_none().then_some(metric);
        let known_metric: Option<Metric> = cube_metric.and_then(|metric| metric.parse().ok());
        let mut by_length: BTreeMap<u8, Vec<&SolveResult>> = BTreeMap::new();
        for answer in answers {
            if let Some(length) = answer.length {
                by_length.entry(length).or_default().push(answer);
            }
        }
        let proven: usize = by_length.values().map(Vec::len).sum();
        let sums = by_length
            .iter()
            .map(|(&length, answers)| f64::from(length) * answers.len() as f64);
        let sum_of_lengths: f64 = sums.sum();
        let is_searched = |answer: &&SolveResult| answer.equivalent_to_line.is_none();
        let searched: Vec<&SolveResult> = answers.iter().filter(is_searched).collect();
        // Starts from zero: the sum of no numbers is −0.0.
        let seconds = searched
            .iter()
            .fold(0.0, |sum, answer| sum + answer.seconds);
        let length_stats = |(length, answers): (u8, Vec<&SolveResult>)| {
            let searched = || answers.iter().copied().filter(is_searched);
            let mean_of = |value: fn(&SolveResult) -> f64| {
                let values: Vec<f64> = searched().map(value).collect();
                (!values.is_empty()).then(|| mean(&values))
            };
            LengthStats {
                length,
                positions: answers.len(),
                share: answers.len() as f64 / proven as f64,
                known_share: known_metric.and_then(|metric| known_share(metric, length)),
                mean_nodes: mean_of(|answer| answer.nodes as f64),
                mean_seconds: mean_of(|answer| answer.seconds),
            }
        };
        Stats {
            metric: metric.to_owned(),
            goal,
            allowed_moves,
            listed,
            answered: answers.len(),
            proven,
            carried_over: answers.len() - searched.len(),
            lengths: by_length.into_iter().map(length_stats).collect(),
            mean_length: (proven > 0).then(|| sum_of_lengths / proven as f64),
            known_mean_length: known_metric.map(known_mean),
            nodes: searched.iter().map(|answer| answer.nodes).sum(),
            probes: searched.iter().map(|answer| answer.probes).sum(),
            seconds,
            longest_seconds: searched
                .iter()
                .map(|answer| answer.seconds)
                .fold(0.0, f64::max),
            searched_a_second: (seconds > 0.0).then(|| searched.len() as f64 / seconds),
            tables: answers.iter().map(|answer| answer.table.clone()).collect(),
        }
    }

    /// Returns the metric; the half-turn metric if it is neither htm nor qtm.
    pub(super) fn metric(&self) -> Metric {
        self.metric.parse().unwrap_or_default()
    }
}

/// Number of positions of the cube.
const POSITIONS: f64 = 43_252_003_274_489_856_000.0;

/// Number of positions by distance, from zero, in the half-turn metric.
const HTM_COUNTS: [u64; 16] = [
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
/// Number of positions by distance, from zero, in the quarter-turn metric.
const QTM_COUNTS: [u64; 19] = [
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

/// Number of random positions of sixteen to nineteen moves among three million.
const HTM_SAMPLE: [f64; 4] = [79_841.0, 801_642.0, 2_011_479.0, 100_175.0];
const HTM_SAMPLE_SIZE: f64 = 3_000_000.0;
/// Number of positions of twenty moves.
const HTM_TWENTY: f64 = 4.9e8;

/// Returns the share of all positions at this distance from the solved cube, if it is known.
pub fn known_share(metric: Metric, distance: u8) -> Option<f64> {
    let distance = usize::from(distance);
    match metric {
        Metric::Htm => Some(match distance {
            0..=15 => HTM_COUNTS[distance] as f64 / POSITIONS,
            16..=19 => HTM_SAMPLE[distance - 16] / HTM_SAMPLE_SIZE,
            20 => HTM_TWENTY / POSITIONS,
            _ => 0.0,
        }),
        Metric::Qtm => match distance {
            0..=18 => Some(QTM_COUNTS[distance] as f64 / POSITIONS),
            19..=26 => None,
            _ => Some(0.0),
        },
    }
}

/// Returns the mean distance of all positions from the solved cube.
const fn known_mean(metric: Metric) -> f64 {
    match metric {
        Metric::Htm => 17.706,
        Metric::Qtm => 20.663,
    }
}

const SIZE: (u32, u32) = (760, 480);
const FONT: &str = "sans-serif";
const JOURNAL_COLOR: RGBColor = RGBColor(31, 119, 180);
const KNOWN_COLOR: RGBColor = RGBColor(255, 127, 14);

/// Draws the shares of the lengths as an SVG histogram, with the known shares of all positions of
/// the cube.
pub fn histogram(stats: &Stats) -> String {
    let mut text = String::new();
    // Writing to memory cannot fail.
    draw(stats, &mut text).expect("a histogram fits its picture");
    text
}

/// Returns the known share of a length among all positions, if the statistics are comparable.
fn comparable_share(stats: &Stats, length: u8) -> Option<f64> {
    stats.known_mean_length?;
    known_share(stats.metric(), length)
}

/// Returns the range of lengths to show. It includes those in the journal, and those of more than
/// half a percent of all positions.
fn shown_lengths(stats: &Stats) -> RangeInclusive<u8> {
    let diameter = stats.metric().diameter();
    let is_common =
        |length: &u8| comparable_share(stats, *length).is_some_and(|share| share > 0.005);
    let common = (0..=diameter).filter(is_common);
    let lengths = stats.lengths.iter().map(|entry| entry.length).chain(common);
    let least = lengths.clone().min().unwrap_or(0);
    let most = lengths.max().unwrap_or(diameter);
    least..=most
}

/// Returns the bar for the share of a length. `sides` are the distances of its sides from the
/// length on the x axis.
fn bar((length, share): (u8, f64), sides: [f64; 2], color: RGBColor) -> Rectangle<(f64, f64)> {
    let [left, right] = sides.map(|side| f64::from(length) + side);
    Rectangle::new([(left, 0.0), (right, share * 100.0)], color.filled())
}

fn legend(color: RGBColor) -> impl Fn((i32, i32)) -> Rectangle<(i32, i32)> {
    move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled())
}

fn draw(stats: &Stats, text: &mut String) -> Result<(), Box<dyn Error>> {
    let lengths = shown_lengths(stats);
    let (least, most) = lengths.clone().into_inner();
    let ours = stats
        .lengths
        .iter()
        .map(|entry| (entry.length, entry.share));
    let all = lengths.filter_map(|length| Some((length, comparable_share(stats, length)?)));
    let shares = ours.clone().chain(all.clone()).map(|(_, share)| share);
    let highest = shares.fold(0.0, f64::max);

    let goal = stats.goal.as_ref();
    let goal = goal.map(|goal| format!(", to {}", quoted(goal)));
    let goal = goal.unwrap_or_default();
    let caption = format!(
        "{} positions by length, {}{goal}",
        stats.proven, stats.metric
    );
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(caption, (FONT, 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(
            f64::from(least) - 0.6..f64::from(most) + 0.6,
            // In percent, with some space above the highest bar.
            0.0..highest.max(0.01) * 108.0,
        )?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .x_desc("moves")
        .y_desc("% of the positions")
        .x_labels(usize::from(most - least) + 1)
        .x_label_formatter(&|length| format!("{length:.0}"))
        .label_style((FONT, 13))
        .draw()?;
    chart
        .draw_series(ours.map(|share| bar(share, [-0.4, 0.0], JOURNAL_COLOR)))?
        .label("in this journal")
        .legend(legend(JOURNAL_COLOR));
    if stats.known_mean_length.is_some() {
        chart
            .draw_series(all.map(|share| bar(share, [0.0, 0.4], KNOWN_COLOR)))?
            .label("all positions, as known")
            .legend(legend(KNOWN_COLOR));
    }
    let labels = &mut chart.configure_series_labels();
    labels
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3));
    labels.label_font((FONT, 13)).draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_no_answers_is_positive_zero() {
        assert!(Stats::new("htm", 500, &[]).seconds.is_sign_positive());
    }

    #[test]
    fn known_shares_have_the_known_mean() {
        let known = |distance| known_share(Metric::Htm, distance).unwrap();
        let sum: f64 = (0..=20).map(known).sum();
        assert!((sum - 1.0).abs() < 1e-4);
        let mean: f64 = (0..=20)
            .map(|distance| f64::from(distance) * known(distance))
            .sum();
        assert!((mean - known_mean(Metric::Htm)).abs() < 2e-3, "{mean}");
    }
}
