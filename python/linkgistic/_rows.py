"""Rows, class weights and parts of a cross-validation, as the library takes them."""

from collections.abc import Mapping
from numbers import Integral, Real

import numpy as np
from scipy import sparse
from sklearn.model_selection import check_cv

from ._options import label_names, row_numbers


def feature_rows(X):
    """X as the library takes it, without a copy: an array, or (shape, indptr, indices, data) of sparse rows."""
    if sparse.issparse(X):
        if X.shape[1] > np.iinfo(np.int32).max:
            raise ValueError(f"X has {X.shape[1]} columns, and may have {np.iinfo(np.int32).max} of sparse rows")
        return X.shape, X.indptr.astype(np.int64, copy=False), X.indices.astype(np.int32, copy=False), X.data
    in_place = X.flags.c_contiguous if X.dtype == np.uint8 else min(X.strides) >= 0
    return X if in_place else np.ascontiguousarray(X)


def column_medians(X):
    """Of at most 16,384 evenly spaced rows, a column at a time: all would take longer than a fit."""
    some = X[:: -(-len(X) // 16384)]
    return np.array([np.median(some[:, j]) for j in range(X.shape[1])], dtype=np.float64)


def class_weights(given, classes):
    """Weights by the names of the classes, of a mapping from labels."""
    names = dict(zip(classes.tolist(), label_names(classes)))
    for label, weight in given.items():
        if isinstance(weight, bool) or not isinstance(weight, Real):
            raise TypeError(f"class_weight = {given!r}: the weight of {label!r} must be a number")
    return {names.get(label, str(label)): float(weight) for label, weight in given.items()}


def row_parts(cv, X, y):
    """The parts of a splitter, as pairs of row numbers to learn from and to judge by; none of a number."""
    if cv is None or isinstance(cv, Integral):
        return []
    split = check_cv(cv, y, classifier=True).split(X, y)
    parts = [tuple(row_numbers(rows, X.shape[0]) for rows in part) for part in split]
    if not parts:
        raise ValueError(f"cv = {cv!r}: it has no parts")
    return parts
