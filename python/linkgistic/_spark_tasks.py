"""What tasks of Spark do with a partition: they write it to files, cut pieces of it and answer for them."""

import hashlib
import os
import pickle
import shutil
import tempfile
import uuid

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark import TaskContext
from scipy import sparse

from . import _cluster
from ._blocks import Block, LostFiles, as_storage
from ._spark_cells import BadCell, first, labels_of, matrix_of, no_nulls, numbers, weights_of


class Record:
    """What the driver and later tasks know of a partition."""

    def __init__(self, index, digest="", block=None, error=None, piece=None, lost=False):
        self.index, self.digest, self.block, self.error, self.lost = index, digest, block, error, lost
        self.piece = piece  # None: a partition; or (number, first row) of a piece

    def part(self):
        columns = self.block.columns()
        return columns if self.piece is None else _cluster.Piece(self.piece[1], columns)


def _folder(token, partition):
    """A new folder among those that Spark removes when the executor ends."""
    roots = os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")
    return os.path.join(roots[partition % len(roots)], f"linkgistic-{token}", f"{partition}-{uuid.uuid4().hex}")


class Writer:
    """Writes a partition, whose columns are features, label, perhaps weight, hash of the row, perhaps order."""

    def __init__(self, token, names, dense):
        self.token, self.names, self.dense = token, names, dense

    def __call__(self, batches):
        record = self._record(TaskContext.get().partitionId(), batches)
        yield pa.RecordBatch.from_pydict({"record": pa.array([pickle.dumps(record)], pa.binary())})

    def _record(self, index, batches):
        parts, rows, before = [], 0, None
        for batch in batches:
            if not batch.num_rows:
                continue
            try:
                parts.append(self._columns(batch, before))
                width, here = parts[0][0].shape[1], parts[-1][0].shape[1]
                if here != width:
                    raise BadCell(0, f"{self.names['features']} has {here} numbers, and {width} in another row")
            except BadCell as bad:
                return Record(index, error=self._place(index, rows, bad.row, batch) + str(bad))
            rows += batch.num_rows
            before = batch.column("order")[-1] if "order" in self.names else None
        if not rows:
            return Record(index)
        columns = [list(column) for column in zip(*parts)]
        if self.dense or any(sparse.issparse(X) for X in columns[0]):
            columns[0] = [as_storage(X, not self.dense) for X in columns[0]]
        return Record(index, block=Block(_folder(self.token, index), columns))

    def _columns(self, batch, before):
        columns = [matrix_of(batch.column("features"), self.names["features"])]
        columns.append(labels_of(batch.column("label"), self.names["label"]))
        if "weight" in self.names:
            columns.append(weights_of(batch.column("weight"), self.names["weight"]))
        if "order" in self.names:
            order = batch.column("order")
            no_nulls(order, self.names["order"])
            same = pc.equal(order[1:], order[:-1]).to_numpy(zero_copy_only=False)
            if same.any() or (before is not None and before.equals(order[0])):
                row = first(same) + 1 if same.any() else 0
                raise BadCell(row, f"{self.names['order']} is {order[row]} in another row too, and orders the rows")
        columns.append(numbers(batch.column("hash")))
        return columns

    def _place(self, index, rows, row, batch):
        if "order" in self.names:
            return f"the row whose {self.names['order']} is {batch.column('order')[row]}: "
        return f"row {rows + row + 1} of partition {index + 1}: "


def settled(record, sort):
    """A partition without the hashes of its rows; where it was shuffled, in their order."""
    if record.block is None:
        return record
    *columns, hashes = record.block.columns()
    if sort:
        order = np.argsort(hashes, kind="stable")
        columns, hashes, folder = [column[order] for column in columns], hashes[order], record.block.folder
        record.block = Block(f"{folder}-sorted", [[column] for column in columns])
        shutil.rmtree(folder, ignore_errors=True)
    else:
        record.block = record.block.without_last()
    record.digest = hashlib.sha256(np.ascontiguousarray(hashes)).hexdigest()[:16]
    return record


class Heads:
    """The first rows of a partition, to the partition whose piece they belong to."""

    def __init__(self, given):
        self.given = given  # {partition: (to, rows)}

    def __call__(self, record):
        if record.index not in self.given:
            return []
        to, rows = self.given[record.index]
        try:
            head = tuple(column[:rows] for column in record.part())
        except LostFiles:
            head = None
        return [(to, (record.index, head))]


class Pieces:
    """Pieces of partitions, and of the heads that they were given."""

    def __init__(self, owned, of_sparse):
        self.owned, self.of_sparse = owned, of_sparse  # {partition: (number, first row, from, to)}

    def __call__(self, record_and_heads):
        record, heads = record_and_heads
        if record.index not in self.owned:
            return Record(record.index, record.digest)
        number, first_row, start, end = self.owned[record.index]
        heads = [head for _, head in sorted(heads, key=lambda head: head[0])]
        try:
            if any(head is None for head in heads):
                raise LostFiles("a head")
            block = record.block.part(start, end).extended(heads, self.of_sparse)
        except LostFiles:
            return Record(record.index, record.digest, lost=True)
        return Record(record.index, record.digest, block, piece=(number, first_row))


_held = {}  # parts that this process has made, by their folder and steps


def _part(record, key, steps):
    """A part after its steps; those of folders that are gone, and earlier ones of the same folder, are dropped."""
    name = record.block.folder, key
    if name not in _held:
        for other in [other for other in _held if other[0] == name[0] or not os.path.isdir(other[0])]:
            del _held[other]
        part = record.part()
        for function, arguments, own in steps.value if steps else ():
            part = function(part, *arguments, *(() if own is None else (own[record.piece[0]],)))
        _held[name] = part
    return _held[name]


class Result:
    """What a task found: digests of its partitions, the first problem, values by partition."""

    def __init__(self, digests, values=(), lost=False, error=None):
        self.digests, self.values, self.lost, self.error = digests, list(values), lost, error

    @staticmethod
    def joined(results):
        results = sorted(results, key=lambda one: one.digests[0][0])
        errors = [one.error for one in results if one.error]
        return Result(
            [d for one in results for d in one.digests],
            [v for one in results for v in one.values],
            any(one.lost for one in results),
            errors[0] if errors else None,
        )


class Task:
    """A function of the part of each record."""

    def __init__(self, key, steps, function, arguments):
        self.key, self.steps, self.function, self.arguments = key, steps, function, arguments

    def __call__(self, record):
        found = Result([(record.index, record.digest)], lost=record.lost, error=record.error)
        if record.block is not None:
            try:
                found.values = [self.function(_part(record, self.key, self.steps), *self.arguments)]
            except LostFiles:
                found.lost = True
            except (ValueError, TypeError) as error:
                found.error = str(error)
        return found


def group(count, groups, result):
    return result.digests[0][0] * groups // count, result


def merged(merge, results):
    """Results of one partition, or of what was shuffled to it, as one."""
    found = Result.joined([result for _, result in results])
    if found.values and not found.error and not found.lost:
        found.values = [merge(found.values)]
    return [found]


def same(value):
    return value


def list_of(values):
    return [[value for _, value in values]]


def remove(record):
    """The files of a partition, of others beside it, and what this process made of them."""
    if record.block is not None:
        folder = os.path.dirname(record.block.folder)
        shutil.rmtree(folder, ignore_errors=True)
        for name in [name for name in _held if name[0].startswith(folder)]:
            del _held[name]


def arrays(block):
    """Columns that can be sent."""
    return tuple(column.copy() for column in block)


def facts_of(block):
    """What the driver must know of a partition."""
    X = block[0]
    facts = _cluster.block_facts(X, block[1], block[2] if len(block) > 2 else None)
    return {**facts, "nonzeros": int(X.nnz if sparse.issparse(X) else np.count_nonzero(X))}
