"""Drawings in scikit-learn's style: the learned link, and calibration with bands."""

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d

from ._keywords import check_keywords, keyword_names, refuses_unknown_keywords
from ._options import share, whole


def _axes(ax):
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def _check_line(function, line, *owners):
    """Keywords that neither these functions nor matplotlib's lines have are refused before anything is drawn."""
    from matplotlib.artist import ArtistInspector
    from matplotlib.lines import Line2D

    inspector = ArtistInspector(Line2D)
    known = {*inspector.get_setters(), *(alias for aliases in inspector.aliasd.values() for alias in aliases)}
    for owner in owners:
        known |= keyword_names(owner)[0]
    check_keywords(function, line, known)
    if not isinstance(line.get("label", ""), str):
        raise TypeError(f"{function}(): label = {line['label']!r}: it is the text in the legend")


def _once(ax, label):
    """The label, or one that the legend leaves out where a drawing on the same axes has it already."""
    return "_" + label if label in ax.get_legend_handles_labels()[1] else label


def _known(pos_label, labels):
    """The positive label, which must be one of these."""
    labels = np.asarray(labels).tolist()
    if pos_label not in labels:
        raise ValueError(f"pos_label = {pos_label!r}: it must be one of the labels {labels}")
    return pos_label


@refuses_unknown_keywords
class LinkDisplay:
    """The learned link of a classifier, drawn with its base link.

    Parameters
    ----------
    score : ndarray of shape (n,)
        Linear scores.
    nu, lower, upper : ndarray of shape (n,)
        The link with its band.
    interval : float
        Probability of the band.
    base : str, default='log'
        Name of the base loss.
    name : str or None, default=None
        Name in the legend.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes with the drawing.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_, band_, base_line_ : matplotlib artists
        Link, band and base link.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from sklearn.datasets import make_classification
    >>> from linkgistic import LinkDisplay, LinkgisticClassifier
    >>> X, y = make_classification(n_samples=200, random_state=0)
    >>> display = LinkDisplay.from_estimator(LinkgisticClassifier(l2=1.0, v=0.5).fit(X, y))
    >>> display.ax_.get_xlabel()
    'linear score'
    """

    def __init__(self, *, score, nu, lower, upper, interval, base="log", name=None):
        self.score = score
        self.nu = nu
        self.lower = lower
        self.upper = upper
        self.interval = interval
        self.base = base
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
            Keywords for matplotlib's `plot` of the link.

        Returns
        -------
        display : LinkDisplay
            The display itself.
        """
        _check_line(f"{type(self).__name__}.plot", line, self.plot)
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        (self.base_line_,) = ax.plot(self.score, self.score, "--", color="grey", label="base link")
        (self.line_,) = ax.plot(self.score, self.nu, **{"label": name or self.name or "learned link", **line})
        self.band_ = ax.fill_between(
            self.score,
            self.lower,
            self.upper,
            alpha=0.2,
            color=self.line_.get_color(),
            linewidth=0,
            label=f"{100 * self.interval:g} % band",
        )
        ax.set_xlabel("linear score")
        ax.set_ylabel("log odds" if self.base == "log" else f"link of the {self.base} loss")
        ax.legend()
        return self

    @classmethod
    def from_estimator(
        cls, estimator, *, score=None, label=None, interval=0.9, points=201, ax=None, name=None, **line
    ):
        """Draw the link of a fitted `LinkgisticClassifier`.

        Parameters
        ----------
        estimator : LinkgisticClassifier or Pipeline
            A fitted classifier, or a pipeline that ends with one.
        score : int or None, default=None
            The number of the score whose link it is; two classes have one score. None: that of `label`, or the first.
        label : label or None, default=None
            The class whose score it is, in place of its number; of two classes the second one.
        interval : float, default=0.9
            Probability of the band.
        points : int, default=201
            Number of points of the curve.
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        **line : dict
            Keywords for matplotlib's `plot` of the link.

        Returns
        -------
        display : LinkDisplay
            The display, drawn.
        """
        _check_line(f"{cls.__name__}.from_estimator", line, cls.from_estimator)
        if isinstance(estimator, Pipeline):
            estimator = estimator[-1]
        if not hasattr(estimator, "plot_link"):
            raise TypeError(f"estimator: a {type(estimator).__name__} has no learned link, give a LinkgisticClassifier")
        check_is_fitted(estimator)
        score = estimator._place(score, label)
        of = estimator.summary_["classes"][score]
        at = np.linspace(of["score_lower"], of["score_upper"], whole(points, "points", 2))
        nu, lower, upper, _ = estimator.link(at, score=score, interval=interval)
        base = estimator.model_.options["loss"]
        result = cls(score=at, nu=nu, lower=lower, upper=upper, interval=interval, base=base, name=name)
        return result.plot(ax, **line)


def _binned(positive, p, weight, n_bins, strategy):
    """Mean prediction and share of the positive class of scikit-learn's bins that have rows."""
    inner = np.linspace(0, 1, n_bins + 1)[1:-1]
    place = np.searchsorted(inner if strategy == "uniform" else np.quantile(p, inner), p)
    weight = np.ones(len(p)) if weight is None else np.asarray(weight, dtype=float)
    rows, claimed, true = (np.bincount(place, weight * x, n_bins) for x in (1.0, p, positive))
    return claimed[rows > 0] / rows[rows > 0], true[rows > 0] / rows[rows > 0]


@refuses_unknown_keywords
class CalibrationDisplay:
    """The reliability diagram of scikit-learn's ``CalibrationDisplay``, as an increasing curve with a credible band.

    It shows the probability of the positive class against the predicted one. `n_bins` adds scikit-learn's bins as points.
    `ReliabilityDisplay` is its name of version 0.1.

    Parameters
    ----------
    predicted : ndarray of shape (n,)
        Predicted probabilities.
    observed, lower, upper : ndarray of shape (n,)
        The probability at these, with its band.
    interval : float
        Probability of the band.
    histogram : tuple of ndarray or None, default=None
        Counts and edges of the predictions.
    name : str or None, default=None
        Name in the legend.
    bins : tuple of ndarray or None, default=None
        Mean prediction and share of the positive class in each bin.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes with the drawing.
    figure_ : matplotlib Figure
        The figure of the axes.
    line_, band_ : matplotlib artists
        Curve and band.
    points_ : matplotlib artist or None
        The bins, if they are drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np
    >>> from linkgistic import CalibrationDisplay
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(500)
    >>> display = CalibrationDisplay.from_predictions(rng.random(500) < p**2, p, n_bins=10)
    >>> bool(display.observed[100] < display.predicted[100])
    True
    """

    def __init__(self, *, predicted, observed, lower, upper, interval, histogram=None, name=None, bins=None):
        self.predicted = predicted
        self.observed = observed
        self.lower = lower
        self.upper = upper
        self.interval = interval
        self.histogram = histogram
        self.name = name
        self.bins = bins

    def plot(self, ax=None, *, name=None, ref_line=True, **line):
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes or None, default=None
            Axes to draw on; None: new axes.
        name : str or None, default=None
            Name in the legend.
        ref_line : bool, default=True
            Whether to draw the diagonal, if it is not there yet.
        **line : dict
            Keywords for matplotlib's `plot` of the curve.

        Returns
        -------
        display : CalibrationDisplay
            The display itself.
        """
        _check_line(f"{type(self).__name__}.plot", line, self.plot)
        self.ax_ = ax = _axes(ax)
        self.figure_ = ax.figure
        diagonal = "perfectly calibrated"
        if ref_line and _once(ax, diagonal) == diagonal:
            ax.plot([0, 1], [0, 1], "--", color="grey", label=diagonal)
        (self.line_,) = ax.plot(self.predicted, self.observed, **{"label": name or self.name or "reliability", **line})
        color = self.line_.get_color()
        self.band_ = ax.fill_between(
            self.predicted,
            self.lower,
            self.upper,
            alpha=0.2,
            color=color,
            linewidth=0,
            label=_once(ax, f"{100 * self.interval:g} % band"),
        )
        self.points_ = None if self.bins is None else ax.scatter(*self.bins, s=16, color=color, marker="s")
        if self.histogram is not None:
            counts, edges = self.histogram
            heights = 0.15 * counts / max(counts.max(), 1)
            ax.bar(edges[:-1], heights, np.diff(edges), align="edge", color=color, alpha=0.25)
        ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="predicted probability", ylabel="probability of the positive class")
        ax.legend()
        return self

    @classmethod
    def from_predictions(
        cls,
        y_true,
        y_prob,
        *,
        n_bins=None,
        strategy="uniform",
        sample_weight=None,
        pos_label=None,
        interval=0.9,
        points=201,
        ax=None,
        name=None,
        **line,
    ):
        """Draw the reliability of predicted probabilities.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Labels of two classes.
        y_prob : array-like of shape (n_samples,)
            Predicted probabilities of the positive class.
        n_bins : int or None, default=None
            Number of bins that are drawn as points besides the curve, which needs none; None: no points.
        strategy : 'uniform' or 'quantile', default='uniform'
            Whether bins have the same width or the same number of rows.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        pos_label : label or None, default=None
            The positive class; None: the second of the sorted labels.
        interval : float, default=0.9
            Probability of the band.
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
        display : CalibrationDisplay
            The display, drawn.
        """
        from ._calibrator import MonotoneCalibrator

        _check_line(f"{cls.__name__}.from_predictions", line, cls.from_predictions, cls.plot)
        y_true, y_prob = column_or_1d(y_true), column_or_1d(y_prob, dtype=float)
        check_consistent_length(y_true, y_prob)
        labels = np.unique(y_true)
        if len(labels) != 2:
            raise ValueError(f"y_true must have two classes, and has {len(labels)}")
        pos_label = labels[1] if pos_label is None else _known(pos_label, labels)
        interval, points = share(interval, "interval"), whole(points, "points", 2)
        n_bins = None if n_bins is None else whole(n_bins, "n_bins", 1)
        if strategy not in ("uniform", "quantile"):
            raise ValueError(f"strategy = {strategy!r}: it must be 'uniform' or 'quantile'")
        positive = y_true == pos_label
        cal = MonotoneCalibrator(score_kind="probability").fit(y_prob, positive, sample_weight)
        bins = None if n_bins is None else _binned(positive, y_prob, sample_weight, n_bins, strategy)
        at = np.linspace(y_prob.min(), y_prob.max(), points)
        p, lower, upper = cal.predict_proba(at, return_interval=interval)
        histogram = np.histogram(y_prob, bins=20, range=(0, 1), weights=sample_weight)
        curve = {"predicted": at, "observed": p[:, 1], "lower": lower, "upper": upper, "interval": interval}
        return cls(**curve, histogram=histogram, name=name, bins=bins).plot(ax, **line)

    @classmethod
    def from_estimator(cls, estimator, X, y, *, pos_label=None, name=None, **keywords):
        """Draw the reliability of a fitted classifier on rows it did not see.

        Parameters
        ----------
        estimator : classifier
            A fitted classifier with `predict_proba`.
        X : array-like of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Their labels.
        pos_label : label or None, default=None
            The positive class; None: the second of the estimator's two. Of more classes, the one that is drawn
            against the rest.
        name : str or None, default=None
            Name in the legend; None: that of the estimator's class.
        **keywords : dict
            Keywords of `from_predictions`.

        Returns
        -------
        display : CalibrationDisplay
            The display, drawn.
        """
        _check_line(f"{cls.__name__}.from_estimator", keywords, cls.from_estimator, cls.from_predictions, cls.plot)
        check_is_fitted(estimator)
        classes = estimator.classes_.tolist()
        if len(classes) != 2 and pos_label is None:
            raise ValueError(f"estimator: it must know two classes, and knows {len(classes)}: give pos_label")
        pos_label = classes[1] if pos_label is None else _known(pos_label, classes)
        p = estimator.predict_proba(X)[:, classes.index(pos_label)]
        if len(classes) != 2:
            y, pos_label = np.asarray(y) == pos_label, True
        return cls.from_predictions(y, p, pos_label=pos_label, name=name or type(estimator).__name__, **keywords)


ReliabilityDisplay = CalibrationDisplay
