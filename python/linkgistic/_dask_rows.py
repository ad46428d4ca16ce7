"""Rows on the workers of a Dask cluster: partitions, and graphs of tasks whose answers come to the driver."""

import contextlib
import itertools
import uuid
from numbers import Real

import dask.array as da
import numpy as np
from dask.delayed import Delayed, delayed

from . import _cluster, _cluster_fits, _cluster_text

_FAN_IN = 8  # answers that one task merges, and that come here unmerged
_LARGE_REQUESTS = 1 << 22  # bytes of a request for all tasks, beyond which it does not go with each
_LARGE_ANSWER = 1 << 18  # bytes of one that workers merge to the end


def is_frame(X):
    return hasattr(X, "to_delayed") and hasattr(X, "npartitions") and not isinstance(X, (da.Array, Delayed))


def is_lazy(X):
    return isinstance(X, (da.Array, Delayed)) or is_frame(X) or (isinstance(X, list) and any(isinstance(x, Delayed) for x in X))


def partitions(X):
    """The partitions of a dask collection as delayed objects."""
    if isinstance(X, da.Array):
        if X.ndim == 2 and len(X.chunks[1]) > 1:
            X = X.rechunk({1: -1})
        return X.to_delayed().ravel().tolist()
    if is_frame(X):
        return list(X.to_delayed())
    if isinstance(X, Delayed):
        return [X]
    if isinstance(X, (list, tuple)) and any(isinstance(x, Delayed) for x in X):
        return list(X)
    return [delayed(X, pure=False)]


def names_of(X):
    """The names of the columns of a frame or series."""
    if not is_frame(X):
        return []
    names = list(X.columns) if hasattr(X, "columns") and getattr(X, "ndim", 2) == 2 else [getattr(X, "name", None)]
    return [str(n) for n in names] if all(isinstance(n, str) and n for n in names) else []


def aligned(X, **others):
    """Partitions of X and of the columns beside it, cut at the same rows."""
    parts = [partitions(X)]
    for name, column in others.items():
        if column is None:
            continue
        if isinstance(column, Real):  # of every row
            parts.append([column] * len(parts[0]))
            continue
        if isinstance(X, da.Array) and isinstance(column, da.Array) and column.chunks[0] != X.chunks[0]:
            if not np.isnan(X.chunks[0]).any() and not np.isnan(column.chunks[0]).any():
                if sum(X.chunks[0]) != sum(column.chunks[0]):
                    raise ValueError(f"X has {sum(X.chunks[0])} rows, and {name} has {sum(column.chunks[0])}")
                column = column.rechunk((X.chunks[0], *column.chunks[1:]))
        elif isinstance(X, da.Array) and not is_lazy(column) and not np.isnan(X.chunks[0]).any():
            column = da.from_array(np.asarray(column), chunks=(X.chunks[0],))
        parts.append(partitions(column))
        if len(parts[-1]) != len(parts[0]):
            raise ValueError(f"X has {len(parts[0])} partitions, and {name} has {len(parts[-1])}")
    return list(zip(*parts))


def any_block(X, *columns):
    """The rows of a partition with what stands beside them; frames that may have text stay frames."""
    rows = X if _cluster_text.may_have_text(X) else _cluster.as_block(X)
    return (rows, *(_cluster.as_column(c) for c in columns))


def plain_block(X, *columns):
    """Rows of numbers, with what stands beside them or is the same for all."""
    X = np.asarray(X, dtype=np.float64)
    return (X, *(np.full(len(X), c) if isinstance(c, Real) else _cluster.as_column(c) for c in columns))


def _slice(block, first, last):
    return tuple(column[first:last] for column in block)


class Rows:
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
        return Rows(self.client, futures, self.interrupts)

    def pieces(self, lengths, block_rows):
        tasks, name = {}, f"linkgistic-{uuid.uuid4().hex}"
        keys = []
        for first, slices in _cluster.cut_pieces(lengths, block_rows):
            parts = []
            for p, a, b in slices:
                if (a, b) == (0, lengths[p]):
                    parts.append(self.futures[p])
                else:
                    parts.append(f"{name}-rows-{first}-{p}")
                    tasks[parts[-1]] = (_slice, self.futures[p], a, b)
            keys.append(f"{name}-{first}")
            tasks[keys[-1]] = (_cluster.make_piece, first, parts)
        futures = self.client.get(tasks, keys, sync=False) if keys else []
        self.futures = []
        return Rows(self.client, futures, self.interrupts)

    def merged(self, function, merge, *arguments):
        return _Graph(self, merge).run(_Call(function, arguments), [(part,) for part in self.futures])

    def asked(self, function, merge, *arguments):
        cores = max(1, sum(self.client.ncores().values()))
        name, ranges = f"linkgistic-{uuid.uuid4().hex}", _cluster.group_pieces(len(self.futures), cores)
        # A task for each core, not for each part.
        groups = {f"{name}-{a}": (list, self.futures[a:b]) for a, b in ranges}
        groups = self.client.get(groups, list(groups), sync=False)
        answer = _Answer(function, merge, arguments)
        graph = _Graph(Rows(self.client, [], self.interrupts), merge)  # it does not keep parts that have moved

        def ask(request):
            return graph.run(answer, [(group,) for group in groups], request)

        return ask

    def stacked(self):
        blocks = [b for b in self.client.gather(self.futures) if b[0].shape[0]]
        return [_cluster.stack(list(column)) for column in zip(*blocks)]


class _Graph:
    """One message to the scheduler for all tasks of a request, and one for their answers.

    Eight answers or fewer come here and are merged here: one more task would cost more than it saves. Of more, and of
    large ones, workers merge. How answers are merged changes no bit.
    """

    def __init__(self, rows, merge):
        self.rows, self.merge = rows, merge
        self._name, self._runs = f"linkgistic-{uuid.uuid4().hex}", itertools.count()
        self._size, self._kept = 0, None

    def run(self, function, parts, *shared):
        """function(*part, *shared) of every part, merged."""
        tasks, name = {}, f"{self._name}-{next(self._runs)}"
        if len(parts) * sum(len(value) for value in shared if isinstance(value, bytes)) > _LARGE_REQUESTS:
            tasks[f"{name}-request"] = (tuple, list(shared))
            function, shared = _Unpacked(function), (f"{name}-request",)
        keys = [f"{name}-{i}" for i in range(len(parts))]
        tasks.update((key, (function, *part, *shared)) for key, part in zip(keys, parts))
        few = _FAN_IN if self._size <= _LARGE_ANSWER else 1
        for level in itertools.count():
            if len(keys) <= few:
                break
            groups = [keys[i : i + _FAN_IN] for i in range(0, len(keys), _FAN_IN)]
            keys = [f"{name}-{level}-{i}" for i in range(len(groups))]
            tasks.update((key, (self.merge, group)) for key, group in zip(keys, groups))
        client = self.rows.client
        # A message that releases the answers before would hold up this one by the interval between messages.
        before, self._kept = self._kept, client.get(tasks, keys, sync=False)
        del before
        answer = self.merge(self.rows.interrupts.result(lambda: client.gather(self._kept)))
        self._size = len(answer)
        return answer


class _Unpacked:
    """A function whose last arguments come in a tuple."""

    def __init__(self, function):
        self.function = function

    def __call__(self, part, shared):
        return self.function(part, *shared)


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
def rows_of(client, blocks):
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
        yield Rows(client, futures, _cluster_fits.Interrupts())
