"""Rows are not copied."""

import sys

import numpy as np
import pandas as pd
import pytest
from memory import peak_growth
from scipy import sparse

from linkgistic import LinkgisticClassifier

ROWS, COLUMNS = 50_000, 200

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is counted as Linux does")


def make(storage):
    """Rows in a storage, and their bytes."""
    rng = np.random.default_rng(0)
    if storage.startswith("csr"):  # every tenth column
        rows, entries = 4 * ROWS, COLUMNS // 10
        values = rng.standard_normal(rows * entries).astype(storage.split()[1])
        columns = np.tile(np.arange(0, COLUMNS, 10, dtype=np.int32), rows)
        X = sparse.csr_matrix((values, columns, np.arange(rows + 1) * entries), shape=(rows, COLUMNS))
        return X, X.data.nbytes + X.indices.nbytes
    if storage == "uint8":
        X = rng.integers(256, size=(8 * ROWS, COLUMNS), dtype=np.uint8)
        return X, X.nbytes
    X = rng.standard_normal((ROWS, COLUMNS))
    if storage == "float32":
        X = np.tile(X.astype(np.float32), (2, 1))
    elif storage == "by columns":
        X = np.asfortranarray(X)
    elif storage == "data frame":
        return pd.DataFrame(X, columns=[f"x{j}" for j in range(COLUMNS)], copy=False), X.nbytes
    return X, X.nbytes


@pytest.mark.parametrize(
    "storage", ["float64", "float32", "uint8", "by columns", "data frame", "csr float64", "csr float32"]
)
def test_neither_fit_nor_predict_proba_copies_the_rows(storage):
    X, size = make(storage)
    y = np.arange(X.shape[0]) % 2
    clf = LinkgisticClassifier(l2=1.0, v=0.5, max_iter=1, cross_fit=False)
    small = X[:100]
    clf.fit(small, y[:100]).predict_proba(small)  # what is allocated once
    growth = peak_growth(lambda: clf.fit(X, y).predict_proba(X))
    assert growth < 0.6 * size


def test_a_copy_would_be_seen():
    X = np.ones((ROWS, COLUMNS))
    assert peak_growth(lambda: X.copy()) > 0.9 * X.nbytes
