"""The type stub of the extension module says what the module has."""

from pathlib import Path

import pytest

import linkgistic
from linkgistic import _core

COMMAND = "python -m nanobind.stubgen -m linkgistic._core -o python/linkgistic/_core.pyi"


def test_the_stub_is_that_of_the_module():
    stubgen = pytest.importorskip("nanobind.stubgen")
    stub = stubgen.StubGen(_core)
    stub.put(_core)
    written = Path(linkgistic.__file__).with_name("_core.pyi").read_text()
    assert stub.get().strip() == written.strip(), f"it is made by: PYTHONPATH=python {COMMAND}"
