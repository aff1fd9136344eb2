"""Trains an evaluation network: from game files to a network file, a report and a picture, in one command.

    python scripts/train/train.py GAMES... --out networks/NAME.net

Games are split by a seeded draw into training (90 %), validation (5 %: loss curves, correction of the widths) and test
(5 %: the report). The same seed, games and settings give the same network on the same machine.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

THREADS = os.environ.get("TRAIN_THREADS", "1")
if THREADS == "1":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_variable, THREADS)

import jax
import jax.numpy as jnp
import numpy as np

import quantise
import report
from features import BUCKETS, bucket, features, men, phase
from games import QUIET, in_check, load, load_positions
from network import LIMITS, LOWER_LEVEL, WEIGHTS, initial, losses, outputs, sparse, total

SPLITS = {"train": 0.90, "validation": 0.05, "test": 0.05}


def stage(text):
    """One `--before`: the file, epochs, learning rate, and whether the games' positions come in."""
    file, epochs, rate, *rest = text.split(",")
    if rest not in ([], ["games"]):
        raise ValueError(text)
    return Path(file), int(epochs), float(rate), bool(rest)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", help="text files of games, .xz or plain")
    parser.add_argument("--out", type=Path, required=True, help="the network file; report and picture beside it")
    parser.add_argument("--report", type=Path, help="folder of report and picture (default: that of --out)")
    parser.add_argument("--cache", type=Path, default=Path("target/train"), help="folder for parsed games")
    parser.add_argument("--name", default=None, help="name in the description (default: the file's)")
    parser.add_argument("--origin", default="unnamed games", help="where the games are from, for the description")
    parser.add_argument(
        "--before",
        action="append",
        default=[],
        type=stage,
        metavar="FILE,EPOCHS,RATE[,games]",
        help="before the games: so many epochs on scored positions without results, for the value alone; with `games`,"
        " on these and the games' positions together; may be given several times",
    )
    parser.add_argument("--limit-games", type=int, help="read only so many games")
    parser.add_argument("--width", type=int, default=256, help="neurons a side, a multiple of 128")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=1e-3, help="greatest learning rate; falls along a half cosine")
    parser.add_argument("--decay", type=float, default=0.0, help="weight decay, decoupled from Adam's steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clamp", type=int, default=2000, help="scores saturate here, centipawns")
    parser.add_argument(
        "--decided",
        type=int,
        default=1200,
        help="where the games are adjudicated: scores and intervals saturate here, centipawns, for the correction of the widths"
        " and the report",
    )
    parser.add_argument("--sigmoid", type=float, default=210, help="centipawns by which the odds grow e-fold")
    parser.add_argument("--power", type=float, default=2.0, help="exponent of the value loss")
    parser.add_argument("--result-share", type=float, default=0.1, help="share of the result in the value's target")
    parser.add_argument("--quantile-weight", type=float, default=0.3)
    parser.add_argument("--wdl-weight", type=float, default=0.01)
    return parser.parse_args()


def as_data(positions, clamp):
    """The positions, sorted by bucket, as arrays that training reads."""
    positions = positions.select(np.argsort(bucket(men(positions)), kind="stable"))
    return {
        "features": features(positions),
        "bucket": bucket(men(positions)).astype(np.int32),
        "score": np.clip(positions.score, -clamp, clamp).astype(np.float32),
        "result": positions.result,
        "phase": phase(positions),
    }


def joined(one, other):
    """Two sets of positions as one."""
    both = {name: np.concatenate([one[name], other[name]]) for name in one}
    order = np.argsort(both["bucket"], kind="stable")
    return {name: part[order] for name, part in both.items()}


def prepare(options):
    """The quiet positions of each split."""
    positions = load(options.games, options.cache, options.limit_games)
    quiet = (positions.kind == QUIET) & ~in_check(positions.board, positions.black)
    print(f"{len(positions)} positions, {quiet.sum()} of them quiet", flush=True)
    games = int(positions.game.max()) + 1
    shuffled = np.random.default_rng(options.seed).permutation(games)
    ends = np.cumsum([round(share * games) for share in SPLITS.values()])
    ends[-1] = games
    splits, start = {}, 0
    for name, end in zip(SPLITS, ends):
        chosen = np.zeros(games, bool)
        chosen[shuffled[start:end]] = True
        rows = np.flatnonzero(quiet & chosen[positions.game])
        if not len(rows):
            raise SystemExit(f"no positions in the {name} split: too few games")
        splits[name] = as_data(positions.select(rows), options.clamp)
        start = end
    return splits


REST = "bVcUd"  # the parameters behind the first layer's products


class Trainer:
    """Adam (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter 2019) on one network."""

    def __init__(self, options, params, changes):
        """Starts from `params`, anew when None. `changes` replace settings of the loss."""
        self.settings = {
            "sigmoid": options.sigmoid,
            "power": options.power,
            "result_share": options.result_share,
            "weights": {"value": 1.0, "quantiles": options.quantile_weight, "wdl": options.wdl_weight},
        } | changes
        self.decay = options.decay
        self.params = jax.tree.map(jnp.asarray, params or initial(options.width, options.seed))
        self.mean = jax.tree.map(jnp.zeros_like, self.params)
        self.square = jax.tree.map(jnp.zeros_like, self.params)
        self.steps = 0
        self._gradient = jax.jit(self._gradient_of, static_argnames="counts")
        self._adam = jax.jit(self._adam_of, donate_argnums=(0, 1, 2))
        self._outputs = jax.jit(outputs, static_argnames="counts")

    def _gradient_of(self, hidden, rest, score, result, counts):
        def loss(hidden, rest):
            return total(outputs(hidden, *rest, counts), score, result, self.settings)

        return jax.value_and_grad(loss, argnums=(0, 1), has_aux=True)(hidden, rest)

    def _adam_of(self, params, mean, square, gradient, rate, step):
        mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, mean, gradient)
        square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, square, gradient)
        scale = rate * jnp.sqrt(1 - 0.999**step) / (1 - 0.9**step)
        params = jax.tree.map(lambda p, m, s: p - scale * m / (jnp.sqrt(s) + 1e-8), params, mean, square)
        for name in WEIGHTS:
            params[name] = params[name] * (1 - rate * self.decay)
        for name, limit in LIMITS.items():
            params[name] = jnp.clip(params[name], -limit, limit)
        return params, mean, square

    def step(self, data, rows, counts, rate):
        """One batch, `counts[k]` rows of bucket k after each other. The parts of the loss before it."""
        inputs = sparse(data["features"][rows])
        hidden = inputs @ np.asarray(self.params["W"])
        rest = [self.params[name] for name in REST]
        (_, parts), (first, gradients) = self._gradient(hidden, rest, data["score"][rows], data["result"][rows], counts)
        gradient = dict(zip(REST, gradients), W=inputs.T @ np.asarray(first))
        self.steps += 1
        self.params, self.mean, self.square = self._adam(
            self.params, self.mean, self.square, gradient, rate, float(self.steps)
        )
        return parts

    def validate(self, data):
        """The parts of the loss on all of `data`."""
        counts = tuple(np.bincount(data["bucket"], minlength=BUCKETS).tolist())
        hidden = sparse(data["features"]) @ np.asarray(self.params["W"])
        raw = self._outputs(hidden, *[self.params[name] for name in REST], counts)
        parts = losses(raw, data["score"], data["result"], self.settings)
        return {name: float(part) for name, part in parts.items()}


class Batches:
    """Shuffled batches with the same number of positions of each bucket in every one, as in the whole."""

    def __init__(self, data, size, seed):
        self.draw = np.random.default_rng(seed)
        number = np.bincount(data["bucket"], minlength=BUCKETS)
        self.count = max(1, len(data["bucket"]) // size)
        self.counts = tuple((number // self.count).tolist())
        self.starts = np.concatenate([[0], np.cumsum(number)])

    def __iter__(self):
        order = [self.draw.permutation(np.arange(a, b)) for a, b in zip(self.starts, self.starts[1:])]
        for batch in range(self.count):
            yield np.concatenate([rows[batch * n : (batch + 1) * n] for rows, n in zip(order, self.counts)])


VALUE_ONLY = {"result_share": 0.0, "weights": {"value": 1.0, "quantiles": 0.0, "wdl": 0.0}}


def train(options, splits):
    """Trains in stages, each with a network that starts from the last one's; the parameters and the losses' history."""
    stages = [(file.name, epochs, rate, file, games) for file, epochs, rate, games in options.before]
    stages.append(("games", options.epochs, options.rate, None, True))
    params, history = None, []
    for name, epochs, rate, file, games in stages:
        data = splits["train"]
        if file is not None:
            scored = as_data(load_positions(file, options.cache), options.clamp)
            data = joined(scored, data) if games else scored
        trainer = Trainer(options, params, VALUE_ONLY if file else {})
        print(f"{name}: {len(data['score'])} positions", flush=True)
        history += run(trainer, name, data, splits["validation"], epochs, rate, options)
        params = trainer.params
    return jax.tree.map(np.asarray, params), history


def run(trainer, name, data, validation, epochs, peak, options):
    """One stage. Its history."""
    batches = Batches(data, options.batch, options.seed + 1)
    history, began = [], time.time()
    warm_up = min(100, batches.count)
    for epoch in range(1, epochs + 1):
        sums = {}
        for rows in batches:
            cosine = (1 + np.cos(np.pi * trainer.steps / (batches.count * epochs))) / 2
            rate = peak * min(1.0, (trainer.steps + 1) / warm_up) * (0.01 + 0.99 * cosine)
            for part, loss in trainer.step(data, rows, batches.counts, rate).items():
                sums[part] = sums.get(part, 0.0) + float(loss) / batches.count
        seen = trainer.steps * sum(batches.counts)
        history.append({"stage": name, "epoch": epoch, "train": sums, "validation": trainer.validate(validation)})
        told = ", ".join(f"{part} {sums[part]:.5f} / {history[-1]['validation'][part]:.5f}" for part in sums)
        print(f"{name} {epoch}/{epochs}: {told}; {seen / (time.time() - began):,.0f} positions/s", flush=True)
    return history


def forecast(integers, knots, data):
    """(lower, realistic, upper) in centipawns of the integer network, as the engine computes them."""
    realistic, below, above = quantise.predictions(quantise.raw_outputs(integers, data["features"], data["bucket"]))
    if knots is not None:
        below, above = quantise.correct(below, knots[0]), quantise.correct(above, knots[1])
    return realistic - below, realistic, realistic + above


def calibrate(integers, data, limit):
    """The correction curves of the lower and the upper width, from positions that training did not see, everything saturated
    at +-`limit`."""
    realistic, below, above = quantise.predictions(quantise.raw_outputs(integers, data["features"], data["bucket"]))
    error = np.clip(data["score"], -limit, limit) - np.clip(realistic, -limit, limit)
    level = 1 - LOWER_LEVEL
    return quantise.fit_correction(below, -error, level), quantise.fit_correction(above, error, level)


def main():
    options = arguments()
    splits = prepare(options)
    params, history = train(options, splits)
    integers = quantise.to_integers(params)
    knots = calibrate(integers, splits["validation"], options.decided)
    counts = {name: len(data["score"]) for name, data in splits.items()}
    name = options.name or options.out.stem
    description = (
        f"{name}: {options.width} wide, trained on {counts['train']:,} quiet positions of {options.origin}, "
        f"{options.epochs} epochs, seed {options.seed}"
    )
    if options.before:
        description += "; before that, on " + ", ".join(file.name for file, *_ in options.before)
    quantise.write(options.out, integers, knots, description)
    test = splits["test"]
    folder = options.report or options.out.parent
    folder.mkdir(parents=True, exist_ok=True)
    paths = ("games", "before", "cache", "out", "report")
    settings = {key: str(value) for key, value in vars(options).items() if key not in paths}
    last = history[-1]
    text = [f"# {description}", "", "Settings: " + ", ".join(f"{k} {v}" for k, v in settings.items()), ""]
    text += [f"Before the games: {file.name}, {epochs} epochs, rate {rate}" for file, epochs, rate, _ in options.before]
    text += ["", f"Positions: {counts}", "", f"Last losses: training {last['train']}, validation {last['validation']}", ""]
    decided, clamp = options.decided, options.clamp
    for title, curves, limit in (
        ("before the correction of the widths", None, decided),
        ("as exported", knots, decided),
        ("as exported", knots, clamp),
    ):
        table = report.table(forecast(integers, curves, test), test["score"], test["phase"], limit)
        text += [f"## Test games, {title}, saturated at {limit:,} cp", "", table, ""]
    text += ["Correction curves (predicted, calibrated width):", ""]
    text += [f"- {side}: {[tuple(map(int, knot)) for knot in curve]}" for side, curve in zip(("lower", "upper"), knots)]
    (folder / f"{name}.md").write_text("\n".join(text) + "\n")
    (folder / f"{name}.history.json").write_text(json.dumps(history, indent=1) + "\n")
    report.draw(folder / f"{name}.png", history, forecast(integers, knots, test), test["score"], decided)
    print("\n".join(text))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    main()
