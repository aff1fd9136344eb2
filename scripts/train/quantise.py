"""The network in integers: rounding, the file, and exact inference as the engine does it (`src/chess/eval/network`).

The file's layout is described in docs/network.md.
"""

import struct

import numpy as np

from features import BUCKETS, INPUTS
from network import LIMITS, LOWER, OUTPUTS, REALISTIC, UNIT, UPPER, sparse

MAGIC, VERSION = b"REGULUSN", 2
ONE, ACTIVE_ONE, SECOND_ONE, THIRD_ONE = 255, 254, 64, 1024
MIDDLE_ONE = OUTPUT_ONE = ACTIVE_ONE * SECOND_ONE
KNOTS = 12
LANES = 128
VALUE_LIMIT = 10_000


def to_integers(params):
    """Rounded parameters."""
    if params["W"].shape[1] % LANES:
        raise SystemExit(f"the width must be a multiple of {LANES}")
    scales = {"W": ONE, "b": ONE, "V": SECOND_ONE, "c": MIDDLE_ONE, "U": THIRD_ONE, "d": MIDDLE_ONE * THIRD_ONE}
    kinds = {"W": np.int16, "b": np.int16, "V": np.int8, "c": np.int32, "U": np.int16, "d": np.int32}
    limit = {name: LIMITS.get(name, np.inf) for name in scales}
    rounded = {name: np.rint(np.clip(params[name], -limit[name], limit[name]) * scales[name]) for name in scales}
    return {name: part.astype(kinds[name]) for name, part in rounded.items()}


def _towards_zero(number, divisor):
    """Division as Rust has it."""
    return np.sign(number) * (np.abs(number) // divisor)


def raw_outputs(integers, features, bucket):
    """(n, 5) int64, 1.0 = OUTPUT_ONE; exactly the engine's numbers."""
    result = np.empty((len(bucket), OUTPUTS), np.int64)
    # 64-bit floats hold these sums exactly, and multiply much faster than integers.
    first = integers["W"].astype(np.float32)
    for start in range(0, len(bucket), 8192):
        part = slice(start, start + 8192)
        clipped = np.clip(sparse(features[part]) @ first + integers["b"], 0, ONE).astype(np.int64)
        active = ((clipped * clipped + 128) >> 8).reshape(-1, 2 * first.shape[1]).astype(np.float64)
        for which in range(BUCKETS):
            rows = np.flatnonzero(bucket[part] == which)
            middle = (active[rows] @ integers["V"][which].astype(np.float64)).astype(np.int64) + integers["c"][which]
            middle = np.clip(middle, 0, MIDDLE_ONE)
            both = np.concatenate([middle, middle * middle // MIDDLE_ONE], axis=1)
            sums = both @ integers["U"][which].astype(np.int64) + integers["d"][which]
            result[start + rows] = _towards_zero(sums, THIRD_ONE)
    return result


def _centipawns(raw):
    return _towards_zero(raw * int(UNIT), OUTPUT_ONE)


def _squareplus(raw):
    root = np.floor(np.sqrt((raw * raw + OUTPUT_ONE * OUTPUT_ONE).astype(np.longdouble))).astype(np.int64)
    return (raw + root) // 2


def predictions(raw):
    """(n,) realistic, lower width and upper width before correction: centipawns."""
    realistic = np.clip(_centipawns(raw[:, REALISTIC]), -VALUE_LIMIT, VALUE_LIMIT)
    return realistic, _centipawns(_squareplus(raw[:, LOWER])), _centipawns(_squareplus(raw[:, UPPER]))


def correct(width, knots):
    """The correction curve: straight lines between the knots from (0, 0), past the last one in proportion."""
    points = np.vstack([[0, 0], knots]).astype(np.int64)
    index = np.clip(np.searchsorted(points[:, 0], width, side="left"), 1, KNOTS)
    x0, y0, x1, y1 = points[index - 1, 0], points[index - 1, 1], points[index, 0], points[index, 1]
    inside = y0 + (y1 - y0) * (width - x0) // (x1 - x0)
    return np.where(width > points[-1, 0], width * points[-1, 1] // points[-1, 0], inside)


def fit_correction(width, error, level):
    """Knots of the curve from predicted width to the `level` quantile of `error` (both centipawns), fitted on positions
    that training did not see: quantiles in groups by predicted width, made to rise by pooling."""
    order = np.argsort(width, kind="stable")
    # Nine tenths, and the widest tenth in three parts: there the errors grow fastest.
    ends = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98]
    groups = np.split(order, (np.array(ends) * len(order)).astype(int))
    x = np.array([width[group].mean() for group in groups])
    y = _rising([max(0.0, float(np.quantile(error[group], level))) for group in groups])
    x = np.maximum(np.rint(x).astype(np.int64), 1)
    for i in range(1, KNOTS):
        x[i] = max(x[i], x[i - 1] + 1)
    return np.stack([x, np.rint(y).astype(np.int64)], axis=1)


def _rising(values):
    """The nearest rising sequence (pool adjacent violators, Ayer et al. 1955)."""
    pools = []
    for value in values:
        pools.append([value, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (high, m), (low, n) = pools[-2:]
            pools[-2:] = [[(high * m + low * n) / (m + n), m + n]]
    return np.concatenate([[mean] * count for mean, count in pools])


def _fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def write(path, integers, knots, description):
    """The network file. `knots`: the correction curves of the lower and the upper width."""
    text = description.encode()
    width = integers["W"].shape[1]
    assert integers["W"].shape[0] == INPUTS and len(text) <= 4096
    data = MAGIC + struct.pack("<III", VERSION, width, len(text)) + text
    data += integers["b"].astype("<i2").tobytes() + integers["W"].astype("<i2").tobytes()
    data += integers["V"].tobytes() + integers["c"].astype("<i4").tobytes()
    data += integers["U"].astype("<i2").tobytes() + integers["d"].astype("<i4").tobytes()
    data += np.asarray(knots).astype("<i4").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data + struct.pack("<Q", _fnv1a(data)))
