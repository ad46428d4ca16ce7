"""ProbabilityCalibrator, called as calibration benchmarks call it."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss

from linkgistic import MonotoneCalibrator, ProbabilityCalibrator


def overconfident(rows, classes, seed=0):
    """Probabilities that are too sure of themselves by a factor of 2 in their logarithms, and labels."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(rows, classes))
    truth = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = (rng.random((rows, 1)) > truth.cumsum(axis=1)).sum(axis=1).clip(max=classes - 1)
    p = np.exp(2 * logits)
    return (p / p.sum(axis=1, keepdims=True)).astype(np.float32), y


def benchmark_protocol(calibrator, p, y):
    """What a benchmark does with a method: a clone, fitted to one half, makes probabilities of the other."""
    half = len(y) // 2
    fitted = clone(calibrator).fit(p[:half], y[:half])
    q = fitted.predict_proba(p[half:])
    assert q.shape == p[half:].shape and np.all(q > 0)
    np.testing.assert_allclose(q.sum(axis=1), 1)
    np.testing.assert_array_equal(fitted.predict(p[half:]), q.argmax(axis=1))
    return log_loss(y[half:], q, labels=range(p.shape[1]))


@pytest.mark.parametrize("classes", [2, 3, 7])
def test_the_log_loss_falls(classes):
    p, y = overconfident(3000, classes)
    given = p[1500:] / p[1500:].sum(axis=1, keepdims=True, dtype=float)
    before = log_loss(y[1500:], given, labels=range(classes))
    assert benchmark_protocol(ProbabilityCalibrator(), p, y) < before


@pytest.mark.filterwarnings("ignore:every label is the same")
@pytest.mark.parametrize("classes", [2, 3])
def test_a_class_without_a_row_is_no_error(classes):
    p, y = overconfident(400, classes)
    y[:] = np.minimum(y, classes - 2)
    assert ProbabilityCalibrator().fit(p, y).predict_proba(p).shape == p.shape


def test_zeros_and_ones_are_probabilities():
    p, y = overconfident(400, 2)
    p[:20] = [1, 0]
    assert np.isfinite(benchmark_protocol(ProbabilityCalibrator(), p, y))


def test_it_is_the_monotone_calibrator():
    p, y = overconfident(400, 2)
    expected = MonotoneCalibrator(harmonics=8).fit(p[:, 1], y).predict_proba(p[:, 1])
    model = ProbabilityCalibrator(MonotoneCalibrator(harmonics=8)).fit(p, y)
    np.testing.assert_array_equal(model.predict_proba(p), expected)


def test_what_is_no_probability_is_refused():
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        ProbabilityCalibrator().fit([[2.0, -1.0], [0.5, 0.5]], [0, 1])
    with pytest.raises(ValueError, match="p has 3 columns, and had 2 in fit"):
        ProbabilityCalibrator().fit(*overconfident(40, 2)).predict_proba([[0.2, 0.3, 0.5]])
    with pytest.raises(ValueError, match="numbered 0 to 1"):
        ProbabilityCalibrator().fit([[0.2, 0.8], [0.5, 0.5]], [0, 2])


def test_a_fit_that_failed_is_none():
    model = ProbabilityCalibrator(MonotoneCalibrator(harmonics=0))
    with pytest.raises(ValueError, match="harmonics = 0"):
        model.fit(*overconfident(40, 2))
    with pytest.raises(NotFittedError):
        model.predict([[0.5, 0.5]])


def test_before_fit_it_is_said():
    with pytest.raises(NotFittedError):
        ProbabilityCalibrator().predict([[0.5, 0.5]])


@pytest.mark.parametrize("y", [[0.0, 0.7], ["0", "1"], [0.0, np.nan], [[1, 0], [0, 1]], [0, 2]], ids=str)
def test_labels_that_are_no_columns_are_refused(y):
    with pytest.raises(ValueError, match="y"):
        ProbabilityCalibrator().fit([[0.5, 0.5], [0.4, 0.6]], y)


def test_a_wrong_calibrator_is_named():
    with pytest.raises(TypeError, match="calibrator = 'isotonic'"):
        ProbabilityCalibrator("isotonic").fit([[0.5, 0.5], [0.4, 0.6]], [0, 1])
