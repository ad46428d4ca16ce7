"""The learned loss of many classes, for other models to be trained on."""

import numpy as np

from . import _core
from ._keywords import refuses_unknown_keywords
from ._options import one_dimension, readable, save_model


@refuses_unknown_keywords
class LearnedClassLoss:
    """The loss ``-log p[y]`` of a softmax over learned links, ``p = softmax(nu_1(x_1), .., nu_C(x_C))``.

    It is proper: its expectation is least where the probabilities are the true ones.

    Parameters
    ----------
    n_classes : int
        The number of classes, each with the identity as its link: the loss of multinomial logistic regression.
        Learned losses come from ``LinkgisticClassifier(multiclass="softmax").learned_loss_`` and `load`.
        `BoosterClassifier` trains XGBoost and LightGBM on them.

    Examples
    --------
    >>> from linkgistic import LearnedClassLoss
    >>> loss = LearnedClassLoss(3)
    >>> loss([2, 0], [[0.0, 0.0, 0.0], [1.0, 0.0, -1.0]]).round(4)
    array([1.0986, 0.4076])
    """

    def __init__(self, n_classes):
        if isinstance(n_classes, bool) or not isinstance(n_classes, (int, np.integer)) or n_classes < 2:
            raise ValueError(f"n_classes = {n_classes!r}: it must be a whole number from 2 on")
        self._loss = _core.LearnedClassLoss.canonical([str(k) for k in range(n_classes)])

    @classmethod
    def _of(cls, loss):
        result = cls.__new__(cls)
        result._loss = loss
        return result

    def __repr__(self):
        return f"<LearnedClassLoss of {self.n_classes} classes>"

    @property
    def n_classes(self):
        """The number of classes."""
        return len(self._loss.class_names)

    @property
    def score_ranges(self):
        """(n_classes, 2): the scores that each link was learned on. Outside of them it is straight."""
        return np.array([[self._loss.score_lower(k), self._loss.score_upper(k)] for k in range(self.n_classes)])

    def _table(self, x, name="x"):
        x = np.asarray(x, dtype=np.float64)
        if x.ndim != 2 or x.shape[1] != self.n_classes:
            raise ValueError(f"{name}: it has the shape {x.shape}, and rows of {self.n_classes} numbers are needed")
        if np.isnan(x).any():
            raise ValueError(f"{name}: that of row {np.flatnonzero(np.isnan(x).any(axis=1))[0] + 1} is NaN")
        return np.ascontiguousarray(x).ravel()

    def _labels(self, y):
        y = one_dimension(y, "y")
        places = y.astype(np.int32)
        if np.any(places != y) or np.any((places < 0) | (places >= self.n_classes)):
            raise ValueError(f"y: labels must be 0 to {self.n_classes - 1}")
        return places

    def values(self, y, x):
        """Value, gradient and Hessian in the scores.

        Parameters
        ----------
        y : array-like of shape (n,)
            Places of the labels among the classes, 0 to n_classes - 1.
        x : array-like of shape (n, n_classes)
            Scores.

        Returns
        -------
        value : ndarray of shape (n,)
            The loss of each row.
        gradient : ndarray of shape (n, n_classes)
            Its derivatives.
        hessian : ndarray of shape (n, n_classes, n_classes)
            Its second derivatives; it may have negative eigenvalues.
        """
        value, gradient, hessian = self._loss.at(self._labels(y), self._table(x), True)
        return value, gradient, hessian.reshape(-1, self.n_classes, self.n_classes)

    def __call__(self, y, x):
        """The loss of each row."""
        return self._loss.at(self._labels(y), self._table(x))[0]

    def gradient(self, y, x):
        """Its derivatives in the scores, of shape (n, n_classes)."""
        return self._loss.at(self._labels(y), self._table(x))[1]

    def hessian(self, y, x):
        """Its second derivatives, of shape (n, n_classes, n_classes)."""
        return self.values(y, x)[2]

    def information(self, x):
        """Fisher's information of each score in a label, of shape (n, n_classes): never negative."""
        return self._loss.information(self._table(x))

    def predict_proba(self, x):
        """Probabilities of the classes at scores, of shape (n, n_classes)."""
        return self._loss.probability(self._table(x))

    def predict_log_proba(self, x):
        """Their logarithms."""
        return self._loss.log_probability(self._table(x))

    def link(self, p):
        """Scores of probabilities: an inverse of `predict_proba`, that where the links' values add up to 0."""
        return self._loss.link(self._table(p, "p"))

    def source(self, label, x):
        """The link of class number `label` at scores of shape (n,), with its first and second derivative."""
        if not 0 <= label < self.n_classes:
            raise ValueError(f"label = {label!r}: it must be 0 to {self.n_classes - 1}")
        return self._loss.source(int(label), np.ascontiguousarray(one_dimension(x, "x", np.float64)))

    # What `BoosterClassifier` asks of a loss.

    def _start(self, labels, weight):
        share = np.bincount(labels, weights=weight, minlength=self.n_classes)
        return self.link((share / share.sum())[np.newaxis])[0]

    def _row_losses(self, y, scores):
        return self(y, scores)

    def _probabilities(self, scores):
        return self.predict_proba(scores)

    def _decision(self, scores):
        return self.predict_log_proba(scores)

    def _objective(self, first, second, sample_weight=None):
        """Gradient and second derivative for a booster, of (labels, predictions, weights) or (predictions, rows)."""
        y, x, weight = first, second, sample_weight
        if hasattr(second, "get_label"):
            y, x, weight = second.get_label(), first, second.get_weight()
        # The scores of all classes move at once: the diagonal of the Hessian alone would let them go too far.
        together = self.n_classes / (self.n_classes - 1)
        gradient, curvature = self.gradient(y, x), np.maximum(together * self.information(x), 1e-6)
        if weight is not None and np.size(weight):
            gradient, curvature = gradient * np.reshape(weight, (-1, 1)), curvature * np.reshape(weight, (-1, 1))
        return gradient, curvature

    def xgboost_objective(self):
        """The loss as an objective of XGBoost, for ``XGBClassifier(objective=...)`` and ``xgboost.train(obj=...)``.

        .. warning:: ``XGBClassifier(objective=...).predict_proba`` takes the softmax of the scores without the links,
           and so do its metrics. Use `BoosterClassifier`, or make probabilities of the margins
           (``predict(X, output_margin=True)``) by `predict_proba` of the loss.

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
        """The loss as a PyTorch module: ``module(scores, labels)``, scores of shape (n, n_classes).

        Parameters
        ----------
        reduction : {'mean', 'sum', 'none'}, default='mean'
            How the losses of the rows are combined.

        Returns
        -------
        module : torch.nn.Module
            Differentiable once in the scores.
        """
        from ._torch import LearnedClassLossModule

        return LearnedClassLossModule(self, reduction)

    def save(self, path):
        """Write the loss to a file; it is written completely or not at all."""
        save_model(self._loss, path)

    @classmethod
    def load(cls, path):
        """A loss from a file."""
        return cls._of(_core.LearnedClassLoss.load(readable(path)))
