"""Tables behind Arrow's capsules (Polars, DuckDB, pyarrow, pandas), read without pyarrow."""

import re
import warnings

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _core
from ._options import warn


_FLAGS = re.compile(r" \(--missing drop leaves .*\)")


class ArrowFrame:
    """The rows of a table, read once: numbers as an array, or a table to be encoded, as one with text is."""

    def __init__(self, X):
        self._input = _core.ArrowInput(_without_index(X))
        self.columns = self._input.names
        self._text = self._input.has_text
        self._values = None
        self._rows = None

    def __array__(self, dtype=None, copy=None):
        if self._values is None:
            if self._text:
                raise ValueError("X has columns of text")
            self._values = self._input.matrix()
        return self._values if dtype is None else self._values.astype(dtype, copy=False)

    @property
    def has_text(self):
        return self._text

    @property
    def values(self):
        return np.asarray(self)

    def encoded(self, model=None):
        """Its rows by a model's encoding, or by one that is learned."""
        if self._rows is None:
            try:
                self._rows = self._input.encode() if model is None else model.encode(self._input)
            except ValueError as error:  # the library names flags of the program
                raise ValueError(_FLAGS.sub(": fill it or leave out its row before the fit", str(error))) from None
            for text in self._rows.warnings:
                warn(text)
        return self._rows


def _without_index(X):
    """A frame of pandas hands its index over as one more column, unless it counts the rows."""
    if type(X).__module__.split(".")[0] not in ("modin", "pandas") or not hasattr(X, "index"):
        return X
    X = X.copy(deep=False)
    X.index = range(len(X))
    return X


def has_capsules(X):
    """Whether X is a table that Arrow's capsules hand over."""
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__")


def has_text(X):
    """Whether a frame of pandas or Polars has columns of text or categories."""
    kind = type(X).__module__.split(".")[0]
    if type(X).__name__ != "DataFrame":
        return False
    if kind == "polars":
        return any(str(dtype).split("(")[0] in ("String", "Categorical", "Enum") for dtype in X.dtypes)
    if kind != "pandas":
        return False
    if any(str(dtype) in ("str", "string", "category") or str(dtype).startswith("string[") for dtype in X.dtypes):
        return True
    return any(str(dtype) == "object" and _all_text(X.iloc[:, j]) for j, dtype in enumerate(X.dtypes))


def _all_text(column):
    """Whether a column of objects, which may hold anything, has texts and missing values alone."""
    from pandas.api.types import infer_dtype

    return infer_dtype(column, skipna=True) == "string"


def check_names(estimator, names):
    """The columns of a fit, as scikit-learn compares them."""
    known = getattr(estimator, "feature_names_in_", None)
    if known is None:
        warnings.warn(f"X has feature names, but {type(estimator).__name__} was fitted without feature names")
        return
    if list(known) != list(names):
        raise ValueError(
            "The feature names should match those that were passed during fit: "
            f"they were {', '.join(map(repr, known[:5]))}{', ...' if len(known) > 5 else ''}, "
            f"and are {', '.join(map(repr, names[:5]))}{', ...' if len(names) > 5 else ''}"
        )


def check_encoded(estimator, frame, y):
    """The encoded rows of a frame with text, and the labels."""
    rows = frame.encoded()
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f":
        check_array(y, ensure_2d=False, input_name="y")
    check_consistent_length(np.empty(rows.shape[0]), y)
    estimator.feature_names_in_ = np.array(rows.columns, dtype=object)
    estimator.n_features_in_ = len(rows.columns)
    return rows, y
