"""Batches: `partial_fit` has the model of one fit to all rows."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from linkgistic import MonotoneCalibrator, MonotoneRegressor


def batches(n, seed, count=7):
    """Rows cut anywhere, in any order; one batch has one row."""
    rng = np.random.default_rng(seed)
    cuts = np.sort(np.r_[1, rng.choice(np.arange(2, n), count - 2, replace=False)])
    parts = np.split(np.arange(n), cuts)
    return [parts[i] for i in rng.permutation(len(parts))]


def scores_and_labels(kind, n=3000):
    rng = np.random.default_rng(3)
    s = rng.normal(size=n)
    if kind == "ties":
        s = np.round(10 * s) / 10
    y = rng.random(n) < 1 / (1 + np.exp(-2 * s))
    if kind == "probability":
        s = 1 / (1 + np.exp(-s))
    if kind == "infinite":
        s[:3], s[-3:] = np.inf, -np.inf
    return s, np.where(y, "yes", "no")


@pytest.mark.parametrize("kind", ["plain", "ties", "probability", "infinite"])
def test_a_calibrator_of_batches_has_the_bytes_of_one_fit(kind):
    s, y = scores_and_labels(kind)
    whole = MonotoneCalibrator(inference="laplace").fit(s, y)
    for seed in range(3):
        cal = MonotoneCalibrator(inference="laplace")
        for rows in batches(len(s), seed):
            cal.partial_fit(s[rows], y[rows], classes=["yes", "no"])
        assert cal.model_.to_json() == whole.model_.to_json()
        np.testing.assert_array_equal(cal.predict_proba(s[:9]), whole.predict_proba(s[:9]))
        assert cal.classes_.tolist() == ["no", "yes"]


def test_weights_that_are_whole_numbers_add_up_exactly():
    s, y = scores_and_labels("ties")
    weight = np.random.default_rng(5).integers(0, 4, len(s)).astype(float)
    whole = MonotoneCalibrator(inference="laplace").fit(s, y, weight)
    cal = MonotoneCalibrator(inference="laplace")
    for rows in batches(len(s), 1):
        cal.partial_fit(s[rows], y[rows], classes=["no", "yes"], sample_weight=weight[rows])
    assert cal.model_.to_json() == whole.model_.to_json()


def test_other_weights_add_up_but_for_rounding():
    s, y = scores_and_labels("ties")
    weight = np.random.default_rng(5).random(len(s))
    whole = MonotoneCalibrator(inference="laplace").fit(s, y, weight)
    cal = MonotoneCalibrator(inference="laplace")
    for rows in batches(len(s), 2):
        cal.partial_fit(s[rows], y[rows], classes=["no", "yes"], sample_weight=weight[rows])
    # Sums of some hundred weights differ by 1e-14 of themselves; the search for the mode ends within 1e-9 of it.
    np.testing.assert_allclose(cal.predict_proba(s), whole.predict_proba(s), rtol=1e-7)


def test_the_mean_curve_of_a_calibrator_is_drawn_from_the_same_posterior():
    s, y = scores_and_labels("plain", 400)
    whole, cal = MonotoneCalibrator().fit(s, y), MonotoneCalibrator()
    for rows in np.split(np.arange(400), [150]):
        cal.partial_fit(s[rows], y[rows])
    assert cal.model_.to_json() == whole.model_.to_json()
    for ours, theirs in zip(cal.predict_proba(s[:5], 0.8), whole.predict_proba(s[:5], 0.8)):
        np.testing.assert_array_equal(ours, theirs)


def test_a_batch_that_cannot_be_used_leaves_the_calibrator_as_it_was():
    s, y = scores_and_labels("plain", 300)
    cal = MonotoneCalibrator(inference="laplace").partial_fit(s, y)
    before = cal.model_.to_json()
    with pytest.raises(ValueError, match="'maybe' is not one of"):
        cal.partial_fit(s[:3], ["yes", "maybe", "no"])
    with pytest.raises(ValueError, match="NaN"):
        cal.partial_fit([np.nan, 1.0], ["yes", "no"])
    with pytest.raises(ValueError, match="weight"):
        cal.partial_fit(s[:2], y[:2], sample_weight=[1.0, -1.0])
    with pytest.raises(ValueError, match="those of the first batch"):
        cal.partial_fit(s[:2], y[:2], classes=["yes", "never"])
    assert cal.model_.to_json() == before
    assert cal.partial_fit(s, y).summary_["rows"] == 600
    with pytest.raises(ValueError, match="takes two labels"):
        MonotoneCalibrator().partial_fit(s[:4], [0, 1, 2, 0])


def test_a_fit_begins_anew_and_a_pickle_resumes():
    s, y = scores_and_labels("plain", 600)
    cal = MonotoneCalibrator(inference="laplace").partial_fit(s[:300], y[:300])
    resumed = pickle.loads(pickle.dumps(cal)).partial_fit(s[300:], y[300:])
    whole = MonotoneCalibrator(inference="laplace").fit(s, y)
    assert resumed.model_.to_json() == whole.model_.to_json()
    assert cal.summary_["rows"] == 300
    assert clone(resumed).partial_fit(s[:300], y[:300]).model_.to_json() == cal.model_.to_json()
    assert resumed.fit(s[:300], y[:300]).partial_fit(s[:300], y[:300]).model_.to_json() == cal.model_.to_json()


def curve_rows(response, n=900):
    rng = np.random.default_rng(8)
    x = rng.uniform(0, 3, n)
    columns = {}
    if response == "gaussian":
        y = x**2 / 3 + 0.3 * rng.normal(size=n)
    elif response == "poisson":
        columns["exposure"] = rng.uniform(0.5, 2, n)
        y = rng.poisson(columns["exposure"] * (1 + x)).astype(float)
    elif response == "binomial":
        columns["trials"] = rng.integers(1, 9, n).astype(float)
        y = rng.binomial(columns["trials"].astype(int), x / 4).astype(float)
    else:
        y = np.where(rng.random(n) < x / 3.5, "b", "a")
    return x, y, columns


@pytest.mark.parametrize("response", ["gaussian", "poisson", "binomial", "bernoulli"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_curve_of_batches_has_the_bytes_of_one_fit_in_any_order(response, weighted):
    x, y, columns = curve_rows(response)
    weight = np.random.default_rng(9).random(len(x)) if weighted else None
    whole = MonotoneRegressor(response=response).fit(x, y, weight, **columns)
    for seed in range(2):
        parts = batches(len(x), seed, 4)
        parts.sort(key=len, reverse=True)  # the first batch has both labels
        curve = MonotoneRegressor(response=response)
        for rows in parts:
            some = {name: column[rows] for name, column in columns.items()}
            curve.partial_fit(x[rows], y[rows], None if weight is None else weight[rows], **some)
        order = np.concatenate(parts)
        some = {name: column[order] for name, column in columns.items()}
        same = MonotoneRegressor(response=response).fit(x[order], y[order], None if weight is None else weight[order], **some)
        assert curve.model_.to_json() == same.model_.to_json()
        # Another order of the rows moves sums in their last bits, and the search ends elsewhere within its tolerance.
        np.testing.assert_allclose(curve.predict(x), whole.predict(x), rtol=1e-4, atol=1e-4 * np.ptp(whole.predict(x)))


def test_names_of_the_first_batch_are_kept_and_missing_columns_filled():
    x, y, _ = curve_rows("gaussian", 200)
    curve = MonotoneRegressor().partial_fit(pd.Series(x[:120], name="dose"), pd.Series(y[:120], name="answer"))
    curve.partial_fit(x[120:], y[120:], sample_weight=np.full(80, 2.0))
    assert curve.model_.columns["x"] == "dose" and curve.model_.columns["y"] == "answer"
    whole = MonotoneRegressor().fit(x, y, np.r_[np.ones(120), np.full(80, 2.0)])
    np.testing.assert_array_equal(curve.predict(x), whole.predict(x))
    assert pickle.loads(pickle.dumps(curve)).partial_fit(x, y).summary_["rows"] == 400
    before = curve.model_.to_json()
    with pytest.raises(ValueError):
        curve.partial_fit([1.0, np.nan], [1.0, 2.0])
    assert curve.model_.to_json() == before
    assert curve.fit(x[:9], y[:9]).partial_fit(x, y).summary_["rows"] == 200
