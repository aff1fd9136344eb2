"""The network's inputs: which of the 768 (owner, piece, square) features are on, from each side's point of view.

A side sees the board with its own pieces at the bottom, mirrored if need be so that its own king stands on files e-h.
Feature = 384 * (piece is the other side's) + 64 * (pawn 0 .. king 5) + square. The same numbers are made by the engine.
"""

import numpy as np

from games import BLACK_KING, EMPTY, WHITE_KING

INPUTS = 768
NONE = INPUTS  # fills the rows of positions with fewer than 32 men
MEN = 32
BUCKETS = 8


def features(positions):
    """(n, 2, 32) uint16: the features of the side to move and of the other side, filled up with NONE."""
    result = np.empty((len(positions), 2, MEN), np.uint16)
    for start in range(0, len(positions), 65536):
        part = slice(start, start + 65536)
        board, black = positions.board[part], positions.black[part]
        rows = np.arange(len(board))[:, None]
        squares = np.argsort(board == EMPTY, axis=1, kind="stable")[:, :MEN]
        pieces = board[rows, squares].astype(np.int16)
        for side, owner_black in enumerate((black, ~black)):
            king = np.argmax(board == np.where(owner_black, BLACK_KING, WHITE_KING)[:, None], axis=1)
            flip = np.where(owner_black, 56, 0) ^ np.where(king % 8 < 4, 7, 0)
            other = (pieces > 6) != owner_black[:, None]
            feature = 384 * other + 64 * ((pieces - 1) % 6) + (squares ^ flip[:, None])
            result[part, side] = np.where(pieces == EMPTY, NONE, feature)
    return result


def men(positions):
    """(n,) number of men on the board, kings included."""
    return np.count_nonzero(positions.board, axis=1)


def bucket(count):
    """The output bucket (0 to 7) for a number of men."""
    return (count - 2) // 4


def phase(positions):
    """(n,) the usual 24-point count of pieces (knight and bishop 1, rook 2, queen 4), at most 24."""
    weight = np.array([0, 0, 1, 1, 2, 4, 0] + [0, 1, 1, 2, 4, 0], np.uint8)
    return np.minimum(weight[positions.board].sum(axis=1, dtype=np.int32), 24)


PHASES = {"endgame": (0, 8), "middlegame": (9, 19), "opening": (20, 24)}  # ranges of `phase`
