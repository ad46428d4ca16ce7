"""Dask: columns of text, labels and sizes of rows as responses, what users of dask-ml ask for, workers that come late."""

import re
import threading

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from linkgistic import LinkgisticClassifier, MonotoneRegressor

pytest.importorskip("distributed")
import dask
import dask.array as da
import dask.dataframe as dd
from dask import delayed
from distributed import Client, LocalCluster

from linkgistic.dask import DaskLinkgisticClassifier, DaskMonotoneRegressor

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


def cars(rows=ROWS):
    """Numbers, text, text that reads as numbers, and categories of which some never occur."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "weight": rng.normal(1500, 300, size=rows),
            "origin": rng.choice(["USA", "Europe", "Japan", "7"], size=rows, p=[0.6, 0.2, 0.19, 0.01]),
            "doors": rng.integers(2, 6, size=rows),
            "code": pd.Categorical(rng.choice(["3", "5"], size=rows), categories=["3", "4", "5"]),
            "year": rng.choice(["1970.5", "1971", "1972"], size=rows),
        }
    )
    score = (frame.weight - 1500) / 300 + (frame.origin == "USA") - frame.doors / 4 + rng.logistic(size=rows)
    return frame, np.where(score > 0, "fast", "slow"), rng.random(rows).round(3)


def chunked(values, lengths):
    ends = np.cumsum(lengths)
    cut = values.iloc if hasattr(values, "iloc") else values
    return [delayed(cut[e - n : e]) for n, e in zip(lengths, ends)]


CUTS = [[ROWS], [0, 1, 1, 7000, 5000, 0, ROWS - 12_002], np.diff(np.linspace(0, ROWS, 38).astype(int)).tolist()]


@pytest.mark.parametrize("lengths", CUTS, ids=["1", "7", "37"])
def test_columns_of_text_have_the_bytes_of_one_machine(client, lengths):
    frame, y, w = cars()
    whole = LinkgisticClassifier(**QUICK, standardize="on").fit(frame, y, w)
    assert any("USA" in name for name in whole.model_.feature_names)
    parts = [chunked(column, lengths) for column in (frame, y, w)]
    fitted = DaskLinkgisticClassifier(client=client, **QUICK, standardize="on").fit(*parts)
    assert text(fitted) == text(whole)
    assert list(fitted.feature_names_in_) == list(whole.feature_names_in_)
    assert fitted.n_features_in_ == whole.n_features_in_
    shown = fitted.predict_proba(parts[0])
    np.testing.assert_array_equal(shown.compute(), whole.predict_proba(frame))


def test_frames_of_objects_without_text_are_numbers(client):
    frame, y, _ = cars()
    objects = frame[["weight", "doors"]].astype(object)
    lazy = [delayed(objects.iloc[:9000]), delayed(objects.iloc[9000:])]
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(lazy, [delayed(y[:9000]), delayed(y[9000:])])
    whole = LinkgisticClassifier(**QUICK).fit(objects.to_numpy(dtype=float), y)
    assert text(fitted) == text(whole)


def test_few_rows_of_text_are_those_of_one_machine(client):
    frame, y, w = cars(900)
    lazy = dd.from_pandas(frame.assign(y=y, w=w), npartitions=4)
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(lazy[list(frame)], lazy.y, lazy.w)
    whole = LinkgisticClassifier(**QUICK).fit(frame, y, w)
    assert text(fitted) == text(whole)
    assert (fitted.predict(lazy[list(frame)]).compute() == whole.predict(frame)).all()
    empty = [delayed(frame.iloc[:0]), delayed(frame.iloc[:5])]
    assert fitted.predict_proba(empty).compute().shape == (5, 2)


@pytest.mark.parametrize("bad", [15_000, 3])
def test_a_bad_cell_of_a_frame_is_one_error_with_its_row_and_column(client, bad):
    frame, y, _ = cars()
    frame.loc[bad, "weight"] = np.nan
    lengths = CUTS[1]
    with pytest.raises(ValueError, match=rf"row {bad + 1}, column 'weight'"):
        DaskLinkgisticClassifier(client=client, **QUICK).fit(chunked(frame, lengths), chunked(y, lengths))
    assert client.submit(lambda: 7).result() == 7


RESPONSES = {
    "bernoulli": lambda rng, m, n: np.where(rng.random(n) < 1 / (1 + np.exp(-m)), "yes", "no"),
    "binomial": lambda rng, m, n: rng.binomial(5, 1 / (1 + np.exp(-m))),
    "poisson": lambda rng, m, n: rng.poisson(np.exp(m)),
    "student": lambda rng, m, n: m + 0.1 * rng.standard_t(3, size=n),
}


@pytest.mark.parametrize("response", RESPONSES)
def test_responses_offsets_and_exposures_have_the_bytes_of_one_machine(client, response):
    rng = np.random.default_rng(6)
    n = 70_000
    x = rng.normal(size=n)
    y = RESPONSES[response](rng, np.tanh(x), n)
    beside = {"sample_weight": rng.random(n).round(2)}
    if response != "student":
        beside["offset"] = 0.1 * rng.normal(size=n)
    if response == "poisson":
        beside["exposure"] = 1 + rng.random(n)
    if response == "binomial":
        beside["trials"] = np.full(n, 5.0)
    options = {"response": response, "harmonics": 3, "increasing": True}
    whole = MonotoneRegressor(**options).fit(x, y, **beside)
    for lengths in ([0, 1, 66_000, n - 66_001], [n // 5] * 5):
        parts = {name: chunked(column, lengths) for name, column in beside.items()}
        if response == "binomial":
            parts["trials"] = 5
        fitted = DaskMonotoneRegressor(client=client, **options).fit(chunked(x, lengths), chunked(y, lengths), **parts)
        assert text(fitted) == text(whole)
    del beside["sample_weight"]
    few = {name: column[:100] for name, column in beside.items()}
    lazy = {name: da.from_array(column, chunks=30) for name, column in few.items()}
    found = fitted.predict(da.from_array(x[:100], chunks=30), **lazy).compute()
    np.testing.assert_array_equal(found, whole.predict(x[:100], **few))
    if response == "bernoulli":
        assert list(fitted.classes_) == ["no", "yes"]
        three = chunked(np.where(x > 2, "maybe", y), lengths)
        with pytest.raises(ValueError, match="takes two labels, and there are 3: "):
            DaskMonotoneRegressor(client=client, **options).fit(chunked(x, lengths), three)


# What users of dask-ml's LogisticRegression have asked for; the numbers are those of its open issues.


def test_a_data_frame_is_fitted_with_its_intercept(client):  # dask-ml 84
    rng = np.random.default_rng(7)
    X = da.from_array(rng.normal(size=(ROWS, 2)), chunks=(3000, 2))
    y = da.from_array((rng.logistic(size=ROWS) + 1 > 0).astype(int), chunks=3000)
    frame = dd.from_dask_array(X, columns=["a", "b"])
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(frame, dd.from_dask_array(y))
    assert abs(fitted.intercept_[0] - 1) < 0.1
    assert list(fitted.feature_names_in_) == ["a", "b"]


@pytest.mark.parametrize("multiclass", ["softmax", "ovr"])
def test_many_classes_are_those_of_one_machine(client, multiclass):  # dask-ml 761 and 859
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(8)
    X = rng.normal(size=(ROWS, 4))
    scores = X @ rng.normal(size=(4, 5)) + rng.gumbel(size=(ROWS, 5))
    y = scores.argmax(axis=1)
    options = {"l2": 1.0, "prior": "none", "multiclass": multiclass, "standardize": "off"}
    lazy = da.from_array(X, chunks=(4000, 4)), da.from_array(y, chunks=4000)
    fitted = DaskLinkgisticClassifier(client=client, **options).fit(*lazy)
    assert text(fitted) == text(LinkgisticClassifier(**options).fit(X, y))
    right = (fitted.predict(lazy[0]).compute() == y).mean()
    peer = LogisticRegression(C=1.0).fit(X, y)
    assert right > peer.score(X, y) - (0.002 if multiclass == "softmax" else 0.02)
    if multiclass == "softmax":
        np.testing.assert_allclose(fitted.predict_proba(X[:200]), peer.predict_proba(X[:200]), atol=2e-3)


def test_probabilities_have_a_column_a_class(client):  # dask-ml 386
    rng = np.random.default_rng(9)
    X, y = rng.random((200, 20)), rng.random(200).round(0)
    fitted = DaskLinkgisticClassifier(client=client).fit(X, y)
    assert fitted.predict_proba(X).shape == (200, 2)
    lazy = fitted.predict_proba(da.from_array(X, chunks=(50, 20)))
    assert lazy.shape == (200, 2)
    np.testing.assert_allclose(lazy.compute().sum(axis=1), 1)


def test_sparse_rows_of_scipy_are_fitted(client):  # dask-ml 827
    rng = np.random.default_rng(10)
    X = sparse.random(ROWS, 300, density=0.02, format="csr", random_state=rng)
    y = np.where(np.asarray(X[:, :50].sum(axis=1)).ravel() > 0.5, "spam", "ham")
    fitted = DaskLinkgisticClassifier(client=client, **QUICK).fit(X, y)
    assert text(fitted) == text(LinkgisticClassifier(**QUICK).fit(X, y))
    assert fitted.score(X, y) > 0.9


# Clusters that change, and fits beside each other.


def test_a_worker_that_joins_late_changes_nothing():
    frame, y, _ = cars()
    X = frame[["weight", "doors"]].to_numpy(dtype=float)
    expected = text(LinkgisticClassifier(**QUICK).fit(X, y))
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            joined = []

            def join(progress):
                if not joined:
                    joined.append(progress["step"])
                    cluster.scale(3)
                    client.wait_for_workers(3, timeout=120)

            fitted = DaskLinkgisticClassifier(client=client, callback=join, **QUICK)
            fitted.fit(chunked(X, CUTS[2]), chunked(y, CUTS[2]))
            assert joined and text(fitted) == expected
            assert len(client.scheduler_info(n_workers=-1)["workers"]) == 3


def test_fits_of_other_kinds_at_once(client):
    frame, y, w = cars()
    x, doors = frame.weight.to_numpy(), frame.doors.to_numpy()
    expected = [
        text(LinkgisticClassifier(**QUICK).fit(frame, y, w)),
        text(MonotoneRegressor(harmonics=3).fit(x, doors)),
    ]
    fits = [
        lambda: DaskLinkgisticClassifier(client=client, **QUICK).fit(*(chunked(c, CUTS[1]) for c in (frame, y, w))),
        lambda: DaskMonotoneRegressor(client=client, harmonics=3).fit(*(chunked(c, CUTS[1]) for c in (x, doors))),
    ]
    found = [None, None]

    def fit(i):
        found[i] = text(fits[i]())

    threads = [threading.Thread(target=fit, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_a_request_is_one_task_a_core(client):
    """A graph that grows with the partitions or the passes costs more than the sums."""
    frame, y, _ = cars()
    X = frame[["weight", "doors"]].to_numpy(dtype=float)
    graphs = []
    get = client.get

    def counted(tasks, keys, **how):
        graphs.append((len(tasks), len(keys)))
        return get(tasks, keys, **how)

    client.get = counted
    try:
        DaskLinkgisticClassifier(client=client, **QUICK).fit(chunked(X, CUTS[2]), chunked(y, CUTS[2]))
    finally:
        del client.get
    pieces, *requests = graphs
    assert pieces[1] > 2
    assert requests.count((2, 2)) >= len(requests) - 2, graphs  # the sums of pieces come before there are groups


def test_answers_of_many_parts_and_large_ones_are_merged_in_order(client):
    """More than eight by workers, large ones by workers to the end; a large request is a task of its own."""
    from linkgistic import _cluster_fits, _dask_rows

    futures = client.map(lambda i: bytes([i]), range(20), pure=False)
    rows = _dask_rows.Rows(client, futures, _cluster_fits.Interrupts())
    graphs = []
    get = client.get

    def counted(tasks, keys, **how):
        graphs.append((len(tasks), len(keys)))
        return get(tasks, keys, **how)

    client.get = counted
    try:
        assert rows.merged(lambda part: part, lambda messages: b"".join(messages)) == bytes(range(20))
        assert graphs == [(23, 3)]
        ask = rows.asked(lambda part, request: part + request[:20_000], lambda messages: b"".join(messages))
        request = bytes(3 << 20)
        expected = b"".join(bytes([i]) + request[:20_000] for i in range(20))
        graphs.clear()
        for _ in range(2):
            assert ask(request) == expected
        assert ask(b"") == bytes(range(20))
        assert graphs == [(3, 2), (4, 1), (3, 1)]
    finally:
        del client.get
