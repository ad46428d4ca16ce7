"""Tables that come through a protocol, as ones whose names and numbers scikit-learn reads."""

import numpy as np
from scipy import sparse

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
    return type(X).__module__.startswith("pyarrow") and type(X).__name__ not in ("RecordBatch", "RecordBatchReader")


def as_table(X):
    """X itself, or the Arrow table (or pandas frame) of an object that has Arrow's capsules or `__dataframe__`."""
    if isinstance(X, (np.ndarray, list, tuple)) or sparse.issparse(X) or type(X).__module__.split(".")[0] in _KNOWN:
        return X
    if hasattr(X, "__arrow_c_stream__") or hasattr(X, "__arrow_c_array__"):
        return X if _one_column(X) else _installed(["pyarrow"], X).table(X)
    if hasattr(X, "__dataframe__") and not hasattr(X, "__array__"):
        package = _installed(["pyarrow", "pandas"], X)
        if package.__name__ == "pandas":
            return package.api.interchange.from_dataframe(X)
        from pyarrow.interchange import from_dataframe

        return from_dataframe(X)
    return X
