"""What a trained network is worth: a table in Markdown and pictures."""

import numpy as np

from features import PHASES


def _clamped(forecast, limit):
    return [np.clip(part, -limit, limit) for part in forecast]


def summary(forecast, score, limit):
    """Error, coverage and width in one row. `forecast` = (lower, realistic, upper), all clamped to +-`limit`, beyond
    which training saturates."""
    lower, realistic, upper = _clamped(forecast, limit)
    score = np.clip(score, -limit, limit)
    error = np.abs(score - realistic)
    near = np.abs(score) < 300
    inside = (lower <= score) & (score <= upper)
    return {
        "positions": len(score),
        "mean error": error.mean(),
        "mean error, |score| < 300": error[near].mean() if near.any() else float("nan"),
        "coverage": inside.mean(),
        "below": (score < lower).mean(),
        "above": (score > upper).mean(),
        "mean width": (upper - lower).mean(),
        "constant width of the same coverage": 2 * np.quantile(error, inside.mean()),
    }


def fifths(forecast):
    """(n,) 0-4: which fifth by predicted width."""
    width = forecast[2] - forecast[0]
    order = np.empty(len(width), np.int64)
    order[np.argsort(width, kind="stable")] = np.arange(len(width))
    return order * 5 // len(width)


def table(forecast, score, phase, limit):
    """The summary of all, of each phase and of each fifth by predicted width: a Markdown table."""
    groups = {"all": np.ones(len(score), bool)}
    groups |= {name: (phase >= low) & (phase <= high) for name, (low, high) in PHASES.items()}
    fifth = fifths(forecast)
    groups |= {f"fifth {number + 1} by width": fifth == number for number in range(5)}
    rows = {name: summary([part[rows] for part in forecast], score[rows], limit) for name, rows in groups.items()}
    columns = list(rows["all"])
    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    for name, row in rows.items():
        cells = [f"{100 * row[c]:.1f} %" if c in ("coverage", "below", "above") else f"{row[c]:,.0f}" for c in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(path, history, forecast, score, limit):
    """Loss curves; what the score did at each realistic value; coverage and width by predicted width."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(15, 8), constrained_layout=True)
    for axis, name in zip(axes.flat, ("value", "quantiles", "wdl")):
        for part in ("train", "validation"):
            axis.plot(range(1, len(history) + 1), [row[part][name] for row in history], label=part)
        for stage in (i for i in range(1, len(history)) if history[i]["stage"] != history[i - 1]["stage"]):
            axis.axvline(stage + 0.5, color="grey", linewidth=1)
        axis.set(title=f"loss: {name}", xlabel="epoch, all stages")
        axis.legend()
    lower, realistic, upper = _clamped(forecast, limit)
    score = np.clip(score, -limit, limit)
    width, inside = upper - lower, (lower <= score) & (score <= upper)
    order = np.argsort(width)
    tenths = np.array_split(order, 10)
    axis = axes[1, 0]
    axis.bar(range(1, 11), [100 * inside[rows].mean() for rows in tenths])
    axis.axhline(80, color="black", linewidth=1)
    axis.set(title="coverage by predicted width", xlabel="tenth", ylabel="%", ylim=(50, 100))
    axis = axes[1, 1]
    error = np.abs(score - realistic)
    axis.plot(range(1, 11), [width[rows].mean() for rows in tenths], "o-", label="predicted width")
    axis.plot(range(1, 11), [2 * np.quantile(error[rows], 0.8) for rows in tenths], "s-", label="twice the 80 % error")
    axis.set(title="width", xlabel="tenth by predicted width", ylabel="centipawns", ylim=(0, None))
    axis.legend()
    axis = axes[1, 2]
    edges = np.linspace(-1000, 1000, 41)
    which = np.digitize(realistic, edges)
    middles = [(i, edges[i - 1] + 25) for i in range(1, 41) if (which == i).sum() > 50]
    x = [middle for _, middle in middles]
    for level in (0.1, 0.5, 0.9):
        axis.plot(x, [np.quantile(score[which == i], level) for i, _ in middles], label=f"score, {level:.0%}")
    axis.plot(x, [lower[which == i].mean() for i, _ in middles], "k--", linewidth=1, label="lower, upper (mean)")
    axis.plot(x, [upper[which == i].mean() for i, _ in middles], "k--", linewidth=1)
    axis.set(title="by realistic value", xlabel="realistic, centipawns", ylabel="centipawns")
    axis.legend()
    figure.savefig(path, dpi=80)
    pyplot.close(figure)
