"""Displays."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import linkgistic
from linkgistic import (
    CalibratedClassifier,
    CalibrationDisplay,
    CurveDisplay,
    LearnedLoss,
    LinkDisplay,
    LinkgisticClassifier,
    LossDisplay,
    MonotoneCalibrator,
    MonotoneRegressor,
    ProbabilityCalibrator,
)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_the_link_is_drawn_with_its_band(two_classes):
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(*two_classes)
    display = LinkDisplay.from_estimator(clf, name="mine", color="red")
    np.testing.assert_array_equal(display.line_.get_ydata(), clf.link(display.score)[0])
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["base link", "mine", "90 % band"]
    assert clf.plot_link(ax=display.ax_) is display.ax_


def test_reliability_of_an_estimator(two_classes):
    X, y = two_classes
    names = np.array(["no", "yes"])[y]
    clf = LogisticRegression().fit(X[:300], names[:300])
    ax = plt.subplots()[1]
    display = CalibrationDisplay.from_estimator(clf, X[300:], names[300:], ax=ax)
    assert display.ax_ is ax
    assert np.all(np.diff(display.observed) > 0)
    assert np.all((display.lower < display.observed) & (display.observed < display.upper))
    other = CalibrationDisplay.from_predictions(names[300:], clf.predict_proba(X[300:])[:, 1], pos_label="yes")
    np.testing.assert_array_equal(display.observed, other.observed)


def test_the_link_of_a_pipeline(two_classes):
    pipeline = make_pipeline(StandardScaler(), LinkgisticClassifier(l2=1.0, v=0.5)).fit(*two_classes)
    np.testing.assert_array_equal(
        LinkDisplay.from_estimator(pipeline).nu, LinkDisplay.from_estimator(pipeline[-1]).nu
    )
    with pytest.raises(TypeError, match="estimator: a StandardScaler has no learned link"):
        LinkDisplay.from_estimator(pipeline[:1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pos_label": "maybe"}, r"pos_label = 'maybe': it must be one of the labels \['no', 'yes'\]"),
        ({"interval": 2}, "^interval = 2: it must be"),
        ({"points": 1}, "points = 1: it must be at least 2"),
        ({"n_bins": 0}, "n_bins = 0: it must be at least 1"),
        ({"strategy": "equal"}, "strategy = 'equal': it must be 'uniform' or 'quantile'"),
    ],
)
def test_an_argument_that_cannot_be_is_named(two_classes, options, message):
    X, y = two_classes
    names = np.array(["no", "yes"])[y]
    clf = LogisticRegression().fit(X, names)
    with pytest.raises(ValueError, match=message):
        CalibrationDisplay.from_predictions(names, clf.predict_proba(X)[:, 1], **options)
    with pytest.raises(ValueError, match=message):
        CalibrationDisplay.from_estimator(clf, X, names, **options)


def test_reliability_is_of_two_classes(two_classes):
    X = two_classes[0]
    clf = LogisticRegression().fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="estimator: it must know two classes, and knows 3"):
        CalibrationDisplay.from_estimator(clf, X, np.arange(len(X)) % 3)


@pytest.fixture(scope="module")
def of_three_classes():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(400, 2))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=400), [-0.5, 0.7]) + 1
    return LinkgisticClassifier(multiclass="ovr", l2=1.0, v=0.5, cross_fit=False).fit(X, y)


def test_the_link_of_a_class_by_its_label(of_three_classes):
    clf = of_three_classes
    drawn = LinkDisplay.from_estimator(clf, label=2)
    np.testing.assert_array_equal(drawn.nu, LinkDisplay.from_estimator(clf, score=1).nu)
    first = LinkDisplay.from_estimator(clf)
    assert not np.array_equal(first.nu, drawn.nu)
    line = clf.plot_link(label=2).lines[1]
    np.testing.assert_array_equal(line.get_ydata(), drawn.nu)
    np.testing.assert_array_equal(clf.link([0.0, 1.0], label=2), clf.link([0.0, 1.0], score=1))
    np.testing.assert_array_equal(clf.learned_loss(label=3).link([0.3]), clf.learned_loss(2).link([0.3]))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"label": 7}, r"label = 7: it must be one of the labels \[1, 2, 3\]"),
        ({"label": "my curve"}, "label = 'my curve': it must be one of"),
        ({"label": 2, "score": 1}, "score = 1 and label = 2: give one of them"),
    ],
)
def test_a_label_that_cannot_be_is_refused(of_three_classes, options, message):
    clf = of_three_classes
    for call in (clf.plot_link, clf.learned_loss, lambda **k: clf.link([0.0], **k)):
        with pytest.raises(ValueError, match=message):
            call(**options)
    assert not plt.get_fignums()


def test_two_classes_have_the_link_of_the_second(two_classes):
    X, y = two_classes
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(X, np.array(["no", "yes"])[y])
    np.testing.assert_array_equal(clf.link([0.5], label="yes"), clf.link([0.5]))
    with pytest.raises(ValueError, match="label = 'no': of two classes there is one link, that of 'yes'"):
        clf.plot_link(label="no")


def test_the_label_of_a_line_is_text(two_classes):
    X, y = two_classes
    with pytest.raises(TypeError, match=r"from_predictions\(\): label = 1: it is the text in the legend"):
        CalibrationDisplay.from_predictions(y, LogisticRegression().fit(X, y).predict_proba(X)[:, 1], label=1)


def test_probabilities_of_both_classes_are_refused(two_classes):
    X, y = two_classes
    p = LogisticRegression().fit(X, y).predict_proba(X)
    with pytest.raises(ValueError, match="1d"):
        CalibrationDisplay.from_predictions(y, p)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        CalibrationDisplay.from_predictions(y[:-1], p[:, 1])


@pytest.fixture(scope="module")
def curve_rows():
    rng = np.random.default_rng(3)
    x = rng.random(200)
    return x, np.sqrt(x) + 0.05 * rng.normal(size=200)


def test_the_curve_of_a_regression_is_drawn_with_its_bands_and_rows(curve_rows):
    x, y = curve_rows
    curve = MonotoneRegressor().fit(x, y)
    display = curve.plot(x, y, color="red", name="mine")
    np.testing.assert_array_equal(display.line_.get_ydata(), curve.predict(display.x))
    np.testing.assert_array_equal(display.observation[0], curve.predict(display.x, 0.9, observation=True)[1])
    assert (display.x[0], display.x[-1]) == (x.min(), x.max())
    assert len(display.points_.get_offsets()) == 200
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert labels == ["mine", "90 % of observations", "90 % band"]
    again = CurveDisplay.from_estimator(curve, [0.2, 0.4], ax=display.ax_, interval=0.5, points=11)
    assert again.ax_ is display.ax_ and len(again.x) == 11 and again.points_ is None
    with pytest.raises(TypeError, match="estimator: a LogisticRegression has no curve"):
        CurveDisplay.from_estimator(LogisticRegression())
    with pytest.raises(ValueError, match="y: it is of rows, give X as well"):
        curve.plot(y=y)


@pytest.mark.parametrize("kind", ["auto", "probability"])
def test_the_map_of_a_calibration_is_drawn(kind):
    rng = np.random.default_rng(4)
    scores = rng.random(300) if kind == "probability" else rng.normal(size=300)
    y = np.where(rng.random(300) < (scores**2 if kind == "probability" else 1 / (1 + np.exp(-2 * scores))), "yes", "no")
    calibrator = MonotoneCalibrator(score_kind=kind).fit(scores, y)
    display = calibrator.plot()
    np.testing.assert_allclose([display.x[0], display.x[-1]], [scores.min(), scores.max()])
    np.testing.assert_array_equal(display.estimate, calibrator.predict_proba(display.x)[:, 1])
    assert display.ax_.get_ylabel() == "probability of yes" and display.observation_ is None


def test_the_plot_of_a_classifier_is_its_link(two_classes):
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(*two_classes)
    assert isinstance(clf.plot(name="mine"), LinkDisplay)


def legend(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def test_before_and_after_are_drawn_on_the_same_axes(two_classes):
    X, y = two_classes
    before = LogisticRegression().fit(X[:300], y[:300])
    after = CalibratedClassifier(before, cv=3).fit(X[:300], y[:300])
    display = CalibrationDisplay.from_estimator(before, X[300:], y[300:], name="before")
    other = CalibrationDisplay.from_estimator(after, X[300:], y[300:], ax=display.ax_)
    assert other.ax_ is display.ax_
    assert legend(other.ax_) == ["perfectly calibrated", "before", "90 % band", "CalibratedClassifier"]
    alone = CalibrationDisplay.from_estimator(before, X[300:], y[300:], ref_line=False)
    assert legend(alone.ax_) == ["LogisticRegression", "90 % band"]


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_bins_are_those_of_scikit_learn(strategy):
    rng = np.random.default_rng(5)
    p = np.append(rng.random(300) ** 2, [0.0, 0.2, 0.4])
    y = rng.random(303) < p
    display = CalibrationDisplay.from_predictions(y, p, n_bins=5, strategy=strategy)
    share, claimed = calibration_curve(y, p, n_bins=5, strategy=strategy)
    np.testing.assert_allclose(display.bins, (claimed, share))
    np.testing.assert_array_equal(display.points_.get_offsets(), np.column_stack(display.bins))
    assert CalibrationDisplay.from_predictions(y, p).points_ is None


def test_a_weight_of_two_is_a_row_twice_in_a_bin():
    rng = np.random.default_rng(6)
    p, weight = rng.random(80), rng.integers(1, 3, 80)
    y = rng.random(80) < p
    weighted = CalibrationDisplay.from_predictions(y, p, n_bins=4, sample_weight=weight)
    twice = CalibrationDisplay.from_predictions(np.repeat(y, weight), np.repeat(p, weight), n_bins=4)
    np.testing.assert_allclose(weighted.bins, twice.bins)


def test_one_of_three_classes_is_drawn_against_the_rest(two_classes):
    X = two_classes[0]
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + np.random.default_rng(7).normal(size=len(X)), [-0.5, 0.5])]
    clf = LogisticRegression().fit(X, y)
    display = CalibrationDisplay.from_estimator(clf, X, y, pos_label="c")
    other = CalibrationDisplay.from_predictions(y == "c", clf.predict_proba(X)[:, 2])
    np.testing.assert_array_equal(display.observed, other.observed)


def test_the_old_name_of_the_display_is_the_same_class():
    assert linkgistic.ReliabilityDisplay is CalibrationDisplay


@pytest.mark.parametrize("ensemble", [True, False])
def test_the_plot_of_a_calibrated_classifier_is_its_average_map(two_classes, ensemble):
    X, y = two_classes
    model = CalibratedClassifier(LogisticRegression(), cv=3, ensemble=ensemble).fit(X, y)
    display = model.plot(name="map", points=21)
    maps = [calibrator.predict_proba(display.x, 0.9) for _, calibrator in model.calibrated_classifiers_]
    np.testing.assert_allclose(display.estimate, np.mean([p[:, 1] for p, _, _ in maps], axis=0))
    np.testing.assert_allclose(display.upper, np.mean([upper for _, _, upper in maps], axis=0))
    scores = [estimator.decision_function(X) for estimator, _ in model.calibrated_classifiers_]
    assert np.min(scores) - 1 < display.x[0] < display.x[-1] < np.max(scores) + 1
    assert display.ax_.get_xlabel() == "decision_function of LogisticRegression"
    assert display.ax_.get_ylabel() == "probability of 1"


def test_the_plot_of_a_probability_calibrator_is_its_map():
    rng = np.random.default_rng(8)
    p = rng.random(300)
    model = ProbabilityCalibrator().fit(np.column_stack([1 - p, p]), rng.random(300) < p**2)
    display = model.plot(p, points=11)
    assert (display.x[0], display.x[-1]) == (p.min(), p.max())
    expected = model.predict_proba(np.column_stack([1 - display.x, display.x]))[:, 1]
    np.testing.assert_allclose(display.estimate, expected)
    whole = model.plot()
    np.testing.assert_allclose((whole.x[0], whole.x[-1]), (p.min(), p.max()))


def test_a_map_of_three_classes_points_to_the_reliability_of_one():
    rng = np.random.default_rng(9)
    p = rng.dirichlet([1, 1, 1], size=200)
    model = ProbabilityCalibrator().fit(p, [rng.choice(3, p=row) for row in p])
    with pytest.raises(ValueError, match=r"two classes, and knows 3: draw one .* by CalibrationDisplay"):
        model.plot()


def test_the_plot_of_a_learned_loss_has_both_labels_and_its_base(two_classes):
    loss = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(*two_classes).learned_loss_
    display = loss.plot(points=11)
    assert isinstance(display, LossDisplay)
    np.testing.assert_allclose((display.score[0], display.score[-1]), loss.score_range)
    np.testing.assert_array_equal(display.lines_[1].get_ydata(), loss(np.ones(11), display.score))
    np.testing.assert_array_equal(display.base_lines_[0].get_ydata(), LearnedLoss()(np.zeros(11), display.score))
    assert legend(display.ax_) == ["log loss", "learned loss, y = 0", "learned loss, y = 1"]
    with pytest.raises(TypeError, match="loss: a LogisticRegression cannot be drawn"):
        LossDisplay.from_loss(LogisticRegression())
