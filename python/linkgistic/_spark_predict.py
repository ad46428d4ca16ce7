"""Predictions of a batch of a Spark frame."""

import functools
import pickle

import numpy as np
import pyarrow as pa

from ._classifier import LinkgisticClassifier
from ._options import most_probable
from ._regressor import MonotoneRegressor
from ._spark_cells import matrix_of


@functools.lru_cache(maxsize=8)
def _estimator(sent):
    """A fitted estimator; a process unpickles it once."""
    return pickle.loads(sent)


def _lists(values):
    """Numbers of shape (n,) or (n, k) as an Arrow array of lists."""
    values = np.ascontiguousarray(values, dtype=np.float64).reshape(len(values), -1)
    ends = np.arange(len(values) + 1, dtype=np.int32) * values.shape[1]
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(values.ravel()))


def predicted(sent, column, name, interval):
    """A struct of prediction, raw, probability, lower and upper for each row; those that there are not are null."""
    estimator, rows = _estimator(sent), len(column)
    found = dict.fromkeys(("prediction", "raw", "probability", "lower", "upper"))
    if rows:
        X = matrix_of(column, name)
        of_classes = not isinstance(estimator, MonotoneRegressor)
        if not isinstance(estimator, LinkgisticClassifier) and hasattr(X, "toarray"):
            X = X.toarray()
        if of_classes:
            found.update(_of_classes(estimator, X, interval))
        elif interval is None:
            found["prediction"] = estimator.predict(X)
        else:
            found["prediction"], found["lower"], found["upper"] = estimator.predict(X, return_interval=interval)
    label = pa.string() if found["prediction"] is not None and found["prediction"].dtype.kind == "U" else pa.float64()
    fields = {
        which: pa.nulls(rows, label if which == "prediction" else pa.list_(pa.float64()))
        if values is None
        else (pa.array(values, label) if which == "prediction" else _lists(values))
        for which, values in found.items()
    }
    return pa.StructArray.from_arrays(list(fields.values()), names=list(fields))


def _of_classes(estimator, X, interval):
    log_odds = estimator.decision_function(X)
    found = {"raw": np.column_stack([-log_odds, log_odds]) if log_odds.ndim == 1 else log_odds}
    labels = most_probable(log_odds, estimator.classes_)
    found["prediction"] = labels.astype(np.float64) if labels.dtype.kind in "biuf" else labels.astype(np.str_)
    if interval is None:
        found["probability"] = estimator.predict_proba(X)
    else:
        found["probability"], found["lower"], found["upper"] = estimator.predict_proba(X, return_interval=interval)
    return found
