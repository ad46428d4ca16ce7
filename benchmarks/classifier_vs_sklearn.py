"""Ten-class Linkgistic regression against scikit-learn's one-vs-rest logistic regression, and what it costs in rows and memory."""

import gzip
import os
import tempfile
import warnings
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.multiclass import OneVsRestClassifier

from common import Table, run_program, seconds_of

L2 = 10.0
CLASSES = 10
ROWS = {"train": 60_000, "t10k": 10_000}
PIXELS = 784
SEED = 20200620
JOBS = 2
DEFAULT_ITERATIONS = 100
ENOUGH_ITERATIONS = 10_000


def file_of(folder: Path, part: str, kind: str) -> Path:
    """The file of MNIST's name."""
    ending = "images-idx3" if kind == "images" else "labels-idx1"
    return folder / f"{part}-{ending}-ubyte.gz"


def read_idx(path: Path) -> np.ndarray:
    """The bytes of an IDX file in their shape."""
    content = gzip.decompress(path.read_bytes())
    dimensions = content[3]
    shape = np.frombuffer(content, ">i4", dimensions, 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(shape)


def write_idx(path: Path, values: np.ndarray) -> None:
    """Bytes as an IDX file."""
    head = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, ">i4").tobytes()
    path.write_bytes(gzip.compress(head + values.tobytes(), compresslevel=1))


def generate(folder: Path) -> None:
    """Images of the same shape: mixtures of 40 smooth patterns, the label the largest of ten noisy linear scores."""
    rng = np.random.default_rng(SEED)
    side = np.linspace(-1, 1, 28)
    centres, widths = rng.uniform(-1, 1, (40, 2)), rng.uniform(0.1, 0.6, 40)
    distance = (
        (side[:, None, None] - centres[:, 0]) ** 2
        + (side[None, :, None] - centres[:, 1]) ** 2
    )
    patterns = np.exp(-distance / widths**2).reshape(PIXELS, 40).T
    weights = rng.normal(size=(40, CLASSES))
    for part, rows in ROWS.items():
        mixture = rng.exponential(size=(rows, 40)) * (rng.random((rows, 40)) < 0.3)
        pixels = mixture @ patterns + 0.05 * rng.normal(size=(rows, PIXELS))
        scores = mixture @ weights + 0.5 * rng.normal(size=(rows, CLASSES))
        images = np.clip(64 * pixels, 0, 255).astype(np.uint8).reshape(rows, 28, 28)
        write_idx(file_of(folder, part, "images"), images)
        labels = scores.argmax(axis=1).astype(np.uint8)
        write_idx(file_of(folder, part, "labels"), labels)


def peer(folder: Path, iterations: int) -> tuple[float, float, int]:
    """Seconds of the fit, mean log loss over classes on the test rows, and the most iterations of a class."""
    x, y = (read_idx(file_of(folder, "train", kind)) for kind in ("images", "labels"))
    x = x.reshape(len(x), -1).astype(np.float32) / 255
    logistic = LogisticRegression(C=1 / L2, max_iter=iterations)
    model = OneVsRestClassifier(logistic, n_jobs=JOBS)
    # The processes of the jobs start before the clock does.
    OneVsRestClassifier(logistic, n_jobs=JOBS).fit(x[:500], y[:500])
    seconds, _ = seconds_of(lambda: model.fit(x, y))
    x, y = (read_idx(file_of(folder, "t10k", kind)) for kind in ("images", "labels"))
    x = x.reshape(len(x), -1).astype(np.float32) / 255
    losses = [
        log_loss(y == k, one.predict_proba(x)[:, 1].astype(float))
        for k, one in enumerate(model.estimators_)
    ]
    most = max(int(one.n_iter_[0]) for one in model.estimators_)
    return seconds, float(np.mean(losses)), most


def compare_fits(folder: Path, name: str) -> None:
    """The whole fit beside the peer's, its parts and its memory."""
    ours = [run_program("bench_classifier", "fit", folder, str(L2))]
    seconds_default, loss_default, iterations_default = peer(folder, DEFAULT_ITERATIONS)
    ours.append(run_program("bench_classifier", "fit", folder, str(L2)))
    seconds_full, loss_full, iterations_full = peer(folder, ENOUGH_ITERATIONS)
    ours.append(run_program("bench_classifier", "fit", folder, str(L2)))
    best = min(ours, key=lambda run: run["seconds"])

    table = Table(f"Ten classes of {name}, {best['rows']} x {PIXELS}, l2 = {L2:g}")
    table.value("scikit-learn", seconds_default, "s", f"{iterations_default} iterations")
    table.value("  log loss", loss_default)
    table.value("scikit-learn, converged", seconds_full, "s", f"{iterations_full} iterations")
    table.value("  log loss", loss_full)
    table.value("Linkgistic, isgp", best["seconds"], "s", f"{best['passes']} passes")
    table.value("  accuracy", best["accuracy"])
    table.at_most("Linkgistic / scikit-learn", best["seconds"] / seconds_default, 0.25)
    table.at_most("Linkgistic / converged", best["seconds"] / seconds_full, 0.25)
    table.at_most("log loss", best["log_loss"], min(loss_default, loss_full))
    table.at_most("E-steps / fit", best["seconds_link"] / best["seconds"], 0.1)
    table.at_most("peak memory", best["peak_mb"], 47 + 250, "MB")
    table.print()


def growth(folder: Path) -> None:
    """Time of a pass over ten times the rows."""
    passes = run_program("bench_classifier", "passes", folder)
    table = Table("One pass for ten classes, uint8")
    table.value(f"{passes['rows']} rows", 1e3 * passes["seconds"], "ms")
    table.value(f"{10 * passes['rows']} rows", 1e3 * passes["seconds_repeated"], "ms")
    table.at_most("exponent", passes["exponent"], 1.05)
    table.print()


def sparse() -> None:
    """Memory of a fit on sparse rows."""
    fit = run_program("bench_classifier", "sparse")
    table = Table("Sparse fit, 10^6 x 10^5, 30 entries a row, two classes")
    table.value("fit", fit["seconds"], "s", f"{fit['passes']} passes")
    table.value("data", fit["data_mb"], "MB")
    table.at_most("peak memory / data", fit["peak_mb"] / fit["data_mb"], 3)
    table.print()


def main() -> None:
    """All three, on Fashion-MNIST of LINKGISTIC_DATA or on generated ones."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    os.environ["PYTHONWARNINGS"] = "ignore"  # of the peer's processes
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    given = os.environ.get("LINKGISTIC_DATA") and Path(os.environ["LINKGISTIC_DATA"]) / "fmnist"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given or temporary)
        if not given:
            generate(folder)
        growth(folder)
        compare_fits(folder, Path(given).name if given else "generated images")
    sparse()


if __name__ == "__main__":
    main()
