"""Columns of text of rows that other processes hold: an encoding that all parts learn together, as one machine does.

Each part says which texts and how many numbers its columns have; the driver joins that to an encoding, by which the
parts make their features. These are as many bits as one machine's: the means about which numbers are stored come from
the sums of pieces on the grid.
"""

import numpy as np

from . import _cluster, _core
from ._arrow import has_text

_MEDIAN_ROWS = 1 << 20  # a median of more rows is that of so many evenly spaced ones
_VALUES = 1 << 24  # that come to the driver at a time


def may_have_text(X):
    """Whether a partition is a frame with columns of text, or of objects, which may be text."""
    if type(X).__name__ != "DataFrame":
        return False
    return has_text(X) or any(str(dtype) == "object" for dtype in getattr(X, "dtypes", ()))


def is_frame(X):
    return hasattr(X, "dtypes") and hasattr(X, "columns")


class Numbered:
    """The block of a partition and the number of its first row."""

    def __init__(self, block, first_row):
        self.block, self.first_row = block, int(first_row)

    def table(self):
        return _core.ArrowInput(self.block[0])


def facts_of(part):
    return _core.facts_of_part(part.table(), part.first_row)


def texts_of(part, facts):
    return _core.texts_of_part(part.table(), part.first_row, facts)


def features_of(part, encoding):
    return (_core.features_of_part(part.table(), part.first_row, encoding), *part.block[1:])


def array_block(block):
    return (_cluster.as_block(block[0]), *block[1:])


def joined(messages):
    return _core.joined_facts(messages)


class Encoding:
    """What all parts have learned."""

    def __init__(self, message):
        self.message = message
        names, numbers = _core.encoded_names(message)
        self.names, self.numbers = names, np.array(numbers, dtype=bool)

    def stored(self, pieces, origin):
        """The features of pieces in single precision about their means; those of texts about 0."""
        return pieces.map(_single, origin)

    def medians(self, pieces, rows, origin):
        """Of the columns of numbers, from what is stored."""
        step = -(-rows // _MEDIAN_ROWS)
        features = np.flatnonzero(self.numbers)
        together = max(1, _VALUES // -(-rows // step))
        medians = []
        for first in range(0, len(features), together):
            some = features[first : first + together]
            values = np.sort(np.concatenate(pieces.each(_every, step, some)), axis=0)
            middle = len(values) // 2
            upper, lower = values[middle].astype(np.float64), values[middle - 1].astype(np.float64)
            medians.append(origin[some] + (upper if len(values) % 2 else (upper + lower) / 2))
        return np.concatenate(medians) if medians else np.empty(0)


def _single(piece, origin):
    X = piece.columns[0]
    return _cluster.Piece(piece.first_row, [(X - origin).astype(np.float32), *piece.columns[1:]])


def _every(piece, step, features):
    return piece.columns[0][-piece.first_row % step :: step][:, features]


def encode(rows, lengths):
    """The rows with features in place of frames, and their encoding; without an encoding where there is no text."""
    starts = np.concatenate([[0], np.cumsum(lengths)])[:-1]
    numbered = rows.map(Numbered, own=starts)
    facts = numbered.merged(facts_of, joined)
    if _core.needs_texts(facts):
        facts = joined([facts, numbered.merged(texts_of, joined, facts)])
    message = _core.learned_encoding(facts)
    return numbered.map(features_of, message), Encoding(message)
