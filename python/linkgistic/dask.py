"""Estimators for rows that a Dask cluster holds: arrays, data frames or delayed partitions.

The solver runs where `fit` is called; workers run tasks that answer its requests with sums over their partitions, so
Dask computes again what a lost worker held. The model has the bytes of one that was fitted on one machine, for any
partitions and workers.
"""

import dask
import dask.array as da
import numpy as np
from dask.delayed import delayed
from scipy import sparse

from . import _cluster, _cluster_fits, _cluster_text, _core
from ._arrow import has_text
from ._calibrator import MonotoneCalibrator
from ._classifier import LinkgisticClassifier
from ._dask_rows import aligned, any_block, is_frame, is_lazy, names_of, plain_block, rows_of
from ._documentation import documented, keywords
from ._keywords import refuses_unknown_keywords
from ._progress import PROGRESS_PARAMETERS
from ._regressor import OUT_OF_BOUNDS, MonotoneRegressor
from ._sklearn_names import in_python

__all__ = ["DaskLinkgisticClassifier", "DaskMonotoneCalibrator", "DaskMonotoneRegressor"]

_CLIENT = (
    "client",
    "distributed.Client",
    "The cluster. Without one it is the current client, or a cluster in this process for the time of the fit.",
)


def _lazy(X, function, columns, dtype, outputs=None, beside=()):
    """function(partition, *others) of every partition as a dask array of shape (rows,) or (rows, columns), or a tuple of
    such."""
    sizes = X.chunks[0] if isinstance(X, da.Array) else None
    tasks = [delayed(function, pure=False)(*parts) for parts in aligned(X, **dict(beside))]

    def array(tasks, width):
        shapes = [(sizes[i] if sizes else np.nan, *([width] if width else [])) for i in range(len(tasks))]
        parts = [da.from_delayed(task, shape, dtype=dtype) for task, shape in zip(tasks, shapes)]
        return da.concatenate(parts, allow_unknown_chunksizes=True)

    if outputs is None:
        return array(tasks, columns)
    return tuple(array([task[i] for task in tasks], width) for i, width in enumerate(outputs))


class _OfPartitions:
    """What is done to a partition to predict it, by the name of a method of the local estimator."""

    def __init__(self, estimator, method, keywords, beside=()):
        self.estimator, self.method, self.keywords, self.beside = estimator, method, keywords, tuple(beside)

    def __call__(self, X, *beside):
        if not (hasattr(X, "columns") or hasattr(X, "name") or sparse.issparse(X)):
            X = np.asarray(X) if not hasattr(X, "tocsr") else X.tocsr()
        if X.shape[0] == 0:
            return self._nothing(X)
        return getattr(self.estimator, self.method)(X, **self.keywords, **dict(zip(self.beside, beside)))

    def _nothing(self, X):
        """The prediction of one row, without the row: an empty partition has shapes and types of the others."""
        wide = np.zeros((1, X.shape[1])) if getattr(X, "ndim", 2) == 2 else np.zeros(1)
        if has_text(X):
            wide = X.reindex([0])  # missing texts have no category, missing numbers a median
        elif hasattr(X, "columns"):
            wide = type(X)(wide, columns=X.columns)
        found = getattr(self.estimator, self.method)(wide, **self.keywords)
        return tuple(one[:0] for one in found) if isinstance(found, tuple) else found[:0]


class _DaskEstimator:
    """What the three estimators share."""

    def to_local(self):
        """The ordinary estimator with the same parameters and model."""
        parameters = self.get_params(deep=False)
        del parameters["client"]
        local = self._local(**parameters)
        for name, value in vars(self).items():
            if name.endswith("_") and not name.startswith("_"):
                setattr(local, name, value)
        return local

    def _keep(self, local):
        """What a local estimator has learned."""
        for name in [name for name in vars(self) if name.endswith("_")]:
            delattr(self, name)
        vars(self).update({name: value for name, value in vars(local).items() if name.endswith("_")})
        return self

    def __getstate__(self):
        state = dict(super().__getstate__())
        state["client"] = None  # it is of this process
        return state

    def __sklearn_clone__(self):
        return type(self)(**self.get_params(deep=False))

    def _predict(self, X, method, columns=None, dtype=np.float64, outputs=None, beside=None, **keywords):
        local = self.to_local()
        beside = {name: column for name, column in (beside or {}).items() if column is not None}
        if not is_lazy(X):
            return getattr(local, method)(X, **keywords, **beside)
        return _lazy(X, _OfPartitions(local, method, keywords, beside), columns, dtype, outputs, beside)


@refuses_unknown_keywords
@documented(in_python(_core.classifier_parameters()), (*PROGRESS_PARAMETERS, _CLIENT))
@keywords(_core.classifier_defaults(), verbose=0, callback=None, client=None)
class DaskLinkgisticClassifier(_DaskEstimator, LinkgisticClassifier):
    """`LinkgisticClassifier` of rows that a Dask cluster holds.

    Attributes
    ----------
    classes_, coef_, intercept_, l2_, v_, summary_
        As those of `LinkgisticClassifier`: plain arrays and numbers.
    """

    _local = LinkgisticClassifier

    def fit(self, X, y, sample_weight=None):
        """Learn coefficients and links.

        Parameters
        ----------
        X : dask array, data frame or list of delayed partitions, of shape (n_samples, n_features)
            Blocks of float64, float32 or uint8, or SciPy's sparse rows. Partitions may be empty, their lengths unknown.
            Columns of text or categories of a frame are one-hot encoded, as `LinkgisticClassifier` does.
        y : dask array, series or list of delayed partitions, of shape (n_samples,)
            Labels, in partitions of the same rows.
        sample_weight : dask array, series or list of delayed partitions, default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : DaskLinkgisticClassifier
            The fitted estimator.
        """
        _cluster_fits.check_classifier(self)
        local = self.to_local()
        blocks = [delayed(any_block, pure=False)(*parts) for parts in aligned(X, y=y, sample_weight=sample_weight)]
        with rows_of(self.client, blocks) as rows:
            facts = rows.each(_classifier_facts)
            rows, facts, encoding = _encoded(rows, facts)
            _cluster_fits.fit_classifier(local, rows, facts, names_of(X), encoding)
        return self._keep(local)

    def predict_proba(self, X, return_interval=None, band="all", estimate="mode"):
        """Probabilities of the classes, lazy; as `LinkgisticClassifier.predict_proba`."""
        classes = len(self.classes_)
        if return_interval is None:
            return self._predict(X, "predict_proba", classes, estimate=estimate)
        width = None if classes == 2 else classes
        keywords = {"return_interval": return_interval, "band": band, "estimate": estimate}
        return self._predict(X, "predict_proba", outputs=(classes, width, width), **keywords)

    def predict_log_proba(self, X):
        """Logarithms of `predict_proba`, lazy."""
        return self._predict(X, "predict_log_proba", len(self.classes_))

    def decision_function(self, X):
        """As `LinkgisticClassifier.decision_function`, lazy."""
        return self._predict(X, "decision_function", None if len(self.classes_) == 2 else len(self.classes_))

    def linear_score(self, X):
        """As `LinkgisticClassifier.linear_score`, lazy."""
        return self._predict(X, "linear_score", None if len(self.coef_) == 1 else len(self.coef_))

    def predict(self, X):
        """The most probable labels, lazy."""
        return self._predict(X, "predict", dtype=self.classes_.dtype)

    def score(self, X, y, sample_weight=None):
        """The share of rows whose label is predicted."""
        right = self.predict(X) == (y.values if is_frame(y) else y)
        if sample_weight is None:
            return float(dask.compute(right.mean())[0])
        weight = sample_weight.values if is_frame(sample_weight) else sample_weight
        return float(dask.compute((right * weight).sum() / weight.sum())[0])


def _classifier_facts(block):
    return _cluster.block_facts(block[0], block[1], block[2] if len(block) > 2 else None)


def _block_has_text(block):
    return has_text(block[0])


def _encoded(rows, facts):
    """Frames as features with their encoding where a column is text, else as arrays."""
    full = [f for f in facts if f["rows"]]
    if sum(f["rows"] for f in full) <= _core.few_rows or not any(f["dtype"] == "frame" for f in full):
        return rows, facts, None
    encoding = None
    if any(rows.each(_block_has_text)):
        made, encoding = _cluster_text.encode(rows, [f["rows"] for f in facts])
    else:
        made = rows.map(_cluster_text.array_block)
    rows.futures = []  # the frames have served
    return made, made.each(_classifier_facts), encoding


@refuses_unknown_keywords
@documented(in_python(_core.regression_parameters()), (OUT_OF_BOUNDS, *PROGRESS_PARAMETERS, _CLIENT))
@keywords(_core.regression_defaults(), out_of_bounds="extend", verbose=0, callback=None, client=None)
class DaskMonotoneRegressor(_DaskEstimator, MonotoneRegressor):
    """`MonotoneRegressor` of rows that a Dask cluster holds.

    Attributes
    ----------
    X_min_, X_max_, increasing_, noise_, summary_
        As those of `MonotoneRegressor`.
    """

    _local = MonotoneRegressor

    def fit(self, X, y, sample_weight=None, *, offset=None, exposure=None, trials=None):
        """Learn the curve.

        Parameters
        ----------
        X : dask array, series or list of delayed partitions, of shape (n_samples,) or (n_samples, 1)
            Where the observations are.
        y : dask array, series or list of delayed partitions, of shape (n_samples,)
            The observations, in partitions of the same rows; two labels of any kind with the response 'bernoulli'.
        sample_weight, offset, exposure, trials : dask array, series, list of delayed partitions or number, default=None
            As in `MonotoneRegressor.fit`, in partitions of the same rows.

        Returns
        -------
        self : DaskMonotoneRegressor
            The fitted estimator.
        """
        local = self.to_local()
        beside = {"weight": sample_weight, "offset": offset, "exposure": exposure, "trials": trials}
        beside = {role: column for role, column in beside.items() if column is not None}
        named = {role: names_of(column) for role, column in {"x": X, "y": y, **beside}.items()}
        columns = {role: names[0] for role, names in named.items() if len(names) == 1}
        blocks = [delayed(plain_block, pure=False)(*parts) for parts in aligned(X, y=y, **beside)]
        with rows_of(self.client, blocks) as rows:
            _cluster_fits.fit_regressor(local, rows, rows.each(_cluster.length), columns, beside)
        return self._keep(local)

    def predict(
        self, X, return_interval=None, observation=False, *, scale="mean", offset=None, exposure=None, trials=None
    ):
        """The curve, lazy; as `MonotoneRegressor.predict`."""
        beside = {"offset": offset, "exposure": exposure, "trials": trials}
        keywords = {"observation": observation, "scale": scale}
        if return_interval is None:
            return self._predict(X, "predict", beside=beside, **keywords)
        keywords["return_interval"] = return_interval
        return self._predict(X, "predict", outputs=(None, None, None), beside=beside, **keywords)

    def transform(self, X):
        """`predict`, as a step of a pipeline."""
        return self.predict(X)


@refuses_unknown_keywords
@documented(in_python(_core.calibrator_parameters()), (*PROGRESS_PARAMETERS, _CLIENT))
@keywords(_core.calibrator_defaults(), verbose=0, callback=None, client=None)
class DaskMonotoneCalibrator(_DaskEstimator, MonotoneCalibrator):
    """`MonotoneCalibrator` of scores that a Dask cluster holds.

    Two classes are calibrated where the scores are; of more, the scores come to the driver.

    Attributes
    ----------
    classes_, summary_, posterior_
        As those of `MonotoneCalibrator`.
    """

    _local = MonotoneCalibrator

    def fit(self, scores, y, sample_weight=None):
        """Learn the map, or the maps of many classes.

        Parameters
        ----------
        scores : dask array, series, frame or list of delayed partitions, of shape (n_samples,) or (n_samples, n_classes)
            Scores of rows that the classifier was not trained on.
        y : dask array, series or list of delayed partitions, of shape (n_samples,)
            Labels, in partitions of the same rows.
        sample_weight : dask array, series or list of delayed partitions, default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : DaskMonotoneCalibrator
            The fitted estimator.
        """
        named = {"label": names_of(y), "weight": names_of(sample_weight)}
        columns = {role: names[0] for role, names in named.items() if len(names) == 1}
        blocks = [
            delayed(plain_block, pure=False)(*parts) for parts in aligned(scores, y=y, sample_weight=sample_weight)
        ]
        local = self.to_local()
        with rows_of(self.client, blocks) as rows:
            _cluster_fits.fit_calibrator(local, rows, rows.each(_cluster_fits.score_facts), names_of(scores), columns)
        return self._keep(local)

    def predict_proba(self, scores, return_interval=None):
        """Calibrated probabilities, lazy; as `MonotoneCalibrator.predict_proba`."""
        classes = len(self.classes_)
        if return_interval is None:
            return self._predict(scores, "predict_proba", classes)
        band = None if classes == 2 else classes
        return self._predict(
            scores, "predict_proba", outputs=(classes, band, band), return_interval=return_interval
        )

    def decision_function(self, scores):
        """Calibrated log odds, lazy."""
        return self._predict(scores, "decision_function", None if len(self.classes_) == 2 else len(self.classes_))

    def predict(self, scores):
        """The most probable labels, lazy."""
        return self._predict(scores, "predict", dtype=self.classes_.dtype)
