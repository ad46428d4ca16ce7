"""The tutorials in examples/python/ run."""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "python").glob("*.py"))


@pytest.mark.long
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_tutorial_runs_and_draws(script):
    if "import xgboost" in script.read_text():
        pytest.importorskip("xgboost")
    runpy.run_path(str(script), run_name="__main__")
    assert plt.get_fignums()
    plt.close("all")


def test_there_are_seven_tutorials():
    assert len(SCRIPTS) == 7
