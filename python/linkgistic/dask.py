"""Estimators for rows that a Dask cluster holds: arrays, data frames or delayed partitions.

The solver runs where `fit` is called; workers run tasks that answer its requests with sums over their partitions, so
Dask computes again what a lost worker held. The model has the bytes of one that was fitted on one machine, for any
partitions and workers.
"""

import contextlib

import dask
import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed
from scipy import sparse

from . import _cluster, _cluster_fits, _core
from ._calibrator import MonotoneCalibrator
from ._classifier import LinkgisticClassifier
from ._documentation import documented, keywords
from ._keywords import refuses_unknown_keywords
from ._progress import PROGRESS_PARAMETERS
from ._regressor import OUT_OF_BOUNDS, MonotoneRegressor
from ._sklearn_names import in_python

__all__ = ["DaskLinkgisticClassifier", "DaskMonotoneCalibrator", "DaskMonotoneRegressor"]

_FAN_IN = 8  # answers that one task merges
_LARGE = 1 << 16  # bytes of a request that does not go with every task
_CLIENT = (
    "client",
    "distributed.Client",
    "The cluster. Without one it is the current client, or a cluster in this process for the time of the fit.",
)


def _same(value):
    return value


def _is_frame(X):
    return hasattr(X, "to_delayed") and hasattr(X, "npartitions") and not isinstance(X, (da.Array, Delayed))


def _is_lazy(X):
    return isinstance(X, (da.Array, Delayed)) or _is_frame(X) or (isinstance(X, list) and any(isinstance(x, Delayed) for x in X))


def _partitions(X):
    """The partitions of a dask collection as delayed objects."""
    if isinstance(X, da.Array):
        if X.ndim == 2 and len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        return X.to_delayed().ravel().tolist()
    if _is_frame(X):
        return list(X.to_delayed())
    if isinstance(X, Delayed):
        return [X]
    if isinstance(X, (list, tuple)) and any(isinstance(x, Delayed) for x in X):
        return list(X)
    return [delayed(X, pure=False)]


def _names(X):
    """The names of the columns of a frame or series."""
    if not _is_frame(X):
        return []
    names = list(X.columns) if hasattr(X, "columns") and getattr(X, "ndim", 2) == 2 else [getattr(X, "name", None)]
    return [str(n) for n in names] if all(isinstance(n, str) and n for n in names) else []


def _aligned(X, **others):
    """Partitions of X and of the columns beside it, cut at the same rows."""
    parts = [_partitions(X)]
    for name, column in others.items():
        if column is None:
            continue
        if isinstance(X, da.Array) and isinstance(column, da.Array) and column.chunks[0] != X.chunks[0]:
            if not np.isnan(X.chunks[0]).any() and not np.isnan(column.chunks[0]).any():
                if sum(X.chunks[0]) != sum(column.chunks[0]):
                    raise ValueError(f"X has {sum(X.chunks[0])} rows, and {name} has {sum(column.chunks[0])}")
                column = column.rechunk((X.chunks[0], *column.chunks[1:]))
        elif isinstance(X, da.Array) and not _is_lazy(column) and not np.isnan(X.chunks[0]).any():
            column = da.from_array(np.asarray(column), chunks=(X.chunks[0],))
        parts.append(_partitions(column))
        if len(parts[-1]) != len(parts[0]):
            raise ValueError(f"X has {len(parts[0])} partitions, and {name} has {len(parts[-1])}")
    return list(zip(*parts))


def _block(X, *columns):
    """The rows of a partition with what stands beside them."""
    return (_cluster.as_block(X), *(_cluster.as_column(c) for c in columns))


def _plain_block(X, *columns):
    X = np.asarray(X, dtype=np.float64)
    return (X, *(_cluster.as_column(c) for c in columns))


def _slice(block, first, last):
    return tuple(column[first:last] for column in block)


class _Rows:
    """Parts of rows as futures on the workers of a client; `_cluster_fits` says what its verbs do."""

    def __init__(self, client, futures, interrupts):
        self.client, self.futures, self.interrupts = client, futures, interrupts

    def each(self, function, *arguments):
        return self.client.gather(self._of_each(function, arguments))

    def _of_each(self, function, arguments):
        return self.client.map(_Call(function, arguments), self.futures, pure=False)

    def map(self, function, *arguments, own=None):
        more = [] if own is None else [list(own)]
        futures = self.client.map(_Call(function, arguments), self.futures, *more, pure=False)
        return _Rows(self.client, futures, self.interrupts)

    def pieces(self, lengths, block_rows):
        futures = []
        for first, slices in _cluster.cut_pieces(lengths, block_rows):
            parts = [
                self.futures[p] if (a, b) == (0, lengths[p]) else self._submit(_slice, self.futures[p], a, b)
                for p, a, b in slices
            ]
            futures.append(self._submit(_cluster.make_piece, first, parts))
        self.futures = []
        return _Rows(self.client, futures, self.interrupts)

    def merged(self, function, merge, *arguments):
        return self._root(merge, self._of_each(function, arguments))

    def asked(self, function, merge, *arguments):
        cores = max(1, sum(self.client.ncores().values()))
        groups = [self.futures[a:b] for a, b in _cluster.group_pieces(len(self.futures), cores)]
        groups = [self._submit(list, group) for group in groups]  # a task for each core, not for each part
        answer = _Answer(function, merge, arguments)
        tasks = _Rows(self.client, [], self.interrupts)  # the function does not keep parts that have moved

        def ask(request):
            if len(request) > _LARGE:
                request = tasks._submit(_same, request)
            return tasks._root(merge, [tasks._submit(answer, group, request) for group in groups])

        return ask

    def stacked(self):
        blocks = [b for b in self.client.gather(self.futures) if b[0].shape[0]]
        return [_cluster.stack(list(column)) for column in zip(*blocks)]

    def _submit(self, function, *arguments):
        return self.client.submit(function, *arguments, pure=False)

    def _root(self, merge, futures):
        """Results merged along a tree of tasks."""
        futures = list(futures)
        while len(futures) > 1:
            groups = [futures[i : i + _FAN_IN] for i in range(0, len(futures), _FAN_IN)]
            futures = [self._submit(merge, group) for group in groups]
        return self.interrupts.result(futures[0].result)


class _Call:
    """A function of one part, with its other arguments: one object for all tasks of a pass."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def __call__(self, part, *own):
        return self.function(part, *self.arguments, *own)


class _Answer:
    """The merged answer of parts that lie together."""

    def __init__(self, function, merge, arguments):
        self.function, self.merge, self.arguments = function, merge, arguments

    def __call__(self, group, request):
        return self.merge([self.function(part, request, *self.arguments) for part in group])


@contextlib.contextmanager
def _rows_of(client, blocks):
    """The blocks, on their way to the workers of a cluster."""
    import distributed

    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            client = None
    with contextlib.ExitStack() as stack:
        if client is None:
            client = stack.enter_context(distributed.Client(processes=False, dashboard_address=None))
        futures = client.compute(blocks, optimize_graph=True, sync=False)
        yield _Rows(client, futures, _cluster_fits.Interrupts())


def _lazy(X, function, columns, dtype, outputs=None):
    """function(partition) of every partition as a dask array of shape (rows,) or (rows, columns), or a tuple of such."""
    sizes = X.chunks[0] if isinstance(X, da.Array) else None
    tasks = [delayed(function, pure=False)(part) for part in _partitions(X)]

    def array(tasks, width):
        shapes = [(sizes[i] if sizes else np.nan, *([width] if width else [])) for i in range(len(tasks))]
        parts = [da.from_delayed(task, shape, dtype=dtype) for task, shape in zip(tasks, shapes)]
        return da.concatenate(parts, allow_unknown_chunksizes=True)

    if outputs is None:
        return array(tasks, columns)
    return tuple(array([task[i] for task in tasks], width) for i, width in enumerate(outputs))


class _OfPartitions:
    """What is done to a partition to predict it, by the name of a method of the local estimator."""

    def __init__(self, estimator, method, keywords):
        self.estimator, self.method, self.keywords = estimator, method, keywords

    def __call__(self, X):
        if not (hasattr(X, "columns") or hasattr(X, "name") or sparse.issparse(X)):
            X = np.asarray(X) if not hasattr(X, "tocsr") else X.tocsr()
        if X.shape[0] == 0:
            return self._nothing(X)
        return getattr(self.estimator, self.method)(X, **self.keywords)

    def _nothing(self, X):
        """The prediction of one row, without the row: an empty partition has shapes and types of the others."""
        wide = np.zeros((1, X.shape[1])) if getattr(X, "ndim", 2) == 2 else np.zeros(1)
        if hasattr(X, "columns"):
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

    def _predict(self, X, method, columns=None, dtype=np.float64, outputs=None, **keywords):
        local = self.to_local()
        if not _is_lazy(X):
            return getattr(local, method)(X, **keywords)
        return _lazy(X, _OfPartitions(local, method, keywords), columns, dtype, outputs)


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
        blocks = [delayed(_block, pure=False)(*parts) for parts in _aligned(X, y=y, sample_weight=sample_weight)]
        with _rows_of(self.client, blocks) as rows:
            _cluster_fits.fit_classifier(local, rows, rows.each(_classifier_facts), _names(X))
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
        right = self.predict(X) == (y.values if _is_frame(y) else y)
        if sample_weight is None:
            return float(dask.compute(right.mean())[0])
        weight = sample_weight.values if _is_frame(sample_weight) else sample_weight
        return float(dask.compute((right * weight).sum() / weight.sum())[0])


def _classifier_facts(block):
    return _cluster.block_facts(block[0], block[1], block[2] if len(block) > 2 else None)


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

    def fit(self, X, y, sample_weight=None):
        """Learn the curve.

        Parameters
        ----------
        X : dask array, series or list of delayed partitions, of shape (n_samples,) or (n_samples, 1)
            Where the observations are.
        y : dask array, series or list of delayed partitions, of shape (n_samples,)
            The observations, in partitions of the same rows.
        sample_weight : dask array, series or list of delayed partitions, default=None
            A weight of 2 counts the row twice, a weight of 0 leaves it out.

        Returns
        -------
        self : DaskMonotoneRegressor
            The fitted estimator.
        """
        _cluster_fits.check_regressor(self, "DaskMonotoneCalibrator")
        local = self.to_local()
        named = {"x": _names(X), "y": _names(y), "weight": _names(sample_weight)}
        columns = {role: names[0] for role, names in named.items() if len(names) == 1}
        blocks = [delayed(_plain_block, pure=False)(*parts) for parts in _aligned(X, y=y, sample_weight=sample_weight)]
        with _rows_of(self.client, blocks) as rows:
            _cluster_fits.fit_regressor(local, rows, rows.each(_cluster.length), columns)
        return self._keep(local)

    def predict(self, X, return_interval=None, observation=False):
        """The curve, lazy; as `MonotoneRegressor.predict`."""
        if return_interval is None:
            return self._predict(X, "predict", observation=observation)
        keywords = {"return_interval": return_interval, "observation": observation}
        return self._predict(X, "predict", outputs=(None, None, None), **keywords)

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
        columns = {role: names[0] for role, names in (("label", _names(y)), ("weight", _names(sample_weight))) if len(names) == 1}
        blocks = [
            delayed(_plain_block, pure=False)(*parts) for parts in _aligned(scores, y=y, sample_weight=sample_weight)
        ]
        local = self.to_local()
        with _rows_of(self.client, blocks) as rows:
            _cluster_fits.fit_calibrator(local, rows, rows.each(_cluster_fits.score_facts), _names(scores), columns)
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
