"""The Python examples of the README and of docs/ run."""

import re
from importlib.util import find_spec
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


OPTIONAL = ("lightgbm", "pyspark", "xgboost")


def python_blocks(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.S)


def runs(block):
    """Whether the packages that a block needs and that need not be there are there."""
    wanted = [name for name in OPTIONAL if re.search(rf"^(from|import) {name}\b", block, re.M)]
    return all(find_spec(name) for name in wanted)


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_the_examples_of_a_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in filter(runs, python_blocks(page)):
        exec(compile(block, page.name, "exec"), names)
    plt.close("all")


def test_readme_and_python_page_have_examples():
    assert python_blocks(ROOT / "README.md") and python_blocks(ROOT / "docs" / "python.md")
