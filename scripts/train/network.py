"""The network in floating point: parameters, forward pass, losses.

    768 inputs per side --W--> N per side, squared clipped ReLU, both sides together (side to move first)
    --V[bucket]--> 16, each clipped and squared clipped
    --U[bucket]--> realistic, lower width, upper width, win, loss

The first layer's input is a sparse matrix with at most 32 ones a row, so its product and its gradient are SciPy's; all
that follows, and its gradient, is JAX's (see README.md for the figures behind that choice). Rows come sorted by bucket,
so that each bucket's part is one dense product.
"""

import jax
import jax.numpy as jnp
import numpy as np
import scipy.sparse

from features import BUCKETS, INPUTS, NONE

UNIT = 400.0  # centipawns of an output of 1.0
REALISTIC, LOWER, UPPER, WIN, LOSS = range(5)
OUTPUTS = 5
MIDDLE = 16  # neurons of the second layer
FIRST_LIMIT = 1.98  # |W|, |b|: 33 of them stay inside 16 bits when scaled by 255
SECOND_LIMIT = 127 / 64  # |V|: 8 bits when scaled by 64
THIRD_LIMIT = 30.0  # |U|: 16 bits when scaled by 1024
LIMITS = {"W": FIRST_LIMIT, "b": FIRST_LIMIT, "V": SECOND_LIMIT, "U": THIRD_LIMIT}
WEIGHTS = "WVU"  # what decays; the rest are biases
LOWER_LEVEL, UPPER_LEVEL = 0.1, 0.9  # the quantiles: a nominal 80 % interval


def initial(width, seed):
    """Parameters before training; all buckets start alike."""
    rng = np.random.default_rng(seed)
    first = rng.normal(0, 0.1, (INPUTS, width))
    second = rng.normal(0, (2 * width) ** -0.5, (2 * width, MIDDLE))
    third = rng.normal(0, MIDDLE**-0.5, (2 * MIDDLE, OUTPUTS))
    every = {
        "W": first,
        "b": np.full(width, 0.1),
        "V": np.tile(second, (BUCKETS, 1, 1)),
        "c": np.zeros((BUCKETS, MIDDLE)),
        "U": np.tile(third, (BUCKETS, 1, 1)),
        "d": np.zeros((BUCKETS, OUTPUTS)),
    }
    return {name: part.astype(np.float32) for name, part in every.items()}


def sparse(features):
    """The (2n, 768) input matrix: each position's two sides in consecutive rows."""
    flat = features.reshape(-1, features.shape[-1])
    used = flat != NONE
    columns = flat[used].astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(used.sum(axis=1))]).astype(np.int32)
    return scipy.sparse.csr_matrix((np.ones(len(columns), np.float32), columns, ends), (len(flat), INPUTS))


def squareplus(x):
    """Positive and smooth, near 0 for very negative x, near x for large x (Barron 2021). The engine computes it in
    integers."""
    return (x + jnp.sqrt(x * x + 1.0)) / 2


def outputs(hidden, b, V, c, U, d, counts):
    """(n, 5) raw outputs from the first layer's sums (2n, N), `counts[k]` positions of bucket k after each other."""
    active = jnp.clip(hidden + b, 0, 1) ** 2
    active = active.reshape(-1, V.shape[1])
    parts, start = [], 0
    for bucket, count in enumerate(counts):
        middle = jnp.clip(active[start : start + count] @ V[bucket] + c[bucket], 0, 1)
        parts.append(jnp.concatenate([middle, middle**2], axis=1) @ U[bucket] + d[bucket])
        start += count
    return jnp.concatenate(parts)


def pinball(error, level):
    """Loss whose minimiser is the `level` quantile; error = truth - prediction (Koenker and Bassett 1978)."""
    return jnp.maximum(level * error, (level - 1) * error)


def losses(raw, score, result, settings):
    """The parts of the loss, by name. `score` in centipawns, clamped; `result` in points."""
    k = settings["sigmoid"]
    share = settings["result_share"]
    target = (1 - share) * jax.nn.sigmoid(score / k) + share * result
    realistic = raw[:, REALISTIC]
    value = jnp.abs(jax.nn.sigmoid(realistic * (UNIT / k)) - target) ** settings["power"]
    # The quantiles are placed around the realistic value and do not pull at it.
    error = score / UNIT - jax.lax.stop_gradient(realistic)
    low = pinball(error + squareplus(raw[:, LOWER]), LOWER_LEVEL)
    high = pinball(error - squareplus(raw[:, UPPER]), UPPER_LEVEL)
    won, lost = raw[:, WIN], raw[:, LOSS]
    log_sum = jax.nn.logsumexp(jnp.stack([won, jnp.zeros_like(won), lost]), axis=0)
    chosen = jnp.where(result == 1, won, jnp.where(result == 0, lost, 0.0))
    return {
        "value": value.mean(),
        "quantiles": (low + high).mean(),
        "wdl": (log_sum - chosen).mean(),
    }


def total(raw, score, result, settings):
    """What is minimised, and its parts."""
    parts = losses(raw, score, result, settings)
    return sum(settings["weights"][name] * part for name, part in parts.items()), parts


def interval(raw):
    """(n, 3) centipawns: lower, realistic, upper, before calibration."""
    realistic = raw[:, REALISTIC]
    lower = realistic - squareplus(raw[:, LOWER])
    upper = realistic + squareplus(raw[:, UPPER])
    return np.asarray(jnp.stack([lower, realistic, upper], axis=1)) * UNIT
