"""Fits of rows that other processes hold: what an engine of a cluster must run, and who asks whom.

A cluster runs pure functions of a partition's rows and a small request. Rows have global numbers; a piece is a range
of them that begins on the grid of the library's sums, so that its answers have the same bits however rows are cut.
"""

import threading

import numpy as np
from scipy import sparse

from . import _core
from ._rows import feature_rows


def as_block(X):
    """Rows of a partition: an array of float64, float32 or uint8, or sparse rows in CSR."""
    if hasattr(X, "to_numpy") and not sparse.issparse(X):
        X = X.to_numpy()
    if not sparse.issparse(X) and hasattr(X, "tocsr"):
        X = X.tocsr()  # arrays of the package sparse
    if sparse.issparse(X):
        X = sparse.csr_matrix(X) if X.format != "csr" else X
        return X if X.dtype in (np.float64, np.float32) else X.astype(np.float64)
    X = np.asarray(X)
    if X.ndim == 1:
        X = X.reshape(-1, 1)
    if X.dtype not in (np.dtype(np.float64), np.dtype(np.float32), np.dtype(np.uint8)):
        X = X.astype(np.float64)
    return np.ascontiguousarray(X)


def as_column(y):
    """One column of a partition."""
    y = np.asarray(y)
    return y.reshape(-1) if y.ndim == 2 and y.shape[1] == 1 else y


def length(block):
    """The number of rows, which all columns of a partition have."""
    lengths = [column.shape[0] for column in block]
    if len(set(lengths)) != 1:
        raise ValueError(f"a partition has columns of {', '.join(map(str, lengths))} rows")
    return lengths[0]


def stack(parts):
    """Rows of slices, one under the other."""
    if len(parts) == 1:
        return parts[0]
    if sparse.issparse(parts[0]):
        return sparse.vstack(parts, format="csr")
    if hasattr(parts[0], "dtypes"):
        return _stacked_frames(parts)
    return np.concatenate(parts)


def _stacked_frames(frames):
    if type(frames[0]).__module__.startswith("polars"):
        import polars

        return polars.concat(frames)
    import pandas

    return pandas.concat(frames, ignore_index=True)


def cut_pieces(lengths, block_rows):
    """Pieces that begin on the grid: for each its first row and the slices (partition, from, to) it is made of.

    A partition that begins within a block gives the rows before the next one to its left neighbour.
    """
    total, starts = sum(lengths), np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    cuts = sorted({min(-(-int(s) // block_rows) * block_rows, total) for s in starts} | {0, total})
    pieces = []
    for first, last in zip(cuts[:-1], cuts[1:]):
        slices = [
            (p, max(first - int(starts[p]), 0), min(last - int(starts[p]), length))
            for p, length in enumerate(lengths)
            if length and starts[p] < last and starts[p] + length > first
        ]
        pieces.append((first, slices))
    return pieces


class Piece:
    """Rows of a contiguous range, with what makes them answer."""

    def __init__(self, first_row, columns):
        self.first_row = first_row
        self.columns = columns  # X, y and perhaps weights

    def weights(self):
        return self.columns[2] if len(self.columns) > 2 else None


def make_piece(first_row, slices):
    """A piece of slices, each a tuple of columns."""
    return Piece(first_row, [stack(list(column)) for column in zip(*slices)])


def check_weights(weights, first_row):
    weights = np.ascontiguousarray(weights, dtype=np.float64)
    bad = ~(np.isfinite(weights) & (weights >= 0))
    if bad.any():
        at = int(np.argmax(bad))
        raise ValueError(
            f"the weight of row {first_row + at + 1} is {weights[at]}: it must be finite and not negative"
        )
    return weights


# --- classifiers ---


def block_facts(X, y, w):
    """What a driver must know of a partition: shape, storage, labels with their numbers."""
    if X.shape[0] != len(y) or (w is not None and len(w) != len(y)):
        weights = f" and {len(w)} weights" if w is not None else ""
        raise ValueError(f"a partition has {X.shape[0]} rows, {len(y)} labels{weights}")
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y: a label is missing or infinite")
    labels, counts = np.unique(y, return_counts=True)
    return {
        "rows": X.shape[0],
        "columns": X.shape[1],
        "entries": int(X.nnz) if sparse.issparse(X) else X.shape[0] * X.shape[1],
        "sparse": sparse.issparse(X),
        "dtype": X.dtype.str if hasattr(X, "dtype") else "frame",
        "labels": labels,
        "counts": counts,
    }


def join_facts(facts):
    """Those of all partitions; empty ones say nothing of the storage."""
    full = [f for f in facts if f["rows"]] or facts[:1]
    if not full or not any(f["rows"] for f in facts):
        raise ValueError("there are no rows")
    for f in full:
        for what in ("columns", "sparse", "dtype"):
            if f[what] != full[0][what]:
                raise ValueError(
                    f"the partitions differ: {what} is {full[0][what]} in one and {f[what]} in another"
                )
    classes = np.unique(np.concatenate([f["labels"] for f in full]))
    class_rows = np.zeros((len(facts), len(classes)), dtype=np.uint64)
    for row, f in zip(class_rows, facts):
        if f["rows"]:
            row[np.searchsorted(classes, f["labels"])] = f["counts"]
    return {
        "lengths": [f["rows"] for f in facts],
        "rows": sum(f["rows"] for f in facts),
        "columns": full[0]["columns"],
        "entries": sum(f["entries"] for f in facts),
        "sparse": full[0]["sparse"],
        "bytes": full[0]["dtype"] == np.dtype(np.uint8).str,
        "double": full[0]["dtype"] == np.dtype(np.float64).str and not full[0]["sparse"],
        "frame": full[0]["dtype"] == "frame",
        "classes": classes,
        "class_rows": class_rows.sum(axis=0).astype(np.uint64),
    }


def encode_piece(piece, classes):
    """Labels as places among the classes, weights checked."""
    X, y = piece.columns[0], piece.columns[1]
    labels = np.searchsorted(classes, y).astype(np.int32)
    w = piece.weights()
    columns = [X, labels]
    if w is not None:
        columns.append(check_weights(w, piece.first_row))
    return Piece(piece.first_row, columns)


def piece_ranks(piece, classes):
    return np.bincount(piece.columns[1], minlength=classes).astype(np.uint64)


def piece_sums(piece, factors, threads):
    return _core.piece_sums(
        piece.first_row, feature_rows(piece.columns[0]), piece.columns[1], piece.weights(), factors, threads
    )


def first_row_of(piece):
    X = piece.columns[0][:1]
    return np.asarray(X.todense() if sparse.issparse(X) else X, dtype=np.float64).reshape(-1)


class PlannedPiece:
    """A piece of a classifier's rows with the plan of its fit.

    What answers, with the scores that it remembers, is made where the piece is and never travels: it is made again
    wherever the piece goes.
    """

    def __init__(self, piece, plan, threads, first_ranks):
        self.piece, self.plan, self.threads, self.first_ranks = piece, plan, threads, first_ranks
        self._holder, self._lock = None, threading.Lock()

    def __getstate__(self):
        return self.piece, self.plan, self.threads, self.first_ranks

    def __setstate__(self, state):
        self.__init__(*state)

    def answer(self, request):
        with self._lock:
            if self._holder is None:
                piece = self.piece
                rows = feature_rows(piece.columns[0])
                self._holder = _core.ClassifierPiece(
                    self.plan, piece.first_row, self.first_ranks, rows, piece.columns[1], piece.weights(), self.threads
                )
            return self._holder.answer(request)


def answer_classifier(planned, request):
    return planned.answer(request)


def group_pieces(count, groups):
    """Ranges of neighbouring pieces, so many or fewer."""
    edges = np.unique(np.linspace(0, count, min(count, groups) + 1).round().astype(int))
    return list(zip(edges[:-1].tolist(), edges[1:].tolist()))


# --- regressions and calibrations ---


def as_regression_piece(piece, classes):
    """Columns of numbers; labels, given the two classes, as 0 and 1."""
    x, y, *more = piece.columns
    y = y if classes is None else np.searchsorted(classes, y)
    columns = [np.ascontiguousarray(c, dtype=np.float64).reshape(-1) for c in (x, y, *more)]
    return Piece(piece.first_row, columns)


def answer_regression(piece, request, response, threads, beside):
    x, y, *more = piece.columns
    rows = _core.RegressionPiece(piece.first_row, x, y, **dict(zip(beside, more)))
    return rows.answer(request, response, threads)


def as_score_piece(piece, classes, kind):
    scores, y = piece.columns[0], piece.columns[1]
    scores = np.asarray(scores, dtype=np.float64)
    if scores.ndim == 2 and scores.shape[1] == 2:
        scores = scores[:, 1] if kind == "probability" else scores[:, 1] - scores[:, 0]
    if scores.ndim == 2 and scores.shape[1] != 1:
        raise ValueError(f"scores must have shape (n,), (n, 1) or (n, 2), and have {scores.shape}")
    columns = [np.ascontiguousarray(scores.reshape(-1)), np.searchsorted(classes, y).astype(np.uint8)]
    if piece.weights() is not None:
        columns.append(check_weights(piece.weights(), piece.first_row))
    return Piece(piece.first_row, columns)


def answer_scores(piece, request):
    return _core.ScorePiece(piece.first_row, piece.columns[0], piece.columns[1], piece.weights()).answer(request)


# --- merges, as functions that can be sent ---


def merge_sums(messages):
    return _core.merge_sums(messages)


def merge_answers(messages):
    return _core.merge_answers(messages)


def merge_regression_answers(messages):
    return _core.merge_regression_answers(messages)


def merge_score_answers(messages):
    return _core.merge_score_answers(messages)
