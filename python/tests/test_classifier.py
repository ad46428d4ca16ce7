"""LinkgisticClassifier."""

import pickle
import signal
import sys
import threading
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.datasets import load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneRegressor

QUICK = {"l2": 1.0, "v": 0.5, "cross_fit": False}


def test_without_a_link_it_is_logistic_regression(two_classes):
    X, y = two_classes
    ours = LinkgisticClassifier(prior="none", l2=1.0, standardize="off").fit(X, y)
    theirs = LogisticRegression(C=1.0, tol=1e-8).fit(X, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-3)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-3)


def test_the_link_pays_where_it_is_not_logistic(two_classes):
    X, y = two_classes
    ours = LinkgisticClassifier().fit(X[:400], y[:400])
    theirs = LogisticRegression().fit(X[:400], y[:400])
    assert log_loss(y[400:], ours.predict_proba(X[400:])) < log_loss(y[400:], theirs.predict_proba(X[400:]))


@pytest.mark.parametrize("loss", ["log", "matsushita"])
def test_bands_hold_the_probability_and_grow(two_classes, loss):
    X, y = two_classes
    clf = LinkgisticClassifier(loss=loss, **QUICK).fit(X, y)
    p, lower, upper = clf.predict_proba(X, return_interval=0.5)
    _, wide_lower, wide_upper = clf.predict_proba(X, return_interval=0.95)
    assert np.all((wide_lower < lower) & (lower < p[:, 1]) & (p[:, 1] < upper) & (upper < wide_upper))


def test_single_and_double_precision_agree(two_classes):
    X, y = two_classes
    clf = LinkgisticClassifier(**QUICK).fit(X, y)
    as_single = X.astype(np.float32)
    np.testing.assert_allclose(clf.predict_proba(as_single), clf.predict_proba(as_single.astype(float)), atol=1e-6)
    np.testing.assert_allclose(clf.decision_function(as_single), clf.decision_function(X), atol=1e-5)
    one = clf.predict_proba(as_single, return_interval=0.9)
    two = clf.predict_proba(as_single.astype(float), return_interval=0.9)
    for a, b in zip(one, two):
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_probabilities_are_those_of_the_decision_function_and_the_link(two_classes):
    X, y = two_classes
    clf = LinkgisticClassifier(**QUICK).fit(X, y)
    t = clf.decision_function(X)
    np.testing.assert_allclose(clf.predict_proba(X)[:, 1], 1 / (1 + np.exp(-t)), rtol=1e-12)
    np.testing.assert_allclose(clf.link(clf.linear_score(X))[0], t, rtol=1e-12, atol=1e-12)


def test_many_classes_and_text_labels():
    rng = np.random.default_rng(0)
    names = np.array(["pear", "apple", "fig"])
    kind = rng.integers(3, size=300)
    X = rng.normal(size=(300, 2)) + 3 * np.array([[0, 0], [1, 0], [0, 1]])[kind]
    clf = LinkgisticClassifier(**QUICK).fit(X, names[kind])
    assert list(clf.classes_) == ["apple", "fig", "pear"]
    assert clf.score(X, names[kind]) > LogisticRegression().fit(X, kind).score(X, kind) - 0.03
    p = clf.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(clf.predict_proba(X.astype(np.float32)), p, atol=1e-5)
    assert clf.decision_function(X).shape == (300, 3)
    ovr = LinkgisticClassifier(multiclass="ovr", **QUICK).fit(X, kind)
    np.testing.assert_allclose(ovr.predict_proba(X).sum(axis=1), 1)
    with pytest.raises(ValueError, match="two classes and with"):
        ovr.predict_proba(X, return_interval=0.9)


def test_weight_two_is_the_row_twice(two_classes):
    X, y = two_classes
    weight = np.random.default_rng(0).integers(0, 3, size=len(y))
    weighted = LinkgisticClassifier(**QUICK).fit(X, y, sample_weight=weight)
    repeated = LinkgisticClassifier(**QUICK).fit(np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_array_equal(weighted.predict_proba(X), repeated.predict_proba(X))


def test_sparse_rows_with_large_indices(two_classes):
    X, y = two_classes
    rows = sparse.csr_matrix(X)
    large = rows.copy()
    large.indices, large.indptr = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    assert large.indices.dtype == np.int64
    clf = LinkgisticClassifier(**QUICK).fit(large, y)
    np.testing.assert_array_equal(
        clf.predict_proba(large), LinkgisticClassifier(**QUICK).fit(rows, y).predict_proba(rows)
    )


def test_a_repeated_column_of_a_sparse_row_is_the_sum_of_its_entries(two_classes):
    X, y = two_classes
    options = {**QUICK, "standardize": "on", "l2": 30.0}  # the scale of the columns matters
    rows = sparse.csr_matrix(X)
    halves = sparse.csr_matrix(  # each entry in two, x/4 + 3x/4
        (np.outer(rows.data, [0.25, 0.75]).ravel(), np.repeat(rows.indices, 2), 2 * rows.indptr), shape=rows.shape
    )
    assert halves.nnz == 2 * rows.nnz
    clf = LinkgisticClassifier(**options).fit(halves, y)
    assert halves.nnz == 2 * rows.nnz  # the caller's matrix stays as it is
    np.testing.assert_allclose(
        clf.predict_proba(halves), LinkgisticClassifier(**options).fit(rows, y).predict_proba(X), rtol=1e-5
    )


@pytest.mark.parametrize("cv", [4, None, KFold(3), ShuffleSplit(2, random_state=0), "pairs"], ids=str)
def test_cv_is_what_scikit_learn_takes(two_classes, cv):
    X, y = two_classes
    if cv == "pairs":
        cv = [(np.arange(300), np.arange(300, 600)), (np.arange(300, 600), np.arange(300))]
    clf = LinkgisticClassifier(cv=cv).fit(X, y)
    assert log_loss(y, clf.predict_proba(X)) < 0.55


def test_a_mask_is_its_rows(two_classes):
    X, y = two_classes
    test = np.arange(len(y)) % 3 == 0
    numbers = [(np.flatnonzero(~test), np.flatnonzero(test)), (np.flatnonzero(test), np.flatnonzero(~test))]
    by_number = LinkgisticClassifier(prior="none", cv=numbers).fit(X, y)
    by_mask = LinkgisticClassifier(prior="none", cv=[(~test, test), (test, ~test)]).fit(X, y)
    assert by_mask.summary_["l2_tried"] == by_number.summary_["l2_tried"]


def test_groups_are_held_out_together(two_classes):
    X, y = two_classes
    groups = np.arange(len(y)) % 7
    splits = list(GroupKFold(3).split(X, y, groups))
    ours = LinkgisticClassifier(prior="none", cv=splits).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    place = np.argsort(order)
    moved = [(place[train], place[test]) for train, test in splits]
    again = LinkgisticClassifier(prior="none", cv=moved).fit(X[order], y[order])
    assert ours.summary_["l2_tried"] == again.summary_["l2_tried"]
    assert ours.summary_["l2_tried"] != LinkgisticClassifier(prior="none").fit(X, y).summary_["l2_tried"]


@pytest.mark.parametrize(
    ("cv", "message"),
    [
        ([([0, 1], [-1])], "negative"),
        ([([0, 1], [600])], "part 1 of the cross-validation has row 600"),
        ([([], [1])], "no rows to learn from"),
        (1, "cv = 1"),
        ([], r"cv = \[\]: it has no parts"),
        ([([True, False], [False, True])], "cv: a mask"),
        ([([0.5], [1])], "cv: rows must be whole numbers"),
    ],
)
def test_a_part_that_cannot_be_is_named(two_classes, cv, message):
    with pytest.raises(ValueError, match=message):
        LinkgisticClassifier(cv=cv).fit(*two_classes)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("method", ["predict_proba", "decision_function", "linear_score", "predict"])
def test_a_row_that_is_not_finite_is_refused(two_classes, kind, value, method):
    X, y = two_classes
    X = X.astype(kind)
    clf = LinkgisticClassifier(**QUICK).fit(X, y)
    X[7, 1] = value
    with pytest.raises(ValueError, match="NaN" if np.isnan(value) else "infinity"):
        getattr(clf, method)(X)


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("weight", [None, "zero"])
def test_one_of_many_values_that_is_not_finite_is_named(kind, value, weight):
    X = np.random.default_rng(0).normal(size=(1 << 17, 8)).astype(kind)
    y = (X[:, 0] > 0).astype(int)
    X[70_000, 5] = value
    if weight:
        weight = np.ones(len(y))
        weight[70_000] = 0
    with pytest.raises(ValueError, match="row 70001, column 6"):
        LinkgisticClassifier(**QUICK).fit(X, y, sample_weight=weight)


def test_a_score_beyond_single_precision_is_answered(two_classes):
    X, y = two_classes
    clf = LinkgisticClassifier(**QUICK).fit(X.astype(np.float32), y)
    far = np.full((2, 3), 3e38, dtype=np.float32) * np.sign(clf.coef_[0]).astype(np.float32)
    far[1] *= -1
    p = clf.predict_proba(far)[:, 1]
    assert p[0] > 1 - 1e-9
    assert 0 < p[1] < 1e-9


def test_indicators_as_bytes_are_numbers(two_classes):
    X, y = two_classes
    bits = X > 0
    ours = LinkgisticClassifier().fit(bits.astype(np.uint8), y)
    numbers = LinkgisticClassifier(standardize="off").fit(bits.astype(np.float32), y)
    np.testing.assert_allclose(ours.predict_proba(bits.astype(np.uint8)), numbers.predict_proba(bits.astype(float)), atol=1e-4)


@pytest.mark.parametrize("storage", ["sparse", "float32", "fortran", "bytes", "list"])
def test_any_storage_of_the_same_numbers_gives_the_same_fit(storage):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, size=(300, 5)).astype(float)
    y = rng.random(300) < 1 / (1 + np.exp(3 - X.sum(axis=1)))
    options = {**QUICK, "standardize": "off"}
    expected = LinkgisticClassifier(**options).fit(X, y).predict_proba(X)
    other = {
        "sparse": sparse.csr_array(X),
        "float32": X.astype(np.float32),
        "fortran": np.asfortranarray(X),
        "bytes": X.astype(np.uint8),
        "list": X.tolist(),
    }[storage]
    if storage == "bytes":  # fractions of the greatest, which is 2: another penalty
        options["l2"] = 1.0 / 2**2
    clf = LinkgisticClassifier(**options).fit(other, y)
    np.testing.assert_allclose(clf.predict_proba(other), expected, atol=2e-3)


def test_pandas_and_names(two_classes):
    X, y = two_classes
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    clf = LinkgisticClassifier(**QUICK).fit(frame, pd.Series(y))
    assert list(clf.feature_names_in_) == ["a", "b", "c"]
    np.testing.assert_allclose(clf.predict_proba(frame), clf.predict_proba(X), rtol=1e-12)
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[["b", "a", "c"]])


def test_polars(two_classes):
    pl = pytest.importorskip("polars")
    X, y = two_classes
    frame = pl.DataFrame({name: X[:, j] for j, name in enumerate("abc")})
    clf = LinkgisticClassifier(**QUICK).fit(frame, y)
    assert list(clf.feature_names_in_) == ["a", "b", "c"]
    np.testing.assert_allclose(clf.predict_proba(frame), clf.predict_proba(pd.DataFrame(X, columns=list("abc"))))


def test_arrow_tables(two_classes):
    pa = pytest.importorskip("pyarrow")
    X, y = two_classes
    table = pa.table({name: X[:, j] for j, name in enumerate("abc")})
    clf = LinkgisticClassifier(**QUICK).fit(table, y)
    np.testing.assert_allclose(clf.predict_proba(table), clf.predict_proba(pd.DataFrame(X, columns=list("abc"))))


def only(table, protocol):
    """An object that has one protocol of a table, and nothing else."""
    return type("Only", (), {protocol: lambda self, *args, **keywords: getattr(table, protocol)(*args, **keywords)})()


@pytest.mark.parametrize("protocol", ["__arrow_c_stream__", "__arrow_c_array__", "__dataframe__", "batch"])
@pytest.mark.parametrize("model", [LinkgisticClassifier(**QUICK), CalibratedClassifier(LogisticRegression(), cv=2)])
def test_whatever_has_a_protocol_of_tables(two_classes, protocol, model):
    pa = pytest.importorskip("pyarrow")
    X, y = two_classes
    batch = pa.record_batch({name: X[:, j] for j, name in enumerate("abc")})
    rows = batch if protocol == "batch" else only(batch, protocol)
    clf = clone(model).fit(rows, y)
    assert list(clf.feature_names_in_) == ["a", "b", "c"]
    frame = pd.DataFrame(X, columns=list("abc"))
    np.testing.assert_allclose(clf.predict_proba(rows), clf.predict_proba(frame))
    np.testing.assert_allclose(clf.predict_proba(rows), clone(model).fit(frame, y).predict_proba(frame))


def test_what_must_be_installed_for_a_table_is_said(two_classes, monkeypatch):
    class Table:
        def __dataframe__(self):
            raise AssertionError

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TypeError, match="X: a Table is read through pyarrow or pandas, which must be installed"):
        LinkgisticClassifier(**QUICK).fit(Table(), two_classes[1])


def test_pickle_and_joblib_hold_the_model_to_the_last_bit(two_classes, tmp_path):
    X, y = two_classes
    clf = LinkgisticClassifier(**QUICK).fit(X, y)
    assert clf.model_.to_json().encode() in pickle.dumps(clf)
    joblib.dump(clf, tmp_path / "clf.joblib")
    for copy in (pickle.loads(pickle.dumps(clf)), joblib.load(tmp_path / "clf.joblib")):
        np.testing.assert_array_equal(copy.predict_proba(X), clf.predict_proba(X))


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], ["a", "b"]], ids=str)
def test_labels_come_back_from_a_file(two_classes, labels, tmp_path):
    X, y = two_classes
    clf = LinkgisticClassifier(**QUICK).fit(X, np.array(labels)[y])
    clf.save(tmp_path / "m.json")
    loaded = LinkgisticClassifier.load(tmp_path / "m.json")
    assert loaded.classes_.dtype.kind == clf.classes_.dtype.kind
    np.testing.assert_array_equal(loaded.predict(X), clf.predict(X))


def test_grid_search_in_a_pipeline(two_classes):
    X, y = two_classes
    pipeline = make_pipeline(StandardScaler(), LinkgisticClassifier(**QUICK))
    grid = GridSearchCV(pipeline, {"linkgisticclassifier__l2": [0.1, 10.0]}, cv=2, scoring="neg_log_loss").fit(X, y)
    assert grid.best_params_["linkgisticclassifier__l2"] in (0.1, 10.0)


@pytest.mark.parametrize(("inference", "word"), [("laplace", "Pareto k"), ("mcmc", "R-hat")])
def test_the_posterior_is_said(two_classes, inference, word):
    clf = LinkgisticClassifier(inference=inference, draws=100, **QUICK).fit(*two_classes)
    assert word in clf.summary_["posterior"]


def test_too_few_steps_are_warned_about(two_classes):
    with pytest.warns(ConvergenceWarning):
        clf = LinkgisticClassifier(prior="isgp", l2=1.0, max_iter=1, tol=1e-12).fit(*two_classes)
    assert clf.n_iter_ == 1


def test_progress_is_told(two_classes, capsys):
    seen = []
    LinkgisticClassifier(callback=seen.append, verbose=1, **QUICK).fit(*two_classes)
    assert {"phase", "step", "of", "objective", "seconds"} == set(seen[0])
    assert "em" in {one["phase"] for one in seen}
    assert "em: step" in capsys.readouterr().err


def test_an_error_in_the_callback_reaches_the_caller(two_classes):
    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        LinkgisticClassifier(callback=fail, **QUICK).fit(*two_classes)


def test_ctrl_c_keeps_the_best_so_far(two_classes):
    X, y = two_classes
    raised = []

    def interrupt(progress):
        if not raised:
            raised.append(progress)
            signal.raise_signal(signal.SIGINT)

    with pytest.warns(ConvergenceWarning, match="interrupted"):
        clf = LinkgisticClassifier(callback=interrupt, max_iter=100, tol=1e-15).fit(X, y)
    assert clf.score(X, y) > 0.6


def test_a_signal_from_outside_ends_a_long_fit(two_classes):
    X, y = np.tile(two_classes[0], (100, 1)), np.tile(two_classes[1], 100)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        LinkgisticClassifier(max_iter=100_000, tol=0.0, samples=5).fit(X, y)
    timer.join()


@pytest.mark.parametrize("model", [LinkgisticClassifier, MonotoneRegressor])
def test_what_a_handler_of_a_signal_raises_reaches_the_caller(two_classes, model):
    def handler(number, frame):
        raise TimeoutError("too long")

    before = signal.signal(signal.SIGTERM, handler)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGTERM])
    try:
        timer.start()
        X, y = np.tile(two_classes[0], (100, 1)), np.tile(two_classes[1], 100)
        with pytest.raises(TimeoutError, match="too long"):
            if model is MonotoneRegressor:
                MonotoneRegressor(inference="mcmc", draws=100_000).fit(X[:600, 0], X[:600, 0] + y[:600])
            else:
                LinkgisticClassifier(max_iter=100_000, tol=0.0, samples=5).fit(X, y)
        timer.join()
    finally:
        signal.signal(signal.SIGTERM, before)


def test_other_threads_run_during_a_fit(two_classes):
    X, y = np.tile(two_classes[0], (50, 1)), np.tile(two_classes[1], 50)
    done, ticks = threading.Event(), []

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        LinkgisticClassifier(l2=1.0, v=0.5).fit(X, y)
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_many_numbers_as_labels_look_like_a_regression():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), np.arange(90) // 3
    words = "y: the labels of 90 rows are 30 different numbers: this looks like a regression"
    with pytest.warns(UserWarning, match=words):
        LinkgisticClassifier(l2=1.0, v=0.0, max_iter=1).fit(X, y)
    with pytest.warns(UserWarning, match=words):
        CalibratedClassifier(GaussianNB(), cv=2).fit(X, y)
    for labels in (np.char.add("street ", y.astype(str)), y % 10):
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*looks like a regression")
            LinkgisticClassifier(l2=1.0, v=0.0, max_iter=1).fit(X, labels)


def test_softmax_without_a_prior_is_multinomial_regression():
    X, y = load_wine(return_X_y=True)
    scaled = StandardScaler().fit_transform(X)
    for l2 in (0.1, 1.0, 100.0):
        theirs = LogisticRegression(C=1 / l2, tol=1e-10, max_iter=10_000).fit(scaled, y)
        ours = LinkgisticClassifier(multiclass="softmax", prior="none", l2=l2).fit(scaled, y)
        assert_allclose(ours.predict_proba(scaled), theirs.predict_proba(scaled), atol=3e-4)
        largest = abs(theirs.coef_).max()
        assert_allclose(ours.coef_, theirs.coef_, atol=1e-3 * largest)
        centred = ours.intercept_ - ours.intercept_.mean()
        assert_allclose(centred, theirs.intercept_ - theirs.intercept_.mean(), atol=1e-3 * (largest + 1))


def test_softmax_follows_bent_classes_and_is_kept_in_its_file(tmp_path):
    random = np.random.default_rng(0)
    weights = random.normal(size=(6, 3))

    def draw(n):
        X = random.normal(size=(n, 6))
        scores = X @ weights
        nu = np.where(scores < 0, 2.5 * scores, 0.3 * scores)
        y = (nu + random.gumbel(size=nu.shape)).argmax(axis=1)
        return X, y

    X, y = draw(4000)
    new, labels = draw(4000)
    losses = {}
    for name, options in {
        "straight": {"prior": "none", "multiclass": "softmax"},
        "softmax": {"multiclass": "softmax"},
        "ovr": {"multiclass": "ovr"},
    }.items():
        model = LinkgisticClassifier(**options).fit(X, y)
        losses[name] = log_loss(labels, model.predict_proba(new))
        if name == "softmax":
            model.save(tmp_path / "model.json")
            again = LinkgisticClassifier.load(tmp_path / "model.json")
            assert_allclose(again.predict_proba(new), model.predict_proba(new), atol=1e-12)
            assert_allclose(model.predict_proba(new).sum(axis=1), 1)
            p, lower, upper = model.predict_proba(new, return_interval=0.5)
            _, wide_lower, wide_upper = model.predict_proba(new, return_interval=0.95)
            assert p.shape == lower.shape == upper.shape
            assert np.all((wide_lower < lower) & (lower < p) & (p < upper) & (upper < wide_upper))
            for ours, kept in zip((p, lower, upper), again.predict_proba(new, return_interval=0.5)):
                assert_allclose(kept, ours, atol=1e-9)
            assert model.learned_loss_.n_classes == 3
            with pytest.raises(ValueError, match="one loss for all its classes"):
                model.learned_loss(score=0)
        if name == "ovr":
            with pytest.raises(ValueError, match="bands are there for two classes and with multiclass='softmax'"):
                model.predict_proba(new, return_interval=0.9)
    assert losses["softmax"] < 0.97 * losses["straight"]
    assert losses["softmax"] < losses["ovr"]


def test_evidence_of_a_softmax_is_below_certainty_with_rows_far_out():
    """Where the search for the links' mode stalls, the quadratic about where it stands promises any density."""
    rng = np.random.default_rng(0)
    n = 300
    y = np.where(np.arange(n) % 10 == 0, 1, np.where(np.arange(n) % 3 == 0, 2, 0))
    X = rng.normal(size=(n, 3)) + 1.8 * np.eye(3)[y]
    X[:, 2] *= np.exp(1.2 * rng.normal(size=n))
    X[rng.random(n) < 0.01] *= 20
    model = LinkgisticClassifier(standardize="on", l2=0.03, v=0.5, v_shared=0.3, max_iter=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    assert all(step["objective"] < 0 for step in model.summary_["trace"])
    # The best step is kept, not one that promises more than it has.
    assert log_loss(y, model.predict_proba(X)) < log_loss(y, np.tile(np.bincount(y) / n, (n, 1)))
