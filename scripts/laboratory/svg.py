"""Curves with error bars as SVG 1.1: nothing but lines and text, in the style of the other pictures in docs/."""

import math
from dataclasses import dataclass
from typing import Optional, Sequence
from xml.sax.saxutils import escape

# Colours that are told apart also by most colour-blind readers (Okabe & Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
# Width and height in pixels, and the plot's left, top, right and bottom in it.
SIZE = (760, 420)
PLOT = (70.0, 40.0, 560.0, 370.0)


@dataclass(frozen=True)
class Point:
    """A point with the ends of its error bar, where it has one."""

    x: float
    y: float
    low: Optional[float] = None
    high: Optional[float] = None


@dataclass(frozen=True)
class Curve:
    """Points by rising x. With `steps` the value stays the same up to the next point."""

    name: str
    points: Sequence[Point]
    steps: bool = False


@dataclass(frozen=True)
class Axes:
    """What the axes say; `log` makes the abscissa logarithmic; `zero` has the ordinate show 0."""

    title: str
    x: str
    y: str
    log: bool = False
    zero: bool = True


def ticks(low: float, high: float, most: int = 10) -> list[float]:
    """At most `most` round values between two ends: multiples of 1, 2 or 5 times a power of ten."""
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-12) / most))
    for factor in (1, 2, 5, 10):
        if (high - low) / (step * factor) < most:
            step *= factor
            break
    return [step * n for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten between two ends above 0."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]


class _Scale:
    """From values to pixels."""

    def __init__(self, low: float, high: float, start: float, end: float, log: bool = False) -> None:
        self.log = log
        self.low, self.high = (math.log10(low), math.log10(high)) if log else (low, high)
        if self.low == self.high:
            self.low, self.high = self.low - 1, self.high + 1
        self.start, self.end = start, end

    def __call__(self, value: float) -> float:
        value = math.log10(value) if self.log else value
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def _text(x: float, y: float, anchor: str, text: str, turned: bool = False) -> str:
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{escape(text)}</text>'


def _line(points: Sequence[tuple[float, float]], colour: str, width: float = 1.0) -> str:
    places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _extent(values: Sequence[float], margin: float) -> tuple[float, float]:
    low, high = min(values), max(values)
    spare = margin * (high - low)
    return low - spare, high + spare


def _corners(curve: Curve, x: _Scale, y: _Scale) -> list[tuple[float, float]]:
    places = [(x(point.x), y(point.y)) for point in curve.points]
    if not curve.steps:
        return places
    corners = places[:1]
    for before, after in zip(places, places[1:]):
        corners += [(after[0], before[1]), after]
    return corners


def _drawn(curve: Curve, colour: str, x: _Scale, y: _Scale) -> list[str]:
    parts = [_line(_corners(curve, x, y), colour, 2.0)]
    for point in curve.points:
        at = x(point.x)
        if point.low is not None and point.high is not None:
            ends = (y(point.low), y(point.high))
            parts.append(_line([(at, ends[0]), (at, ends[1])], colour))
            parts += [_line([(at - 4, end), (at + 4, end)], colour) for end in ends]
        if not curve.steps:
            parts.append(f'<circle cx="{at:.1f}" cy="{y(point.y):.1f}" r="3" fill="{colour}"/>')
    return parts


def picture(axes: Axes, curves: Sequence[Curve]) -> str:
    """The picture of all curves that have points; without any, axes that say so."""
    curves = [curve for curve in curves if curve.points]
    points = [point for curve in curves for point in curve.points]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE[0]}" height="{SIZE[1]}" '
        f'viewBox="0 0 {SIZE[0]} {SIZE[1]}" font-family="sans-serif" font-size="12">'
    )
    parts = [head, '<rect width="100%" height="100%" fill="white"/>']
    left, top, right, bottom = PLOT
    parts.append(_text((left + right) / 2, 20, "middle", axes.title))
    if not points:
        parts += [_text((left + right) / 2, (top + bottom) / 2, "middle", "not measured yet"), "</svg>"]
        return "\n".join(parts) + "\n"
    heights = [h for p in points for h in (p.y, p.low, p.high) if h is not None and math.isfinite(h)]
    low, high = _extent([*heights, 0.0] if axes.zero else heights, 0.05)
    across = [point.x for point in points]
    x = _Scale(min(across), max(across), left + 12, right - 12, axes.log)
    y = _Scale(low, high, bottom, top)
    for value in ticks(low, high):
        parts.append(_line([(left, y(value)), (right, y(value))], "#999999" if value == 0 else "#dddddd"))
        parts.append(_text(left - 6, y(value) + 4, "end", f"{value:g}"))
    for value in log_ticks(min(across), max(across)) if axes.log else ticks(min(across), max(across)):
        parts.append(_line([(x(value), bottom), (x(value), bottom + 4)], "black"))
        parts.append(_text(x(value), bottom + 18, "middle", f"{value:,.10g}"))
    parts.append(_text((left + right) / 2, SIZE[1] - 12, "middle", axes.x))
    parts.append(_text(16, (top + bottom) / 2, "middle", axes.y, turned=True))
    for index, curve in enumerate(curves):
        colour = COLOURS[index % len(COLOURS)]
        parts += _drawn(_finite(curve, low, high), colour, x, y)
        height = top + 16 * index
        parts.append(_line([(right + 14, height - 4), (right + 34, height - 4)], colour, 2.0))
        parts.append(_text(right + 40, height, "start", curve.name))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _finite(curve: Curve, low: float, high: float) -> Curve:
    """Open ends of error bars are drawn to the edge."""

    def cut(value: Optional[float]) -> Optional[float]:
        return None if value is None else max(low, min(high, value))

    points = [Point(p.x, p.y, cut(p.low), cut(p.high)) for p in curve.points if math.isfinite(p.y)]
    return Curve(curve.name, points, curve.steps)
