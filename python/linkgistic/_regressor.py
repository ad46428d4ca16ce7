"""Monotone regression with credible bands."""

from numbers import Integral

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, column_or_1d

from . import _core
from ._documentation import documented, keywords
from ._keywords import refuses_unknown_keywords
from ._options import ModelFile, one_of, options_of, report, share, weight_array, whole, yes_or_no
from ._progress import PROGRESS_PARAMETERS, progress_callback
from ._tables import named_columns


def one_column(X, estimator, what="X", ensure_min_samples=1):
    """X of shape (n,) or (n, 1) as numbers of shape (n,)."""
    X = check_array(
        X, ensure_2d=False, dtype=np.float64, input_name=what, estimator=estimator, ensure_min_samples=ensure_min_samples
    )
    if X.ndim > 2 or (X.ndim == 2 and X.shape[1] != 1):
        raise ValueError(f"{what} must have shape (n,) or (n, 1), and has {X.shape}")
    return np.ascontiguousarray(X.reshape(-1))


@refuses_unknown_keywords
@documented(_core.regression_parameters(), PROGRESS_PARAMETERS)
@keywords(_core.regression_defaults(), verbose=0, callback=None)
class MonotoneRegressor(ModelFile, TransformerMixin, RegressorMixin, BaseEstimator):
    """A smooth increasing (or decreasing) curve with credible bands.

    Attributes
    ----------
    X_min_, X_max_ : float
        The range of the training data; beyond it the curve continues with the slope it has at the edge.
    increasing_ : bool
        The direction that was used.
    noise_ : float
        Standard deviation of an observation about the curve.
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

    def fit(self, X, y, sample_weight=None):
        """Learn the curve.

        Ctrl-C ends the fit with the best curve so far and a warning; before there is one it raises KeyboardInterrupt.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where the observations are. The name of a series or of a frame's column, and that of `y` and of
            `sample_weight`, goes into the model file.
        y : array-like of shape (n_samples,)
            The observations.
        sample_weight : float or array-like of shape (n_samples,), default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : MonotoneRegressor
            The fitted estimator.
        """
        columns = named_columns(x=X, y=y, weight=sample_weight)
        x = one_column(X, self)
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y", estimator=self)
        y = np.ascontiguousarray(column_or_1d(y, warn=True))
        check_consistent_length(x, y)
        weight = weight_array(sample_weight, x)
        options = options_of(self, _core.regression_defaults())
        with progress_callback(self.verbose, self.callback) as told:
            model, interrupted = _core.fit_regression(x, y, weight, options, told)
        self._take(model.with_columns(columns))
        report(self.summary_, "the fit", interrupted)
        return self

    def _take(self, model):
        self.model_ = model
        self.summary_ = summary = model.summary
        self.n_features_in_ = 1
        self.X_min_, self.X_max_ = summary["x_lower"], summary["x_upper"]
        self.increasing_ = not summary["decreasing"]
        self.noise_ = model.noise
        self.log_evidence_ = summary["log_evidence"]
        self.hyper_parameters_ = summary["hyper_parameters"]
        self.n_iter_ = summary["evaluations"]

    def _x(self, X):
        check_is_fitted(self)
        return one_column(X, self)

    def predict(self, X, return_interval=None, observation=False):
        """The curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
            Where it is evaluated.
        return_interval : float or None, default=None
            If given, a band with this probability is returned as well.
        observation : bool, default=False
            The band is that of an observation, not of the curve.

        Returns
        -------
        estimate : ndarray of shape (n_samples,)
            The mode of the posterior; its mean with inference 'variational' or 'mcmc'.
        lower, upper : ndarray of shape (n_samples,)
            Only with `return_interval`.
        """
        x, observation = self._x(X), yes_or_no(observation, "observation")
        if return_interval is None:
            if observation:
                raise ValueError("observation = True: it is of a band, give return_interval as well")
            return self.model_.estimate(x)
        p = self.model_.predict(x, share(return_interval))
        which = "obs_" if observation else ""
        return p["estimate"], p[which + "lower"], p[which + "upper"]

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
        return np.asarray(["monotoneregressor0"], dtype=object)

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
        interval = 0.9 if return_interval is None else share(return_interval)
        slope, lower, upper = self.model_.derivative(x, interval)
        return slope if return_interval is None else (slope, lower, upper)

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
        x, n_samples, seed = self._x(X), whole(n_samples, "n_samples", 1), random_state
        if isinstance(seed, Integral):
            seed = whole(seed, "random_state", 0)
        else:
            seed = check_random_state(random_state).randint(np.iinfo(np.int32).max)
        return self.model_.sample(x, n_samples, seed).T

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
        levels = np.array([share(level, "levels") for level in np.atleast_1d(levels)], dtype=np.float64)
        of = one_of(of, "of", ("nu", "response", "latent"))
        result = self.model_.distribution(x, of, levels)
        result["quantiles"] = result["quantiles"].reshape(len(x), len(levels))
        return result

    _read = staticmethod(_core.Regression.load)
