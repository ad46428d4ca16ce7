"""Calibration as benchmarks call it: probabilities and labels in, probabilities out."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_array, check_is_fitted, column_or_1d

from ._calibrator import check_calibrator, new_calibrator
from ._keywords import refuses_unknown_keywords
from ._options import warn


@refuses_unknown_keywords
class ProbabilityCalibrator(ClassifierMixin, BaseEstimator):
    """`MonotoneCalibrator` with the interface of public calibration benchmarks.

    Benchmarks such as CalArena, and the package probmetrics, pass an array of probabilities with one column for each
    class and the index of the true column of each row, and expect an array of the same form back. Classes are columns
    here, so a class without a row among the labels is allowed.

    Parameters
    ----------
    calibrator : MonotoneCalibrator or None, default=None
        Holds the options for the calibration, and its `verbose` and `callback`; its `score_kind` is 'probability' here.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        Indices of the columns.
    calibrator_ : MonotoneCalibrator
        The fitted calibrator.

    Examples
    --------
    >>> import numpy as np
    >>> from linkgistic import ProbabilityCalibrator
    >>> rng = np.random.default_rng(0)
    >>> p = rng.dirichlet([1, 1, 1], size=500)
    >>> y = np.array([rng.choice(3, p=row) for row in p])
    >>> ProbabilityCalibrator().fit(p, y).predict_proba(p[:4]).shape
    (4, 3)
    """

    def __init__(self, calibrator=None):
        self.calibrator = calibrator

    def _probabilities(self, p):
        p = check_array(p, dtype=np.float64, ensure_min_features=2, input_name="p")
        if p.min() < 0 or p.max() > 1:
            raise ValueError("p: probabilities must lie in [0, 1]")
        sums = p.sum(axis=1)
        if sums.min() == 0:
            raise ValueError(f"p: the probabilities of row {sums.argmin() + 1} are all 0")
        off = np.abs(sums - 1)
        if off.max() <= 0.01:  # rounding
            return p
        row = off.argmax()
        warn(f"p: the probabilities of row {row + 1} sum to {sums[row]:.3g}: each row is divided by its sum")
        return p / sums[:, None]

    def fit(self, p, y, sample_weight=None):
        """Learn the maps.

        Parameters
        ----------
        p : array-like of shape (n_samples, n_classes)
            Probabilities of rows that the classifier was not trained on.
        y : array-like of int of shape (n_samples,)
            Index of the true column of each row.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : ProbabilityCalibrator
            The fitted estimator.
        """
        p = self._probabilities(p)
        check_calibrator(self.calibrator)
        y = column_or_1d(y, warn=True)
        if y.dtype.kind not in "biu" and not (y.dtype.kind == "f" and np.all(y == np.floor(y))):
            raise ValueError("y: the number of the column that came true is needed, a whole number for each row")
        classes = np.arange(p.shape[1])
        if len(y) and (y.min() < 0 or y.max() >= p.shape[1]):
            raise ValueError(f"y: columns are numbered 0 to {p.shape[1] - 1}")
        calibrator = new_calibrator(self.calibrator, score_kind="probability")
        self.calibrator_ = calibrator._fit(p, classes, y.astype(np.int32), sample_weight)
        self.n_features_in_ = p.shape[1]
        self.classes_ = classes
        return self

    def predict_proba(self, p):
        """Calibrated probabilities.

        Parameters
        ----------
        p : array-like of shape (n_samples, n_classes)
            As in fit.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Strictly inside (0, 1); rows sum to 1.
        """
        check_is_fitted(self)
        p = self._probabilities(p)
        if p.shape[1] != self.n_features_in_:
            raise ValueError(f"p has {p.shape[1]} columns, and had {self.n_features_in_} in fit")
        return self.calibrator_.predict_proba(p)

    def predict(self, p):
        """The most probable columns.

        Parameters
        ----------
        p : array-like of shape (n_samples, n_classes)
            As in fit.

        Returns
        -------
        columns : ndarray of int of shape (n_samples,)
            Elements of `classes_`.
        """
        columns = self.predict_proba(p).argmax(axis=1)
        return self.classes_[columns]

    def plot(self, X=None, y=None, **keywords):
        """Draw the map of two classes with its band; keywords are those of `CurveDisplay.from_estimator`.

        Parameters
        ----------
        X : array-like of shape (n_samples,), default=None
            Probabilities of the second class whose range is drawn; None: that of the training data.
        y : array-like of shape (n_samples,), default=None
            0 or 1 for each of them, drawn as points.

        Returns
        -------
        display : CurveDisplay
            The display, drawn.
        """
        from ._curve_display import CurveDisplay

        return CurveDisplay.from_estimator(self, X, y, **keywords)

    def _curve(self, ends, points, interval):
        from ._curve_display import average_curve

        return average_curve([self.calibrator_], ends, points, interval) | {"x_name": "probability before"}
