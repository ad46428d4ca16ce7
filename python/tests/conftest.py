"""Data and the program for the tests."""

import os
import shutil
import signal
from importlib.util import find_spec
from pathlib import Path

import matplotlib
import numpy as np
import pytest

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # before SciPy is there: scikit-learn then checks array dispatch too
matplotlib.use("Agg")
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored


def pytest_collection_modifyitems(items):
    """The example of BoosterClassifier needs a package that need not be there."""
    if find_spec("lightgbm") is None:
        for item in items:
            if item.name == "linkgistic._booster_classifier.BoosterClassifier":
                item.add_marker(pytest.mark.skip(reason="no lightgbm"))


@pytest.fixture(scope="session")
def program():
    """The built program; LINKGISTIC_PROGRAM names it, or it is build/linkgistic."""
    path = os.environ.get("LINKGISTIC_PROGRAM") or Path(__file__).parents[2] / "build" / "linkgistic"
    found = shutil.which(path)
    if found is None:
        pytest.skip("the program is not built")
    return found


@pytest.fixture(scope="session")
def two_classes():
    """Rows whose log odds are an asymmetric function of a linear score."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(600, 3))
    t = X @ [1.5, -1.0, 0.5]
    log_odds = np.where(t > 0, 3 * t, 0.5 * t)
    return X, (rng.random(600) < 1 / (1 + np.exp(-log_odds))).astype(int)
