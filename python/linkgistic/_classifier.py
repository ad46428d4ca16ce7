"""Linkgistic regression: a linear score and an increasing link from score to log odds, learned together."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from . import _core
from ._arrow import ArrowFrame, check_encoded, check_names
from ._class_loss import LearnedClassLoss
from ._coefficients import CoefficientTable
from ._documentation import documented, keywords
from ._intervals import ClassIntervals
from ._keywords import refuses_unknown_keywords
from ._loss import LearnedLoss
from ._options import (
    ModelFile,
    check_two_classes,
    encode_labels,
    label_names,
    labels_from_names,
    most_probable,
    one_dimension,
    one_of,
    options_of,
    refuse_missing_labels,
    report,
    share,
    warn_of_regression,
    weight_array,
    whole,
)
from ._progress import PROGRESS_PARAMETERS, progress_callback
from ._rows import class_weights, column_medians, feature_rows, row_parts
from ._sklearn_names import in_python, seed_of
from ._tables import as_rows, refuse_times


@refuses_unknown_keywords
@documented(in_python(_core.classifier_parameters()), PROGRESS_PARAMETERS)
@keywords(_core.classifier_defaults(), verbose=0, callback=None)
class LinkgisticClassifier(ModelFile, ClassIntervals, ClassifierMixin, BaseEstimator):
    """Logistic regression that learns its link.

    A linear score and an increasing link from score to log odds are learned together. With more than two
    classes each has its own score and link, against the rest, or each pair of classes has (`multiclass`).

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels.
    coef_ : ndarray of shape (n_scores, n_features)
        Coefficients of the features in their own units; n_scores is 1 for two classes, for more the number of
        classes, or of their pairs with `multiclass="ovo"`.
    intercept_ : ndarray of shape (n_scores,)
        The intercepts of the scores.
    l2_ : float
        The penalty that was used.
    v_ : float
        How far the link was allowed to leave the identity.
    n_iter_ : int
        Number of EM steps.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, if all are text.
    summary_ : dict
        The library's summary of the fit.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from linkgistic import LinkgisticClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = LinkgisticClassifier().fit(X, y)
    >>> clf.score(X, y) > 0.97
    True
    >>> p, lower, upper = clf.predict_proba(X[:3], return_interval=0.9)
    >>> p.shape, bool((lower <= p[:, 1]).all())
    ((3, 2), True)
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _validated(self, X, **how):
        X = as_rows(X)
        if isinstance(X, ArrowFrame):
            return self._validated_frame(X, **how)
        refuse_times(X, "X")
        return validate_data(
            self,
            X,
            accept_sparse="csr",
            dtype=[np.float64, np.float32, np.uint8],
            **how,
        )

    def _validated_frame(self, frame, reset=True, **how):
        """The rows of a table; with `reset` the labels as well."""
        if reset and frame.has_text:
            return check_encoded(self, frame, how["y"])
        if not reset:
            if self.model_.columns:
                return frame.encoded(self.model_)
            check_names(self, frame.columns)
        if reset:
            X, y = self._validated(frame.values, **how)
            if all(frame.columns):
                self.feature_names_in_ = np.array(frame.columns, dtype=object)
            return X, y
        return check_array(
            frame.values, dtype=[np.float64, np.float32, np.uint8], input_name="X", estimator=self, **how
        )

    def _check_finite(self, X):
        """Many dense rows are checked by the library, in the pass that finds their means."""
        dense = not sparse.issparse(X)
        if dense and self.standardize != "off" and X.size >= 1 << 20:
            return
        assert_all_finite(X if dense else X.data, estimator_name=type(self).__name__, input_name="X")

    def fit(self, X, y, sample_weight=None):
        """Learn coefficients and links.

        Ctrl-C ends the fit with the best model so far and a warning.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Arrays of float64, float32 and uint8 (bytes, as fractions of the greatest) and sparse rows are read in place
            and never copied; bytes must be in C order. Frames, Arrow tables and objects with Arrow's capsules or
            `__dataframe__` keep their names. Columns of text or categories of a frame are one-hot encoded, as the
            program does, and the model keeps the encoding.
        y : array-like of shape (n_samples,)
            Labels, numbers or text.
        sample_weight : float or array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice (to the last bit below 20,000 rows, given the same parts), a weight of 0
            leaves it out.

        Returns
        -------
        self : LinkgisticClassifier
            The fitted estimator.
        """
        refuse_missing_labels(y)
        X, y = self._validated(X, y=y, ensure_all_finite=False)
        encoded = isinstance(X, _core.EncodedRows)
        if not encoded:
            self._check_finite(X)
        weight = weight_array(sample_weight, y.reshape(-1, 1) if encoded else X)
        classes, labels = encode_labels(y)
        check_two_classes(classes)
        warn_of_regression(classes, len(labels))
        options = options_of(self, _core.classifier_defaults())
        if "class_weights" in options:
            options["class_weights"] = class_weights(options["class_weights"], classes)
        parts = row_parts(self.cv, X, y)
        if parts:
            del options["cv"]
        names = [] if encoded else [str(name) for name in getattr(self, "feature_names_in_", [])]
        # They stand for missing values when the program reads a table.
        medians = column_medians(X) if names and not sparse.issparse(X) else None
        with progress_callback(self.verbose, self.callback) as told:
            model, interrupted = _core.fit_classifier(
                X if encoded else feature_rows(X),
                labels,
                label_names(classes),
                names,
                medians,
                weight,
                parts,
                options,
                told,
            )
        self.classes_ = classes
        self._take(model)
        report(self.summary_, "the fit", interrupted)
        return self

    def get_feature_names_out(self, input_features=None):
        """Names of the columns of `coef_`.

        Parameters
        ----------
        input_features : array-like of str or None
            Not used.

        Returns
        -------
        names : ndarray of str
            The names of the columns, and of a column of text one for each of its categories; 'x1', 'x2', .. without names.
        """
        check_is_fitted(self)
        return np.array(self.model_.feature_names, dtype=object)

    def _take(self, model):
        self.model_ = model
        self.summary_ = model.summary
        coefficients = model.coefficients
        self.intercept_, self.coef_ = coefficients[:, 0].copy(), coefficients[:, 1:].copy()
        self.l2_, self.v_ = self.summary_["l2"], self.summary_["v"]
        trace = self.summary_["trace"]
        self.n_iter_ = trace[-1]["step"] if trace else 0

    def _evaluate(self, X, of_rows, at_scores):
        """The model's method `of_rows` of rows in single precision, or `at_scores` of linear scores in double.

        A score is finite if its row is, so that no number is looked at twice.
        """
        check_is_fitted(self)
        at = getattr(self.model_, at_scores) if at_scores else lambda scores: scores.reshape(-1, len(self.coef_))
        given = as_rows(X, to_encode=bool(self.model_.columns))
        X = self._validated(given, reset=False, ensure_all_finite=False)
        if isinstance(X, _core.EncodedRows):
            return getattr(self.model_, of_rows)(X)
        if X.shape[1] != self.coef_.shape[1]:
            names = ", ".join(map(repr, self.model_.columns[:5])) + (", ..." if len(self.model_.columns) > 5 else "")
            raise ValueError(f"X: the model encodes columns by their names ({names}): give it a frame that has them")
        if X.dtype == np.float64:
            scores = X @ self.coef_.T + self.intercept_
            if np.isfinite(scores).all():
                return at(scores.ravel())
        else:
            try:
                return getattr(self.model_, of_rows)(feature_rows(X))
            except ValueError:
                pass
        X = self._validated(given, reset=False)  # says what is not finite
        return at((X.astype(np.float64) @ self.coef_.T + self.intercept_).ravel())

    def _feature_rows(self, X):
        """Rows as the model takes them."""
        rows = self._validated(as_rows(X, to_encode=bool(self.model_.columns)), reset=False)
        return rows if isinstance(rows, _core.EncodedRows) else feature_rows(rows)

    def decision_function(self, X):
        """Log odds of the second class, or of each class against the rest; of a softmax what it is taken of.

        With `multiclass="ovo"` the logarithms of the classes' probabilities.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        log_odds : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Strictly increasing in the score under a monotone prior.
        """
        check_is_fitted(self)
        if self.summary_["pairwise"]:
            return self.predict_log_proba(X)
        values = self._evaluate(X, "decision_values", "decision_at")
        return values[:, 0] if values.shape[1] == 1 else values

    def linear_score(self, X):
        """The linear scores, which the links turn into log odds.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        scores : ndarray of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_pairs)
            ``X @ coef_.T + intercept_``; with `multiclass="ovo"` those of the pairs of classes (0, 1), (0, 2), ..,
            (1, 2), .., of the second class against the first.
        """
        values = self._evaluate(X, "scores", None)
        return values[:, 0] if values.shape[1] == 1 else values

    def predict_proba(self, X, return_interval=None, band="all", estimate="mode"):
        """Probabilities of the classes.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.
        return_interval : float or None, default=None
            If given, credible bands with this probability are returned as well. They are there for two classes and
            with `multiclass="softmax"`.
        band : {"all", "link"}, default="all"
            What the bands of two classes carry: the uncertainty of the coefficients and of the link, or that of the
            link alone, at fixed coefficients. Those of a softmax carry that of the links.
        estimate : {"mode", "marginal", "plug-in"}, default="mode"
            Which probability of two classes: that of the fitted link and coefficients, its mean over their posterior, or
            that of the link's posterior mean.

        Returns
        -------
        p : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        lower, upper : ndarray of shape (n_samples,) or (n_samples, n_classes)
            Only with `return_interval`. For two classes, the band of the second one's probability.
        """
        if estimate not in ("mode", "marginal", "plug-in"):
            raise ValueError(f"estimate = {estimate!r}: it is 'mode', 'marginal' or 'plug-in'")
        if return_interval is None:
            if estimate == "mode":
                return self._evaluate(X, "probability", "probability_at")
            check_is_fitted(self)
            return self.model_.predict(self._feature_rows(X), 0.9, estimate)[0]
        check_is_fitted(self)
        if not self.model_.has_bands:
            raise ValueError("return_interval: bands are there for two classes and with multiclass='softmax'")
        if band not in ("all", "link"):
            raise ValueError(f"band = {band!r}: it is 'all' or 'link'")
        interval = share(return_interval)
        X = as_rows(X, to_encode=bool(self.model_.columns))
        p, lower, upper = self.model_.predict_at(self.linear_score(X).ravel(), interval)
        if band == "all" and self.model_.has_weight_bands:
            _, lower, upper = self.model_.predict(self._feature_rows(X), interval)
            lower, upper = np.minimum(lower, p[:, 1]), np.maximum(upper, p[:, 1])
        if estimate != "mode":
            p = self.predict_proba(X, estimate=estimate)
        return p, lower, upper

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The rows.

        Returns
        -------
        log_p : ndarray of shape (n_samples, n_classes)
            Logarithms of the probabilities.
        """
        return np.log(self.predict_proba(X))

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

    @property
    def learned_loss_(self):
        """The loss of the first score, from the most probable link; of a softmax that of all its scores."""
        return self.learned_loss()

    def learned_loss(self, score=None, estimate="mode", random_state=0, *, label=None, seed=None):
        """The learned loss of one score, or of all scores of a softmax, for other models to be trained on.

        Parameters
        ----------
        score : int or None, default=None
            The number of the score; two classes have one score. None: that of `label`, or the first. A softmax has
            one loss for all its scores, and takes neither.
        estimate : {'mode', 'mean', 'sample'}, default='mode'
            The most probable link, its expectation, or a draw.
        random_state : int, RandomState instance or None, default=0
            Seed of the draw.
        label : label or None, default=None
            The class whose score it is, in place of its number; of two classes the second one.
        seed : int, default=None
            The old name of `random_state`.

        Returns
        -------
        loss : LearnedLoss or LearnedClassLoss
            A proper loss.
        """
        check_is_fitted(self)
        estimate = one_of(estimate, "estimate", ("mode", "mean", "sample"))
        drawn_by = seed_of(random_state, seed)
        if self.model_.summary["softmax"] and score is None and label is None:
            return LearnedClassLoss._of(self.model_.learned_class_loss(estimate, drawn_by))
        return LearnedLoss._of(self.model_.learned_loss(self._place(score, label), estimate, drawn_by))

    def margin_lipschitz(self, score=None, draws=200, random_state=0, *, label=None, seed=None):
        """The posterior of `LearnedLoss.margin_lipschitz_bound` for one score, as draws.

        Parameters
        ----------
        score : int or None, default=None
            The number of the score; two classes have one score. None: that of `label`, or the first.
        draws : int, default=200
            Number of draws of the link.
        random_state : int, RandomState instance or None, default=0
            Seed of the draws.
        label : label or None, default=None
            The class whose score it is, in place of its number; of two classes the second one.
        seed : int, default=None
            The old name of `random_state`.

        Returns
        -------
        bounds : ndarray of shape (draws,)
            The bound for each draw; infinite for a link that is flat somewhere.
        """
        check_is_fitted(self)
        return self.model_.margin_lipschitz(
            self._place(score, label), whole(draws, "draws", 1), seed_of(random_state, seed)
        )

    def link(self, at, *, score=None, interval=0.9, label=None):
        """The link at linear scores.

        Parameters
        ----------
        at : array-like of shape (n,)
            Linear scores.
        score : int or None, default=None
            The number of the score whose link it is; two classes have one score. None: that of `label`, or the first.
        interval : float, default=0.9
            Probability of the band.
        label : label or None, default=None
            The class whose score it is, in place of its number; of two classes the second one.

        Returns
        -------
        nu, lower, upper, slope : ndarray of shape (n,)
            Log odds (of another base loss: its canonical link of the probability), band and derivative.
        """
        check_is_fitted(self)
        at = np.ascontiguousarray(one_dimension(at, "at", np.float64))
        if not np.isfinite(at).all():
            raise ValueError(f"at: the score {at[~np.isfinite(at)][0]} is not finite")
        return self.model_.link(self._place(score, label), at, share(interval, "interval"))

    def _place(self, score, label=None):
        """The number of a score, given as such or by the label of its class."""
        if label is not None:
            if score is not None:
                raise ValueError(f"score = {score!r} and label = {label!r}: give one of them")
            return self._place_of_class(label)
        score = 0 if score is None else whole(score, "score", 0)
        if score >= len(self.coef_):
            raise ValueError(f"score = {score}: it must be below {len(self.coef_)}, which is how many scores there are")
        return score

    def _place_of_class(self, label):
        classes = self.classes_.tolist()
        if label not in classes:
            raise ValueError(f"label = {label!r}: it must be one of the labels {classes}")
        if self.summary_["pairwise"]:
            raise ValueError(f"label = {label!r}: the scores are those of pairs of classes; give the number of a score")
        if len(classes) > 2:
            return classes.index(label)
        if label != classes[1]:
            raise ValueError(f"label = {label!r}: of two classes there is one link, that of {classes[1]!r}")
        return 0

    def summary(self, interval=0.95, robust=False):
        """The table of coefficients of two classes.

        Parameters
        ----------
        interval : float, default=0.95
            Probability of the intervals.
        robust : bool, default=False
            Sandwich errors, which hold if the model does not, in place of the posterior's.

        Returns
        -------
        table : CoefficientTable
            Prints as text and, in a notebook, as HTML; `to_frame()` is a DataFrame. Estimates are in the units of the
            columns, on the scale where the link has unit mean slope.
        """
        check_is_fitted(self)
        table = self.model_.coefficient_table(share(interval, "interval"), bool(robust))
        if not table["name"]:
            if len(self.classes_) > 2:
                raise ValueError(f"summary: only models of two classes have a table, and this one has {len(self.classes_)}")
            raise ValueError(
                "summary: the coefficients have no errors, since the rows do not determine them; a column may be constant or "
                "follow from others, as all categories of a text do: leave one out, or give l2 > 0"
            )
        return CoefficientTable(table, interval, robust, self.model_.link_test)

    def plot(self, **keywords):
        """Draw the link with its band; keywords are those of `LinkDisplay.from_estimator`.

        Returns
        -------
        display : LinkDisplay
            The display, drawn.
        """
        from ._display import LinkDisplay

        return LinkDisplay.from_estimator(self, **keywords)

    def plot_link(self, **keywords):
        """Draw the link with its band; keywords are those of `LinkDisplay.from_estimator`.

        Returns
        -------
        ax : matplotlib Axes
            The axes with the drawing.
        """
        from ._display import LinkDisplay

        return LinkDisplay.from_estimator(self, **keywords).ax_

    _read = staticmethod(_core.Classifier.load)

    def _restore(self, model):
        self.classes_ = labels_from_names(model.class_names)
        self.n_features_in_ = self.coef_.shape[1]
        if model.named:
            self.feature_names_in_ = np.array(model.columns or model.feature_names, dtype=object)
            self.n_features_in_ = len(self.feature_names_in_)
