"""What a report of a problem should name: versions and devices."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from . import _core

_PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "matplotlib", "dask", "pyspark", "linkgistic-cuda13")


def _version_of(package):
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def show_versions():
    """Print the versions of the package, of Python and of what it works with, the processor's instructions and the GPUs.

    Examples
    --------
    >>> import linkgistic
    >>> linkgistic.show_versions()  # doctest: +ELLIPSIS
    linkgistic: ...
    """
    rows = {"linkgistic": _core.__version__, "python": sys.version.replace("\n", " "), "system": platform.platform()}
    rows |= {package: _version_of(package) for package in _PACKAGES}
    rows |= {"instructions": _core.instruction_set(), "cuda": _core.cuda_devices().replace("\n", "; ")}
    for name, value in rows.items():
        print(f"{name}: {value}")
