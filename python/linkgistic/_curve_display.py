"""The curve of a fitted regression or calibration, drawn with its bands."""

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from ._display import _axes, _check_line
from ._keywords import refuses_unknown_keywords
from ._options import one_dimension, share, whole


@refuses_unknown_keywords
class CurveDisplay:
    """The curve of a fitted regression or calibration, drawn with its bands.

    Parameters
    ----------
    x : ndarray of shape (n,)
        Where the curve was evaluated.
    estimate, lower, upper : ndarray of shape (n,)
        The curve with its band.
    interval : float
        Probability of the bands.
    observation : tuple of ndarray or None, default=None
        Lower and upper ends of the band of an observation.
    rows : tuple of ndarray or None, default=None
        x and y of rows that are drawn as points.
    x_name, y_name : str
        Names of the axes.
    name : str or None, default=None
        Name in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes with the drawing.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_, band_ : matplotlib artists
        Curve and band.
    observation_, points_ : matplotlib artists or None
        The band of an observation and the rows, if they are drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np
    >>> from linkgistic import CurveDisplay, MonotoneRegressor
    >>> x = np.linspace(0, 1, 100)
    >>> y = x**3 + 0.05 * np.random.default_rng(0).normal(size=100)
    >>> display = CurveDisplay.from_estimator(MonotoneRegressor().fit(x, y), x, y)
    >>> bool(np.all(display.lower < display.upper))
    True
    """

    def __init__(
        self, *, x, estimate, lower, upper, interval, observation=None, rows=None, x_name="x", y_name="y", name=None
    ):
        self.x = x
        self.estimate = estimate
        self.lower = lower
        self.upper = upper
        self.interval = interval
        self.observation = observation
        self.rows = rows
        self.x_name = x_name
        self.y_name = y_name
        self.name = name

    def plot(self, ax=None, *, name=None, **line):
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        **line : dict
            Keywords for matplotlib's `plot` of the curve.

        Returns
        -------
        display : CurveDisplay
            The display itself.
        """
        _check_line(f"{type(self).__name__}.plot", line, self.plot)
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        self.observation_ = self.points_ = None
        if self.rows is not None:
            self.points_ = ax.scatter(*self.rows, s=8, color="grey", alpha=0.5, linewidths=0)
        (self.line_,) = ax.plot(self.x, self.estimate, **{"label": name or self.name or "curve", **line})
        color, percent = self.line_.get_color(), f"{100 * self.interval:g} %"
        if self.observation is not None:
            self.observation_ = ax.fill_between(
                self.x, *self.observation, alpha=0.12, color=color, linewidth=0, label=f"{percent} of observations"
            )
        self.band_ = ax.fill_between(
            self.x, self.lower, self.upper, alpha=0.3, color=color, linewidth=0, label=f"{percent} band"
        )
        ax.set_xlabel(self.x_name)
        ax.set_ylabel(self.y_name)
        ax.legend()
        return self

    @classmethod
    def from_estimator(cls, estimator, X=None, y=None, *, interval=0.9, points=201, ax=None, name=None, **line):
        """Draw the curve of a fitted `MonotoneRegressor`, or the map of a calibration of two classes.

        Parameters
        ----------
        estimator : MonotoneRegressor, MonotoneCalibrator, CalibratedClassifier, ProbabilityCalibrator or Pipeline
            A fitted estimator, or a pipeline that ends with one. Of a `CalibratedClassifier` X is the scores of its
            estimators, and the curve is the average of their maps.
        X : array-like of shape (n_samples,) or (n_samples, 1), default=None
            Rows whose range the curve is drawn over; None: that of the training data.
        y : array-like of shape (n_samples,), default=None
            Observations of these rows, drawn as points.
        interval : float, default=0.9
            Probability of the bands.
        points : int, default=201
            Number of points of the curve.
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        **line : dict
            Keywords for matplotlib's `plot` of the curve.

        Returns
        -------
        display : CurveDisplay
            The display, drawn.
        """
        _check_line(f"{cls.__name__}.from_estimator", line, cls.from_estimator)
        if isinstance(estimator, Pipeline):
            estimator = estimator[-1]
        if not hasattr(estimator, "_curve"):
            raise TypeError(
                f"estimator: a {type(estimator).__name__} has no curve, give a MonotoneRegressor or a calibration, or "
                "draw probabilities by CalibrationDisplay"
            )
        check_is_fitted(estimator)
        interval, points = share(interval, "interval"), whole(points, "points", 2)
        if X is None and y is not None:
            raise ValueError("y: it is of rows, give X as well")
        rows = None
        if X is not None:
            X = one_dimension(X, "X", np.float64)
            if not len(X):
                raise ValueError("X: there are no rows")
            if y is not None:
                rows = X, one_dimension(y, "y")
                check_consistent_length(*rows)
        curve = estimator._curve(None if X is None else (X.min(), X.max()), points, interval)
        return cls(**curve, interval=interval, rows=rows, name=name).plot(ax, **line)


def regression_curve(estimator, ends, points, interval):
    """What `CurveDisplay` draws of a regression."""
    lower, upper = ends or (estimator.X_min_, estimator.X_max_)
    x, columns = np.linspace(lower, upper, points), estimator.model_.columns
    estimate, low, high = estimator.predict(x, return_interval=interval)
    observation = None
    if estimator.response not in ("bernoulli", "binomial"):
        observation = estimator.predict(x, return_interval=interval, observation=True)[1:]
    curve = {"x": x, "estimate": estimate, "lower": low, "upper": high, "observation": observation}
    return curve | {"x_name": columns.get("x", "x"), "y_name": columns.get("y", "y")}


def calibration_curve(estimator, ends, points, interval):
    """What `CurveDisplay` draws of a calibration of two classes."""
    if len(estimator.classes_) != 2:
        raise ValueError(
            f"estimator: it must know two classes, and knows {len(estimator.classes_)}: draw one of them against the "
            "rest by CalibrationDisplay.from_predictions(y == label, p)"
        )
    summary, columns = estimator.summary_, estimator.model_.columns
    lower, upper = ends or (summary["score_lower"], summary["score_upper"])
    x = np.linspace(lower, upper, points)
    p, low, high = estimator.predict_proba(x, return_interval=interval)
    curve = {"x": x, "estimate": p[:, 1], "lower": low, "upper": high}
    return curve | {"x_name": columns.get("score", "score"), "y_name": f"probability of {estimator.classes_[1]}"}


def average_curve(calibrators, ends, points, interval):
    """What `CurveDisplay` draws of several calibrations whose probabilities are averaged."""
    if ends is None and len(calibrators[0].classes_) == 2:
        summaries = [calibrator.summary_ for calibrator in calibrators]
        ends = min(s["score_lower"] for s in summaries), max(s["score_upper"] for s in summaries)
    curves = [calibration_curve(calibrator, ends, points, interval) for calibrator in calibrators]
    return curves[0] | {name: np.mean([c[name] for c in curves], axis=0) for name in ("estimate", "lower", "upper")}
