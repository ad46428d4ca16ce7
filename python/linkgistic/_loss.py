"""The learned loss, for other models to be trained on."""

import numpy as np

from . import _core
from ._keywords import refuses_unknown_keywords
from ._options import one_dimension, readable, save_model


def _numbers(x, name="x"):
    """A number, (n,) or (n, 1) as numbers of shape (n,), none of them NaN."""
    x = one_dimension(x, name, np.float64)
    if np.isnan(x).any():
        raise ValueError(f"{name}: that of row {np.flatnonzero(np.isnan(x))[0] + 1} is NaN")
    return np.ascontiguousarray(x)


def _labels(y):
    y = one_dimension(y, "y")
    if not np.all((y == 0) | (y == 1)):
        raise ValueError("y: labels must be 0 or 1")
    return y.astype(np.uint8)


@refuses_unknown_keywords
class LearnedLoss:
    """A proper loss of a real score, whose link from score to probability was learned.

    Parameters
    ----------
    base : str, default='log'
        A proper loss with its canonical link: 'log', 'square', 'matsushita', ... Learned losses come from
        `LinkgisticClassifier.learned_loss_` and `load`. `BoosterClassifier` trains XGBoost and LightGBM on them.

    Examples
    --------
    >>> from linkgistic import LearnedLoss
    >>> loss = LearnedLoss()
    >>> loss([1, 0], [0.0, 2.0]).round(4)
    array([0.6931, 2.1269])
    >>> loss.gradient([1, 0], [0.0, 2.0]).round(4)
    array([-0.5   ,  0.8808])
    """

    def __init__(self, base="log"):
        if not isinstance(base, str):
            raise TypeError(f"base = {base!r}: it must be the name of a loss")
        self._loss = _core.LearnedLoss.canonical(base)

    @classmethod
    def _of(cls, loss):
        result = cls.__new__(cls)
        result._loss = loss
        return result

    def __repr__(self):
        return f"<LearnedLoss on '{self.base}', scores {self.score_range[0]:.4g} to {self.score_range[1]:.4g}>"

    @property
    def base(self):
        """Name of the base loss."""
        return self._loss.base

    @property
    def n_classes(self):
        """The number of classes, 2."""
        return 2

    @property
    def score_range(self):
        """The range of scores that the link was learned on. Outside of it the link is straight."""
        return self._loss.score_lower, self._loss.score_upper

    @property
    def increasing(self):
        """False only where a link of the prior 'gp' falls somewhere."""
        return self._loss.increasing

    @property
    def lipschitz_bound(self):
        """A bound of the derivative's size for all scores."""
        return self._loss.lipschitz_bound

    @property
    def margin_lipschitz_bound(self):
        """A bound of the slope, in the probability, of a margin loss of the link; infinite where it is flat.

        The margin loss is G(y chi(u)) with y = -1 or 1, chi(u) the score of the probability u and a G whose own
        slope is at most 1. Probabilities are those of `score_range`.
        """
        return self._loss.margin_lipschitz_bound

    def values(self, y, x):
        """Value, first and second derivative in the score.

        Parameters
        ----------
        y : array-like of shape (n,)
            Labels, 0 or 1.
        x : array-like of shape (n,)
            Scores.

        Returns
        -------
        value, gradient, curvature : ndarray of shape (n,)
            The curvature may be negative.
        """
        return self._loss.at(_labels(y), _numbers(x))

    def __call__(self, y, x):
        """The loss of each row."""
        return self.values(y, x)[0]

    def gradient(self, y, x):
        """Its first derivative in the score."""
        return self.values(y, x)[1]

    def curvature(self, y, x):
        """Its second derivative in the score."""
        return self.values(y, x)[2]

    def information(self, x):
        """Fisher's information of the score in a label: a second derivative that is never negative."""
        return self._loss.information(_numbers(x))

    def predict_proba(self, x):
        """Probability of label 1 at scores.

        Parameters
        ----------
        x : array-like of shape (n,)
            Scores.

        Returns
        -------
        p : ndarray of shape (n,)
            Inside (0, 1).
        """
        return self._loss.inverse_link(_numbers(x))

    def log_odds(self, x):
        """Log odds of label 1 at scores."""
        return self._loss.log_odds(_numbers(x))

    def link(self, p):
        """The scores of probabilities, the inverse of `predict_proba`."""
        return self._loss.link(_numbers(p, "p"))

    # What `BoosterClassifier` asks of a loss.

    def _start(self, labels, weight):
        return float(self.link([np.average(labels, weights=weight)])[0])

    def _row_losses(self, y, scores):
        log_odds = self.log_odds(scores)
        return np.logaddexp(0, np.where(np.ravel(y) > 0, -log_odds, log_odds))

    def _probabilities(self, scores):
        p = self.predict_proba(scores)
        return np.column_stack([1 - p, p])

    def _decision(self, scores):
        return self.log_odds(scores)

    def _objective(self, first, second, sample_weight=None):
        """Gradient and second derivative for a booster, of (labels, predictions, weights) or (predictions, rows).

        XGBoost hands weights over by this name.
        """
        y, x, weight = first, second, sample_weight
        if hasattr(second, "get_label"):
            y, x, weight = second.get_label(), first, second.get_weight()
        gradient, curvature = self.gradient(y, x), np.maximum(self.information(x), 1e-6)
        if weight is not None and np.size(weight):
            gradient, curvature = gradient * weight, curvature * weight
        return gradient, curvature

    def xgboost_objective(self):
        """The loss as an objective of XGBoost, for ``XGBClassifier(objective=...)`` and ``xgboost.train(obj=...)``.

        .. warning:: ``XGBClassifier(objective=...).predict_proba`` takes the sigmoid of the scores, which is not
           the link of this loss, and so do its metrics. Use `BoosterClassifier`, or make probabilities of the margins
           (``predict(X, output_margin=True)``) by `predict_proba` of the loss.

        The second derivative handed over is Fisher's information, which is never negative.

        Returns
        -------
        objective : callable
            ``(labels, predictions, weights)`` or ``(predictions, DMatrix)`` to gradient and second derivative.
        """
        return self._objective

    def lightgbm_objective(self):
        """The loss as an objective of LightGBM, for ``LGBMClassifier(objective=...)`` and ``params['objective']``.

        .. warning:: ``LGBMClassifier(objective=...).predict_proba`` returns scores, and its metrics take them for
           probabilities. Use `BoosterClassifier`, or make probabilities of the scores by `predict_proba` of the loss.

        Returns
        -------
        objective : callable
            ``(labels, predictions, weights)`` or ``(predictions, Dataset)`` to gradient and second derivative.
        """
        return self._objective

    def torch(self, reduction="mean"):
        """The loss as a PyTorch module: ``module(scores, labels)``.

        Parameters
        ----------
        reduction : {'mean', 'sum', 'none'}, default='mean'
            How the losses of the rows are combined.

        Returns
        -------
        module : torch.nn.Module
            Differentiable once in the scores.
        """
        from ._torch import LearnedLossModule

        return LearnedLossModule(self, reduction)

    def plot(self, **keywords):
        """Draw the loss of both labels; keywords are those of `LossDisplay.from_loss`.

        Returns
        -------
        display : LossDisplay
            The display, drawn.
        """
        from ._loss_display import LossDisplay

        return LossDisplay.from_loss(self, **keywords)

    def save(self, path):
        """Write the loss to a file; it is written completely or not at all."""
        save_model(self._loss, path)

    @classmethod
    def load(cls, path):
        """A loss from a file."""
        return cls._of(_core.LearnedLoss.load(readable(path)))
