"""A classifier with its calibration, learned on rows that the classifier did not see."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.model_selection import check_cv, cross_val_predict
from sklearn.svm import LinearSVC
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
)

from ._calibrator import MonotoneCalibrator
from ._tables import as_table

try:
    from sklearn.frozen import FrozenEstimator
except ImportError:  # pragma: no cover
    FrozenEstimator = ()


def _score_method(estimator):
    return "decision_function" if hasattr(estimator, "decision_function") else "predict_proba"


def _fit_one(estimator, X, y, sample_weight, train):
    """A clone fitted to the training rows."""
    estimator = clone(estimator)
    rows = _safe_indexing(X, train), _safe_indexing(y, train)
    if sample_weight is None:
        return estimator.fit(*rows)
    return estimator.fit(*rows, sample_weight=_safe_indexing(sample_weight, train))


def _spread(scores, known, classes):
    """Scores (n, known) with columns for all classes; those that a fold did not have get the least score."""
    if scores.ndim == 1:
        if len(classes) == 2:
            return scores
        scores = np.column_stack([-scores, scores])
    if len(known) == len(classes):
        return scores
    full = np.full((len(scores), len(classes)), scores.min())
    full[:, np.searchsorted(classes, known)] = scores
    return full


class CalibratedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """A classifier whose scores become probabilities by `MonotoneCalibrator`.

    Beside scikit-learn's ``CalibratedClassifierCV``: the map is smooth, strictly increasing and has bands.

    Parameters
    ----------
    estimator : estimator or None, default=None
        What gives the scores, by `decision_function` or else `predict_proba`. None: ``LinearSVC(random_state=0)``.
    cv : int, splitter, iterable, 'prefit' or None, default=None
        Parts of the rows: each is scored by an estimator fitted to the others. None: 5. 'prefit' (or a
        ``FrozenEstimator``): the estimator is fitted already and all rows are for the calibration.
    n_jobs : int or None, default=None
        Parts fitted at the same time.
    ensemble : bool or 'auto', default='auto'
        True: the average of one calibrated estimator a part. False: one estimator fitted to all rows, calibrated on
        the scores of all parts. 'auto': False for a ``FrozenEstimator``.
    calibrator : MonotoneCalibrator or None, default=None
        With the options for the calibration.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    calibrated_classifiers_ : list of (estimator, MonotoneCalibrator)
        Whose probabilities are averaged.

    Examples
    --------
    >>> from sklearn.datasets import make_classification
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> from linkgistic import CalibratedClassifier
    >>> X, y = make_classification(n_samples=300, random_state=0)
    >>> forest = RandomForestClassifier(n_estimators=20, random_state=0)
    >>> model = CalibratedClassifier(forest, cv=5).fit(X, y)
    >>> model.predict_proba(X[:4]).shape
    (4, 2)
    """

    def __init__(self, estimator=None, *, cv=None, n_jobs=None, ensemble="auto", calibrator=None):
        self.estimator = estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble
        self.calibrator = calibrator

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self._estimator())
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def _estimator(self):
        return LinearSVC(random_state=0) if self.estimator is None else self.estimator

    def _calibrator(self):
        return MonotoneCalibrator() if self.calibrator is None else clone(self.calibrator)

    def _scores(self, estimator, X):
        return _spread(getattr(estimator, _score_method(estimator))(X), estimator.classes_, self.classes_)

    def _calibrate(self, scores, y, sample_weight):
        present, labels = np.unique(np.searchsorted(self.classes_, y), return_inverse=True)
        if len(present) < len(self.classes_):
            raise ValueError(f"a part of the rows has no row of class {np.setdiff1d(self.classes_, y)[0]}")
        if scores.ndim == 2 and len(self.classes_) == 2:
            scores = scores[:, 1]
        return self._calibrator()._fit(scores, self.classes_, labels, sample_weight)

    def fit(self, X, y, sample_weight=None):
        """Fit the classifier and its calibration.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        sample_weight : array-like of shape (n_samples,), default=None
            For the calibration, and for an estimator that takes them.

        Returns
        -------
        self : CalibratedClassifier
            The fitted estimator.
        """
        X, y = indexable(as_table(X), y)
        y = column_or_1d(y, warn=True)
        check_classification_targets(y)
        if len(y) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        if sample_weight is not None:
            sample_weight = _check_sample_weight(sample_weight, X)
        estimator = self._estimator()
        prefit = isinstance(self.cv, str) and self.cv == "prefit"
        if isinstance(self.cv, str) and not prefit:
            raise ValueError(f"cv = {self.cv!r}: it must be a number, a splitter or 'prefit'")
        if prefit:
            check_is_fitted(estimator, "classes_")
            self.classes_ = estimator.classes_
            scores = self._scores(estimator, X)
            self.calibrated_classifiers_ = [(estimator, self._calibrate(scores, y, sample_weight))]
        else:
            self._fit_parts(estimator, X, y, sample_weight)
        first = self.calibrated_classifiers_[0][0]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    def _fit_parts(self, estimator, X, y, sample_weight):
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"rows of at least 2 classes are needed, and there is 1 class, {self.classes_[0]}")
        cv = check_cv(5 if self.cv is None else self.cv, y, classifier=True)
        n_splits = getattr(cv, "n_splits", None)
        if n_splits and np.unique(y, return_counts=True)[1].min() < n_splits:
            raise ValueError(
                f"Requesting {n_splits}-fold cross-validation but provided less than {n_splits} examples for at least "
                "one class."
            )
        to_estimator = sample_weight if has_fit_parameter(estimator, "sample_weight") else None
        frozen = isinstance(estimator, FrozenEstimator)
        ensemble = not frozen if self.ensemble == "auto" else self.ensemble
        if ensemble:
            splits = list(cv.split(X, y))
            fitted = Parallel(n_jobs=self.n_jobs)(
                delayed(_fit_one)(estimator, X, y, to_estimator, train) for train, _ in splits
            )
            self.calibrated_classifiers_ = []
            for one, (_, test) in zip(fitted, splits):
                scores = self._scores(one, _safe_indexing(X, test))
                weight = None if sample_weight is None else sample_weight[test]
                self.calibrated_classifiers_.append((one, self._calibrate(scores, _safe_indexing(y, test), weight)))
            return
        params = None if to_estimator is None else {"sample_weight": to_estimator}
        scores = cross_val_predict(
            clone(estimator), X, y, cv=cv, method=_score_method(estimator), n_jobs=self.n_jobs, params=params
        )
        one = _fit_one(estimator, X, y, to_estimator, np.arange(len(y)))
        self.calibrated_classifiers_ = [(one, self._calibrate(scores, y, sample_weight))]

    def predict_proba(self, X, return_interval=None):
        """Calibrated probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        return_interval : float or None, default=None
            Also the credible bands that hold this much.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            The average over `calibrated_classifiers_`.
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Only with `return_interval`; averages too. Of two classes: of the second one's probability.
        """
        check_is_fitted(self)
        X = as_table(X)
        all_of = [c.predict_proba(self._scores(e, X), return_interval) for e, c in self.calibrated_classifiers_]
        if return_interval is None:
            return np.mean(all_of, axis=0)
        return tuple(np.mean(part, axis=0) for part in zip(*all_of))

    def predict(self, X):
        """The most probable labels.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Of `classes_`.
        """
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]
