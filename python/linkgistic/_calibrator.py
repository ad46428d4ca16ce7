"""Calibration: the scores of a classifier become probabilities."""

from copy import copy

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._documentation import documented, keywords
from ._intervals import ClassIntervals
from ._keywords import refuses_unknown_keywords
from ._options import (
    ModelFile,
    check_two_classes,
    encode_labels,
    label_names,
    labels_from_names,
    most_probable,
    options_of,
    refuse_missing_labels,
    report,
    share,
    weight_array,
)
from ._progress import PROGRESS_PARAMETERS, Steps, progress_callback
from ._sklearn_names import in_python
from ._tables import column_names, named_columns, refuse_times


def _kind(scores, options):
    """What two columns of scores are: probabilities of both classes, or scores whose difference counts."""
    kind = options.get("score_kind", "auto")
    if kind != "auto" or np.ndim(scores) != 2 or np.shape(scores)[1] != 2:
        return kind
    scores = np.asarray(scores, dtype=np.float64)
    probabilities = np.all((scores >= 0) & (scores <= 1)) and np.all(np.abs(scores.sum(axis=1) - 1) <= 0.01)
    return "probability" if probabilities else "decision"


def _score_columns(scores, classes, kind):
    """The names of the scores by their roles in a model file; the difference of two columns has none."""
    names = column_names(scores)
    if classes == 2:
        if len(names) == 2 and kind == "probability":
            names = names[1:]
        return {"score": names[0]} if len(names) == 1 else {}
    return {f"score {c}": name for c, name in enumerate(names, start=1)}


@refuses_unknown_keywords
@documented(in_python(_core.calibrator_parameters()), PROGRESS_PARAMETERS)
@keywords(_core.calibrator_defaults(), verbose=0, callback=None)
class MonotoneCalibrator(ModelFile, ClassIntervals, ClassifierMixin, BaseEstimator):
    """A smooth, strictly increasing map from scores to probabilities, with credible bands.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    summary_ : dict
        The library's summary of the fit.
    posterior_ : str or list of str
        What the bands are and how far to trust them.

    Examples
    --------
    >>> import numpy as np
    >>> from linkgistic import MonotoneCalibrator
    >>> rng = np.random.default_rng(0)
    >>> scores = rng.normal(size=1000)
    >>> y = rng.random(1000) < 1 / (1 + np.exp(-3 * scores))
    >>> cal = MonotoneCalibrator().fit(scores, y)
    >>> p, lower, upper = cal.predict_proba([-1.0, 0.0, 1.0], return_interval=0.9)
    >>> bool(np.all(np.diff(p[:, 1]) > 0))
    True
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def _scores(self, scores, classes, kind):
        """Scores of shape (n,) for two classes, or (n, classes); what they are is 'probability' or another kind."""
        refuse_times(scores, "scores")
        scores = check_array(scores, ensure_2d=False, dtype=np.float64, ensure_all_finite=False, input_name="scores")
        if scores.ndim == 2 and scores.shape[1] == 1:
            scores = scores[:, 0]
        if scores.ndim == 2 and scores.shape[1] == 2 and classes == 2:
            scores = scores[:, 1] if kind == "probability" else scores[:, 1] - scores[:, 0]
        if np.isnan(scores).any():
            row = np.argwhere(np.isnan(scores))[0][0]
            raise ValueError(f"scores contain NaN, the first in row {row + 1}")
        if classes > 2 and (scores.ndim != 2 or scores.shape[1] != classes):
            raise ValueError(f"scores must have shape (n, {classes}), a column a class, and have {scores.shape}")
        if classes == 2 and scores.ndim != 1:
            raise ValueError(f"scores must have shape (n,), (n, 1) or (n, 2), and have {scores.shape}")
        return np.ascontiguousarray(scores)

    def fit(self, scores, y, sample_weight=None):
        """Learn the map, or the maps of many classes.

        The steps that `verbose` and `callback` report are maps, of phase 'maps'. If cross-validation chooses the kind
        of maps, those of phase 'maps tried' come first. Ctrl-C in that phase makes the choice from the maps tried so
        far, with a warning; later it raises KeyboardInterrupt.

        Parameters
        ----------
        scores : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
            Scores of rows that the classifier was not trained on. The model file keeps the name of a series or those
            of a frame's columns, and those of `y` and `sample_weight`.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        sample_weight : float or array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : MonotoneCalibrator
            The fitted estimator.
        """
        self._sums = None
        refuse_missing_labels(y)
        columns = named_columns(label=y, weight=sample_weight)
        return self._fit(scores, *encode_labels(column_or_1d(y)), sample_weight, columns)

    def partial_fit(self, scores, y, classes=None, sample_weight=None):
        """Learn from another batch of rows: the map of two classes is that of one `fit` to all rows so far.

        The estimator keeps sums, the weights of both labels at each score, in memory that grows with the number of
        different scores. Without weights, or with whole ones, the model has the bytes of the one fit, for any batches in
        any order; sums of other weights differ by rounding. A call takes the time of a fit. `fit` begins anew.

        Parameters
        ----------
        scores : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, 2)
            As in fit.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        classes : array-like of shape (2,), default=None
            Both labels, in any order; the first batch needs it if it has only one of them.
        sample_weight : float or array-like of shape (n_samples,), default=None
            As in fit.

        Returns
        -------
        self : MonotoneCalibrator
            The estimator, fitted to all rows so far.
        """
        names = named_columns(label=y, weight=sample_weight)
        y = column_or_1d(np.asarray(y))
        sums, known, kind, columns = getattr(self, "_sums", None) or (_core.ScoreSums(), None, None, None)
        if known is None:
            known = encode_labels(y if classes is None else column_or_1d(np.asarray(classes)))[0]
            if len(known) != 2:
                found = ", ".join(map(repr, known[:3].tolist())) + (", ..." if len(known) > 3 else "")
                raise ValueError(f"classes: partial_fit takes two labels, and there are {len(known)}: {found}")
        elif classes is not None and not np.array_equal(np.unique(classes), known):
            raise ValueError(f"classes = {classes!r}: those of the first batch are {known.tolist()}")
        unknown = ~np.isin(y, known)
        if unknown.any():
            raise ValueError(f"y: the label {y[unknown].tolist()[0]!r} is not one of {known.tolist()}")
        options = options_of(self, _core.calibrator_defaults())
        kind = kind or _kind(scores, options)
        x = self._scores(scores, 2, kind)
        check_consistent_length(x, y)
        if kind == "decision":
            options["score_kind"] = kind
        sums = copy(sums)
        sums.add(x, (y == known[1]).astype(np.uint8), weight_array(sample_weight, x))
        columns = columns or self._columns(scores, known, kind, names)
        model = sums.fit(options).with_columns(columns)
        self._sums = sums, known, kind, columns
        self.classes_ = known
        self._take(model)
        report(self.summary_, "the calibration")
        return self

    @staticmethod
    def _columns(scores, classes, kind, columns):
        """The names of the columns by their roles, as a model file of two classes has them."""
        negative, positive = label_names(classes)
        names = {"score": "score", "label": "label", **columns, **_score_columns(scores, 2, kind)}
        return {**names, "negative 1": negative, "positive": positive}

    def _fit(self, scores, classes, labels, sample_weight=None, columns=None):
        """`fit` of labels that are places among the classes; `columns` has their name and that of the weights."""
        check_two_classes(classes)
        options = options_of(self, _core.calibrator_defaults())
        kind = _kind(scores, options)
        x = self._scores(scores, len(classes), kind)
        check_consistent_length(x, labels)
        weight = weight_array(sample_weight, x)
        if len(classes) == 2 and kind == "decision":
            options["score_kind"] = kind
        with progress_callback(self.verbose, self.callback) as told:
            model = self._fit_model(x, label_names(classes), labels, weight, options, told)
        if len(classes) == 2:
            columns = self._columns(scores, classes, kind, columns or {})
        else:
            columns = {**(columns or {}), **_score_columns(scores, len(classes), kind)}
        model = model.with_columns(columns)
        self.classes_ = np.asarray(classes)
        self._take(model)
        if self.summary_.get("interrupted"):
            report(self.summary_, "the calibration", True)
        for summary in self.summary_.get("calibrators", [self.summary_]):
            report(summary, "the calibration")
        return self

    @staticmethod
    def _fit_model(x, names, labels, weight, options, told):
        """The library's model of two classes or of many."""
        if len(names) > 2:
            return _core.fit_class_calibrator(x.ravel(), labels.astype(np.int32), names, weight, options, told)
        steps = Steps(told)
        model = _core.fit_calibrator(x, labels.astype(np.uint8), weight, options)
        steps.tell("maps", 1, 1)
        return model

    def _take(self, model):
        self.model_ = model
        self.summary_ = model.summary

    @property
    def posterior_(self):
        """What the bands are and how far to trust them, in words; a list if each class has its own map.

        The bands are computed first if that has not happened yet.
        """
        check_is_fitted(self)
        words = self.model_.posterior
        return words[0] if len(words) == 1 else words

    def predict_proba(self, scores, return_interval=None):
        """Calibrated probabilities.

        Parameters
        ----------
        scores : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
            As in fit.
        return_interval : float or None, default=None
            If given, credible bands with this probability are returned as well.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Strictly inside (0, 1); rows sum to 1.
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Only with `return_interval`. For two classes, the band of the second one's probability.
        """
        check_is_fitted(self)
        x = self._scores(scores, len(self.classes_), self.summary_["score_kind"])
        interval = None if return_interval is None else share(return_interval)
        p, lower, upper = self.model_.predict(x.ravel(), interval)
        if len(self.classes_) == 2:
            p = np.column_stack([1 - p, p])
        return p if return_interval is None else (p, lower, upper)

    def decision_function(self, scores):
        """Calibrated log odds, strictly increasing in the score: ranks are kept without ties.

        Parameters
        ----------
        scores : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
            As in fit.

        Returns
        -------
        log_odds : ndarray of shape (n_samples,) or (n_samples, n_classes)
            For many classes, the logarithms of the probabilities.
        """
        check_is_fitted(self)
        x = self._scores(scores, len(self.classes_), self.summary_["score_kind"])
        return self.model_.log_odds(x) if len(self.classes_) == 2 else np.log(self.model_.predict(x.ravel())[0])

    def predict(self, scores):
        """The most probable labels.

        Parameters
        ----------
        scores : array-like of shape (n_samples,), (n_samples, 1) or (n_samples, n_classes)
            As in fit.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Elements of `classes_`.
        """
        values = self.decision_function(scores)
        return most_probable(values, self.classes_)

    def plot(self, X=None, y=None, **keywords):
        """Draw the map of two classes with its band; keywords are those of `CurveDisplay.from_estimator`.

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
        from ._curve_display import calibration_curve

        return calibration_curve(self, ends, points, interval)

    @staticmethod
    def _read(path):
        try:
            return _core.Calibrator.load(path)
        except ValueError as of_two:
            try:
                return _core.ClassCalibrator.load(path)
            except ValueError:
                raise of_two from None

    def _restore(self, model):
        if isinstance(model, _core.ClassCalibrator):
            names = model.class_names
        else:
            positive = model.columns.get("positive", "1")
            other = "0" if positive == "1" else f"not {positive}"
            one = "negative 2" not in model.columns
            names = [model.columns.get("negative 1", other) if one else other, positive]
        self.classes_ = labels_from_names(names)


def check_calibrator(calibrator):
    """What the meta-estimators take as their parameter `calibrator`."""
    if not (calibrator is None or isinstance(calibrator, MonotoneCalibrator)):
        raise TypeError(f"calibrator = {calibrator!r}: it must be a MonotoneCalibrator or None")


def new_calibrator(calibrator, **changes):
    """An unfitted calibrator with the parameters of this one (None: the defaults), but for the changes.

    Not a clone, in which a callback that is a method would have a copy of its object.
    """
    if calibrator is None:
        return MonotoneCalibrator(**changes)
    return type(calibrator)(**{**calibrator.get_params(deep=False), **changes})
