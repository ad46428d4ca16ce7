"""Estimators for rows that a Dask cluster holds: arrays, data frames or delayed partitions.

The solver runs where `fit` is called; workers run tasks that answer its requests with sums over their partitions, so
Dask computes again what a lost worker held. The model has the bytes of one that was fitted on one machine, for any
partitions and workers.
"""

import contextlib
from numbers import Integral

import dask
import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed
from scipy import sparse

from . import _cluster, _core
from ._calibrator import MonotoneCalibrator
from ._classifier import LinkgisticClassifier
from ._documentation import documented, keywords
from ._keywords import refuses_unknown_keywords
from ._options import check_two_classes, label_names, options_of, report, warn_of_regression
from ._progress import PROGRESS_PARAMETERS, progress_callback
from ._regressor import MonotoneRegressor
from ._rows import class_weights

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


def _length(block):
    lengths = [column.shape[0] for column in block]
    if len(set(lengths)) != 1:
        raise ValueError(f"a partition has columns of {', '.join(map(str, lengths))} rows")
    return lengths[0]


def _every(piece, step):
    """The rows whose numbers are multiples of the step."""
    return piece.columns[0][-piece.first_row % step :: step]


class _Cluster:
    """Pieces on the workers of a client, and tasks on them."""

    def __init__(self, client):
        self.client = client
        self.interrupted = False

    def persist(self, blocks):
        return self.client.compute(blocks, optimize_graph=True, sync=False)

    def each(self, function, futures, *arguments):
        """The results of a function of each future, in order."""
        return self.client.gather(self.map(function, futures, *arguments))

    def map(self, function, futures, *arguments):
        return self.client.map(_Call(function, arguments), futures, pure=False)

    def merged(self, function, futures):
        """Results merged along a tree of tasks; only its root comes here."""
        futures = list(futures)
        while len(futures) > 1:
            groups = [futures[i : i + _FAN_IN] for i in range(0, len(futures), _FAN_IN)]
            futures = [self.client.submit(function, group, pure=False) for group in groups]
        if len(futures) == 1:
            return self.result(futures[0])
        raise ValueError("there are no rows")

    def ask(self, answer, merge, holders, request, *arguments):
        """The merged answer of all holders to a request, which is a task's result that workers fetch from each other."""
        if len(request) > _LARGE:
            request = self.client.submit(_same, request, pure=False)
        tasks = [self.client.submit(answer, holder, request, *arguments, pure=False) for holder in holders]
        return self.merged(merge, tasks)

    def cores(self):
        return max(1, sum(self.client.ncores().values()))

    def result(self, future):
        """Ctrl-C does not leave a request unanswered: the fit ends after it with the best model so far."""
        try:
            return future.result()
        except KeyboardInterrupt:
            if self.interrupted:
                raise
            self.interrupted = True
            return future.result()

    def pieces(self, blocks, lengths, block_rows):
        """Futures of pieces on the grid."""
        futures = []
        for first, slices in _cluster.cut_pieces(lengths, block_rows):
            parts = [
                blocks[p] if (a, b) == (0, lengths[p]) else self.client.submit(_slice, blocks[p], a, b, pure=False)
                for p, a, b in slices
            ]
            futures.append(self.client.submit(_cluster.make_piece, first, parts, pure=False))
        return futures

    def told(self, told):
        """A progress callback that ends the fit after a Ctrl-C."""

        def tell(progress):
            if told is not None:
                told(progress)
            if self.interrupted:
                raise KeyboardInterrupt

        return tell


class _Call:
    """A function of one piece, with its other arguments: one object for all tasks of a pass."""

    def __init__(self, function, arguments):
        self.function, self.arguments = function, arguments

    def __call__(self, piece):
        return self.function(piece, *self.arguments)


@contextlib.contextmanager
def _cluster_of(client):
    import distributed

    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            client = None
    if client is not None:
        yield _Cluster(client)
        return
    with distributed.Client(processes=False, dashboard_address=None) as own:
        yield _Cluster(own)


def _stacked(futures, cluster):
    """All rows in this process, for fits of few."""
    blocks = [b for b in cluster.client.gather(futures) if b[0].shape[0]]
    return [_cluster.stack(list(column)) for column in zip(*blocks)]


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

    def _threads(self):
        return self.threads if self.threads and self.threads > 0 else 1


@refuses_unknown_keywords
@documented(_core.classifier_parameters(), (*PROGRESS_PARAMETERS, _CLIENT))
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
        if not (self.cv is None or isinstance(self.cv, Integral)):
            raise ValueError(f"cv = {self.cv!r}: it must be a number of parts here")
        names = _names(X)
        blocks = [delayed(_block, pure=False)(*parts) for parts in _aligned(X, y=y, sample_weight=sample_weight)]
        with _cluster_of(self.client) as cluster:
            futures = cluster.persist(blocks)
            told = cluster.each(_classifier_facts, futures)
            if sum(f["rows"] for f in told) <= _core.few_rows:
                return self._fit_here(_stacked(futures, cluster), names)
            facts = _cluster.join_facts(told)
            check_two_classes(facts["classes"])
            warn_of_regression(facts["classes"], facts["rows"])
            model, interrupted = self._fit_there(cluster, futures, facts, names)
        self.classes_ = facts["classes"]
        self.n_features_in_ = facts["columns"]
        if names:
            self.feature_names_in_ = np.array(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._take(model)
        report(self.summary_, "the fit", interrupted)
        return self

    def _fit_here(self, columns, names):
        """Few rows are fitted in this process: equal ones are merged first, which needs all of them."""
        if not columns:
            raise ValueError("there are no rows")
        local = self.to_local()
        X = columns[0]
        if names and not sparse.issparse(X):
            import pandas

            X = pandas.DataFrame(X, columns=names)
        local.fit(X, *columns[1:])
        for name, value in vars(local).items():
            if name.endswith("_"):
                setattr(self, name, value)
        return self

    def _fit_there(self, cluster, futures, facts, names):
        classes, threads = facts["classes"], self._threads()
        options = options_of(self, _core.classifier_defaults())
        if "class_weights" in options:
            options["class_weights"] = class_weights(options["class_weights"], classes)
        class_names = label_names(classes)
        shape = (facts["rows"], facts["columns"], facts["entries"], facts["sparse"], len(classes))
        pieces = cluster.pieces(futures, facts["lengths"], _core.classifier_block_rows(shape))
        del futures
        pieces = cluster.map(_cluster.encode_piece, pieces, classes)
        ranks = cluster.each(_cluster.piece_ranks, pieces, len(classes))
        ones = np.ones(len(classes))
        sums = cluster.merged(_cluster.merge_sums, cluster.map(_cluster.piece_sums, pieces, ones, threads))
        raw = _core.total_sums(sums)
        factors = _core.class_factors(class_names, raw[: len(classes)].copy(), options)
        totals = raw
        if (factors != 1).any():
            sums = cluster.merged(_cluster.merge_sums, cluster.map(_cluster.piece_sums, pieces, factors, threads))
            totals = _core.total_sums(sums)
        origin = raw[len(classes) + 1 :] / facts["rows"] if facts["double"] else np.empty(0)
        pivot = np.zeros(facts["columns"])
        if not facts["sparse"]:
            pivot = cluster.client.submit(_cluster.first_row_of, pieces[0], pure=False).result()
            if facts["double"]:
                pivot = (pivot - origin).astype(np.float32).astype(np.float64)
        medians = None
        if names and not facts["sparse"]:
            some = np.concatenate(cluster.each(_every, pieces, -(-facts["rows"] // 16384)))
            medians = np.array([np.median(some[:, j]) for j in range(some.shape[1])], dtype=np.float64)
        plan = _core.classifier_plan(shape, facts["class_rows"], factors, origin, options)
        before = np.concatenate([np.zeros((1, len(classes)), np.uint64), np.cumsum(ranks, axis=0, dtype=np.uint64)])
        holders = [
            cluster.client.submit(_cluster.make_group, pieces[a:b], plan, before[a:b], threads, pure=False)
            for a, b in _cluster.group_pieces(len(pieces), cluster.cores())
        ]
        del pieces

        def ask(request):
            return cluster.ask(_cluster.answer_classifier, _cluster.merge_answers, holders, request)

        with progress_callback(self.verbose, self.callback) as told:
            return _core.fit_classifier_by(
                plan,
                facts["class_rows"],
                class_names,
                names,
                medians,
                totals[: len(classes)].copy(),
                int(totals[len(classes)]),
                facts["bytes"],
                pivot,
                options,
                ask,
                cluster.told(told),
            )

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
@documented(_core.regression_parameters(), (*PROGRESS_PARAMETERS, _CLIENT))
@keywords(_core.regression_defaults(), verbose=0, callback=None, client=None)
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
        if self.response in ("bernoulli", "binomial"):
            raise ValueError(
                f"response = {self.response!r}: its labels and trials are not distributed; a DaskMonotoneCalibrator or a "
                "MonotoneRegressor takes them"
            )
        named = {"x": _names(X), "y": _names(y), "weight": _names(sample_weight)}
        blocks = [delayed(_plain_block, pure=False)(*parts) for parts in _aligned(X, y=y, sample_weight=sample_weight)]
        options = options_of(self, _core.regression_defaults())
        with _cluster_of(self.client) as cluster:
            futures = cluster.persist(blocks)
            lengths = cluster.each(_length, futures)
            if not sum(lengths):
                raise ValueError("there are no rows")
            pieces = cluster.pieces(futures, lengths, _core.regression_block_rows)
            del futures
            pieces = cluster.map(_cluster.as_regression_piece, pieces)
            threads = self._threads()

            def ask(request):
                return cluster.ask(
                    _cluster.answer_regression, _cluster.merge_regression_answers, pieces, request, self.response, threads
                )

            with progress_callback(self.verbose, self.callback) as told:
                model, interrupted = _core.fit_regression_by(options, ask, cluster.told(told))
        self._take(model.with_columns({role: names[0] for role, names in named.items() if len(names) == 1}))
        report(self.summary_, "the fit", interrupted)
        return self

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
@documented(_core.calibrator_parameters(), (*PROGRESS_PARAMETERS, _CLIENT))
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
        with _cluster_of(self.client) as cluster:
            futures = cluster.persist(blocks)
            found = [f for f in cluster.each(_score_facts, futures)]
            full = [f for f in found if f[0]]
            if not full:
                raise ValueError("there are no rows")
            classes = np.unique(np.concatenate([f[1] for f in full]))
            check_two_classes(classes)
            if len(classes) > 2:
                return self._fit_here(_stacked(futures, cluster))
            options = options_of(self, _core.calibrator_defaults())
            kind = options.get("score_kind", "auto")
            if kind == "auto" and full[0][3] == 2:
                kind = "probability" if all(f[2] for f in full) else "decision"
            if kind == "decision":
                options["score_kind"] = kind
            pieces = cluster.pieces(futures, [f[0] for f in found], _core.score_block_rows)
            del futures
            pieces = cluster.map(_cluster.as_score_piece, pieces, classes, kind)

            def ask(request):
                return cluster.ask(_cluster.answer_scores, _cluster.merge_score_answers, pieces, request)

            model = _core.fit_calibrator_by(options, ask)
        names = _names(scores)
        names = names[1:] if len(names) == 2 and kind == "probability" else names
        if len(names) == 1:
            columns["score"] = names[0]
        negative, positive = label_names(classes)
        columns = {"score": "score", "label": "label", **columns, "negative 1": negative, "positive": positive}
        self.classes_ = classes
        self._take(model.with_columns(columns))
        report(self.summary_, "the calibration")
        return self

    def _fit_here(self, columns):
        local = self.to_local().fit(*columns)
        for name in ("classes_", "model_", "summary_"):
            setattr(self, name, getattr(local, name))
        return self

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


def _score_facts(block):
    """Rows, labels, whether two columns are probabilities of both classes, and how many columns there are."""
    scores = block[0]
    _length(block)
    two = scores.ndim == 2 and scores.shape[1] == 2
    good = two and bool(np.all((scores >= 0) & (scores <= 1)) and np.all(np.abs(scores.sum(axis=1) - 1) <= 0.01))
    return scores.shape[0], np.unique(block[1]), good, scores.shape[1] if scores.ndim == 2 else 1
