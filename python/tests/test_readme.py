"""The Python examples of the README and of docs/ run."""

import re
from importlib.util import find_spec
from pathlib import Path

import linkgistic
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier

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


def lines_to_change():
    """The code in the second column of the table that says which line to change."""
    table = (ROOT / "README.md").read_text().split("| you use | change this line |")[1].split("\n\n")[0]
    return [re.match(r"`(.*)`$", row.split("|")[2].strip())[1] for row in table.splitlines()[2:]]


@pytest.fixture(scope="module")
def names_of_the_table():
    rng = np.random.default_rng(0)
    X, x = rng.normal(size=(300, 3)), rng.random(300)
    label, years = (X[:, 0] + rng.normal(size=300) > 0).astype(int), rng.uniform(0.5, 2, 300)
    names = {name: getattr(linkgistic, name) for name in linkgistic.__all__}
    names |= {"X": X, "label": label, "x": x, "y": x + 0.1 * rng.normal(size=300)}
    names |= {"counts": rng.poisson(years * (1 + x)), "years": years}
    names |= {"dose": np.arange(6.0), "killed": [1, 3, 8, 12, 17, 19], "exposed": [20] * 6}
    return names | {"forest": RandomForestClassifier(20, random_state=0).fit(X, label)}


@pytest.mark.parametrize("line", lines_to_change())
def test_the_line_to_change_runs(line, names_of_the_table):
    names = dict(names_of_the_table)
    if "XGBClassifier" in line:
        names["XGBClassifier"] = pytest.importorskip("xgboost").XGBClassifier
    assert eval(line, names) is not None
    plt.close("all")


def test_the_table_has_the_tools_that_people_come_from():
    assert len(lines_to_change()) == 8
