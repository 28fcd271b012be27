//! Plots as SVG.
//!
//! A logarithmic axis is a linear one of exponents, labelled with powers of ten.

use super::markdown::{cell, superscript};
use crate::experiment::{Cell, Plot, Series};
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;

const SIZE: (u32, u32) = (760, 480);
const FONT: &str = "sans-serif";

/// The plot as a picture in SVG. A plot without points is an empty frame.
pub fn svg(plot: &Plot) -> String {
    let mut text = String::new();
    // Nothing is written but to memory, so nothing can fail.
    draw(plot, &mut text).expect("a plot fits its picture");
    text
}

fn draw(plot: &Plot, text: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let series: Vec<Vec<(f64, f64)>> = plot.series.iter().map(|series| scaled(plot, series)).collect();
    let mut chart = ChartBuilder::on(&area)
        .caption(&plot.title, (FONT, 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(range(&series, |point| point.0), range(&series, |point| point.1))?;
    let [x_label, y_label] = plot.logarithmic.map(|is_logarithmic| move |&value: &f64| label(value, is_logarithmic));
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_desc(plot.x)
        .y_desc(plot.y)
        .x_label_formatter(&x_label)
        .y_label_formatter(&y_label)
        .label_style((FONT, 13))
        .draw()?;
    for (number, (points, Series { label, .. })) in series.iter().zip(&plot.series).enumerate() {
        let colour = Palette99::pick(number).to_rgba();
        chart
            .draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)).point_size(3))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    if plot.series.len() > 1 {
        let labels = &mut chart.configure_series_labels();
        labels.position(SeriesLabelPosition::UpperLeft).background_style(WHITE.mix(0.8)).border_style(BLACK.mix(0.3));
        labels.label_font((FONT, 13)).draw()?;
    }
    area.present()?;
    Ok(())
}

/// The points where they are drawn. What has no logarithm is left out of a logarithmic plot.
fn scaled(plot: &Plot, series: &Series) -> Vec<(f64, f64)> {
    let scale = |value: f64, is_logarithmic: bool| if is_logarithmic { value.log10() } else { value };
    let points = series.points.iter();
    let points = points.map(|&(x, y)| (scale(x, plot.logarithmic[0]), scale(y, plot.logarithmic[1])));
    points.filter(|(x, y)| x.is_finite() && y.is_finite()).collect()
}

/// From the least to the largest value, with some room.
fn range(series: &[Vec<(f64, f64)>], value: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
    let values = || series.iter().flatten().map(&value);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if least > most {
        return 0.0..1.0;
    }
    let room = if most > least { (most - least) / 20.0 } else { 0.5 };
    least - room..most + room
}

fn label(value: f64, is_logarithmic: bool) -> String {
    match is_logarithmic {
        // As many digits behind the point as the first that is not zero takes.
        true if (-4.0..0.0).contains(&value) => format!("{:.*}", -value.floor() as usize, 10f64.powf(value)),
        true if value.fract().abs() < 1e-9 && (0.0..4.0).contains(&value) => format!("{}", 10f64.powf(value)),
        true if value.fract().abs() < 1e-9 && value > 0.0 => format!("10{}", superscript(&format!("{value:.0}"))),
        true => cell(&Cell::Estimate(10f64.powf(value))),
        false if value.abs() >= 1e5 => cell(&Cell::Estimate(value)),
        false => format!("{}", (value * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        let plot = Plot::new("nodes", "Nodes < by depth", ["depth", "nodes"], [false, true]);
        plot.series("nodes & time", points)
    }

    #[test]
    fn plots_are_pictures() {
        let svg = svg(&plot(vec![(1.0, 18.0), (2.0, 243.0), (3.0, 3240.0), (4.0, 0.0)]));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("Nodes &lt; by depth"), "titles are escaped");
    }

    #[test]
    fn logarithmic_labels_are_numbers() {
        let labels = [-3.0, -1.5, -1.0, -0.5, 0.0, 2.0, 5.0].map(|value| label(value, true));
        assert_eq!(labels, ["0.001", "0.03", "0.1", "0.3", "1", "100", "10⁵"]);
    }

    #[test]
    fn no_points_make_an_empty_frame() {
        assert!(svg(&plot(Vec::new())).starts_with("<svg"));
        assert!(svg(&plot(vec![(1.0, 1.0)])).starts_with("<svg"));
    }
}
