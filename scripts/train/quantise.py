"""The network in integers: rounding, the file, and exact inference as the engine does it (`src/chess/eval/network`).

The file's layout is described in docs/network.md.
"""

import struct

import numpy as np

from features import BUCKETS, INPUTS
from network import FIRST_LIMIT, LOWER, OUTPUTS, REALISTIC, SECOND_LIMIT, UNIT, UPPER, sparse

MAGIC, VERSION = b"REGULUSN", 1
ONE, SECOND_ONE = 255, 64
OUTPUT_ONE = ONE * SECOND_ONE
KNOTS = 12
LANES = 128
VALUE_LIMIT = 10_000


def to_integers(params):
    """Rounded parameters; the second layer as (bucket, output, 2N)."""
    width = params["W"].shape[1]
    if width % LANES:
        raise SystemExit(f"the width must be a multiple of {LANES}")
    second = np.asarray(params["V"]).reshape(2 * width, BUCKETS, OUTPUTS).transpose(1, 2, 0)
    integers = {
        "W": np.rint(np.clip(params["W"], -FIRST_LIMIT, FIRST_LIMIT) * ONE).astype(np.int16),
        "b": np.rint(np.clip(params["b"], -FIRST_LIMIT, FIRST_LIMIT) * ONE).astype(np.int16),
        "V": np.rint(np.clip(second, -SECOND_LIMIT, SECOND_LIMIT) * SECOND_ONE).astype(np.int8),
        "c": np.rint(np.asarray(params["c"]) * OUTPUT_ONE).astype(np.int32),
    }
    halves = np.abs(integers["V"].astype(np.int64)).reshape(BUCKETS, OUTPUTS, 2, width).sum(axis=3)
    if (halves * ONE * ONE > 2**31 - 1).any():
        raise SystemExit("second-layer weights too large: their sums would overflow")
    return integers


def raw_outputs(integers, features, bucket):
    """(n, 5) int64, 1.0 = OUTPUT_ONE; exactly the engine's numbers."""
    result = np.empty((len(bucket), OUTPUTS), np.int64)
    # Sums of at most 2**31 in 64-bit floats are exact, and much faster than integer products.
    first, second = integers["W"].astype(np.float32), integers["V"].astype(np.float64)
    for start in range(0, len(bucket), 8192):
        part = slice(start, start + 8192)
        hidden = np.clip(sparse(features[part]) @ first + integers["b"], 0, ONE) ** 2
        hidden = hidden.reshape(-1, second.shape[2])
        for which in range(BUCKETS):
            rows = np.flatnonzero(bucket[part] == which)
            sums = (hidden[rows].astype(np.float64) @ second[which].T).astype(np.int64)
            # Rust's division of integers rounds towards zero.
            result[start + rows] = np.sign(sums) * (np.abs(sums) // ONE) + integers["c"][which]
    return result


def _centipawns(raw):
    return np.sign(raw) * (np.abs(raw) * int(UNIT) // OUTPUT_ONE)


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
    that training did not see: quantiles in groups of equal size by predicted width, made to rise by pooling."""
    order = np.argsort(width, kind="stable")
    groups = np.array_split(order, KNOTS)
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
    data += np.asarray(knots).astype("<i4").tobytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data + struct.pack("<Q", _fnv1a(data)))
