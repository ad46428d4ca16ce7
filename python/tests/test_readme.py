"""The Python example of the README runs."""

import re
from pathlib import Path

import pytest


def test_the_example_of_the_readme(tmp_path, monkeypatch):
    readme = Path(__file__).parents[2] / "README.md"
    if not readme.exists():
        pytest.skip("no README beside the tests")
    blocks = re.findall(r"```python\n(.*?)```", readme.read_text(), re.S)
    assert blocks
    monkeypatch.chdir(tmp_path)
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
