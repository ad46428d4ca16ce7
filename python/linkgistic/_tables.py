"""Tables: those that come through a protocol as ones that scikit-learn reads, and the names of columns."""

import numpy as np
from scipy import sparse

from ._arrow import ArrowFrame, has_capsules, has_text

_KNOWN = ("cudf", "modin", "pandas", "polars")


def _installed(names, X):
    """The first of these packages that is installed."""
    from importlib import import_module

    for name in names:
        try:
            return import_module(name)
        except ImportError:
            pass
    raise TypeError(f"X: a {type(X).__name__} is read through {' or '.join(names)}, which must be installed")


def _one_column(X):
    """Arrow's arrays and series are one column and have no names."""
    if type(X).__name__ == "Series":
        return True
    return type(X).__module__.startswith("pyarrow") and type(X).__name__ not in ("RecordBatch", "RecordBatchReader", "Table")


def as_rows(X, to_encode=False):
    """X itself, or its rows where it is a table behind Arrow's capsules.

    Frames of numbers of pandas are arrays already, unless a model is to encode them.
    """
    if isinstance(X, (ArrowFrame, np.ndarray, list, tuple)) or sparse.issparse(X):
        return X
    if type(X).__module__.startswith("pyarrow") and hasattr(X, "scanner"):  # a dataset, such as files of Parquet
        return ArrowFrame(X.scanner().to_reader())
    known = type(X).__module__.split(".")[0] in _KNOWN and type(X).__module__.split(".")[0] != "polars"
    if has_capsules(X) and not _one_column(X) and (to_encode or has_text(X) or not known):
        return ArrowFrame(X)
    return as_table(X)


def as_table(X):
    """X itself, or the Arrow table (or pandas frame) of an object that has Arrow's capsules or `__dataframe__`."""
    if isinstance(X, (np.ndarray, list, tuple)) or sparse.issparse(X) or type(X).__module__.split(".")[0] in _KNOWN:
        return X
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        keep = _one_column(X) or type(X).__module__.startswith("pyarrow") and type(X).__name__ == "Table"
        return X if keep else _installed(["pyarrow"], X).table(X)
    if hasattr(X, "__dataframe__") and not hasattr(X, "__array__"):
        package = _installed(["pyarrow", "pandas"], X)
        if package.__name__ == "pandas":
            return package.api.interchange.from_dataframe(X)
        from pyarrow.interchange import from_dataframe

        return from_dataframe(X)
    return X


def column_names(X):
    """The names of the columns of a frame, a series or an Arrow table; none where there are none or one is no text."""
    modules = {base.__module__.split(".")[0] for base in type(X).__mro__}
    if modules.isdisjoint((*_KNOWN, "pyarrow")):
        return []
    names = getattr(X, "column_names", None)  # Arrow's
    if names is None:
        names = getattr(X, "columns", None)
    if names is None:
        names = [getattr(X, "name", None)]
    names = list(names)
    return [str(name) for name in names] if all(isinstance(name, str) and name for name in names) else []


def refuse_times(X, what):
    """An error where X has times, which NumPy would turn into counts of nanoseconds, and one that is missing into -9e18."""
    dtypes = getattr(X, "dtypes", None)
    columns = getattr(X, "columns", None)
    if columns is None or dtypes is None:
        pairs = [("", getattr(X, "dtype", None))]
    else:
        pairs = zip((f", column {name!r}" for name in columns), dtypes)
    for where, dtype in pairs:
        if str(dtype).lower().startswith(("date", "time", "duration")):
            raise ValueError(
                f"{what}{where}: times ({dtype}) are not numbers; make them numbers, such as days since the first: "
                "(t - t.min()).dt.total_seconds() / 86400"
            )


def named_columns(**roles):
    """The names of columns by their roles, as a model file has them: of those that are one named column."""
    found = {role: column_names(column) for role, column in roles.items()}
    return {role: names[0] for role, names in found.items() if len(names) == 1}
