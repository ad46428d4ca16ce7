"""A booster trained on a learned loss, with the probabilities of that loss."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import compute_sample_weight, get_tags
from sklearn.utils.validation import (
    _check_sample_weight,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from ._boosters import beginning, booster_of
from ._class_loss import LearnedClassLoss
from ._classifier import LinkgisticClassifier
from ._keywords import check_keywords, keyword_names, refuses_unknown_keywords
from ._loss import LearnedLoss
from ._options import check_two_classes, encode_labels, most_probable, non_negative


def _shape(X):
    return X.shape if hasattr(X, "shape") else np.asarray(X).shape


@refuses_unknown_keywords
class BoosterClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """XGBoost's or LightGBM's classifier, trained on a learned loss.

    A booster's own ``predict_proba`` does not know the link of an objective that it is given: that of
    ``XGBClassifier`` takes the sigmoid of the scores, that of ``LGBMClassifier`` returns the scores. Here
    probabilities, labels and metrics come from the link of the loss. The scores begin at those of the (weighted) shares
    of the classes.

    Parameters
    ----------
    estimator : XGBClassifier or LGBMClassifier
        Holds the options of the booster, but for its objective. Its metrics (XGBoost's `eval_metric`) are 'logloss',
        'error', for two classes those of ranks such as 'auc', and functions, which receive probabilities. None:
        'logloss'.
    loss : LearnedLoss, LearnedClassLoss or LinkgisticClassifier
        The loss, for more than two classes a `LearnedClassLoss`. A classifier (for more than two classes one with
        `multiclass="softmax"`) is cloned and fitted to the same rows first, and its learned loss is taken; to use
        that of a fitted classifier, give its `learned_loss_`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    estimator_ : XGBClassifier or LGBMClassifier
        The fitted booster. Do not use its `predict_proba`.
    loss_ : LearnedLoss or LearnedClassLoss
        The loss that it was trained on.
    start_ : float or ndarray of shape (n_classes,)
        The scores at which the booster began.

    Examples
    --------
    >>> from lightgbm import LGBMClassifier
    >>> from sklearn.datasets import make_classification
    >>> from linkgistic import BoosterClassifier, LinkgisticClassifier
    >>> X, y = make_classification(n_samples=400, random_state=0)
    >>> loss = LinkgisticClassifier(l2=1.0).fit(X, y).learned_loss_
    >>> model = BoosterClassifier(LGBMClassifier(n_estimators=20, verbose=-1), loss).fit(X, y)
    >>> model.predict_proba(X[:4]).shape
    (4, 2)
    """

    def __init__(self, estimator, loss):
        self.estimator = estimator
        self.loss = loss

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags.sparse = inner.input_tags.sparse
        tags.input_tags.allow_nan = inner.input_tags.allow_nan
        tags.input_tags.categorical = inner.input_tags.categorical
        tags.classifier_tags.multi_class = (
            isinstance(self.loss, LearnedClassLoss) or getattr(self.loss, "multiclass", None) == "softmax"
        )
        return tags

    def _check_parameters(self, fit_params):
        booster = booster_of(self.estimator)
        if not isinstance(self.loss, (LearnedLoss, LearnedClassLoss, LinkgisticClassifier)):
            raise TypeError(
                f"loss = {self.loss!r}: it must be a LearnedLoss, a LearnedClassLoss or a LinkgisticClassifier"
            )
        params = self.estimator.get_params(deep=False)
        if params["objective"] not in booster.objectives:
            raise ValueError(f"estimator: objective = {params['objective']!r}: the objective is the loss here")
        for name, plain in booster.settings.items():
            if params.get(name) not in plain:
                raise ValueError(f"estimator: {name} = {params[name]!r}: {booster.why[name]}")
        known = keyword_names(self.estimator.fit)[0] | {"eval_set", "sample_weight"}
        check_keywords(f"{type(self).__qualname__}.fit", fit_params, known - set(booster.refused))
        return booster

    def _learned(self, X, labels, weight):
        """The loss to train on."""
        if isinstance(self.loss, (LearnedLoss, LearnedClassLoss)):
            return self.loss
        return clone(self.loss).fit(X, labels, weight).learned_loss_

    def _check_classes(self, classes):
        """A loss is of so many classes; that of a classifier is of those of the rows."""
        if isinstance(self.loss, LinkgisticClassifier):
            if len(classes) > 2 and self.loss.multiclass != "softmax":
                raise ValueError(
                    f"y has {len(classes)} classes, and the classifier's loss is of two: give it multiclass='softmax', "
                    "or use OneVsRestClassifier"
                )
        elif len(classes) != self.loss.n_classes:
            raise ValueError(
                f"y has {len(classes)} classes, and the loss is of {self.loss.n_classes}"
                + (". Only binary classification is supported." if self.loss.n_classes == 2 else "")
            )

    def _encode(self, y, classes):
        """Places of labels among the classes."""
        y = column_or_1d(y)
        unknown = set(y.tolist()) - set(classes.tolist())
        if unknown:
            raise ValueError(f"eval_set: it has the label {min(unknown, key=str)!r}, and y has {classes.tolist()}")
        return np.searchsorted(classes, y)

    def _evaluation(self, booster, fit_params, classes, start):
        """The rows to evaluate at, as the booster takes them, with their beginnings."""
        sets = fit_params.pop("eval_set", None)
        if "eval_X" in fit_params or "eval_y" in fit_params:
            if sets is not None:
                raise ValueError("give eval_set, or eval_X and eval_y")
            rows, labels = fit_params.pop("eval_X", None), fit_params.pop("eval_y", None)
            if not isinstance(rows, tuple):
                rows, labels = (rows,), (labels,)
            sets = list(zip(rows, labels))
        if sets is None:
            return {}
        sets = [sets] if isinstance(sets, tuple) else list(sets)
        sets = [(rows, self._encode(labels, classes)) for rows, labels in sets]
        begin = {booster.eval_start: [beginning(start, len(labels)) for _, labels in sets]}
        return {**booster.evaluation(sets, keyword_names(self.estimator.fit)[0]), **begin}

    def fit(self, X, y, sample_weight=None, **fit_params):
        """Fit the booster.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows, of any kind that the booster takes.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        sample_weight : array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice.
        **fit_params : dict
            Keywords for the booster's `fit`, but for those on where scores begin and on earlier models. `eval_set` is
            a list of pairs of rows and labels, for both boosters; LightGBM's `eval_metric` is as described at
            `estimator`.

        Returns
        -------
        self : BoosterClassifier
            The fitted estimator.
        """
        if y is None:
            raise ValueError("This BoosterClassifier estimator requires y to be passed, but the target y is None")
        booster = self._check_parameters(fit_params)
        classes, labels = encode_labels(column_or_1d(y, warn=True))
        check_two_classes(classes)
        self._check_classes(classes)
        check_consistent_length(X, labels)
        if _shape(X)[1:] == (0,):
            raise ValueError(f"Found array with 0 feature(s) (shape={_shape(X)}) while a minimum of 1 is required.")
        estimator = clone(self.estimator)
        weight = None if sample_weight is None else non_negative(_check_sample_weight(sample_weight, labels))
        weight, estimator = self._with_class_weight(estimator, classes, labels, weight)
        check_two_classes(classes, labels, weight)
        loss = self._learned(X, labels, weight)
        start = loss._start(labels, weight)
        fit_params = booster.prepared(estimator, loss, dict(fit_params))
        fit_params |= self._evaluation(booster, fit_params, classes, start)
        fit_params[booster.start] = beginning(start, len(labels))
        estimator.fit(X, labels, sample_weight=weight, **fit_params)
        self.classes_, self.estimator_, self.loss_, self.start_ = classes, estimator, loss, start
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))
        return self

    @staticmethod
    def _with_class_weight(estimator, classes, labels, weight):
        """LightGBM's class weights as weights of the rows, of which the beginning knows too."""
        given = estimator.get_params(deep=False).get("class_weight")
        if given is None:
            return weight, estimator
        by_class = compute_sample_weight(given, classes[labels])
        return by_class if weight is None else weight * by_class, estimator.set_params(class_weight=None)

    def _check_columns(self, X):
        """XGBoost would answer rows of another shape with its own source code."""
        if len(_shape(X)) == 1:
            raise ValueError("X: rows are expected, and it has one dimension. Reshape your data: (n, 1) or (1, n)")
        validate_data(self, X, reset=False, skip_check_array=True)

    def raw_score(self, X):
        """The booster's scores, which the link of the loss turns into probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
            With `start_` in them.
        """
        check_is_fitted(self)
        self._check_columns(X)
        return np.asarray(booster_of(self.estimator_).scores(self.estimator_, X, self.start_), dtype=np.float64)

    def decision_function(self, X):
        """Log odds of the second of two classes, or the logarithms of the probabilities of more.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        values : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Not the scores: those are `raw_score`.
        """
        scores = self.raw_score(X)
        return self.loss_._decision(scores)

    def predict_proba(self, X):
        """Probabilities of the classes, by the link of the loss.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        scores = self.raw_score(X)
        return self.loss_._probabilities(scores)

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
        values = self.decision_function(X)
        return most_probable(values, self.classes_)
