"""Isotonic regression (PAVA) and its Lipschitz variant against scikit-learn and SciPy on the same rows."""

import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import isotonic_regression
from sklearn.isotonic import IsotonicRegression

from common import Table, run_program, seconds_of

SIZES = (10**6, 10**7)
REPEATS = 3
SEED = 20201206


def compare(count: int, folder: Path) -> dict[str, float]:
    """Least seconds over the repeats, contenders taking turns: x uniform on [0, 1], y = x + 0.3 noise."""
    rng = np.random.default_rng(SEED)
    x = rng.uniform(size=count)
    y = x + 0.3 * rng.standard_normal(count)
    y_sorted = y[np.argsort(x)]
    for name, values in (("x", x), ("y", y)):
        values.tofile(folder / f"{name}.bin")
    runs = []
    for _ in range(REPEATS):
        ours = run_program("bench_pava", folder / "x.bin", folder / "y.bin")
        seconds, theirs = seconds_of(lambda: isotonic_regression(y_sorted))
        if abs(np.mean(theirs.x**2) - ours["mean_square"]) > 1e-9:
            raise ValueError("the two fits differ")
        ours["scipy"] = min(
            seconds, *(seconds_of(lambda: isotonic_regression(y_sorted))[0] for _ in range(4))
        )
        ours["sklearn"] = seconds_of(lambda: IsotonicRegression().fit(x, y))[0]
        runs.append(ours)
    return {name: min(run[name] for run in runs) for name in runs[0]}


def main() -> None:
    """Both sizes in one table."""
    table = Table("Isotonic regression")
    with tempfile.TemporaryDirectory() as folder:
        for count in SIZES:
            s = compare(count, Path(folder))
            at = f"N = {count:,}"
            table.value(f"{at}: IsotonicRegression.fit, unsorted rows", s["sklearn"], "s")
            table.value(f"{at}: Linkgistic, unsorted rows", s["isotonic_unsorted"], "s")
            table.value(f"{at}: isotonic_regression, sorted rows", s["scipy"], "s")
            table.value(f"{at}: Linkgistic, sorted rows", s["isotonic_sorted"], "s")
            table.value(f"{at}: the same into new memory", s["isotonic_sorted_new_vector"], "s")
            table.value(f"{at}: Linkgistic, Lipschitz", s["lipschitz_unsorted"], "s")
            table.at_most(f"{at}: ratio, unsorted", s["isotonic_unsorted"] / s["sklearn"], 0.5)
            table.at_most(f"{at}: ratio, sorted", s["isotonic_sorted"] / s["scipy"], 1.0)
            table.at_most(
                f"{at}: Lipschitz / isotonic, unsorted",
                s["lipschitz_unsorted"] / s["isotonic_unsorted"],
                20,
            )
    table.print()


if __name__ == "__main__":
    main()
