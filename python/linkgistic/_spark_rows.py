"""Rows of a Spark frame: partitions as block files on the executors, and jobs whose tasks answer on them.

A cached RDD has a record for each partition, which says where its files are. Its lineage writes them: where an executor
is lost, Spark makes its records again, and with them the files. A record whose files are not on the machine of a task
makes the driver build all of them again.
"""

import contextlib
import pickle
import uuid
from functools import partial

import numpy as np
from pyspark import StorageLevel

from . import _cluster, _cluster_fits
from ._blocks import as_storage
from ._spark_tasks import Heads, Pieces, Result, Task, Writer, arrays, group, list_of, merged, remove, same, settled

_FAN_IN = 8  # partitions whose answers the driver merges itself
_ATTEMPTS = 5  # builds of files that vanish without an answer in between


class _Store:
    """The records of a frame's partitions and pieces, and jobs on them."""

    def __init__(self, frame, names, dense):
        self.context = frame.sparkSession.sparkContext
        self.token = uuid.uuid4().hex
        self.interrupts = _cluster_fits.Interrupts()
        written = frame.mapInArrow(Writer(self.token, names, dense), "record binary").rdd
        # A shuffle gives the rows of a partition in any order: they are put in the order of their hashes.
        determined = written._jrdd.rdd().outputDeterministicLevel().toString() == "DETERMINATE"
        sort = "order" not in names and not determined
        self._make = {"partitions": lambda: written.map(lambda row: settled(pickle.loads(row.record), sort))}
        self._made, self._digests, self._sent = {}, {}, []

    def records(self, stage):
        if stage not in self._made:
            self._made[stage] = self._make[stage]().persist(StorageLevel.MEMORY_AND_DISK)
        return self._made[stage]

    def send(self, value):
        """A value that tasks read once, not with every request."""
        self._sent.append(self.context.broadcast(value))
        return self._sent[-1]

    def forget(self):
        for made in self._made.values():
            made.unpersist()
        self._made.clear()

    def cut(self, lengths, block_rows, of_sparse):
        """From now on there are pieces on the grid: a partition that begins within a block gives the rows before the
        next one to a neighbour on its left."""
        given, owned = {}, {}
        full = sorted(index for index, digest in self._digests.items() if digest)  # those that the lengths are of
        for number, (first_row, slices) in enumerate(_cluster.cut_pieces(lengths, block_rows)):
            owner, first, last = slices[0]
            owned[full[owner]] = number, first_row, first, last
            given.update({full[partition]: (full[owner], rows) for partition, _, rows in slices[1:]})
        count = len(self._digests)

        def make():
            records = self.records("partitions")
            heads = records.flatMap(Heads(given)).partitionBy(count, same).mapPartitions(list_of)
            return records.zip(heads).map(Pieces(owned, of_sparse))

        self._make["pieces"] = make

    def run(self, stage, task, merge=None):
        """The values of a task on every record, in order; or what they merge to."""
        for _ in range(_ATTEMPTS):
            results = self.records(stage).map(task)
            count = results.getNumPartitions()
            if merge is not None and count > _FAN_IN:
                groups = int(np.ceil(np.sqrt(count)))
                results = results.map(partial(group, count, groups)).partitionBy(groups, same)
                results = results.mapPartitions(partial(merged, merge))
            found = self.interrupts.result(results.collect)
            found = Result.joined([one for one in found if one.digests])
            if not found.lost:
                return self._checked(found).values
            self.forget()
        raise RuntimeError("files of rows that tasks had written were not there when others needed them")

    def _checked(self, found):
        for index, digest in found.digests:
            if self._digests.setdefault(index, digest) != digest:
                raise RuntimeError(
                    f"partition {index + 1} was computed again and has other rows than before: the frame is not "
                    "deterministic. Give order_col, or write the frame to files and read them"
                )
        if found.error:
            raise ValueError(found.error)
        return found

    def close(self):
        """Files are removed where a task finds them; others go with their executor."""
        with contextlib.suppress(Exception):  # the application may have ended
            if self._digests:
                self.records("partitions").foreach(remove)
            self.forget()
            for sent in self._sent:
                sent.destroy()


class SparkRows:
    """Parts of rows on the executors; `_cluster_fits` says what the verbs do."""

    def __init__(self, store, stage="partitions", steps=()):
        self.store, self.stage, self.of_sparse = store, stage, False
        self._steps, self._key = steps, uuid.uuid4().hex
        self._sent = store.send(steps) if steps else None

    @property
    def interrupts(self):
        return self.store.interrupts

    def _task(self, function, arguments):
        return Task(self._key, self._sent, function, arguments)

    def each(self, function, *arguments):
        return self.store.run(self.stage, self._task(function, arguments))

    def map(self, function, *arguments, own=None):
        own = None if own is None else list(own)
        return SparkRows(self.store, self.stage, (*self._steps, (function, arguments, own)))

    def pieces(self, lengths, block_rows):
        self.store.cut(lengths, block_rows, self.of_sparse)
        return SparkRows(self.store, "pieces")

    def merged(self, function, merge, *arguments):
        return merge(self.store.run(self.stage, self._task(function, arguments), merge))

    def asked(self, function, merge, *arguments):
        return lambda request: self.merged(function, merge, request, *arguments)

    def stacked(self):
        parts = self.each(arrays)
        return [
            _cluster.stack([as_storage(c, self.of_sparse) if i == 0 else c for c in column])
            for i, column in enumerate(zip(*parts))
        ]


def rows_of_vectors(rows, facts):
    """Storage of vectors: sparse if one of them is and at most half of all numbers are not 0, whatever the partitions."""
    cells = sum(f["rows"] * f["columns"] for f in facts)
    rows.of_sparse = any(f["sparse"] for f in facts) and 2 * sum(f["nonzeros"] for f in facts) <= cells
    for f in facts:
        f["sparse"] = rows.of_sparse
        f["entries"] = f["nonzeros"] if rows.of_sparse else f["rows"] * f["columns"]
    return facts


@contextlib.contextmanager
def rows_of(frame, names, dense=False):
    """The partitions of a frame as rows of `_cluster_fits`, for the time of a fit."""
    store = _Store(frame, names, dense)
    try:
        yield SparkRows(store)
    finally:
        store.close()
