"""Columns of Arrow batches as rows of features, labels and weights; a cell that cannot be used is named."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse


class BadCell(ValueError):
    """A cell that cannot be used: the number of its row in what was given, and what is wrong."""

    def __init__(self, row, what):
        super().__init__(what)
        self.row = row


def first(bad):
    return int(np.argmax(bad))


def no_nulls(column, name):
    if column.null_count:
        raise BadCell(first(column.is_null().to_numpy(zero_copy_only=False)), f"{name} is missing")


def numbers(column):
    return column.to_numpy(zero_copy_only=False)


def _cell(name, column):
    """A feature in words; the name is that of a column, or those of all features."""
    return name[column] if isinstance(name, list) else f"number {column + 1} of {name}"


def _same_length(lengths, name):
    bad = lengths != lengths[0]
    if bad.any():
        row = first(bad)
        raise BadCell(row, f"{name} has {lengths[row]} numbers, and {lengths[0]} in another row")
    return int(lengths[0])


def _list_rows(column, name):
    width = _same_length(numbers(pc.list_value_length(column)), name)
    values = column.flatten()
    if values.null_count:
        row, at = divmod(first(values.is_null().to_numpy(zero_copy_only=False)), width)
        raise BadCell(row, f"{_cell(name, at)} is missing")
    return numbers(values).reshape(len(column), -1)


def _vector_rows(column, name):
    """Vectors of Spark ML: dense rows, or sparse ones where there is a sparse vector."""
    of_sparse = numbers(column.field("type")) == 0
    values = column.field("values")
    if not of_sparse.any():
        return _list_rows(values, name)
    counts = numbers(pc.list_value_length(values)).astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(counts)])
    index = np.arange(ends[-1]) - np.repeat(ends[:-1], counts)
    index[np.repeat(of_sparse, counts)] = numbers(column.field("indices").flatten())
    sizes = np.where(of_sparse, numbers(pc.fill_null(column.field("size"), 0)), counts)
    shape = len(column), _same_length(sizes, name)
    X = sparse.csr_matrix((numbers(values.flatten()).copy(), index, ends), shape=shape)
    X.eliminate_zeros()
    return X


def matrix_of(column, name):
    """Rows of features, of an Arrow array of lists or of vectors; all are finite."""
    no_nulls(column, name)
    X = (_vector_rows if pa.types.is_struct(column.type) else _list_rows)(column, name)
    values = X.data if sparse.issparse(X) else X
    if not np.isfinite(values).all():
        rows = np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)) if sparse.issparse(X) else None
        at = first(~np.isfinite(values))
        row, j = (int(rows[at]), int(X.indices[at])) if rows is not None else divmod(at, X.shape[1])
        raise BadCell(row, f"{_cell(name, j)} is {values.flat[at]}, which is not a finite number")
    return X


def labels_of(column, name):
    no_nulls(column, name)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return np.array(column.to_pylist(), dtype=np.str_)
    y = numbers(column)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        row = first(~np.isfinite(y))
        raise BadCell(row, f"{name} is {y[row]}, which is not a finite number")
    return y


def weights_of(column, name):
    no_nulls(column, name)
    w = numbers(column)
    bad = ~(np.isfinite(w) & (w >= 0))
    if bad.any():
        row = first(bad)
        raise BadCell(row, f"{name}, the weight, is {w[row]}: it must be finite and not negative")
    return w
