"""Calibrators of many classes side by side.

    python benchmarks/class_calibration/run.py --half tuning [--cache FOLDER] [--only WORD] [--sizes 100,400,1500,5000]

For each size of the calibration rows: the win rates by log loss and Brier score (share of the other methods that a
method beats, averaged over tasks), log loss over that of structured matrix scaling and over that of our maps alone
(geometric means, and the worst task), how often a method is worse than none by 1 %, and the median time of a fit.
Scores of tasks are kept in the cache, by the name of the method; delete its folder to measure it again.
"""

import argparse
import json
import time
import warnings
from pathlib import Path

import numpy as np
from datasets import HALVES
from make_tasks import CACHE, CLASSIFIERS
from peers import LEAST, PEERS

from linkgistic import MonotoneCalibrator

OURS, MAPS, MATRIX = "Linkgistic", "our maps alone", "structured matrix"


def ours(p, y, **options):
    return MonotoneCalibrator(**options).fit(p, y).predict_proba


METHODS = {OURS: ours, MAPS: lambda p, y: ours(p, y, method="maps"), **PEERS}


def scores(p, y):
    """Log loss and Brier score of all classes."""
    rows = np.arange(len(y))
    one_hot = np.zeros_like(p)
    one_hot[rows, y] = 1
    return float(-np.log(np.clip(p[rows, y], LEAST, None)).mean()), float(((p - one_hot) ** 2).sum(axis=1).mean())


def results(cache, dataset, method, sizes):
    """(log loss, Brier, seconds) of the tasks of a set, by name."""
    path = cache / "scores" / method.replace(" ", "-") / f"{dataset}.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    stored = np.load(cache / "tasks" / f"{dataset}.npz")
    for classifier in CLASSIFIERS:
        for n in sizes:
            name = f"{dataset}/{classifier}/{n}"
            y = stored["pool_y"][:n]
            if name in known or n > len(stored["pool_y"]) or len(np.unique(y)) < stored[f"{classifier}/pool"].shape[1]:
                continue
            begin = time.perf_counter()
            try:
                fitted = METHODS[method](stored[f"{classifier}/pool"][:n], y)
                seconds = time.perf_counter() - begin
                p = np.asarray(fitted(stored[f"{classifier}/test"]), float)
                if not np.isfinite(p).all():
                    raise ValueError("no probabilities")
            except Exception:  # whatever a package throws is its answer to the task
                p, seconds = stored[f"{classifier}/test"], float("nan")
            known[name] = [*scores(p, stored["test_y"]), seconds]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known))
    return known


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default="tuning")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--only", default="")
    parser.add_argument("--sizes", default="100,400,1500,5000")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sizes = [int(n) for n in options.sizes.split(",")]
    sets = [name for name in HALVES[options.half] if options.only in name]
    found = {m: {} for m in METHODS}
    for name in sets:
        for method in METHODS:
            found[method] |= results(options.cache, name, method, sizes)
        print(f"{name} done", flush=True)
    tasks = list(found[OURS])
    v = np.array([[found[m][t] for t in tasks] for m in METHODS])
    names = list(METHODS)
    rows = np.array([int(t.split("/")[2]) for t in tasks])
    for n in [None, *sizes]:
        chosen = np.ones(len(tasks), bool) if n is None else rows == n
        if not chosen.any():
            continue
        print(f"\n{'all' if n is None else n} rows, {chosen.sum()} tasks")
        print(f"{'':20s}{'wins: log loss':>15s}{'Brier':>8s}{'/ matrix':>10s}{'worst':>8s}{'/ maps':>9s}{'harm':>8s}{'s':>9s}")
        loss = v[:, chosen, 0]
        wins = [(u[:, None] < u[None]).sum(axis=1).mean(axis=1) / (len(names) - 1) for u in (loss, v[:, chosen, 1])]
        for i in np.argsort(-wins[0]):
            matrix = np.log(loss[i] / loss[names.index(MATRIX)])
            maps = np.log(loss[i] / loss[names.index(MAPS)])
            harm = (loss[i] > 1.01 * loss[names.index("none")]).mean()
            print(
                f"{names[i]:20s}{wins[0][i]:15.3f}{wins[1][i]:8.3f}{np.exp(matrix.mean()):10.3f}{np.exp(matrix.max()):8.3f}"
                f"{np.exp(maps.mean()):9.3f}{100 * harm:7.1f}%{np.nanmedian(v[i, chosen, 2]):9.4f}"
            )


if __name__ == "__main__":
    main()
