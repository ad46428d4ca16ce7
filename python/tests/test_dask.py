"""Dask: the bytes of one machine's model for any partitions and workers, also when a worker is killed."""

import os
import pickle
import re
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

pytest.importorskip("distributed")
import dask
import dask.array as da
import dask.dataframe as dd
from dask import delayed
from distributed import Client, LocalCluster

from linkgistic.dask import DaskLinkgisticClassifier, DaskMonotoneCalibrator, DaskMonotoneRegressor

ROWS = 21_500
QUICK = {"l2": 2.0, "v": 0.1, "max_iter": 1, "harmonics": 4, "max_passes": 5}


@pytest.fixture(scope="module")
def client():
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


def text(estimator):
    """The model file, without the times that fits took."""
    return re.sub(r'"seconds[^,\n]*', "", estimator.model_.to_json())


def rows(kind=np.float64, classes=2):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 5)) * [1, 2, 3, 4, 5] + 3
    score = X[:, 0] - X[:, 1] / 2 + rng.logistic(size=ROWS)
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    X = (X * 12 + 100).clip(0, 255) if kind == np.uint8 else X
    return X.astype(kind), y, rng.random(ROWS).round(3)


def cuts(number):
    """Lengths of partitions: an empty one, one-row ones, and others of any length."""
    rng = np.random.default_rng(number)
    inner = np.sort(rng.integers(0, ROWS, size=number - 4)) if number > 4 else []
    return np.diff(np.concatenate([[0, 0, 1, 2], inner, [ROWS]])).astype(int) if number > 4 else [ROWS]


def chunked(values, lengths):
    ends = np.cumsum(lengths)
    return [delayed(values[e - n : e]) for n, e in zip(lengths, ends)]


@pytest.mark.parametrize("kind", ["double", "single", "bytes", "sparse", "weighted", "softmax", "chosen"])
def test_a_classifier_has_the_bytes_of_one_machine(client, kind):
    types = {"single": np.float32, "bytes": np.uint8}
    X, y, w = rows(types.get(kind, np.float64), 3 if kind == "softmax" else 2)
    options = dict(QUICK)
    if kind == "sparse":
        X = sparse.csr_matrix(np.where(X > 4, X, 0))
    if kind == "chosen":
        options.update(l2=None, v=None, standardize="on")
    if kind == "softmax":
        options.update(class_weight="balanced")
    weights = [w] if kind in ("weighted", "softmax") else []
    whole = LinkgisticClassifier(**options).fit(X, y, *weights)
    for number in (1, 7) if kind == "chosen" else (1, 5, 37):
        lengths = cuts(number)
        parts = [chunked(column, lengths) for column in (X, y, *weights)]
        fitted = DaskLinkgisticClassifier(client=client, **options).fit(*parts)
        assert text(fitted) == text(whole), number
    assert isinstance(fitted.coef_, np.ndarray)
    assert (fitted.coef_ == whole.coef_).all() and (fitted.classes_ == whole.classes_).all()


def test_arrays_and_frames_of_unknown_lengths(client):
    X, y, w = rows()
    frame = pd.DataFrame(X, columns=list("abcde"))
    named = LinkgisticClassifier(**QUICK).fit(frame, np.where(y, "yes", "no"), w)
    lazy = dd.from_pandas(frame.assign(y=np.where(y, "yes", "no"), w=w), npartitions=5)
    lazy = lazy[lazy.a < 1e9]  # lengths are not known
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(lazy[list("abcde")], lazy.y, lazy.w)
    assert text(fitted) == text(named)
    assert list(fitted.feature_names_in_) == list("abcde")
    p = fitted.predict_proba(lazy[list("abcde")])
    assert isinstance(p, da.Array)
    np.testing.assert_allclose(p.compute(), named.predict_proba(frame), rtol=1e-12)
    assert (fitted.predict(lazy[list("abcde")]).compute() == named.predict(frame)).all()
    array = da.from_array(X, chunks=(4000, 2))
    known = DaskLinkgisticClassifier(client=client, **QUICK).fit(array[array[:, 0] < 1e9], da.from_array(y, chunks=4000))
    plain = LinkgisticClassifier(**QUICK).fit(X, y)
    assert text(known) == text(plain)
    p, lower, upper = known.predict_proba(array, return_interval=0.9)
    assert p.shape == (ROWS, 2) and lower.shape == (ROWS,)
    assert (dask.compute(lower)[0] <= dask.compute(p)[0][:, 1]).all()
    assert abs(known.score(array, da.from_array(y, chunks=4000)) - plain.score(X, y)) < 1e-12


def test_local_estimators_copies_and_pickles(client):
    X, y, _ = rows()
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(da.from_array(X, chunks=(5000, -1)), y)
    local = fitted.to_local()
    assert type(local) is LinkgisticClassifier and text(local) == text(fitted)
    assert (local.predict(X[:9]) == fitted.predict(X[:9])).all()
    assert clone(fitted).client is client
    assert pickle.loads(pickle.dumps(fitted)).client is None


def test_few_rows_are_those_of_one_machine(client):
    X, y, w = (column[:900] for column in rows())
    options = {"l2": 2.0, "v": 0.1, "max_iter": 1}
    whole = LinkgisticClassifier(**options).fit(X, y, w)
    parts = [[delayed(c[a:b]) for a, b in ((0, 0), (0, 1), (1, 500), (500, 900))] for c in (X, y, w)]
    assert text(DaskLinkgisticClassifier(client=client, **options).fit(*parts)) == text(whole)


def test_regressions_have_the_bytes_of_one_machine(client):
    rng = np.random.default_rng(2)
    x = rng.normal(size=150_000)
    y = np.tanh(x) + 0.1 * rng.normal(size=len(x))
    w = rng.random(len(x))
    whole = MonotoneRegressor(harmonics=3, increasing=True).fit(x, y, w)
    for lengths in ([0, 1, 70_000, 1, 79_998], [150_000], [10_000] * 15):
        parts = [chunked(column, lengths) for column in (x, y, w)]
        fitted = DaskMonotoneRegressor(client=client, harmonics=3, increasing=True).fit(*parts)
        assert text(fitted) == text(whole)
    counts = np.random.default_rng(4).poisson(np.exp(np.tanh(x)))
    options = {"response": "poisson", "harmonics": 3, "increasing": True}
    parts = [chunked(column, [0, 70_001, 79_999]) for column in (x, counts)]
    poisson = DaskMonotoneRegressor(client=client, **options).fit(*parts)
    assert text(poisson) == text(MonotoneRegressor(**options).fit(x, counts))
    with pytest.raises(ValueError, match="'bernoulli' takes two labels"):
        DaskMonotoneRegressor(client=client, response="bernoulli").fit(*parts)
    lazy = fitted.predict(da.from_array(x[:100], chunks=30), return_interval=0.9)
    np.testing.assert_array_equal(lazy[1].compute(), whole.predict(x[:100], return_interval=0.9)[1])


def test_calibrations_have_the_bytes_of_one_machine(client):
    rng = np.random.default_rng(3)
    s = rng.normal(size=30_000).round(2)
    y = np.where(rng.random(len(s)) < 1 / (1 + np.exp(-2 * s)), "yes", "no")
    w = rng.random(len(s))
    whole = MonotoneCalibrator(harmonics=3).fit(s, y, w)
    for lengths in ([0, 1, 4095, 5000, 1, 20_903], [30_000]):
        parts = [chunked(column, lengths) for column in (s, y, w)]
        assert text(DaskMonotoneCalibrator(client=client, harmonics=3).fit(*parts)) == text(whole)
    both = 1 / (1 + np.exp(-np.column_stack([-s, s])))
    two = DaskMonotoneCalibrator(client=client, harmonics=3).fit(da.from_array(both, chunks=(9000, 2)), da.from_array(y, chunks=9000))
    assert text(two) == text(MonotoneCalibrator(harmonics=3).fit(both, y))
    assert two.predict(da.from_array(both, chunks=(9000, 2))).compute().shape == (30_000,)


def test_errors_name_the_row_and_leave_the_cluster_usable(client):
    X, y, w = rows()
    bad = X.copy()
    bad[15_000, 2] = np.nan
    with pytest.raises(ValueError, match="row 15001, column 3"):
        DaskLinkgisticClassifier(client=client, **QUICK).fit(chunked(bad, cuts(5)), chunked(y, cuts(5)))
    w[20_000] = -1
    with pytest.raises(ValueError, match="the weight of row 20001 is -1"):
        DaskLinkgisticClassifier(client=client, **QUICK).fit(*(chunked(c, cuts(5)) for c in (X, y, w)))
    with pytest.raises(ValueError, match="2 partitions, and y has 1"):
        DaskLinkgisticClassifier(client=client, **QUICK).fit(chunked(X, [1000, ROWS - 1000]), [delayed(y)])
    with pytest.raises(ZeroDivisionError):
        DaskLinkgisticClassifier(client=client, **QUICK).fit([delayed(lambda: 1 / 0)()], [delayed(y)])
    with pytest.raises(ValueError, match="there are no rows"):
        DaskLinkgisticClassifier(client=client).fit([delayed(X[:0])], [delayed(y[:0])])
    assert client.submit(lambda: 7).result() == 7


def test_two_fits_at_once_and_a_client_of_its_own(client):
    X, y, _ = rows()
    expected = text(LinkgisticClassifier(**QUICK).fit(X, y))
    found = []

    def fit():
        found.append(text(DaskLinkgisticClassifier(client=client, **QUICK).fit(chunked(X, cuts(6)), chunked(y, cuts(6)))))

    threads = [threading.Thread(target=fit) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected, expected]


def test_a_worker_that_is_killed_changes_nothing():
    X, y, _ = rows()
    options = {**QUICK, "max_passes": 30, "max_iter": 3}
    expected = text(LinkgisticClassifier(**options).fit(X, y))
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            killed = []

            def kill(progress):
                if len(killed) < 2 and progress["step"] >= 2 * len(killed) + 1:
                    pids = [p for p in client.run(os.getpid, on_error="ignore").values() if isinstance(p, int)]
                    killed.append(pids[0])
                    threading.Thread(target=lambda: (time.sleep(0.01), os.kill(pids[0], signal.SIGKILL))).start()

            fitted = DaskLinkgisticClassifier(client=client, callback=kill, **options)
            fitted.fit(chunked(X, cuts(9)), chunked(y, cuts(9)))
            assert killed
            assert text(fitted) == expected
