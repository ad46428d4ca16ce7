"""Habits of scikit-learn: metadata routing, intervals in one shape, what is outside the data, reprs of notebooks."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, LeaveOneOut
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_html_repr

from linkgistic import (
    BoosterClassifier,
    CalibratedClassifier,
    LinkgisticClassifier,
    MonotoneCalibrator,
    MonotoneRegressor,
)


# --- metadata routing ---


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield


class Weighed(LogisticRegression):
    """Keeps the weights that its fits were given."""

    seen = []

    def fit(self, X, y, sample_weight=None):
        type(self).seen.append(None if sample_weight is None else np.asarray(sample_weight).sum())
        return super().fit(X, y, sample_weight)


def test_routing_sends_keywords_to_those_who_asked(routing, two_classes):
    X, y = two_classes
    weight, groups = np.linspace(1, 2, len(y)), np.arange(len(y)) % 4
    asking = Weighed().set_fit_request(sample_weight=True)
    model = CalibratedClassifier(asking, cv=GroupKFold(4))
    Weighed.seen.clear()
    model.fit(X, y, sample_weight=weight, groups=groups)
    assert Weighed.seen == [weight[groups != g].sum() for g in order_of_parts(groups)]
    silent = CalibratedClassifier(Weighed().set_fit_request(sample_weight=False), cv=GroupKFold(4))
    Weighed.seen.clear()
    silent.fit(X, y, sample_weight=weight, groups=groups)
    assert Weighed.seen == [None] * 4


def order_of_parts(groups):
    """The groups in the order in which the splitter leaves them out."""
    return [groups[test][0] for _, test in GroupKFold(4).split(groups, groups=groups)]


def test_routing_refuses_what_nobody_asked_for(routing, two_classes):
    X, y = two_classes
    with pytest.raises(UnsetMetadataPassedError, match="sample_weight"):
        CalibratedClassifier(Weighed()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(TypeError, match="qqqqq"):
        CalibratedClassifier(Weighed().set_fit_request(sample_weight=True)).fit(X, y, qqqqq=1)


def test_the_estimators_can_be_asked_within_a_pipeline(routing, two_classes):
    X, y = two_classes
    weight = np.linspace(1, 3, len(y))
    ours = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).set_fit_request(sample_weight=True)
    piped = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), ours).fit(X, y, sample_weight=weight)
    alone = clone(ours).fit(StandardScaler().fit_transform(X), y, sample_weight=weight)
    np.testing.assert_array_equal(piped[-1].coef_, alone.coef_)


# --- intervals in one shape ---


@pytest.mark.parametrize("classes", [2, 3])
def test_intervals_have_one_shape(classes):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] + rng.logistic(size=300) > 0).astype(int) + (classes == 3) * (X[:, 1] > 0.5)
    prefit = CalibratedClassifier(LogisticRegression().fit(X, y), cv="prefit").fit(X, y)
    for model, rows in (
        (LinkgisticClassifier().fit(X, y), X),
        (prefit, X),
        (MonotoneCalibrator(inference="laplace").fit(X[:, :classes], y), X[:, :classes]),
    ):
        p, lower, upper = model.predict_proba(rows, return_interval=0.8)
        ends = model.predict_interval(rows, 0.8)
        assert ends.shape == (300, classes, 2)
        assert np.all(ends[..., 0] <= p + 1e-12) and np.all(p <= ends[..., 1] + 1e-12)
        second = (lower, upper) if classes == 2 else (lower[:, 1], upper[:, 1])
        np.testing.assert_array_equal(ends[:, 1], np.stack(second, axis=1))


# --- outside the data ---


@pytest.fixture(scope="module")
def data():
    x = np.linspace(0, 1, 50)
    return x, x**2 + 0.01 * np.sin(40 * x)


OUTSIDE = np.array([-1.0, 0.5, 3.0])


def test_outside_the_data_the_slope_goes_on(data):
    curve = MonotoneRegressor().fit(*data)
    low, _, high = curve.predict(OUTSIDE)
    edge, slope = curve.predict([0.0, 1.0]), curve.derivative([0.0, 1.0])
    np.testing.assert_allclose([low, high], [edge[0] - slope[0], edge[1] + 2 * slope[1]], rtol=1e-9, atol=1e-12)


def test_outside_the_data_the_value_is_kept_as_isotonic_regression_does(data):
    clip = MonotoneRegressor(out_of_bounds="clip").fit(*data)
    np.testing.assert_array_equal(clip.predict(OUTSIDE), clip.predict([0.0, 0.5, 1.0]))
    np.testing.assert_array_equal(clip.transform(OUTSIDE), clip.predict([0.0, 0.5, 1.0]))
    np.testing.assert_array_equal(clip.predict_interval(OUTSIDE), clip.predict_interval([0.0, 0.5, 1.0]))
    nan = MonotoneRegressor(out_of_bounds="nan").fit(*data)
    theirs = IsotonicRegression(out_of_bounds="nan").fit(*data).predict(OUTSIDE)
    np.testing.assert_array_equal(np.isnan(nan.predict(OUTSIDE)), np.isnan(theirs))
    assert nan.predict(OUTSIDE)[1] == clip.predict(OUTSIDE)[1]
    assert np.isnan(nan.predict_interval(OUTSIDE)).all(axis=1).tolist() == [True, False, True]


def test_outside_the_data_is_refused_by_name(data):
    curve = MonotoneRegressor(out_of_bounds="raise").fit(*data)
    curve.predict(data[0])
    with pytest.raises(ValueError, match="X: row 1 is -1, outside the training data, 0 to 1"):
        curve.predict(OUTSIDE)
    with pytest.raises(ValueError, match="out_of_bounds = 'stay': it must be one of"):
        MonotoneRegressor(out_of_bounds="stay").fit(*data).predict(OUTSIDE)


# --- intervals of a regression ---


def test_intervals_of_a_regression(data):
    curve = MonotoneRegressor().fit(*data)
    for observation in (False, True):
        _, lower, upper = curve.predict(data[0], 0.8, observation)
        np.testing.assert_array_equal(curve.predict_interval(data[0], 0.8, observation), np.stack([lower, upper], axis=1))


# --- notebooks ---


ESTIMATORS = [
    LinkgisticClassifier(C=2.0),
    CalibratedClassifier(LinkgisticClassifier()),
    MonotoneRegressor(response="poisson"),
    MonotoneCalibrator(inference="laplace"),
    BoosterClassifier(LogisticRegression(), LinkgisticClassifier()),
]


@pytest.mark.parametrize("model", ESTIMATORS, ids=lambda model: type(model).__name__)
def test_estimators_draw_themselves(model):
    html = estimator_html_repr(make_pipeline(StandardScaler(), model))
    assert type(model).__name__ in html and "not fitted" in html.lower()
    assert repr(LinkgisticClassifier(C=2.0)) == "LinkgisticClassifier(C=2.0)"


def test_fitted_estimators_draw_themselves_as_fitted(data, two_classes):
    X, y = two_classes
    for fitted in (
        MonotoneRegressor().fit(*data),
        MonotoneCalibrator(inference="laplace").partial_fit(X[:, 0], y),
        LinkgisticClassifier(C=1.0).fit(X, y),
    ):
        html = estimator_html_repr(fitted)
        assert "sk-estimator fitted" in html and "not fitted" not in html.lower()


def test_names_of_coefficients_are_those_of_text_and_numbers():
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"size": rng.normal(size=200), "make": rng.choice(["fiat", "opel", "vw"], 200)})
    y = rng.random(200) < 1 / (1 + np.exp(-frame["size"] - (frame["make"] == "vw")))
    names = LinkgisticClassifier(C=1.0).fit(frame, y).get_feature_names_out()
    assert len(names) == LinkgisticClassifier(C=1.0).fit(frame, y).coef_.shape[1]
    assert names[0] == "size" and any("vw" in name for name in names)
    assert LinkgisticClassifier(C=1.0).fit(frame[["size"]].to_numpy(), y).get_feature_names_out().tolist() == ["x1"]


# --- subclasses and parts, as in scikit-learn ---


class Rising(MonotoneRegressor):
    """Has a constructor with fewer parameters."""

    def __init__(self, *, increasing=True):
        super().__init__(increasing=increasing)


def test_a_subclass_may_have_fewer_parameters(data):
    ours = Rising().fit(*data)
    np.testing.assert_array_equal(ours.predict(data[0]), MonotoneRegressor(increasing=True).fit(*data).predict(data[0]))
    assert clone(ours).get_params() == {"increasing": True}
    assert ours.get_feature_names_out().tolist() == ["rising0"]


@pytest.mark.parametrize("ensemble", [True, False])
def test_pairs_have_the_names_of_scikit_learns(two_classes, ensemble):
    X, y = two_classes
    model = CalibratedClassifier(LogisticRegression(), cv=3, ensemble=ensemble).fit(X, y)
    pairs = model.calibrated_classifiers_
    for pair in pairs:
        estimator, calibrator = pair
        assert estimator is pair.estimator and [calibrator] == pair.calibrators
        assert pair.classes.tolist() == [0, 1]
        expected = calibrator.predict_proba(estimator.decision_function(X))
        np.testing.assert_array_equal(pair.predict_proba(X), expected)
    np.testing.assert_array_equal(model.predict_proba(X), np.mean([pair.predict_proba(X) for pair in pairs], axis=0))
    restored = pickle.loads(pickle.dumps(model)).calibrated_classifiers_[0]
    np.testing.assert_array_equal(restored.predict_proba(X), pairs[0].predict_proba(X))


def test_an_ensemble_does_not_learn_maps_from_single_rows(two_classes):
    X, y = (part[:40] for part in two_classes)
    with pytest.raises(ValueError, match="LeaveOneOut cross-validation does not leave the maps"):
        CalibratedClassifier(LogisticRegression(), cv=LeaveOneOut(), ensemble=True).fit(X, y)
    one = CalibratedClassifier(LogisticRegression(), cv=LeaveOneOut(), ensemble=False).fit(X, y)
    assert len(one.calibrated_classifiers_) == 1
