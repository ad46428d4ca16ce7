"""LearnedLoss."""

import pickle

import numpy as np
import pytest
from scipy.special import expit

from linkgistic import LearnedLoss, LinkgisticClassifier


@pytest.fixture(scope="module")
def learned(two_classes):
    return LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(*two_classes)


def test_the_canonical_loss_is_that_of_logistic_regression():
    x = np.linspace(-5, 5, 21)
    loss = LearnedLoss()
    np.testing.assert_allclose(loss(np.ones(21), x), np.log1p(np.exp(-x)), rtol=1e-12)
    np.testing.assert_allclose(loss.gradient(np.zeros(21), x), expit(x), rtol=1e-12)
    np.testing.assert_allclose(loss.curvature(np.ones(21), x), expit(x) * expit(-x), rtol=1e-12)


def test_derivatives_are_those_of_the_loss(learned):
    loss, h = learned.learned_loss_, 1e-5
    lower, upper = loss.score_range
    x = np.linspace(lower - 1, upper + 1, 40)
    for label in (0, 1):
        y = np.full(40, label)
        value, gradient, curvature = loss.values(y, x)
        np.testing.assert_allclose(gradient, (loss(y, x + h) - loss(y, x - h)) / (2 * h), rtol=1e-5, atol=1e-8)
        inside = (x > lower + 1e-3) & (x < upper - 1e-3)
        slope = (loss.gradient(y, x + h) - loss.gradient(y, x - h)) / (2 * h)
        np.testing.assert_allclose(curvature[inside], slope[inside], rtol=1e-4, atol=1e-7)


def test_its_probabilities_are_those_of_the_classifier(learned, two_classes):
    X, y = two_classes
    score = learned.linear_score(X)
    p = learned.learned_loss_.predict_proba(score)
    np.testing.assert_allclose(p, learned.predict_proba(X)[:, 1], rtol=1e-7)
    np.testing.assert_allclose(learned.learned_loss_(y, score), -np.log(np.where(y, p, 1 - p)), rtol=1e-6)
    np.testing.assert_allclose(learned.learned_loss_.link(p), score, atol=1e-6)


def test_files_and_pickles(learned, tmp_path):
    loss = learned.learned_loss_
    loss.save(tmp_path / "loss.json")
    x = np.linspace(-3, 3, 11)
    for copy in (LearnedLoss.load(tmp_path / "loss.json"), pickle.loads(pickle.dumps(loss))):
        np.testing.assert_array_equal(copy(np.ones(11), x), loss(np.ones(11), x))


def test_labels_must_be_0_or_1():
    with pytest.raises(ValueError, match="0 or 1"):
        LearnedLoss()([2], [0.0])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("y", [[0, 2], [0.5, 1], [-1, 1], [0, np.nan], ["no", "yes"]], ids=str)
def test_labels_that_are_not_0_or_1_are_refused(y):
    with pytest.raises(ValueError, match="y: labels must be 0 or 1"):
        LearnedLoss().gradient(y, [0.0, 1.0])


def test_a_base_that_is_no_name_is_refused():
    with pytest.raises(TypeError, match="base = 3: it must be the name of a loss"):
        LearnedLoss(3)
