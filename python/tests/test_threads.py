"""Estimators in many threads at once, and in processes that are forked, spawned or joblib's."""

import concurrent.futures
import multiprocessing
import threading

import joblib
import numpy as np
import pytest
from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

KINDS = ["regressor", "calibrator", "classifier"]
SECONDS = 250  # a child that waits for threads that it does not have would wait for ever


def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(6000, 2))
    y = np.tanh(X[:, 0]) + 0.3 * rng.normal(size=len(X))
    return X, y, (y > 0).astype(int)


def fit(kind, n_jobs=2):
    X, y, label = rows()
    if kind == "regressor":
        return MonotoneRegressor(harmonics=6, n_jobs=n_jobs).fit(X[:, 0], y)
    if kind == "calibrator":
        return MonotoneCalibrator(n_jobs=n_jobs).fit(X[:, 0], label)
    return LinkgisticClassifier(l2=1.0, v=0.05, max_iter=3, n_jobs=n_jobs).fit(X, label)


def answer(kind, fitted):
    X = rows()[0]
    if kind == "regressor":
        return fitted.predict(X[:, 0])
    return fitted.predict_proba(X[:, 0] if kind == "calibrator" else X)


def fitted_answer(kind):
    return answer(kind, fit(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_eight_threads_ask_and_fit_at_once(kind):
    fitted = fit(kind)
    expected = answer(kind, fitted)
    start = threading.Barrier(8)

    def work(number):
        start.wait()
        return answer(kind, fitted if number % 2 else fit(kind, 1 + number % 3))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for found in pool.map(work, range(8)):
            np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_fit_and_predict_after_their_parent_did(kind, method):
    fitted = fit(kind)
    expected = answer(kind, fitted)
    with multiprocessing.get_context(method).Pool(2) as pool:
        waiting = [pool.apply_async(answer, (kind, fitted)), pool.apply_async(fitted_answer, (kind,))]
        for found in waiting:
            np.testing.assert_array_equal(found.get(timeout=SECONDS), expected)


def test_workers_of_joblib_fit_and_predict():
    expected = {kind: answer(kind, fit(kind)) for kind in KINDS}
    found = joblib.Parallel(n_jobs=2, backend="loky", timeout=SECONDS)(joblib.delayed(fitted_answer)(kind) for kind in KINDS)
    for kind, values in zip(KINDS, found):
        np.testing.assert_array_equal(values, expected[kind])
