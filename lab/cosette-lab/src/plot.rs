//! Plots as SVG.
//!
//! A logarithmic axis is a linear one of exponents, labeled with powers of ten. Series are named at
//! the right, next to their last points, so that no legend covers a line. The colors are those of
//! Okabe and Ito, which color-blind people can distinguish.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use serde::{Deserialize, Serialize};
use std::error::Error;
use std::ops::Range;

/// A plot of one or more series of points.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Plot {
    /// Name of its file, without an extension; unique among the plots.
    pub name: String,
    /// Title of the plot.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis.
    pub y: String,
    /// `true` for each logarithmic axis.
    pub logarithmic: [bool; 2],
    /// The series.
    pub series: Vec<Series>,
}

/// A series of points, joined by a line unless a paper prints them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Series {
    /// Label of the series.
    pub label: String,
    /// The points, in order.
    pub points: Vec<(f64, f64)>,
    /// `true` if a paper prints these values.
    pub is_printed: bool,
}

const SIZE: (u32, u32) = (760, 480);
const FONT: &str = "sans-serif";
const INK: RGBColor = RGBColor(51, 51, 51);
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Height of a series name, and the length of the line sample before it.
const NAME_HEIGHT: i32 = 17;
const SAMPLE: i32 = 16;

/// Average width of a letter of a name.
const LETTER: f64 = 6.4;

/// Maximum number of points of a series that are marked.
const MAX_MARKED: usize = 40;

/// Maximum number of ticks of an axis.
const TICKS: usize = 9;

/// The plot as a picture in SVG. A plot without points is an empty frame.
pub fn svg(plot: &Plot) -> String {
    let mut text = String::new();
    // Nothing is written but to memory, so nothing can fail.
    draw(plot, &mut text).expect("a plot fits its picture");
    let start = text.find('>').map_or(0, |end| end + 1);
    text.insert_str(start, &format!("\n<title>{}</title>", escaped(&plot.title)));
    text
}

/// Escapes the characters of a text that are markup in XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn draw(plot: &Plot, text: &mut String) -> Result<(), Box<dyn Error>> {
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let series: Vec<Vec<(f64, f64)>> = plot
        .series
        .iter()
        .map(|series| scaled(plot, series))
        .collect();
    let x = PlotAxis::new(
        series.iter().flatten().map(|point| point.0),
        plot.logarithmic[0],
    );
    let y = PlotAxis::new(
        series.iter().flatten().map(|point| point.1),
        plot.logarithmic[1],
    );
    let longest = plot
        .series
        .iter()
        .map(|series| series.label.chars().count())
        .max()
        .unwrap_or(0);
    let names = if plot.series.len() > 1 {
        (LETTER * longest as f64) as u32 + SAMPLE as u32 + 22
    } else {
        12
    };
    let mut chart = ChartBuilder::on(&area)
        .caption(&plot.title, (FONT, 17, &INK))
        .margin(12)
        .margin_right(names)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.12))
        .axis_style(INK.mix(0.5))
        .x_desc(&plot.x)
        .y_desc(&plot.y)
        .label_style((FONT, 13, &INK))
        .draw()?;
    for (number, (points, series)) in series.iter().zip(&plot.series).enumerate() {
        draw_series(&mut chart, number, points, series.is_printed)?;
    }
    if plot.series.len() > 1 {
        let ends = series
            .iter()
            .map(|points| points.last().map(|point| chart.backend_coord(point).1));
        let heights = apart(
            &ends.collect::<Vec<_>>(),
            chart.plotting_area().get_y_axis_pixel_range(),
        );
        let edge = chart.plotting_area().get_x_axis_pixel_range().end + 8;
        draw_names(&area, plot, edge, &heights)?;
    }
    area.present()?;
    Ok(())
}

/// Draws the points of a series: crosses if a paper prints them, otherwise dots on a line.
fn draw_series(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<PlotAxis, PlotAxis>>,
    number: usize,
    points: &[(f64, f64)],
    is_printed: bool,
) -> Result<(), Box<dyn Error>> {
    let color = COLORS[number % COLORS.len()];
    let line = color.stroke_width(2);
    if is_printed {
        chart.draw_series(points.iter().map(|&point| Cross::new(point, 4, line)))?;
        return Ok(());
    }
    chart.draw_series(LineSeries::new(points.iter().copied(), line))?;
    // The colors begin again after the last: then the points are rings.
    let style = if number < COLORS.len() {
        color.filled()
    } else {
        color.stroke_width(1)
    };
    // A series of many points is a curve.
    let marked = if points.len() > MAX_MARKED {
        &[]
    } else {
        points
    };
    chart.draw_series(marked.iter().map(|&point| Circle::new(point, 3, style)))?;
    Ok(())
}

/// Draws the name of each series at its height, to the right of the edge, after a sample of its
/// line.
fn draw_names(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    plot: &Plot,
    edge: i32,
    heights: &[i32],
) -> Result<(), Box<dyn Error>> {
    let style = TextStyle::from((FONT, 13).into_font())
        .color(&INK)
        .pos(Pos::new(HPos::Left, VPos::Center));
    for (number, (series, &height)) in plot.series.iter().zip(heights).enumerate() {
        let color = COLORS[number % COLORS.len()].stroke_width(2);
        match series.is_printed {
            true => area.draw(&Cross::new((edge + SAMPLE / 2, height), 4, color))?,
            false => area.draw(&PathElement::new(
                [(edge, height), (edge + SAMPLE, height)],
                color,
            ))?,
        }
        area.draw_text(&series.label, &style, (edge + SAMPLE + 5, height))?;
    }
    Ok(())
}

/// Returns the heights of the names, in pixels from the top: as near to the wanted heights as
/// possible without overlaps. Series without points come last.
fn apart(wanted: &[Option<i32>], range: Range<i32>) -> Vec<i32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&number| wanted[number].unwrap_or(i32::MAX));
    let mut heights = vec![0; wanted.len()];
    let mut next = range.start;
    for &number in &order {
        heights[number] = wanted[number].unwrap_or(next).max(next);
        next = heights[number] + NAME_HEIGHT;
    }
    // Names pushed below the frame push the others up.
    let mut lowest = range.end;
    for &number in order.iter().rev() {
        heights[number] = heights[number].min(lowest);
        lowest = heights[number] - NAME_HEIGHT;
    }
    heights
}

/// Returns the points in drawing coordinates. Points without a logarithm are omitted from a
/// logarithmic plot.
fn scaled(plot: &Plot, series: &Series) -> Vec<(f64, f64)> {
    let scale =
        |value: f64, is_logarithmic: bool| if is_logarithmic { value.log10() } else { value };
    let points = series.points.iter();
    let points =
        points.map(|&(x, y)| (scale(x, plot.logarithmic[0]), scale(y, plot.logarithmic[1])));
    points
        .filter(|(x, y)| x.is_finite() && y.is_finite())
        .collect()
}

/// An axis: its range and its ticks.
#[derive(Debug, PartialEq)]
struct PlotAxis {
    range: Range<f64>,
    ticks: Vec<f64>,
    /// The ticks are at exponents.
    is_logarithmic: bool,
    /// Number of decimal places at the ticks.
    digits: usize,
}

impl PlotAxis {
    /// Creates an axis for these values, which are exponents if it is logarithmic.
    fn new(values: impl Iterator<Item = f64>, is_logarithmic: bool) -> PlotAxis {
        let values: Vec<f64> = values.collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if least > most {
            return PlotAxis {
                range: 0.0..1.0,
                ticks: Vec::new(),
                is_logarithmic,
                digits: 0,
            };
        }
        let room = if most > least {
            (most - least) / 20.0
        } else {
            0.5
        };
        let range = least - room..most + room;
        if is_logarithmic && range.end - range.start < 1.5 {
            let ticks = few_decades(&range)
                .into_iter()
                .filter(|tick| range.contains(tick))
                .collect();
            return PlotAxis {
                ticks,
                range,
                is_logarithmic,
                digits: 0,
            };
        }
        // Whole numbers and exponents have whole ticks.
        let least_step = if is_logarithmic || values.iter().all(|value| value.fract() == 0.0) {
            1.0
        } else {
            0.0
        };
        let step = step((range.end - range.start) / TICKS as f64).max(least_step);
        let first = (range.start / step).ceil() as i64;
        let ticks = (first..)
            .map(|number| number as f64 * step)
            .take_while(|&tick| tick <= range.end)
            .collect();
        let digits = (-step.log10().floor()).max(0.0) as usize;
        PlotAxis {
            range,
            ticks,
            is_logarithmic,
            digits,
        }
    }

    /// Returns `true` if the ticks of a logarithmic axis are powers of ten, because one of them has
    /// too many digits.
    fn has_powers(&self) -> bool {
        !self.ticks.iter().all(|tick| (-4.0..5.0).contains(tick))
    }

    fn label(&self, value: f64) -> String {
        match self.is_logarithmic {
            true if !self.has_powers() => {
                let number = 10f64.powf(value);
                // As many digits as the first that is not zero takes.
                format!("{number:.*}", (-(value + 1e-9).floor()).max(0.0) as usize)
            }
            true => {
                let exponent = (value + 1e-9).floor();
                let power = match exponent as i32 {
                    0 => "1".to_owned(),
                    1 => "10".to_owned(),
                    exponent => format!("10{}", superscript(exponent)),
                };
                match 10f64.powf(value - exponent).round() {
                    1.0 => power,
                    factor => format!("{factor}·{power}"),
                }
            }
            false => format!("{value:.*}", self.digits),
        }
    }
}

impl Ranged for PlotAxis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        first + (f64::from(last - first) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.clone()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for PlotAxis {
    fn format_ext(&self, &value: &f64) -> String {
        self.label(value)
    }
}

/// One, two and five times each power of ten, as exponents.
fn few_decades(range: &Range<f64>) -> Vec<f64> {
    let decades = range.start.floor() as i32..=range.end.ceil() as i32;
    decades
        .flat_map(|decade| [1.0, 2.0, 5.0].map(|factor: f64| f64::from(decade) + factor.log10()))
        .collect()
}

/// The least of 1, 2 and 5 times a power of ten that is not less.
fn step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= least)
        .unwrap_or(10.0 * power)
}

/// A whole number as an exponent.
pub(crate) fn superscript(number: i32) -> String {
    let superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: char| {
        digit
            .to_digit(10)
            .map_or('⁻', |digit| superscripts[digit as usize])
    };
    number.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: Vec<(f64, f64)>) -> Plot {
        Plot {
            name: "nodes".into(),
            title: "Nodes < by depth".into(),
            x: "depth".into(),
            y: "nodes".into(),
            logarithmic: [false, true],
            series: vec![Series {
                label: "nodes & time".into(),
                points,
                is_printed: false,
            }],
        }
    }

    #[test]
    fn plots_are_pictures() {
        let mut plot = plot(vec![(1.0, 18.0), (2.0, 243.0), (3.0, 3240.0), (4.0, 0.0)]);
        plot.series.push(Series {
            label: "paper".into(),
            points: vec![(2.0, 243.0)],
            is_printed: true,
        });
        let svg = svg(&plot);
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        assert!(svg.contains("<title>Nodes &lt; by depth</title>"));
        assert!(svg.contains("nodes &amp; time"), "series are named");
    }

    fn labels(values: &[f64], is_logarithmic: bool) -> Vec<String> {
        let axis = PlotAxis::new(
            values
                .iter()
                .map(|&value| if is_logarithmic { value.log10() } else { value }),
            is_logarithmic,
        );
        axis.ticks.iter().map(|&tick| axis.label(tick)).collect()
    }

    #[test]
    fn ticks_are_at_numbers_that_people_use() {
        assert_eq!(
            labels(&[1.0, 2.0, 6.0], false),
            ["1", "2", "3", "4", "5", "6"]
        );
        assert_eq!(
            labels(&[0.2, 1.0], false),
            [
                "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"
            ]
        );
        assert_eq!(labels(&[0.0, 1e6], false).last().unwrap(), "1000000");
        assert_eq!(
            labels(&[1.0, 1e6], true),
            ["1", "10", "10²", "10³", "10⁴", "10⁵", "10⁶"]
        );
        assert_eq!(
            labels(&[1.0, 1e4], true),
            ["1", "10", "100", "1000", "10000"]
        );
        assert_eq!(labels(&[2e-9, 4e-7], true), ["10⁻⁸", "10⁻⁷"]);
        assert_eq!(labels(&[0.1, 1.0], true), ["0.1", "0.2", "0.5", "1"]);
        assert_eq!(labels(&[2e7, 5e7], true), ["2·10⁷", "5·10⁷"]);
    }

    #[test]
    fn names_do_not_overlap() {
        assert_eq!(apart(&[Some(50), Some(10)], 0..100), [50, 10]);
        assert_eq!(apart(&[Some(50), Some(50), None], 0..100), [50, 67, 84]);
        assert_eq!(apart(&[Some(95), Some(98)], 0..100), [83, 100]);
    }

    #[test]
    fn no_points_make_an_empty_frame() {
        assert!(svg(&plot(Vec::new())).starts_with("<svg"));
        assert!(svg(&plot(vec![(1.0, 1.0)])).starts_with("<svg"));
    }
}
