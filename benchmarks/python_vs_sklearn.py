"""The Python package: probabilities against scikit-learn, fits against the program, and the memory that they take."""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from common import ROOT, Table, seconds_of

sys.path[:0] = [str(ROOT / "python"), str(ROOT / "python" / "tests")]
from linkgistic import LinkgisticClassifier  # noqa: E402
from memory import peak_growth  # noqa: E402

ROWS, COLUMNS = 1_000_000, 50
REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
L2, V = 1.0, 0.5


def rows_and_labels() -> tuple[np.ndarray, np.ndarray]:
    """Normal rows; the log odds are a bent function of a linear score."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((ROWS, COLUMNS), dtype=np.float32)
    t = X @ rng.standard_normal(COLUMNS).astype(np.float32) / 4
    y = rng.random(ROWS) < 1 / (1 + np.exp(-np.where(t > 0, 3 * t, t)))
    return X, y.astype(np.int32)


def least_seconds(*tasks) -> tuple[np.ndarray, np.ndarray]:
    """The least wall-clock and the least processor time of each task, taken in turn so that other load meets all alike."""
    times = np.empty((2, REPEATS, len(tasks)))
    for repeat in range(REPEATS):
        for i, task in enumerate(tasks):
            begin = time.process_time()
            times[0, repeat, i] = seconds_of(task)[0]
            times[1, repeat, i] = time.process_time() - begin
    return tuple(times.min(axis=1))


def program_seconds(folder: Path) -> float:
    """Seconds of the program's fit, without those of reading the file."""
    done = subprocess.run(
        [ROOT / "build" / "linkgistic", "classify", folder / "x.npy", "--labels", folder / "y.npy",
         "--l2", str(L2), "--v", str(V), "--json", "--quiet"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)["seconds"]


def storages(X: np.ndarray):
    """The rows as users have them, one after the other, with the bytes of each."""
    yield "float32", X, X.nbytes
    yield "float64", X.astype(np.float64), 2 * X.nbytes
    yield "float64, by columns", np.asfortranarray(X, dtype=np.float64), 2 * X.nbytes
    yield "uint8", (32 * X + 128).clip(0, 255).astype(np.uint8), X.size
    entries = sparse.random_array((ROWS, COLUMNS), density=0.3, rng=0, format="csr")
    yield "CSR, float64", entries, entries.data.nbytes + entries.indices.nbytes + entries.indptr.nbytes


def main() -> None:
    X, y = rows_and_labels()
    clf = LinkgisticClassifier(l2=L2, v=V)
    table = Table(f"Python package, {ROWS:.0e} x {COLUMNS} rows")

    logistic = LogisticRegression().fit(X, y)
    clf.fit(X, y)
    (ours, theirs), processor = least_seconds(lambda: clf.predict_proba(X), lambda: logistic.predict_proba(X))
    table.value("predict_proba", 1e3 * ours, "ms", f"least of {REPEATS}")
    table.value("LogisticRegression.predict_proba", 1e3 * theirs, "ms")
    table.at_most("ratio", ours / theirs, 1.2)
    table.value("ratio of processor times", processor[0] / processor[1], note="for a machine with other load")

    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "x.npy", X)
        np.save(Path(folder) / "y.npy", y)
        seconds = [(seconds_of(lambda: clf.fit(X, y))[0], program_seconds(Path(folder))) for _ in range(REPEATS)]
    in_python, in_program = (min(column) for column in zip(*seconds))
    table.value("fit", in_python, "s", f"least of {REPEATS}")
    table.value("fit by the program", in_program, "s")
    table.at_most("overhead of Python", 100 * (in_python / in_program - 1), 5, "%")

    for name, rows, size in storages(X):
        growth = peak_growth(lambda: clf.fit(rows, y).predict_proba(rows))
        table.at_most(f"memory of fit and predict_proba / that of X, {name}", growth / size, 0.5)
    table.print()


if __name__ == "__main__":
    main()
