"""Columns of rows as files that are mapped: a task writes them, later tasks of the same machine use them in place.

A block travels as a description, and its rows stay in a folder that only its user can read.
"""

import mmap
import os
import shutil
import uuid

import numpy as np
from scipy import sparse


class LostFiles(Exception):
    """The files of a block are not on this machine (any more)."""


def _created(folder, name):
    return os.fdopen(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")


def _write(folder, name, parts):
    """Arrays one after the other. The file is complete or not there: others may write the same at the same time."""
    part_name = f"{name}.{uuid.uuid4().hex}"
    with _created(folder, part_name) as file:
        for part in parts:
            np.ascontiguousarray(part).tofile(file)
    os.replace(os.path.join(folder, part_name), os.path.join(folder, name))


def _write_behind(folder, name, start, array):
    """An array from a byte on, which changes nothing before it; writing it twice does no harm."""
    with open(os.path.join(folder, name), "r+b") as file:
        file.seek(start)
        file.write(np.ascontiguousarray(array).tobytes())


def _mapped(folder, name, dtype, shape):
    """The first elements of a file."""
    count = int(np.prod(shape, dtype=np.int64))
    dtype = np.dtype(dtype)
    if count * dtype.itemsize == 0:
        return np.empty(shape, dtype)
    with open(os.path.join(folder, name), "rb") as file:
        mapped = mmap.mmap(file.fileno(), count * dtype.itemsize, access=mmap.ACCESS_READ)
    return np.frombuffer(mapped, dtype, count).reshape(shape)


class _Array:
    """A column, or rows of a matrix."""

    def __init__(self, folder, name, parts):
        if parts[0].ndim == 1:
            parts = [np.concatenate(parts)]  # text of several widths gets the widest
        self.name, self.dtype, self.tail = name, parts[0].dtype.str, parts[0].shape[1:]
        _write(folder, name, parts)

    def read(self, folder, first, last):
        return _mapped(folder, self.name, self.dtype, (last, *self.tail))[first:]

    def write_behind(self, folder, rows, more):
        row = np.dtype(self.dtype).itemsize * int(np.prod(self.tail, dtype=np.int64))
        _write_behind(folder, self.name, rows * row, np.asarray(more, dtype=self.dtype))


class _Sparse:
    """Rows of a sparse matrix."""

    def __init__(self, folder, name, parts):
        X = sparse.vstack(parts, format="csr") if len(parts) > 1 else parts[0]
        self.name, self.columns = name, X.shape[1]
        for which, array in self._arrays(X).items():
            _write(folder, f"{name}.{which}", [array])

    @staticmethod
    def _arrays(X):
        return {"ends": X.indptr[1:].astype(np.int64), "index": X.indices.astype(np.int32), "value": X.data}

    def _ends(self, folder, rows):
        return _mapped(folder, f"{self.name}.ends", np.int64, (rows,))

    def read(self, folder, first, last):
        ends = self._ends(folder, last)
        start, end = int(ends[first - 1]) if first else 0, int(ends[-1]) if last else 0
        index = _mapped(folder, f"{self.name}.index", np.int32, (end,))[start:]
        value = _mapped(folder, f"{self.name}.value", np.float64, (end,))[start:]
        ends = np.concatenate([[0], ends[first:] - start])
        return sparse.csr_matrix((value, index, ends), shape=(last - first, self.columns), copy=False)

    def write_behind(self, folder, rows, more):
        entries = int(self._ends(folder, rows)[-1])
        arrays = self._arrays(more)
        _write_behind(folder, f"{self.name}.index", entries * 4, arrays["index"])
        _write_behind(folder, f"{self.name}.value", entries * 8, arrays["value"])
        _write_behind(folder, f"{self.name}.ends", rows * 8, arrays["ends"] + entries)


def _column(folder, name, parts):
    return (_Sparse if sparse.issparse(parts[0]) else _Array)(folder, name, parts)


def as_storage(X, of_sparse):
    """Dense or sparse rows of the same values, in double precision where they change."""
    if sparse.issparse(X) == of_sparse:
        return X
    return sparse.csr_matrix(X) if of_sparse else X.toarray()


class Block:
    """Rows in the files of one folder."""

    def __init__(self, folder, columns):
        """Writes columns, each a list of parts that stand one under the other."""
        self.folder, self.first = folder, 0
        self.last = sum(part.shape[0] for part in columns[0])
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        os.mkdir(folder, mode=0o700)
        try:
            self._columns = [_column(folder, f"{i}.0", parts) for i, parts in enumerate(columns)]
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def columns(self):
        """The columns, mapped."""
        try:
            return tuple(c.read(self.folder, self.first, self.last) for c in self._columns)
        except (FileNotFoundError, ValueError) as error:  # no file, or one that is too short
            raise LostFiles(f"{self.folder}: {error}") from None

    def without_last(self):
        """The same rows without their last column."""
        less = self.part(0, self.last - self.first)
        less._columns = self._columns[:-1]
        return less

    def part(self, first, last):
        """Some of its rows."""
        part = object.__new__(Block)
        part.folder, part._columns = self.folder, self._columns
        part.first, part.last = self.first + first, self.first + last
        return part

    def extended(self, blocks, of_sparse):
        """This block, with rows (tuples of columns) after its last, in dense or sparse storage.

        Rows of the matrix are written behind those that are there; columns, and a matrix whose storage changes, anew.
        """
        columns = self.columns()
        change = sparse.issparse(columns[0]) != of_sparse
        if not blocks and not change:
            return self
        more = [[as_storage(block[0], of_sparse), *block[1:]] for block in blocks]
        one = self.part(0, self.last - self.first)
        one.last += sum(block[0].shape[0] for block in more)
        if change:
            one.first, one.last = 0, one.last - self.first
            matrix = as_storage(columns[0], of_sparse)
            kept = [_column(self.folder, "0.changed", [matrix, *(block[0] for block in more)])]
        else:
            rows = self.last
            for block in more:
                self._columns[0].write_behind(self.folder, rows, block[0])
                rows += block[0].shape[0]
            kept = [self._columns[0]]
        for i in range(1, len(columns)):
            before = self._columns[i].read(self.folder, self.first if change else 0, self.last)
            kept.append(_column(self.folder, f"{i}.more", [before, *(block[i] for block in more)]))
        one._columns = kept
        return one
