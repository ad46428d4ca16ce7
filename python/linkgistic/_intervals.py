"""Intervals of class probabilities in one shape, for two classes and for many."""

import numpy as np

from ._keywords import refuses_unknown_keywords


def class_intervals(lower, upper):
    """(n, classes, 2) of bands of the second class (n,), or of all classes (n, classes)."""
    if lower.ndim == 1:
        lower, upper = np.stack([1 - upper, lower], axis=1), np.stack([1 - lower, upper], axis=1)
    return np.stack([lower, upper], axis=-1)


@refuses_unknown_keywords
class ClassIntervals:
    """`predict_interval` of an estimator whose `predict_proba` has bands."""

    def predict_interval(self, X, interval=0.9):
        """Credible intervals of the class probabilities.

        Parameters
        ----------
        X : array-like
            As in `predict_proba`.
        interval : float, default=0.9
            Probability inside each interval.

        Returns
        -------
        intervals : ndarray of shape (n_samples, n_classes, 2)
            The lower and the upper end for each class.
        """
        _, lower, upper = self.predict_proba(X, return_interval=interval)
        return class_intervals(lower, upper)
