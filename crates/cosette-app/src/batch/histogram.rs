//! The lengths in a journal as a histogram.

use super::known;
use super::stats::Stats;
use plotters::prelude::*;
use std::error::Error;

const SIZE: (u32, u32) = (760, 480);
const FONT: &str = "sans-serif";
const OURS: RGBColor = RGBColor(31, 119, 180);
const ALL: RGBColor = RGBColor(255, 127, 14);

/// The shares of the lengths as an SVG histogram, with those of all positions of the cube as far as they are known.
pub fn histogram(stats: &Stats) -> String {
    let mut text = String::new();
    // It is written to memory, so nothing can fail.
    draw(stats, &mut text).expect("a histogram fits its picture");
    text
}

fn draw(stats: &Stats, text: &mut String) -> Result<(), Box<dyn Error>> {
    let metric = stats.metric();
    let least = stats.lengths.first().map_or(0, |of| of.length);
    let most = stats.lengths.last().map_or(metric.diameter(), |of| of.length);
    // Common lengths are shown even if the journal has none of them.
    let is_usual = |length: &u8| known::share(metric, *length).is_some_and(|share| share > 0.005);
    let usual = (0..=metric.diameter()).filter(is_usual);
    let (least, most) = usual.fold((least, most), |(least, most), length| (least.min(length), most.max(length)));
    let ours = stats.lengths.iter().map(|of| (of.length, of.share));
    let all = (least..=most).filter_map(|length| Some((length, known::share(metric, length)?)));
    let highest = ours.clone().chain(all.clone()).map(|(_, share)| share).fold(0.0, f64::max);

    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{} positions by length, {}", stats.proven, stats.metric), (FONT, 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(f64::from(least) - 0.6..f64::from(most) + 0.6, 0.0..highest.max(0.01) * 108.0)?;
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
    let legend = |colour: RGBColor| move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled());
    let bar = |(length, share), from: f64, to: f64, colour: RGBColor| {
        let middle = f64::from(length);
        Rectangle::new([(middle + from, 0.0), (middle + to, share * 100.0)], colour.filled())
    };
    chart.draw_series(ours.map(|of| bar(of, -0.4, 0.0, OURS)))?.label("in this journal").legend(legend(OURS));
    chart.draw_series(all.map(|of| bar(of, 0.0, 0.4, ALL)))?.label("all positions, as known").legend(legend(ALL));
    let labels = &mut chart.configure_series_labels();
    labels.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3));
    labels.label_font((FONT, 13)).draw()?;
    area.present()?;
    Ok(())
}
