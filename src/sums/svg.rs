//! Pictures: thermographs, and curves on a logarithmic scale. SVG 1.1 with nothing but lines and text.

use super::thermograph::{Thermograph, Wall};
use super::{Dyadic, Overflow};
use std::fmt::Write;

/// Colours that are told apart also by most colour-blind readers (Okabe & Ito 2008), and two greys.
const COLOURS: [&str; 9] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#888888", "#bbbb00"];
/// Width and height of one panel, and the margin around its axes, in pixels.
const PANEL: (f64, f64) = (360.0, 300.0);
const MARGIN: f64 = 48.0;

fn header(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escaped(text))
}

fn line(points: &[(f64, f64)], colour: &str, width: f64, dashes: &str) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    format!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>\n",
        points.join(" ")
    )
}

/// Thermographs side by side, each under its title. As usual in the field, greater values lie to the left and temperature
/// rises.
pub fn thermographs(panels: &[(String, Thermograph)]) -> Result<String, Overflow> {
    let mut svg = header(PANEL.0 * panels.len().max(1) as f64, PANEL.1);
    for (index, (title, thermograph)) in panels.iter().enumerate() {
        panel(&mut svg, PANEL.0 * index as f64, title, thermograph)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn panel(svg: &mut String, x0: f64, title: &str, thermograph: &Thermograph) -> Result<(), Overflow> {
    let top = thermograph.temperature.plus(Dyadic::ONE)?;
    let corners = thermograph.left.corners().iter().chain(thermograph.right.corners());
    let values: Vec<f64> = corners.map(|corner| corner.value.to_f64()).collect();
    let low = values.iter().copied().fold(f64::INFINITY, f64::min) - 0.5;
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max) + 0.5;
    let (bottom, height) = (-1.0, top.to_f64() + 1.0);
    let to_x = |value: f64| x0 + MARGIN + (high - value) / (high - low) * (PANEL.0 - 2.0 * MARGIN);
    let to_y = |t: f64| PANEL.1 - MARGIN - (t - bottom) / height * (PANEL.1 - 2.0 * MARGIN);
    for t in ticks(bottom, top.to_f64()) {
        let grid = [(to_x(high), to_y(t)), (to_x(low), to_y(t))];
        svg.push_str(&line(&grid, "#dddddd", if t == 0.0 { 2.0 } else { 1.0 }, ""));
        svg.push_str(&label(to_x(high) - 6.0, to_y(t) + 4.0, "end", &t.to_string()));
    }
    for value in ticks(low, high) {
        svg.push_str(&line(
            &[(to_x(value), to_y(bottom)), (to_x(value), to_y(bottom) + 4.0)],
            "black",
            1.0,
            "",
        ));
        svg.push_str(&label(to_x(value), to_y(bottom) + 18.0, "middle", &value.to_string()));
    }
    let outline = |wall: &Wall| {
        let corners =
            wall.corners().iter().map(|corner| (corner.value.to_f64(), corner.temperature.to_f64()));
        let end = (thermograph.mean.to_f64(), top.to_f64());
        corners.chain([end]).map(|(value, t)| (to_x(value), to_y(t))).collect::<Vec<_>>()
    };
    svg.push_str(&line(&outline(&thermograph.left), COLOURS[0], 2.0, ""));
    svg.push_str(&line(&outline(&thermograph.right), COLOURS[1], 2.0, ""));
    let told = format!("mean {}, temperature {}", thermograph.mean, thermograph.temperature);
    svg.push_str(&label(x0 + PANEL.0 / 2.0, 18.0, "middle", title));
    svg.push_str(&label(x0 + PANEL.0 / 2.0, 34.0, "middle", &told));
    Ok(())
}

/// At most ten round values between two ends: multiples of 1, 2 or 5 times a power of ten.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let mut step = 1.0;
    let mut factors = [2.0, 2.5, 2.0].into_iter().cycle();
    while (high - low) / step > 10.0 {
        step *= factors.next().unwrap_or(10.0);
    }
    let first = (low / step).ceil() as i64;
    (first..).map(|n| n as f64 * step).take_while(|&tick| tick <= high).collect()
}

/// One curve of [`growth`].
#[derive(Clone, Debug)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points, by rising abscissa; the ordinates are above 0. A point that is only a lower limit is marked.
    pub points: Vec<CurvePoint>,
}

/// A point of a [`Curve`].
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// The abscissa.
    pub x: f64,
    /// The ordinate.
    pub y: f64,
    /// The true ordinate is at least this: drawn as an open ring.
    pub at_least: bool,
}

/// Curves over a logarithmic ordinate.
pub fn growth(title: &str, abscissa: &str, ordinate: &str, curves: &[Curve]) -> String {
    let (width, height) = (760.0, 480.0);
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = extent(points().map(|point| point.x));
    let (low, high) = extent(points().map(|point| point.y.log10()));
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let plot = (70.0, 40.0, width - 200.0, height - 50.0);
    let to_x = |x: f64| plot.0 + (x - left) / (right - left).max(1.0) * (plot.2 - plot.0);
    let to_y = |y: f64| plot.3 - (y.log10() - low) / (high - low) * (plot.3 - plot.1);
    let mut svg = header(width, height);
    for power in low as i32..=high as i32 {
        let y = to_y(10f64.powi(power));
        svg.push_str(&line(&[(plot.0, y), (plot.2, y)], "#dddddd", 1.0, ""));
        svg.push_str(&label(plot.0 - 6.0, y + 4.0, "end", &10f64.powi(power).to_string()));
    }
    for tick in ticks(left, right) {
        svg.push_str(&line(&[(to_x(tick), plot.3), (to_x(tick), plot.3 + 4.0)], "black", 1.0, ""));
        svg.push_str(&label(to_x(tick), plot.3 + 18.0, "middle", &tick.to_string()));
    }
    svg.push_str(&label((plot.0 + plot.2) / 2.0, 20.0, "middle", title));
    svg.push_str(&label((plot.0 + plot.2) / 2.0, height - 12.0, "middle", abscissa));
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"{0}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {0})\">{1}</text>",
        (plot.1 + plot.3) / 2.0,
        escaped(ordinate)
    );
    for (index, curve) in curves.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let dashes = if index < COLOURS.len() { "" } else { "6 3" };
        let places: Vec<_> = curve.points.iter().map(|point| (to_x(point.x), to_y(point.y))).collect();
        svg.push_str(&line(&places, colour, 2.0, dashes));
        for (point, (x, y)) in curve.points.iter().zip(&places) {
            let fill = if point.at_least { "white" } else { colour };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{fill}\" stroke=\"{colour}\"/>"
            );
        }
        let y = plot.1 + 16.0 * index as f64;
        svg.push_str(&line(&[(plot.2 + 14.0, y - 4.0), (plot.2 + 34.0, y - 4.0)], colour, 2.0, dashes));
        svg.push_str(&label(plot.2 + 40.0, y, "start", &curve.name));
    }
    svg.push_str("</svg>\n");
    svg
}

fn extent(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if ends.0 <= ends.1 { ends } else { (0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(ticks(-1.0, 2.5), [-1.0, 0.0, 1.0, 2.0]);
        assert_eq!(ticks(0.0, 95.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0]);
    }

    #[test]
    fn pictures_are_complete() {
        let thermograph = Thermograph::mast(Dyadic::ONE, Dyadic::MINUS_ONE);
        let svg = thermographs(&[("1 < 2".to_owned(), thermograph)]).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && svg.contains("1 &lt; 2"));
        let points = vec![
            CurvePoint { x: 2.0, y: 1.0, at_least: false },
            CurvePoint { x: 3.0, y: 100.0, at_least: true },
        ];
        let svg = growth("t", "x", "y", &[Curve { name: "AR".to_owned(), points }]);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(!svg.contains("NaN"));
    }
}
