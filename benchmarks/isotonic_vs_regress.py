"""Monotone regression with learned hyper-parameters against scikit-learn's IsotonicRegression on the same rows."""

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from sklearn.isotonic import IsotonicRegression

from common import Table, run_program, seconds_of

SIZES = (10**6, 10**7)
REPEATS = 3
SEED = 20201206


@dataclass
class Timings:
    """Every repeat's seconds and MiB for one number of rows."""

    isotonic: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    stream: list[float] = field(default_factory=list)
    stream_mib: list[float] = field(default_factory=list)


def make_rows(count: int) -> np.ndarray:
    """(count, 2) float64: x uniform on [-3, 3], y = tanh(x) + 0.3 noise."""
    rng = np.random.default_rng(SEED)
    x = rng.uniform(-3, 3, count)
    return np.column_stack((x, np.tanh(x) + 0.3 * rng.standard_normal(count)))


def isotonic_seconds(path: Path) -> float:
    """Seconds of IsotonicRegression.fit on contiguous columns; reading and splitting are not counted."""
    rows = np.load(path)
    x, y = np.ascontiguousarray(rows[:, 0]), np.ascontiguousarray(rows[:, 1])
    return seconds_of(lambda: IsotonicRegression().fit(x, y))[0]


def measure(path: Path, count: int, timings: Timings) -> None:
    """One repeat of each contender, one after the other."""
    fit = run_program("bench_regression", path)
    stream = run_program("bench_regression", "--stream", path)
    for result in (fit, stream):
        if result["rows"] != count:
            raise ValueError(f"{path}: {result['rows']} rows used, {count} written")
    timings.memory.append(fit["seconds_fit_in_memory"])
    timings.stream.append(stream["seconds_stream_from_file"])
    timings.stream_mib.append(stream["peak_memory_mib_stream"])
    timings.isotonic.append(isotonic_seconds(path))


def main() -> None:
    """Write the rows, interleave the repeats over contenders and sizes, print ratios of minima."""
    timings = {count: Timings() for count in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        paths = {count: Path(folder) / f"rows-{count}.npy" for count in SIZES}
        for count, path in paths.items():
            np.save(path, make_rows(count))
        for _ in range(REPEATS):
            for count, path in paths.items():
                measure(path, count, timings[count])

    table = Table("Monotone regression, Gaussian noise, hyper-parameters learned")
    for count, t in timings.items():
        table.value(f"N = {count:,}: IsotonicRegression.fit", min(t.isotonic), "s")
        table.value(f"N = {count:,}: Linkgistic in memory", min(t.memory), "s")
        table.value(f"N = {count:,}: Linkgistic from a file", min(t.stream), "s")
        table.value(f"N = {count:,}: peak memory from a file", max(t.stream_mib), "MiB")
    sizes = f"Linkgistic, N = {SIZES[1]:,} / N = {SIZES[0]:,}"
    small, large = (timings[count] for count in SIZES)
    table.at_most(
        f"Linkgistic / IsotonicRegression, N = {SIZES[0]:,}",
        min(small.memory) / min(small.isotonic),
        0.5,
    )
    table.value(
        f"Linkgistic / IsotonicRegression, N = {SIZES[1]:,}",
        min(large.memory) / min(large.isotonic),
    )
    table.at_most(f"{sizes}, in memory", min(large.memory) / min(small.memory), 11)
    table.at_most(f"{sizes}, from a file", min(large.stream) / min(small.stream), 11)
    table.at_most(
        "growth of peak memory from a file",
        max(large.stream_mib) - max(small.stream_mib),
        20,
        "MiB",
    )
    table.print()


if __name__ == "__main__":
    main()
