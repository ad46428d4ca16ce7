"""The type stubs say what the modules have."""

import ast
import inspect
from pathlib import Path

import pytest

import linkgistic
from linkgistic import _core

FOLDER = Path(linkgistic.__file__).parent
COMMAND = "PYTHONPATH=python python -m nanobind.stubgen -m linkgistic._core -o python/linkgistic/_core.pyi"


def test_the_stub_of_the_extension_is_that_of_the_module():
    stubgen = pytest.importorskip("nanobind.stubgen")
    stub = stubgen.StubGen(_core)
    stub.put(_core)
    assert stub.get().strip() == (FOLDER / "_core.pyi").read_text().strip(), f"it is made by: {COMMAND}"


def test_names_that_an_older_python_lacks_have_another_source():
    """The branches by version import the same names, and what an older Python lacks is used only through them."""
    tree = ast.parse((FOLDER / "__init__.pyi").read_text())
    branches = [node for node in tree.body if isinstance(node, ast.If)]
    assert branches
    for node in branches:
        assert ast.unparse(node.test).startswith("sys.version_info >=")
        (new,), (old,) = node.body, node.orelse
        assert [n.name for n in new.names] == [n.name for n in old.names]
        assert (new.module, old.module) == ("typing", "typing_extensions")
    newer = {"LiteralString", "Never", "NotRequired", "Required", "Self", "TypeIs", "Unpack", "override"}  # than 3.10
    stubs = [tree, ast.parse((FOLDER / "_core.pyi").read_text())]
    plain = [n for stub in stubs for n in stub.body if isinstance(n, ast.ImportFrom) and n.module == "typing"]
    assert newer.isdisjoint(name.name for n in plain for name in n.names)


def classes_of_stub():
    tree = ast.parse((FOLDER / "__init__.pyi").read_text())
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"}


def arguments(function):
    """(name, default as text or None) of each parameter of a stub's function."""
    a = function.args
    plain = a.posonlyargs + a.args
    defaults = [None] * (len(plain) - len(a.defaults)) + a.defaults + a.kw_defaults
    names = [p.arg for p in plain + a.kwonlyargs]
    found = [(n, None if d is None else ast.literal_eval(d)) for n, d in zip(names, defaults)]
    return found + [(p.arg, None) for p in (a.vararg, a.kwarg) if p is not None]


def signature(function):
    """The same of a function of the module."""
    parameters = inspect.signature(inspect.unwrap(getattr(function, "__func__", function))).parameters.values()
    return [(p.name, None if p.default is p.empty else p.default) for p in parameters]


def test_every_public_name_has_a_stub():
    tree = ast.parse((FOLDER / "__init__.pyi").read_text()).body
    functions = {node.name for node in tree if isinstance(node, ast.FunctionDef)}
    old_names = {node.targets[0].id for node in tree if isinstance(node, ast.Assign)}
    assert set(classes_of_stub()) | functions | old_names | {"__version__"} == set(linkgistic.__all__)


@pytest.mark.parametrize("name", sorted(classes_of_stub()))
def test_methods_have_the_names_and_defaults_of_their_stubs(name):
    stub, real = classes_of_stub()[name], getattr(linkgistic, name)
    functions = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            functions.setdefault(node.name, node)  # of overloads the first has the defaults
    for method, node in functions.items():
        attribute = inspect.getattr_static(real, method)
        if isinstance(attribute, property):
            continue
        assert arguments(node) == signature(attribute), method
    own = {m for m, f in vars(real).items() if callable(getattr(real, m)) and m[0] != "_" and not m.startswith("set_")}
    assert own <= set(functions)
