"""Running the benchmark programs, timing the peers and printing the comparison."""

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "build" / "bin"


def run_program(name: str, *arguments: str | Path) -> dict[str, Any]:
    """Run build/bin/NAME and read the one JSON object that it prints."""
    program = PROGRAMS / name
    if not program.exists():
        sys.exit(f"{program.relative_to(ROOT)} is missing: build the project first")
    done = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{name} failed with exit code {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)


def seconds_of(task: Callable[[], Any]) -> tuple[float, Any]:
    """Wall-clock seconds of one call, and its result."""
    begin = time.perf_counter()
    result = task()
    return time.perf_counter() - begin, result


@dataclass
class Table:
    """Aligned lines of a name, a value and, where there is one, its bar and whether it is met."""

    title: str
    rows: list[tuple[str, str, str]] = field(default_factory=list)

    def value(self, name: str, value: float, unit: str = "", note: str = "") -> None:
        """A measured number; the note stands beside it."""
        self.rows.append((name, f"{value:.4g} {unit}".strip(), note))

    def at_most(self, name: str, value: float, bar: float, unit: str = "") -> None:
        """A number that must not exceed its bar."""
        self._judge(name, value, bar, "at most", value <= bar, unit)

    def at_least(self, name: str, value: float, bar: float, unit: str = "") -> None:
        """A number that must reach its bar."""
        self._judge(name, value, bar, "at least", value >= bar, unit)

    def _judge(
        self, name: str, value: float, bar: float, words: str, met: bool, unit: str
    ) -> None:
        verdict = "PASS" if met else "FALLS SHORT"
        limit = f"{bar:g} {unit}".strip()
        self.value(name, value, unit, f"{words} {limit}: {verdict}")

    def print(self) -> None:
        """The title, the machine, and the rows in three columns."""
        print(f"{self.title} ({platform.machine()}, {os.cpu_count()} cores)")
        widths = [max(len(row[i]) for row in self.rows) for i in (0, 1)]
        for name, value, bar in self.rows:
            print(f"  {name:<{widths[0]}}  {value:>{widths[1]}}  {bar}".rstrip())
        sys.stdout.flush()
