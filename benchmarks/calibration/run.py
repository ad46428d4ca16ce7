"""The calibration benchmark: tables of win rates, harm and speed, in Markdown.

    python benchmarks/calibration/run.py --half tuning [--cache FOLDER] [--program FILE] [--details] [--speed]

Peers are run once and their scores kept in the cache; ours is run every time.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from make_tasks import CACHE
from peers import PEERS
from scipy.special import expit
from scoring import BRIER, BUCKETS, LOG_LOSS, SECONDS, Results
from sklearn.calibration import _SigmoidCalibration
from sklearn.isotonic import IsotonicRegression
from tasks import HALVES, KINDS, Task, brier_and_log_loss, peer_scores, tasks_of
from threadpoolctl import threadpool_limits

OURS = "Linkgistic"
PROGRAM = Path(__file__).resolve().parents[2] / "build" / "bin" / "bench_calibrator"


def task_bytes(kind: str, score: np.ndarray, y: np.ndarray, test: np.ndarray) -> bytes:
    """A task as bench_calibrator reads it."""
    head = np.array([KINDS[kind], len(y), len(test)], np.int64)
    return b"".join([head.tobytes(), *(np.asarray(v, float).tobytes() for v in (score, y, test))])


def run_ours(program: Path, tasks: Path, predictions: Path, repeats: int = 1) -> list[float]:
    """Seconds of the fits."""
    if not program.exists():
        sys.exit(f"{program} is missing: build the project with benchmarks first")
    done = subprocess.run([program, tasks, predictions, str(repeats)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program.name} failed with exit code {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout)["seconds"]


def our_scores(program: Path, cache: Path, half: str) -> dict[str, list[float]]:
    """Brier, log loss and seconds of every task."""
    folder = cache / "ours"
    folder.mkdir(exist_ok=True)
    file, labels = folder / f"{half}.tasks", folder / f"{half}.labels.npz"
    newest = max((cache / "tasks" / f"{name}.npz").stat().st_mtime for name in HALVES[half])
    if not labels.exists() or labels.stat().st_mtime < newest:
        found: list[Task] = [task for name in HALVES[half] for task in tasks_of(cache, name)]
        with file.open("wb") as out:
            for task in found:
                out.write(task_bytes(task.kind, task.score, task.y, task.test_score))
        np.savez(labels, names=[task.name for task in found], sizes=[len(task.test_y) for task in found],
                 y=np.concatenate([task.test_y for task in found]))
    with np.load(labels) as stored:
        names, ends, y = stored["names"], np.cumsum(stored["sizes"])[:-1], stored["y"]
    seconds = run_ours(program, file, folder / f"{half}.predictions")
    p = np.split(expit(np.fromfile(folder / f"{half}.predictions")), ends)
    return {str(name): [*brier_and_log_loss(a, b), s] for name, a, b, s in zip(names, p, np.split(y, ends), seconds)}


def collect(program: Path, cache: Path, half: str) -> Results:
    """All methods on all tasks of a half."""
    scores = {OURS: our_scores(program, cache, half)}
    for peer in PEERS:
        scores[peer] = {}
        for name in HALVES[half]:
            scores[peer] |= peer_scores(cache, name, peer)
    tasks = list(scores[OURS])
    values = np.array([[scores[method][task] for task in tasks] for method in scores])
    return Results(list(scores), tasks, values)


def print_table(head: list[str], rows: list[list[str]]) -> None:
    """Markdown."""
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(row) + " |")
    print()


def number(value: float, digits: int = 3) -> str:
    """Without the leading zero."""
    return f"{value:.{digits}f}".replace("0.", ".", 1) if np.isfinite(value) else "-"


def print_win_rates(results: Results) -> None:
    """One line a method, the best by log loss first."""
    rates = {b: [results.win_rate(m, b) for m in (BRIER, LOG_LOSS)] for b in BUCKETS}
    worse = [results.share_worse_than_none(m) for m in (BRIER, LOG_LOSS)]
    means = [results.mean(m) for m in (BRIER, LOG_LOSS)]
    rows = []
    for m in np.argsort(-rates["all"][1]):
        seconds = results.values[m, :, SECONDS]
        rows.append([
            results.methods[m],
            *(f"{number(rates[b][0][m])} / {number(rates[b][1][m])}" for b in BUCKETS),
            number(means[0][m], 5), number(means[1][m], 4),
            f"{100 * worse[0][m]:.1f} % / {100 * worse[1][m]:.1f} %",
            f"{1e3 * np.nanmedian(seconds):.2f}", str(int(np.isnan(seconds).sum())),
        ])
    print_table(["win rate, Brier / log loss", *BUCKETS, "mean Brier", "mean log loss",
                 "worse than none by 1 %, n < 500", "median ms", "failed"], rows)


def print_verdicts(results: Results) -> None:
    """The lead over the best other method, and over isotonic, in every bucket."""
    rows = []
    ours, isotonic = results.methods.index(OURS), results.methods.index("isotonic")
    for bucket in BUCKETS:
        if not results.bucket(bucket).any():
            continue
        for metric, name in ((BRIER, "Brier"), (LOG_LOSS, "log loss")):
            best, gap, low, high = results.lead(metric, OURS, bucket)
            rates = results.win_rate(metric, bucket)
            rows.append([bucket, name, str(int(results.bucket(bucket).sum())),
                         "first" if rates.argmax() == ours else "not first",
                         f"{gap:+.3f} [{low:+.3f}, {high:+.3f}] over {best}", f"{rates[ours] - rates[isotonic]:+.3f}"])
    print_table(["bucket", "by", "tasks", OURS, "lead over the best other, 90 % over data sets", "over isotonic"], rows)


def print_details(results: Results) -> None:
    """Our win rate by data set, classifier and size."""
    wins = [results.wins(m)[results.methods.index(OURS)] for m in (BRIER, LOG_LOSS)]
    for title, keys in (("data set", results.dataset), ("classifier", results.classifier), ("rows", results.rows)):
        rows = []
        for key in np.unique(keys):
            chosen = keys == key
            mean = [results.wins(m)[:, chosen].mean(axis=1) for m in (BRIER, LOG_LOSS)]
            rows.append([str(key), str(int(chosen.sum())), *(number(w[chosen].mean()) for w in wins),
                         *(f"{results.methods[m.argmax()]} {number(m.max())}" for m in mean)])
        print_table([title, "tasks", "Brier", "log loss", "best by Brier", "best by log loss"], rows)


def least_seconds(task: Callable[[], object], repeats: int) -> float:
    """Least wall-clock seconds of some calls."""
    taken = []
    for _ in range(repeats):
        begin = time.perf_counter()
        task()
        taken.append(time.perf_counter() - begin)
    return min(taken)


def print_speed(program: Path, cache: Path) -> None:
    """One thread against scikit-learn's sigmoid on 2,000 rows and its isotonic fit on 10^6."""
    rng = np.random.default_rng(0)
    rows = []
    for n, repeats, name, peer, bar in (
        (2000, 21, "sigmoid", lambda s, y: _SigmoidCalibration().fit(s, y), 5.0),
        (10**6, 5, "isotonic", lambda s, y: IsotonicRegression(out_of_bounds="clip").fit(s, y), 0.5),
    ):
        score = 2 * rng.normal(size=n)
        y = (rng.random(n) < expit(0.6 * score - 0.2)).astype(float)
        file = cache / "ours" / "speed.tasks"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(task_bytes("logit", score, y, score[:1]))
        ours = run_ours(program, file, cache / "ours" / "speed.predictions", repeats)[0]
        with threadpool_limits(1):
            theirs = least_seconds(lambda: peer(score, y), repeats)
        met = ours <= bar * theirs and (n > 2000 or ours <= 5e-3)
        bars = f"ratio at most {bar:g}" + (", 5 ms" if n == 2000 else "")
        rows.append([f"{n}", f"{1e3 * ours:.2f}", f"{name} {1e3 * theirs:.2f}", f"{ours / theirs:.2f}",
                     f"{bars}: {'PASS' if met else 'FALLS SHORT'}"])
    print_table(["rows", f"{OURS} ms", "scikit-learn ms", "ratio", "bar"], rows)


def main() -> None:
    """Tables for a half."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--half", choices=HALVES, default="tuning")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--details", action="store_true", help="by data set, classifier and size")
    parser.add_argument("--speed", action="store_true", help="the speed table alone")
    options = parser.parse_args()
    if options.speed:
        print_speed(options.program, options.cache)
        return
    results = collect(options.program, options.cache, options.half)
    print(f"{options.half}: {len(results.tasks)} tasks, {len(set(results.dataset))} data sets\n")
    print_win_rates(results)
    print_verdicts(results)
    if options.details:
        print_details(results)


if __name__ == "__main__":
    main()
