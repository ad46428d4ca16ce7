"""A classifier with its calibration, learned on rows that the classifier did not see."""

from contextlib import closing
from typing import Any, NamedTuple

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import check_cv
from sklearn.svm import LinearSVC
from sklearn.utils import _safe_indexing, get_tags, indexable
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import (
    _check_method_params,
    _check_sample_weight,
    check_is_fitted,
    column_or_1d,
    has_fit_parameter,
)

from ._calibrator import MonotoneCalibrator, check_calibrator, new_calibrator
from ._documentation import documented
from ._intervals import ClassIntervals
from ._keywords import check_keywords, keyword_names, refuses_unknown_keywords
from ._options import check_two_classes, non_negative, row_numbers, warn, warn_of_regression
from ._progress import PROGRESS_PARAMETERS, Steps, progress_callback
from ._tables import as_table


def _score_method(estimator):
    """The name of the method that gives the scores."""
    for method in ("decision_function", "predict_proba"):
        if hasattr(estimator, method):
            return method
    raise TypeError(f"estimator: a {type(estimator).__name__} has neither decision_function nor predict_proba")


def _fit_one(estimator, X, y, fit_params, train):
    """A clone fitted to the training rows."""
    params = _check_method_params(X, fit_params, indices=train)
    return clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train), **params)


def _fit_part(estimator, X, y, fit_params, classes, part, keep):
    """A clone fitted to a part's training rows, or None if it is not to be kept, and its scores of the test rows."""
    train, test = part
    fitted = _fit_one(estimator, X, y, fit_params, train)
    scores = _class_scores(fitted, _safe_indexing(X, test), classes)
    return (fitted if keep else None), scores


def _class_scores(estimator, X, classes):
    """Scores of shape (n,) for two classes, or (n, classes)."""
    method = _score_method(estimator)
    return _spread(getattr(estimator, method)(X), estimator.classes_, classes, method)


def _spread(scores, known, classes, method):
    """Scores (n, known) with columns for all classes; one that a fold did not have gets its row's least score."""
    if scores.ndim == 1:
        if len(classes) == 2:
            return scores
        scores = np.column_stack([-scores, scores])
    if len(known) == len(classes):
        return scores
    least = 0.0 if method == "predict_proba" else scores.min(axis=1, keepdims=True)
    full = np.full((len(scores), len(classes)), least)
    full[:, np.searchsorted(classes, known)] = scores
    return full


class CalibratedPair(NamedTuple):
    """A fitted estimator and the map of its scores, with the names that scikit-learn's pairs have."""

    estimator: Any
    calibrator: MonotoneCalibrator

    @property
    def calibrators(self):
        """The map in a list."""
        return [self.calibrator]

    @property
    def classes(self):
        """The labels."""
        return self.calibrator.classes_

    def predict_proba(self, X, return_interval=None):
        """Probabilities by this pair alone, as `CalibratedClassifier.predict_proba`."""
        return self.calibrator.predict_proba(_class_scores(self.estimator, as_table(X), self.classes), return_interval)


def _check_known(y, classes):
    """Every label must be one of a fitted estimator's."""
    unknown = set(y.tolist()) - set(classes.tolist())
    if unknown:
        label = min(unknown, key=str)
        raise ValueError(f"y has the label {label!r}, and the fitted estimator knows {classes.tolist()}")


def _check_partition(splits, count):
    """Every row must be scored once where one map is learned from all scores."""
    scored = np.concatenate([test for _, test in splits])
    if not np.array_equal(np.sort(scored), np.arange(count)):
        raise ValueError("cv: without an ensemble every row must be in the test rows of one part, and of one alone")


def _check_rows_of_maps(splits):
    """A map that is learned from one row says nothing."""
    if all(len(test) == 1 for _, test in splits):
        raise ValueError(
            "cv: LeaveOneOut cross-validation does not leave the maps of an ensemble more than one row each: give larger "
            "parts, or ensemble=False"
        )


@refuses_unknown_keywords
@documented((), PROGRESS_PARAMETERS)
class CalibratedClassifier(MetaEstimatorMixin, ClassIntervals, ClassifierMixin, BaseEstimator):
    """A classifier whose scores become probabilities by `MonotoneCalibrator`.

    It is used like scikit-learn's ``CalibratedClassifierCV``; its map is smooth, strictly increasing and has bands.

    Parameters
    ----------
    estimator : estimator or None, default=None
        The source of the scores, by `decision_function` or else `predict_proba`. None: ``LinearSVC(random_state=0)``.
    cv : int, splitter, iterable, 'prefit' or None, default=None
        Parts of the rows. Each is scored by an estimator fitted to the others. None: 5, or 2 to 4 if the smallest
        class has fewer rows. 'prefit' (or a ``FrozenEstimator``): the estimator is already fitted, and all rows are
        used for the calibration.
    n_jobs : int or None, default=None
        Number of parts fitted at the same time.
    ensemble : bool or 'auto', default='auto'
        True: the average of one calibrated estimator a part. False: one estimator fitted to all rows, calibrated on
        the scores of all parts. 'auto': False for a ``FrozenEstimator``.
    calibrator : MonotoneCalibrator or None, default=None
        Holds the options for the calibration. Its `score_kind` 'auto' is 'decision' or 'probability' here, by the
        method that gives the scores.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    calibrated_classifiers_ : list of (estimator, MonotoneCalibrator)
        The pairs whose probabilities are averaged: named tuples with `estimator`, `calibrator` and `predict_proba`.

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

    def __init__(
        self,
        estimator=None,
        *,
        cv=None,
        n_jobs=None,
        ensemble="auto",
        calibrator=None,
        verbose=0,
        callback=None,
    ):
        self.estimator = estimator
        self.cv = cv
        self.n_jobs = n_jobs
        self.ensemble = ensemble
        self.calibrator = calibrator
        self.verbose = verbose
        self.callback = callback

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self._estimator())
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        return tags

    def _estimator(self):
        return LinearSVC(random_state=0) if self.estimator is None else self.estimator

    def _calibrate(self, method, scores, classes, y, sample_weight, steps):
        """A calibrator that tells its steps to the callback of its own, where it has one, and here."""
        kind, own = "auto", None
        if self.calibrator is not None:
            kind, own = self.calibrator.score_kind, self.calibrator.callback
        of_method = "probability" if method == "predict_proba" else "decision"

        def tell(progress):
            if own is not None:
                own(progress)
            steps.pass_on(progress)

        calibrator = new_calibrator(self.calibrator, callback=tell, score_kind=of_method if kind == "auto" else kind)
        calibrator._fit(scores, classes, np.searchsorted(classes, y), sample_weight)
        return calibrator.set_params(callback=own, score_kind=kind)

    def _check_parameters(self):
        if not (isinstance(self.ensemble, (bool, np.bool_)) or self.ensemble == "auto"):
            raise ValueError(f"ensemble = {self.ensemble!r}: it must be True, False or 'auto'")
        if isinstance(self.cv, str) and self.cv != "prefit":
            raise ValueError(f"cv = {self.cv!r}: it must be a number, a splitter or 'prefit'")
        check_calibrator(self.calibrator)
        if not hasattr(self._estimator(), "fit"):
            raise TypeError(f"estimator = {self.estimator!r}: it must be a classifier")

    def get_metadata_routing(self):
        """Who takes which keywords of `fit`: the estimator, and the splitter of the rows.

        Returns
        -------
        routing : MetadataRouter
            scikit-learn's.
        """
        router = MetadataRouter(owner=type(self).__name__).add_self_request(self)
        router.add(estimator=self._estimator(), method_mapping=MethodMapping().add(caller="fit", callee="fit"))
        return router.add(splitter=self.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))

    def _routed(self, given, sample_weight):
        """The keywords for the estimator's `fit` and for the splitter."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", sample_weight=sample_weight, **given)
            return routed.estimator.fit, routed.splitter.split
        self._check_fit_keywords(given)
        weighted = sample_weight is not None and not isinstance(self.cv, str)
        if weighted and has_fit_parameter(self._estimator(), "sample_weight"):
            given = {**given, "sample_weight": sample_weight}
        elif weighted and not isinstance(self._estimator(), FrozenEstimator):
            name = type(self._estimator()).__name__
            warn(f"{name} takes no sample_weight: the weights are for the calibration alone")
        return given, {}

    def _check_fit_keywords(self, given):
        """Keywords that neither `fit` nor that of the estimator takes are refused before anything is fitted."""
        known, any_other = keyword_names(self._estimator().fit)
        if not any_other:
            check_keywords(f"{type(self).__qualname__}.fit", given, known | {"sample_weight"})

    def fit(self, X, y, sample_weight=None, **fit_params):
        """Fit the classifier and its calibration.

        The steps that `verbose` and `callback` report are the fits of the estimator (phase 'estimators'), then the
        steps of each calibration, as in `MonotoneCalibrator`, and its end (phase 'calibrators'). During a calibration
        Ctrl-C has the same effect as in `MonotoneCalibrator`; otherwise it raises KeyboardInterrupt.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights for the calibration, and for an estimator that accepts them.
        **fit_params : dict
            Keywords for the estimator's `fit`; arrays with one value per row are split as the rows are. With scikit-learn's
            metadata routing, keywords for the estimator's `fit` and for the splitter's `split`, as they have requested.

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
        self._check_parameters()
        if sample_weight is not None:
            sample_weight = non_negative(_check_sample_weight(sample_weight, X))
        fit_params, split_params = self._routed(fit_params, sample_weight)
        with progress_callback(self.verbose, self.callback) as told:
            steps = Steps(told)
            if isinstance(self.cv, str):
                classes, scored = self._score_prefit(self._estimator(), X, y, fit_params)
            else:
                routed = fit_params, split_params
                classes, scored = self._score_parts(self._estimator(), X, y, sample_weight, *routed, steps)
            calibrated = []
            for estimator, scores, rows in scored:
                weight = None if sample_weight is None else sample_weight[rows]
                method = _score_method(estimator)
                calibrator = self._calibrate(method, scores, classes, y[rows], weight, steps)
                calibrated.append(CalibratedPair(estimator, calibrator))
                steps.tell("calibrators", len(calibrated), len(scored))
        self.classes_, self.calibrated_classifiers_ = classes, calibrated
        first = calibrated[0][0]
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(first, name):
                setattr(self, name, getattr(first, name))
        return self

    @staticmethod
    def _score_prefit(estimator, X, y, fit_params):
        """The classes, and the estimator with its scores and their rows."""
        if fit_params:
            raise ValueError(f"cv = 'prefit': there is no fit of the estimator to take {', '.join(fit_params)}")
        check_is_fitted(estimator, "classes_")
        classes = estimator.classes_
        _check_known(y, classes)
        return classes, [(estimator, _class_scores(estimator, X, classes), slice(None))]

    def _score_parts(self, estimator, X, y, sample_weight, fit_params, split_params, steps):
        """The classes, and fitted estimators with scores of rows that they did not see, and these rows."""
        frozen = isinstance(estimator, FrozenEstimator)
        classes = estimator.classes_ if frozen else np.unique(y)
        _check_known(y, classes)
        check_two_classes(classes)
        if not frozen:
            check_two_classes(classes, y, sample_weight)
            warn_of_regression(classes, len(y))
        splits = self._splits(X, y, split_params)
        each = not frozen if self.ensemble == "auto" else self.ensemble
        if each:
            _check_rows_of_maps(splits)
        else:
            _check_partition(splits, len(y))
        fits = len(splits) if each else len(splits) + 1
        jobs = (delayed(_fit_part)(estimator, X, y, fit_params, classes, part, each) for part in splits)
        found = []
        with closing(Parallel(n_jobs=self.n_jobs, return_as="generator")(jobs)) as results:
            for (fitted, scores), (_, test) in zip(results, splits):
                found.append((fitted, scores, test))
                steps.tell("estimators", len(found), fits)
        if not each:
            scores = np.empty((len(y), *found[0][1].shape[1:]))
            for _, of_part, test in found:
                scores[test] = of_part
            found = [(_fit_one(estimator, X, y, fit_params, np.arange(len(y))), scores, slice(None))]
            steps.tell("estimators", fits, fits)
        return classes, found

    def _splits(self, X, y, split_params):
        """Pairs of row numbers: to fit to, and to score."""
        fewest = np.unique(y, return_counts=True)[1].min()
        cv = check_cv(min(max(fewest, 2), 5) if self.cv is None else self.cv, y, classifier=True)
        n_splits = getattr(cv, "n_splits", None)
        if n_splits and fewest < n_splits and self.cv is not None:
            raise ValueError(
                f"Requesting {n_splits}-fold cross-validation but provided less than {n_splits} examples for at least "
                "one class."
            )
        splits = [tuple(row_numbers(rows, len(y)) for rows in part) for part in cv.split(X, y, **split_params)]
        if not splits:
            raise ValueError(f"cv = {self.cv!r}: it has no parts")
        return splits

    def predict_proba(self, X, return_interval=None):
        """Calibrated probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        return_interval : float or None, default=None
            If given, credible bands with this probability are returned as well.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            The average over `calibrated_classifiers_`.
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Only with `return_interval`; averages as well. For two classes, the band of the second one's probability.
        """
        check_is_fitted(self)
        X = as_table(X)
        all_of = [pair.predict_proba(X, return_interval) for pair in self.calibrated_classifiers_]
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
            Elements of `classes_`.
        """
        check_is_fitted(self)
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def plot(self, X=None, y=None, **keywords):
        """Draw the map from score to probability of two classes with its band; keywords are those of `CurveDisplay.from_estimator`.

        Parameters
        ----------
        X : array-like of shape (n_samples,), default=None
            Scores whose range is drawn; None: that of the training data.
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

        calibrators = [calibrator for _, calibrator in self.calibrated_classifiers_]
        curve = average_curve(calibrators, ends, points, interval)
        score = _score_method(self.calibrated_classifiers_[0][0])
        return curve | {"x_name": f"{score} of {type(self.calibrated_classifiers_[0][0]).__name__}"}
