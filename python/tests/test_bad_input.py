"""What cannot be is refused, and what is doubtful is said, in words that name the argument."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from linkgistic import (
    CalibratedClassifier,
    LearnedLoss,
    LinkgisticClassifier,
    MonotoneCalibrator,
    MonotoneRegressor,
    ProbabilityCalibrator,
)

NAN = float("nan")


@pytest.mark.parametrize("name", ["predict_proba", "log_odds", "information", "link"])
def test_a_score_that_is_no_number_is_refused(name):
    with pytest.raises(ValueError, match="that of row 2 is NaN"):
        getattr(LearnedLoss(), name)([0.5, NAN])
    with pytest.raises(ValueError, match=r"must have shape \(n,\) or \(n, 1\), and has \(2, 2\)"):
        getattr(LearnedLoss(), name)([[0.1, 0.2], [0.3, 0.4]])
    method = getattr(LearnedLoss(), name)
    np.testing.assert_array_equal(method([[0.1], [0.3]]), method([0.1, 0.3]))


def test_the_loss_of_what_is_no_score_is_refused():
    with pytest.raises(ValueError, match="x: that of row 1 is NaN"):
        LearnedLoss()([1], [NAN])
    with pytest.raises(ValueError, match=r"y must have shape \(n,\) or \(n, 1\), and has \(2, 3\)"):
        LearnedLoss()(np.zeros((2, 3)), np.zeros(6))


def test_the_link_is_at_finite_scores(two_classes):
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(*two_classes)
    for score in (NAN, np.inf):
        with pytest.raises(ValueError, match=f"at: the score {score} is not finite"):
            clf.link([0.0, score])
    with pytest.raises(ValueError, match="at must have shape"):
        clf.link([[0.0, 1.0]])


@pytest.mark.parametrize("option", ["l2", "v", "harmonics", "cv", "random_state", "tol", "draws", "n_jobs"])
def test_a_truth_value_is_no_number(two_classes, option):
    with pytest.raises(TypeError, match=f"{option} = True: it must be a (whole )?number"):
        LinkgisticClassifier(**{option: True}).fit(*two_classes)


@pytest.mark.parametrize("model", [LinkgisticClassifier, MonotoneRegressor, MonotoneCalibrator, CalibratedClassifier])
def test_verbose_is_a_whole_number(two_classes, model):
    X, y = two_classes
    X = X if model in (LinkgisticClassifier, CalibratedClassifier) else X[:, 0]
    with pytest.raises(TypeError, match="verbose = 'loud': it must be a whole number"):
        model(verbose="loud").fit(X, y)
    with pytest.raises(ValueError, match="verbose = -1: it must not be negative"):
        model(verbose=-1).fit(X, y)


def test_an_observation_has_a_band():
    curve = MonotoneRegressor().fit([0, 1, 2, 3], [0, 1, 3, 4])
    with pytest.raises(ValueError, match="observation = True: it is of a band, give return_interval"):
        curve.predict([1.0], observation=True)
    with pytest.raises(TypeError, match="observation = 'no': it must be True or False"):
        curve.predict([1.0], return_interval=0.9, observation="no")


def test_what_is_no_classifier_is_refused(two_classes):
    with pytest.raises(TypeError, match="estimator = 'svm': it must be a classifier"):
        CalibratedClassifier("svm").fit(*two_classes)


def test_a_negative_weight_is_named(two_classes):
    X, y = two_classes
    weight = np.ones(len(y))
    weight[4] = -2
    with pytest.raises(ValueError, match="sample_weight: the weight of row 5 is -2: it must not be negative"):
        CalibratedClassifier(LogisticRegression(), cv=2).fit(X, y, sample_weight=weight)


def test_probabilities_that_do_not_sum_to_one():
    rng = np.random.default_rng(0)
    p = rng.dirichlet([1, 1], size=300)
    y = (rng.random(300) < p[:, 1]).astype(int)
    expected = ProbabilityCalibrator().fit(p, y).predict_proba(p)
    with pytest.warns(UserWarning, match=r"p: the probabilities of row \d+ sum to 0.5: each row is divided by its sum"):
        halves = ProbabilityCalibrator().fit(0.5 * p, y)
    np.testing.assert_allclose(halves.predict_proba(p), expected, rtol=1e-6)
    p[7] = 0
    with pytest.raises(ValueError, match="p: the probabilities of row 8 are all 0"):
        halves.predict_proba(p)


def test_two_columns_between_0_and_1_need_not_be_probabilities():
    rng = np.random.default_rng(0)
    scores = rng.random((300, 2))
    y = (rng.random(300) < scores[:, 1] * (1 - scores[:, 0])).astype(int)
    both = MonotoneCalibrator(inference="laplace").fit(scores, y)
    assert both.summary_["score_kind"] == "decision"
    p = MonotoneCalibrator(inference="laplace").fit(scores / scores.sum(axis=1, keepdims=True), y)
    assert p.summary_["score_kind"] == "probability"


def test_scores_of_the_other_label_are_said_to_be(two_classes):
    X, y = two_classes
    with pytest.warns(UserWarning, match="the scores are lower where the label is positive"):
        MonotoneCalibrator(inference="laplace").fit(-X[:, 0], y)


def test_torch_takes_scores_and_labels_of_one_shape():
    torch = pytest.importorskip("torch")
    module = LearnedLoss().torch("none")
    labels = torch.tensor([0, 1, 1])
    assert module(torch.zeros(3, 1), labels).shape == (3, 1)
    assert module(torch.zeros(3), labels[:, None]).shape == (3,)
    with pytest.raises(ValueError, match=r"scores of shape \(2, 3\) and labels of shape \(3, 2\)"):
        module(torch.zeros(2, 3), torch.zeros(3, 2))
    with pytest.raises(TypeError, match="scores: floating point numbers are needed, and they are torch.int64"):
        module(torch.zeros(3, dtype=torch.int64), labels)
