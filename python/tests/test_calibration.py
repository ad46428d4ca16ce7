"""MonotoneCalibrator and CalibratedClassifier."""

import pickle
import signal
import threading
import time

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB

from linkgistic import CalibratedClassifier, MonotoneCalibrator, ProbabilityCalibrator


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(0)
    s = rng.normal(size=2000)
    return s, (rng.random(2000) < 1 / (1 + np.exp(-(2 * s + 1)))).astype(int)


def test_the_truth_is_found(scores):
    s, y = scores
    at = np.linspace(-1.5, 1.5, 50)
    truth = 1 / (1 + np.exp(-(2 * at + 1)))
    p, lower, upper = MonotoneCalibrator().fit(s, y).predict_proba(at, return_interval=0.99)
    assert np.abs(p[:, 1] - truth).max() < 0.06
    assert np.mean((lower < truth) & (truth < upper)) > 0.9


def test_ranks_are_kept_without_ties(scores):
    s, y = scores
    cal = MonotoneCalibrator().fit(s, y)
    assert roc_auc_score(y, cal.decision_function(s)) == roc_auc_score(y, s)


def test_shapes_of_scores(scores):
    s, y = scores
    p = 1 / (1 + np.exp(-s))
    expected = MonotoneCalibrator().fit(p, y).predict_proba(p)
    for shaped in (p[:, None], np.column_stack([1 - p, p])):
        np.testing.assert_allclose(MonotoneCalibrator().fit(shaped, y).predict_proba(shaped), expected)
    with pytest.raises(ValueError, match="shape"):
        MonotoneCalibrator().fit(np.zeros((10, 3)), np.arange(10) % 2)


def test_what_two_columns_are_is_decided_at_fit(scores):
    s, y = scores
    both = np.column_stack([0 * s, s])
    cal = MonotoneCalibrator().fit(both, y)
    whole = cal.predict_proba(both)[:, 1]
    rows = np.flatnonzero((s >= 0) & (s <= 1))[:5]  # which alone look like probabilities
    np.testing.assert_array_equal(cal.predict_proba(both[rows])[:, 1], whole[rows])
    p = 1 / (1 + np.exp(-s))
    cal = MonotoneCalibrator().fit(np.column_stack([1 - p, p]), y)
    with pytest.raises(ValueError):
        cal.predict_proba([[-1.0, 2.0]])
    shifted = np.column_stack([2 + 0 * p, 2 + p])  # their differences are in [0, 1], and no probabilities
    assert MonotoneCalibrator().fit(shifted, y).summary_["score_kind"] == "decision"


@pytest.mark.parametrize("loss", ["log", "matsushita"])
def test_probabilities_without_bands_make_none(scores, loss):
    s, y = scores
    cal = MonotoneCalibrator(loss=loss, inference="mcmc").fit(s[:500], y[:500])
    at = np.r_[-np.inf, -1e300, np.linspace(-3, 3, 50), 1e300, np.inf]
    start = time.perf_counter()
    p = cal.predict_proba(at)
    without = time.perf_counter() - start
    with_bands, lower, upper = cal.predict_proba(at, return_interval=0.9)
    assert time.perf_counter() - start > 5 * without
    np.testing.assert_array_equal(p, with_bands)
    assert np.all((lower <= p[:, 1]) & (p[:, 1] <= upper) & (0 < p[:, 1]) & (p[:, 1] < 1))


def test_infinite_scores_are_the_largest(scores):
    s, y = scores
    with_ends = MonotoneCalibrator().fit(np.r_[s, -np.inf, np.inf], np.r_[y, 0, 1])
    p = with_ends.predict_proba([-np.inf, s.min(), s.max(), np.inf])[:, 1]
    assert np.all(np.diff(p) > 0)
    with pytest.raises(ValueError, match="NaN"):
        with_ends.predict_proba([np.nan])


@pytest.mark.parametrize(
    "labels", [[-1, 1], [0, 1], [1.0, 2.0], [False, True], ["no", "yes"], ["not yes", "yes"]], ids=str
)
def test_two_labels_come_back_from_a_file(scores, labels, tmp_path):
    s, y = scores
    cal = MonotoneCalibrator().fit(s[:200], np.array(labels)[y[:200]])
    cal.save(tmp_path / "m.json")
    loaded = MonotoneCalibrator.load(tmp_path / "m.json")
    assert loaded.classes_.dtype.kind == cal.classes_.dtype.kind
    np.testing.assert_array_equal(loaded.classes_, labels)
    np.testing.assert_array_equal(loaded.predict(s), cal.predict(s))


def test_the_posterior_is_said(scores):
    s, y = scores
    assert "R-hat" in MonotoneCalibrator().fit(s[:200], y[:200]).posterior_
    laplace = MonotoneCalibrator(inference="laplace")
    assert len(laplace.fit(s[:200], y[:200]).posterior_) > 10
    y3 = np.arange(300) % 3
    scores3 = np.eye(3)[y3] + np.random.default_rng(0).normal(size=(300, 3))
    each = MonotoneCalibrator(inference="laplace", maps="one_vs_rest", method="maps").fit(scores3, y3)
    assert len(each.posterior_) == 3


def test_text_labels_and_pickle(scores):
    s, y = scores
    cal = MonotoneCalibrator().fit(s, np.array(["no", "yes"])[y])
    assert set(cal.predict(s)) == {"no", "yes"}
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(cal)).predict_proba(s), cal.predict_proba(s))


def test_many_classes():
    rng = np.random.default_rng(0)
    logits = 2 * rng.normal(size=(1500, 3))
    truth = np.exp(logits / 2) / np.exp(logits / 2).sum(axis=1, keepdims=True)
    y = (rng.random((1500, 1)) > truth.cumsum(axis=1)).sum(axis=1)
    cal = MonotoneCalibrator().fit(logits[:1000], y[:1000])
    sure = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    p = cal.predict_proba(logits[1000:])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert log_loss(y[1000:], p) < log_loss(y[1000:], sure[1000:])
    same, lower, upper = cal.predict_proba(logits[1000:], return_interval=0.9)
    np.testing.assert_array_equal(same, p)
    assert lower.shape == p.shape and np.all((0 < lower) & (lower < upper) & (upper < 1))
    assert np.mean((lower < truth[1000:]) & (truth[1000:] < upper)) > 0.6


@pytest.mark.parametrize("ensemble", [True, False])
def test_a_classifier_is_improved(ensemble):
    X, y = make_classification(n_samples=1500, n_informative=3, n_redundant=10, random_state=0)
    plain = GaussianNB().fit(X[:1000], y[:1000])
    model = CalibratedClassifier(GaussianNB(), cv=5, ensemble=ensemble).fit(X[:1000], y[:1000])
    assert len(model.calibrated_classifiers_) == (5 if ensemble else 1)
    assert log_loss(y[1000:], model.predict_proba(X[1000:])) < log_loss(y[1000:], plain.predict_proba(X[1000:]))
    p, lower, upper = model.predict_proba(X[1000:], return_interval=0.9)
    assert np.all((lower < p[:, 1]) & (p[:, 1] < upper))


def test_a_fitted_classifier_stays_as_it_is():
    X, y = make_classification(n_samples=600, random_state=0)
    forest = RandomForestClassifier(n_estimators=20, random_state=0).fit(X[:300], y[:300])
    model = CalibratedClassifier(forest, cv="prefit").fit(X[300:], y[300:])
    assert model.calibrated_classifiers_[0][0] is forest
    assert model.predict_proba(X).shape == (600, 2)
    with pytest.raises(ValueError, match="cv = 'postfit'"):
        CalibratedClassifier(forest, cv="postfit").fit(X, y)


def test_a_frozen_classifier():
    X, y = make_classification(n_samples=600, random_state=0)
    inner = LogisticRegression().fit(X[:300], y[:300])
    model = CalibratedClassifier(FrozenEstimator(inner)).fit(X[300:], y[300:])
    assert len(model.calibrated_classifiers_) == 1


def test_many_classes_of_a_forest():
    X, y = make_classification(n_samples=600, n_informative=5, n_classes=3, random_state=0)
    model = CalibratedClassifier(RandomForestClassifier(n_estimators=20, random_state=0), cv=3).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


@pytest.mark.parametrize("ensemble", [True, False])
def test_parts_without_a_row_of_some_class(ensemble):
    y = np.repeat([0, 1, 2], 100)
    X = np.random.default_rng(0).normal(size=(300, 2)) + y[:, None]
    model = CalibratedClassifier(GaussianNB(), cv=KFold(3), ensemble=ensemble).fit(X, y)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    np.testing.assert_array_equal(model.predict_proba(X[:7]), model.predict_proba(X)[:7])


@pytest.mark.parametrize("frozen", [False, True])
def test_labels_that_a_fitted_estimator_does_not_know(frozen):
    X = np.random.default_rng(0).normal(size=(60, 2))
    inner = GaussianNB().fit(X, np.arange(60) % 2)
    model = CalibratedClassifier(FrozenEstimator(inner)) if frozen else CalibratedClassifier(inner, cv="prefit")
    with pytest.raises(ValueError, match="y has the label 2, and the fitted estimator knows"):
        model.fit(X, np.arange(60) % 3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"ensemble": "yes"}, ValueError, "ensemble = 'yes'"),
        ({"calibrator": GaussianNB()}, TypeError, r"calibrator = GaussianNB\(\)"),
        ({"cv": []}, ValueError, r"cv = \[\]"),
        ({"estimator": KMeans(2)}, TypeError, "estimator: a KMeans has neither decision_function nor predict_proba"),
    ],
)
def test_a_parameter_that_cannot_be_is_named(options, error, message):
    X = np.random.default_rng(0).normal(size=(60, 2))
    with pytest.raises(error, match=message):
        CalibratedClassifier(**{"estimator": GaussianNB(), **options}).fit(X, np.arange(60) % 2)


def test_parameters_of_the_estimators_fit():
    class Noted(GaussianNB):
        seen = []

        def fit(self, X, y, note=None, word=None):
            self.seen.append((len(X), note, word))
            return super().fit(X, y)

    X, y = make_classification(n_samples=60, random_state=0)
    for ensemble in (True, False):
        with pytest.warns(UserWarning, match="Noted takes no sample_weight"):
            CalibratedClassifier(Noted(), cv=2, ensemble=ensemble).fit(X, y, np.ones(60), note=np.arange(60), word="a")
    assert sorted(rows for rows, _, _ in Noted.seen) == [30, 30, 30, 30, 60]
    assert all(len(note) == rows and word == "a" for rows, note, word in Noted.seen)
    with pytest.raises(ValueError, match="no fit of the estimator to take note"):
        CalibratedClassifier(Noted().fit(X, y), cv="prefit").fit(X, y, note=1)


def test_parts_given_as_masks():
    X, y = make_classification(n_samples=200, random_state=0)
    test = np.arange(200) % 2 == 0
    masks = [(~test, test), (test, ~test)]
    numbers = [tuple(np.flatnonzero(mask) for mask in pair) for pair in masks]
    for ensemble in (True, False):
        models = [CalibratedClassifier(GaussianNB(), cv=cv, ensemble=ensemble).fit(X, y) for cv in (masks, numbers)]
        np.testing.assert_array_equal(*(model.predict_proba(X) for model in models))


def test_the_seed_is_that_of_the_draws():
    rng = np.random.default_rng(0)
    s = rng.normal(size=150)
    y = (rng.random(150) < 1 / (1 + np.exp(-s))).astype(int)
    bands = [MonotoneCalibrator(random_state=seed).fit(s, y).predict_proba(s, 0.9) for seed in (0, 0, 1)]
    np.testing.assert_array_equal(bands[0][1], bands[1][1])
    assert (bands[0][1] != bands[2][1]).any()
    np.testing.assert_array_equal(bands[0][0], bands[2][0])


@pytest.mark.parametrize(
    ("options", "message"),
    [({"maps": "each"}, "maps = each: 'each' is not one of"), ({"cv": 1}, "cv = 1"), ({"random_state": -1}, "random_state = -1")],
)
def test_options_are_checked_of_two_classes_as_of_many(scores, three_classes, options, message):
    for data in (scores, three_classes):
        with pytest.raises(ValueError, match=message):
            MonotoneCalibrator(**options).fit(*data)


@pytest.fixture(scope="module")
def three_classes():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(300, 3))
    return scores, (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)


def counted(seen):
    """(phase, step, of) of what a callback has seen."""
    for one in seen:
        assert set(one) == {"phase", "step", "of", "objective", "seconds"}
    assert all(a["seconds"] <= b["seconds"] for a, b in zip(seen, seen[1:]))
    return [(one["phase"], one["step"], one["of"]) for one in seen]


def test_every_map_is_told(scores, three_classes, capsys):
    seen = []
    MonotoneCalibrator(callback=seen.append, verbose=1).fit(*scores)
    assert counted(seen) == [("maps", 1, 1)]
    assert "maps: step 1 of at most 1" in capsys.readouterr().err
    seen.clear()
    MonotoneCalibrator(callback=seen.append, maps="one_vs_rest", method="maps").fit(*three_classes)
    assert counted(seen) == [("maps", k, 3) for k in (1, 2, 3)]
    seen.clear()
    chosen = MonotoneCalibrator(callback=seen.append, cv=2).fit(*three_classes)
    of = 1 if chosen.summary_["maps"] == "shared" else 3
    assert counted(seen) == [("maps tried", k + 1, 14) for k in range(14)] + [("maps", k + 1, of) for k in range(of)]


def test_the_adapter_for_benchmarks_tells_the_maps_too(three_classes):
    seen = []
    scores, y = three_classes
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    ProbabilityCalibrator(MonotoneCalibrator(maps="shared", method="maps", callback=seen.append)).fit(p, y)
    assert counted(seen) == [("maps", 1, 1)]


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("ensemble", [True, False])
def test_fits_of_the_estimator_and_calibrations_are_told(ensemble, n_jobs, capsys):
    X, y = make_classification(n_samples=90, random_state=0)
    seen, within = [], []
    model = CalibratedClassifier(
        GaussianNB(),
        cv=3,
        ensemble=ensemble,
        n_jobs=n_jobs,
        calibrator=MonotoneCalibrator(callback=within.append),
        callback=seen.append,
        verbose=1,
    ).fit(X, y)
    fits, maps = (3, 3) if ensemble else (4, 1)
    expected = [("estimators", k + 1, fits) for k in range(fits)]
    for k in range(maps):
        expected += [("maps", 1, 1), ("calibrators", k + 1, maps)]
    assert counted(seen) == expected
    assert [one["phase"] for one in within] == ["maps"] * maps
    assert f"calibrators: step {maps} of at most {maps}" in capsys.readouterr().err
    for _, calibrator in model.calibrated_classifiers_:
        assert calibrator.get_params() == model.calibrator.get_params()
    same = CalibratedClassifier(GaussianNB(), cv=3, ensemble=ensemble).fit(X, y)
    np.testing.assert_array_equal(model.predict_proba(X), same.predict_proba(X))


def test_only_the_calibration_of_a_fitted_classifier_is_told():
    X, y = make_classification(n_samples=90, random_state=0)
    seen = []
    CalibratedClassifier(GaussianNB().fit(X, y), cv="prefit", callback=seen.append).fit(X, y)
    assert counted(seen) == [("maps", 1, 1), ("calibrators", 1, 1)]


def raise_at(phase, step, error):
    def callback(progress):
        if (progress["phase"], progress["step"]) == (phase, step):
            raise error

    return callback


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("phase", ["estimators", "maps", "calibrators"])
def test_what_a_callback_raises_reaches_the_caller(phase, n_jobs):
    X, y = make_classification(n_samples=90, random_state=0)
    for error in (RuntimeError, KeyboardInterrupt):
        model = CalibratedClassifier(GaussianNB(), cv=2, n_jobs=n_jobs, callback=raise_at(phase, 1, error))
        with pytest.raises(error):
            model.fit(X, y)
        with pytest.raises(NotFittedError):  # and not half of a model
            model.predict_proba(X)


@pytest.mark.parametrize("step", [1, 3])
def test_an_interrupt_among_the_maps_of_many_classes(three_classes, step):
    options = {"maps": "one_vs_rest", "method": "maps"}
    for error in (RuntimeError, KeyboardInterrupt):
        with pytest.raises(error):
            MonotoneCalibrator(callback=raise_at("maps", step, error), **options).fit(*three_classes)


def test_an_interrupt_among_the_maps_tried_keeps_the_choice_so_far(three_classes):
    with pytest.warns(ConvergenceWarning, match="interrupted"):
        calibrator = MonotoneCalibrator(callback=raise_at("maps tried", 2, KeyboardInterrupt)).fit(*three_classes)
    assert calibrator.summary_["maps"] == "shared" and calibrator.summary_["interrupted"]
    with pytest.raises(RuntimeError):
        MonotoneCalibrator(callback=raise_at("maps tried", 2, RuntimeError)).fit(*three_classes)


def test_without_an_ensemble_every_row_is_scored_once():
    X, y = make_classification(n_samples=40, random_state=0)
    half = np.arange(40) % 2 == 0
    with pytest.raises(ValueError, match="cv: without an ensemble every row"):
        CalibratedClassifier(GaussianNB(), cv=[(half, half)], ensemble=False).fit(X, y)
    CalibratedClassifier(GaussianNB(), cv=[(half, half)]).fit(X, y)


def test_ctrl_c_keeps_what_is_known_of_many_classes():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(100_000, 8))
    y = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.warns(ConvergenceWarning, match="interrupted"):
            calibrator = MonotoneCalibrator().fit(scores, y)
    finally:
        timer.cancel()
    np.testing.assert_allclose(calibrator.predict_proba(scores[:5]).sum(axis=1), 1)


class Margins(LogisticRegression):
    """Decision values that look like probabilities on the rows with a first feature below 0."""

    def decision_function(self, X):
        return np.where(X[:, 0] < 0, 1 / (1 + np.exp(-super().decision_function(X))), 5.0)


def test_decision_values_that_look_like_probabilities_are_none(two_classes):
    X, y = two_classes
    below = X[:, 0] < 0
    model = CalibratedClassifier(Margins(), cv=3).fit(X[below], y[below])
    assert model.calibrated_classifiers_[0][1].summary_["score_kind"] == "decision"
    assert np.all(np.isfinite(model.predict_proba(X)))
    chosen = CalibratedClassifier(Margins(), cv=3, calibrator=MonotoneCalibrator(score_kind="probability"))
    chosen.fit(X[below], y[below])
    assert chosen.calibrated_classifiers_[0][1].summary_["score_kind"] == "probability"


def test_weights_that_leave_one_class_are_refused(two_classes):
    X, y = two_classes
    with pytest.raises(ValueError, match="y: rows of at least 2 classes are needed, and there is 1 class, 1, with a"):
        CalibratedClassifier(LogisticRegression()).fit(X, y, sample_weight=y)


def test_without_a_cv_the_smallest_class_says_how_many_parts(two_classes):
    X, y = two_classes
    rare = np.r_[np.flatnonzero(y == 0), np.flatnonzero(y == 1)[:3]]
    model = CalibratedClassifier(LogisticRegression()).fit(X[rare], y[rare])
    assert len(model.calibrated_classifiers_) == 3
    with pytest.raises(ValueError, match="Requesting 5-fold cross-validation but provided less than 5 examples"):
        CalibratedClassifier(LogisticRegression(), cv=5).fit(X[rare], y[rare])
