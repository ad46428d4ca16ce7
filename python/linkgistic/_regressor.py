"""Monotone regression with credible bands."""

import numpy as np
from scipy.special import ndtri
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._documentation import documented, keywords
from ._keywords import refuses_unknown_keywords
from ._options import (
    ModelFile,
    encode_labels,
    label_names,
    labels_from_names,
    one_dimension,
    one_of,
    options_of,
    report,
    share as _share,
    weight_array,
    whole,
    yes_or_no,
)
from ._progress import PROGRESS_PARAMETERS, progress_callback
from ._sklearn_names import in_python, seed_of
from ._tables import column_names, named_columns, refuse_times


def one_column(X, estimator, what="X", ensure_min_samples=1):
    """X of shape (n,) or (n, 1) as numbers of shape (n,)."""
    refuse_times(X, what)
    try:
        X = check_array(
            X, ensure_2d=False, dtype=np.float64, input_name=what, estimator=estimator, ensure_min_samples=ensure_min_samples
        )
    except TypeError as error:  # objects that are no numbers, such as dates
        raise ValueError(f"{what}: {error}") from None
    if X.ndim > 2 or (X.ndim == 2 and X.shape[1] != 1):
        raise ValueError(f"{what} must have shape (n,) or (n, 1), and has {X.shape}")
    return np.ascontiguousarray(X.reshape(-1))


def _sizes(x, **columns):
    """Offset, exposure and trials as arrays of the length of x, or None."""

    def array(name, values):
        values = one_dimension(values, name, np.float64)
        values = np.broadcast_to(values, x.shape) if len(values) == 1 else values
        check_consistent_length(x, values)
        return np.ascontiguousarray(values)

    return {name: None if values is None else array(name, values) for name, values in columns.items()}


OUT_OF_BOUNDS = (
    "out_of_bounds",
    "{'extend', 'clip', 'nan', 'raise'}",
    "What `predict` and `transform` do outside the range of the training data: go on with the slope at the edge, keep its "
    "value, give NaN or raise an error.",
)


@refuses_unknown_keywords
@documented(in_python(_core.regression_parameters()), (OUT_OF_BOUNDS, *PROGRESS_PARAMETERS))
@keywords(_core.regression_defaults(), out_of_bounds="extend", verbose=0, callback=None)
class MonotoneRegressor(ModelFile, TransformerMixin, RegressorMixin, BaseEstimator):
    """A smooth increasing (or decreasing) curve with credible bands.

    Attributes
    ----------
    X_min_, X_max_ : float
        The range of the training data; beyond it the curve continues with the slope it has at the edge.
    increasing_ : bool or None
        The direction that was used; None of a shape that may fall and rise.
    noise_ : float
        Standard deviation of an observation about the curve; NaN for a response that has none. With noise='smooth' the
        root of its mean square over the training rows; `noise_at` has it at each row.
    classes_ : ndarray of shape (2,)
        The labels, with the response 'bernoulli'; the curve is the probability of the second.
    log_evidence_ : float
        Log evidence of the data.
    hyper_parameters_ : dict
        The hyper-parameters by name, in the units of the data.
    n_iter_ : int
        Number of evaluations of the evidence.
    summary_ : dict
        The library's summary of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> from linkgistic import MonotoneRegressor
    >>> x = np.linspace(0, 1, 100)
    >>> y = x**3 + 0.05 * np.random.default_rng(0).normal(size=100)
    >>> curve = MonotoneRegressor().fit(x, y)
    >>> mean, lower, upper = curve.predict([0.2, 0.5, 0.8], return_interval=0.9)
    >>> bool(np.all(np.diff(mean) > 0)), bool(np.all(lower < upper))
    (True, True)
    """

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags

    def fit(self, X, y, sample_weight=None, *, offset=None, exposure=None, trials=None):
        """Learn the curve.

        Ctrl-C ends the fit with the best curve so far and a warning; before there is one it raises KeyboardInterrupt.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where the observations are. The name of a series or of a frame's column, and that of `y` and of
            `sample_weight`, goes into the model file.
        y : array-like of shape (n_samples,)
            The observations; two labels of any kind with the response 'bernoulli', numbers of successes with 'binomial'.
        sample_weight : float or array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.
        offset : array-like of shape (n_samples,), default=None
            Is added to the curve on the scale of the link.
        exposure : float or array-like of shape (n_samples,), default=None
            Multiplies the mean: time, area, persons. With the responses 'poisson', 'negative-binomial' and 'gamma'.
        trials : float or array-like of shape (n_samples,), default=None
            Numbers of trials, of which `y` succeed. With the response 'binomial'.

        Returns
        -------
        self : MonotoneRegressor
            The fitted estimator.
        """
        self._batches = None
        self._keep_name(X)
        columns = named_columns(x=X, y=y, weight=sample_weight, offset=offset, exposure=exposure, trials=trials)
        x = one_column(X, self)
        y = self._y(y, columns)
        check_consistent_length(x, y)
        weight = weight_array(sample_weight, x)
        return self._fit(x, y, weight, _sizes(x, offset=offset, exposure=exposure, trials=trials), columns)

    def partial_fit(self, X, y, sample_weight=None, *, offset=None, exposure=None, trials=None):
        """Learn from another batch of rows: the curve is that of one `fit` to all rows so far, to the bytes of its model.

        The estimator keeps the rows: which sums over them are needed depends on the range of all X. The order of the
        batches is that of the rows. A call takes the time of a fit. `fit` begins anew.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            As in `fit`, and so are the others.
        y : array-like of shape (n_samples,)
            The observations; with the response 'bernoulli', the first batch has both labels.
        sample_weight : float or array-like of shape (n_samples,), default=None
            Batches without weights count every row once.
        offset, exposure, trials : float or array-like of shape (n_samples,), default=None
            0, 1 and 1 for batches without them.

        Returns
        -------
        self : MonotoneRegressor
            The estimator, fitted to all rows so far.
        """
        names = named_columns(x=X, y=y, weight=sample_weight, offset=offset, exposure=exposure, trials=trials)
        x, y = one_column(X, self), column_or_1d(np.asarray(y), warn=True)
        check_consistent_length(x, y)
        sizes = _sizes(x, offset=offset, exposure=exposure, trials=trials)
        batches, columns = getattr(self, "_batches", None) or ([], names)
        batches = [*batches, {"x": x, "y": y, "weight": weight_array(sample_weight, x), **sizes}]

        def joined(name, missing=None):
            parts = [batch[name] for batch in batches]
            if all(part is None for part in parts):
                return None
            parts = [np.full(len(b["x"]), missing) if part is None else part for part, b in zip(parts, batches)]
            return np.ascontiguousarray(np.concatenate(parts))

        labels = {}
        y = self._y(joined("y"), labels)
        sizes = {"offset": joined("offset", 0.0), "exposure": joined("exposure", 1.0), "trials": joined("trials", 1.0)}
        self._fit(joined("x"), y, joined("weight", 1.0), sizes, {**columns, **labels})
        self._batches = batches, columns
        return self

    def _fit(self, x, y, weight, sizes, columns):
        options = options_of(self, _core.regression_defaults())
        with progress_callback(self.verbose, self.callback) as told:
            model, interrupted = _core.fit_regression(x, y, weight, options, told, **sizes)
        self._take(model.with_columns(columns))
        report(self.summary_, "the fit", interrupted)
        return self

    def _y(self, y, columns=None):
        """The observations as numbers; labels are 0 and 1, and new ones go into `columns`."""
        if getattr(self, "response", None) != "bernoulli":
            refuse_times(y, "y")
            y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y", estimator=self)
            return np.ascontiguousarray(column_or_1d(y, warn=True))
        y = column_or_1d(np.asarray(y), warn=True)
        if columns is None:
            unknown = ~np.isin(y, self.classes_)
            if unknown.any():
                raise ValueError(f"y: the model does not know the label {y[unknown][0]!r}")
            return (y == self.classes_[1]).astype(np.float64)
        classes, place = encode_labels(y)
        if len(classes) != 2:
            found = ", ".join(map(repr, classes[:5].tolist())) + (", ..." if len(classes) > 5 else "")
            raise ValueError(f"y: the response 'bernoulli' takes two labels, and there are {len(classes)}: {found}")
        columns["negative 1"], columns["positive"] = label_names(classes)
        return place.astype(np.float64)

    def _take(self, model):
        if model.options["response"] == "bernoulli":
            names = model.columns.get("negative 1", "0"), model.columns.get("positive", "1")
            self.classes_ = labels_from_names(names)
        self.model_ = model
        self.summary_ = summary = model.summary
        self.n_features_in_ = 1
        self.X_min_, self.X_max_ = summary["x_lower"], summary["x_upper"]
        self.increasing_ = None if self.shape in ("convex", "concave") else not summary["decreasing"]
        self.noise_ = model.noise
        self.log_evidence_ = summary["log_evidence"]
        self.hyper_parameters_ = summary["hyper_parameters"]
        self.n_iter_ = summary["evaluations"]

    def _keep_name(self, X):
        """The name of the column of a frame, as scikit-learn's estimators keep it."""
        names = column_names(X) if getattr(X, "ndim", 0) == 2 else []
        if len(names) == 1:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _x(self, X):
        check_is_fitted(self)
        names = column_names(X) if getattr(X, "ndim", 0) == 2 and hasattr(self, "feature_names_in_") else []
        if names and names != list(self.feature_names_in_):
            raise ValueError(f"X: the curve was fitted to the column {self.feature_names_in_[0]!r}, and this one is {names[0]!r}")
        return one_column(X, self)

    def predict(
        self, X, return_interval=None, observation=False, *, scale="mean", offset=None, exposure=None, trials=None
    ):
        """The mean, or the curve on the scale of its link.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where it is evaluated.
        return_interval : float or None, default=None
            If given, a band with this probability is returned as well.
        observation : bool, default=False
            The band is that of an observation, not of the curve; with the response 'binomial' of the share of successes.
        scale : {'mean', 'link'}, default='mean'
            The mean of y, or the scale of the link: log odds, or the logarithm of the mean.
        offset, exposure, trials : float or array-like of shape (n_samples,), default=None
            Those of the rows, as in `fit`; 0, 1 and 1 if they are not given.

        Returns
        -------
        estimate : ndarray of shape (n_samples,)
            The mode of the posterior; its mean with inference 'variational' or 'mcmc'.
        lower, upper : ndarray of shape (n_samples,)
            Only with `return_interval`.
        """
        x, outside = self._within(self._x(X))
        observation = yes_or_no(observation, "observation")
        scale = one_of(scale, "scale", ("mean", "link"))
        sizes = _sizes(x, offset=offset, exposure=exposure, trials=trials)
        if return_interval is None:
            if observation:
                raise ValueError("observation = True: it is of a band, give return_interval as well")
            return self._without(outside, self.model_.estimate(x, scale, sizes["offset"], sizes["exposure"]))
        if observation and scale == "link":
            raise ValueError("observation = True: an observation is on the scale of y, give scale='mean'")
        p = self.model_.predict(x, _share(return_interval), scale, **sizes)
        which = "obs_" if observation else ""
        return tuple(self._without(outside, p[name]) for name in ("estimate", which + "lower", which + "upper"))

    def predict_interval(
        self, X, interval=0.9, observation=False, *, scale="mean", offset=None, exposure=None, trials=None
    ):
        """Credible intervals of the mean, or intervals of an observation.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where they are evaluated.
        interval : float, default=0.9
            Probability inside each interval.
        observation : bool, default=False
            As in `predict`.
        scale : {'mean', 'link'}, default='mean'
            As in `predict`.
        offset, exposure, trials : float or array-like of shape (n_samples,), default=None
            As in `predict`.

        Returns
        -------
        intervals : ndarray of shape (n_samples, 2)
            The lower and the upper ends.
        """
        sizes = {"offset": offset, "exposure": exposure, "trials": trials}
        _, lower, upper = self.predict(X, interval, observation, scale=scale, **sizes)
        return np.stack([lower, upper], axis=-1)

    def _within(self, x):
        """Where predictions are made, and which of them are left out, by `out_of_bounds`."""
        what = one_of(self.out_of_bounds, "out_of_bounds", ("extend", "clip", "nan", "raise"))
        if what == "extend":
            return x, None
        outside = (x < self.X_min_) | (x > self.X_max_)
        if what == "raise" and outside.any():
            row = np.flatnonzero(outside)[0]
            raise ValueError(f"X: row {row + 1} is {x[row]:g}, outside the training data, {self.X_min_:g} to {self.X_max_:g}")
        return np.clip(x, self.X_min_, self.X_max_), outside if what == "nan" else None

    @staticmethod
    def _without(outside, values):
        return values if outside is None else np.where(outside, np.nan, values)

    def score_rows(self, X, y, *, offset=None, exposure=None, trials=None):
        """How rows do under the fit, its hyper-parameters held.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where they were observed.
        y : array-like of shape (n_samples,)
            The observations.
        offset, exposure, trials : float or array-like of shape (n_samples,), default=None
            Those of the rows, as in `fit`; 0, 1 and 1 if they are not given.

        Returns
        -------
        scores : dict of ndarray
            'log_density' of y at the estimate; 'deviance', twice its distance to the greatest over all means; 'below' and
            'at_most', the probabilities of a smaller observation and of one that is not greater.
        """
        x, y = self._x(X), self._y(y)
        check_consistent_length(x, y)
        return self.model_.score(x, y, **_sizes(x, offset=offset, exposure=exposure, trials=trials))

    def residuals(self, X, y, kind="quantile", *, offset=None, exposure=None, trials=None, random_state=0):
        """Residuals that are standard normal where the model is right, or signed roots of the deviance.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where the rows were observed.
        y : array-like of shape (n_samples,)
            The observations.
        kind : {'quantile', 'deviance'}, default='quantile'
            'quantile': the normal quantile of the probability of an observation up to y, drawn evenly over the jump at y
            where y is a count or a label (P. Dunn and G. Smyth, 1996).
        offset, exposure, trials : float or array-like of shape (n_samples,), default=None
            Those of the rows, as in `fit`; 0, 1 and 1 if they are not given.
        random_state : int, RandomState instance or None, default=0
            Seed of the draws.

        Returns
        -------
        residuals : ndarray of shape (n_samples,)
            Positive where y is above the mean.
        """
        one_of(kind, "kind", ("quantile", "deviance"))
        sizes = {"offset": offset, "exposure": exposure, "trials": trials}
        scores = self.score_rows(X, y, **sizes)
        if kind == "quantile":
            drawn = check_random_state(random_state).uniform(scores["below"], scores["at_most"])
            return ndtri(np.clip(drawn, 1e-300, 1 - 1e-16))
        mean, y = self.predict(X, **sizes), self._y(y)
        observed = y / _sizes(y, trials=trials)["trials"] if trials is not None else y
        return np.sign(observed - mean) * np.sqrt(np.maximum(scores["deviance"], 0))

    def transform(self, X):
        """`predict`, as a step of a pipeline.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where the curve is evaluated.

        Returns
        -------
        estimate : ndarray of shape (n_samples,)
            The mode of the posterior; its mean with inference 'variational' or 'mcmc'.
        """
        return self.predict(X)

    def get_feature_names_out(self, input_features=None):
        """Names of what `transform` gives.

        Parameters
        ----------
        input_features : array-like of str or None
            Not used.

        Returns
        -------
        names : ndarray of str objects
            One name.
        """
        check_is_fitted(self)
        return np.asarray([f"{type(self).__name__.lower()}0"], dtype=object)

    def derivative(self, X, return_interval=None):
        """The slope of the curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where it is evaluated.
        return_interval : float or None, default=None
            If given, a band with this probability is returned as well.

        Returns
        -------
        slope : ndarray of shape (n_samples,)
            It has one sign, except under the prior 'gp'.
        lower, upper : ndarray of shape (n_samples,)
            Only with `return_interval`.
        """
        x = self._x(X)
        interval = 0.9 if return_interval is None else _share(return_interval)
        slope, lower, upper = self.model_.derivative(x, interval)
        return slope if return_interval is None else (slope, lower, upper)

    def inverse(self, level=None, interval=0.9, *, share=None):
        """x at which the mean reaches a level, with its interval.

        Parameters
        ----------
        level : float, default=None
            A value of the mean for an exposure of 1; with the responses 'binomial' and 'bernoulli' a share.
        interval : float, default=0.9
            Probability inside the interval.
        share : float, default=None
            In place of `level`: a share of the mean's change over the data, from its left end. 0.5 is the dose with half
            of the effect.

        Returns
        -------
        answer : dict of float or None
            'estimate', 'lower' and 'upper'; None is not reached within the data. The estimate lies in the interval.
        """
        check_is_fitted(self)
        inside = _share(interval, "interval")
        if (level is None) == (share is None):
            raise ValueError("inverse: give either level or share")
        if level is None:
            return self.model_.inverse_share(_share(share, "share"), inside)
        return self.model_.inverse(float(level), inside)

    def functional(self, which, x, interval=0.9):
        """A number that follows from the mean, with its interval.

        Parameters
        ----------
        which : {'slope', 'difference', 'ratio', 'area'}
            The slope at one x; the mean at the second of two x less or by that at the first; the area between them.
        x : float or array-like of shape (2,)
            Within the data.
        interval : float, default=0.9
            Probability inside the interval.

        Returns
        -------
        answer : dict of float
            'estimate', 'lower' and 'upper'.
        """
        check_is_fitted(self)
        one_of(which, "which", ("slope", "difference", "ratio", "area"))
        return self.model_.functional(which, one_dimension(x, "x", np.float64), _share(interval, "interval"))

    def steepest(self, interval=0.9):
        """x at which the mean changes fastest.

        Parameters
        ----------
        interval : float, default=0.9
            Probability inside the interval.

        Returns
        -------
        answer : dict of float
            'estimate', 'lower' and 'upper'.
        """
        check_is_fitted(self)
        return self.model_.steepest(_share(interval, "interval"))

    def noise_at(self, X):
        """Standard deviation of an observation about the curve; beyond the data that of the edge.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where it is wanted.

        Returns
        -------
        noise : ndarray of shape (n_samples,)
            The same everywhere but with noise='smooth', whose estimate it is; NaN for a response that has none.
        """
        return self.model_.noise_at(self._x(X))

    def unknown(self, readings, interval=0.9):
        """x of an unknown sample from its readings, each x of the data's range as likely before.

        Parameters
        ----------
        readings : float or array-like of shape (n_readings,)
            New observations at one x.
        interval : float, default=0.9
            Probability inside the interval.

        Returns
        -------
        answer : dict of float or None
            'estimate', the median of the posterior, 'lower' and 'upper'; None where the sample may lie beyond the data.
        """
        check_is_fitted(self)
        return self.model_.unknown(one_dimension(readings, "readings", np.float64), _share(interval, "interval"))

    def detection_limit(self, error=0.05, interval=0.9):
        """The least x at which an observation can be told from one at the least x of the data, the blank.

        Parameters
        ----------
        error : float, default=0.05
            The share of readings of the blank that may be taken for more, and of readings at the limit that may be taken
            for the blank.
        interval : float, default=0.9
            Probability inside the interval.

        Returns
        -------
        answer : dict of float or None
            'estimate', 'lower' and 'upper'; None is not reached within the data.
        """
        check_is_fitted(self)
        return self.model_.detection_limit(_share(error, "error"), _share(interval, "interval"))

    def quantification_limit(self, share=0.1, interval=0.9):
        """The least x that one observation tells with a relative standard deviation of `share`.

        Parameters
        ----------
        share : float, default=0.1
            The spread of observations over the slope of the mean is at most this share of x.
        interval : float, default=0.9
            Probability inside the interval.

        Returns
        -------
        answer : dict of float or None
            'estimate', 'lower' and 'upper'; None is not reached within the data.
        """
        check_is_fitted(self)
        return self.model_.quantification_limit(_share(share, "share"), _share(interval, "interval"))

    def plot(self, X=None, y=None, **keywords):
        """Draw the curve with its band; keywords are those of `CurveDisplay.from_estimator`.

        Parameters
        ----------
        X : array-like of shape (n_samples,), default=None
            Rows whose range is drawn; None: that of the training data.
        y : array-like of shape (n_samples,), default=None
            Observations of these rows, drawn as points.

        Returns
        -------
        display : CurveDisplay
            The display, drawn.
        """
        from ._curve_display import CurveDisplay

        return CurveDisplay.from_estimator(self, X, y, **keywords)

    def _curve(self, ends, points, interval):
        from ._curve_display import regression_curve

        return regression_curve(self, ends, points, interval)

    def sample_y(self, X, n_samples=1, random_state=0):
        """The curve under posterior draws.

        Parameters
        ----------
        X : array-like of shape (n_queries,) or (n_queries, 1)
            Where it is evaluated.
        n_samples : int, default=1
            Number of draws.
        random_state : int, RandomState instance or None, default=0
            Seed of the draws.

        Returns
        -------
        samples : ndarray of shape (n_queries, n_samples)
            Each column is monotone, except under the prior 'gp'.
        """
        x, n_samples = self._x(X), whole(n_samples, "n_samples", 1)
        return self.model_.sample(x, n_samples, seed_of(random_state)).T

    def distribution(self, X, of="nu", levels=(0.05, 0.5, 0.95)):
        """Point estimates and quantiles of the posterior.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where they are evaluated.
        of : {'nu', 'response', 'latent'}, default='nu'
            The curve, an observation, or the latent f whose square is the size of the slope (not under the prior
            'gp').
        levels : array-like of shape (n_levels,), default=(0.05, 0.5, 0.95)
            Levels of the quantiles, each between 0 and 1.

        Returns
        -------
        distribution : dict of ndarray
            'mean', 'median' and 'mode' of shape (n_samples,), and 'quantiles' of shape (n_samples, n_levels).
        """
        x = self._x(X)
        levels = np.array([_share(level, "levels") for level in np.atleast_1d(levels)], dtype=np.float64)
        of = one_of(of, "of", ("nu", "response", "latent"))
        result = self.model_.distribution(x, of, levels)
        result["quantiles"] = result["quantiles"].reshape(len(x), len(levels))
        return result

    _read = staticmethod(_core.Regression.load)
