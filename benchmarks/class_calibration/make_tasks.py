"""Makes the tasks: probabilities of six classifiers on rows that they were not trained on.

    LINKGISTIC_DATA=DATA python benchmarks/class_calibration/make_tasks.py [--cache FOLDER] [--half tuning|held-out]

A set is cut at random into rows to train on, a pool to calibrate with and test rows. A task of n rows takes the first n
of the pool. One .npz a set; a set that is there is kept.
"""

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import StandardScaler

from datasets import HALVES, MOST_ROWS

CACHE = Path(__file__).resolve().parent / "cache"
CLASSIFIERS = {
    "naive-bayes": lambda: GaussianNB(),
    "forest": lambda: RandomForestClassifier(100, random_state=0),
    "boosting": lambda: HistGradientBoostingClassifier(learning_rate=0.2, max_iter=60, max_leaf_nodes=15, random_state=0),
    "mlp": lambda: MLPClassifier((50,), alpha=1e-5, max_iter=100, random_state=0),
    "logistic": lambda: LogisticRegression(C=1e4, max_iter=300),
    "neighbours": lambda: KNeighborsClassifier(15),
}


def cut(rows, seed):
    """Rows to train on (30 %), to calibrate with, to test on (35 %); at most 2,000, 5,000 and 5,000."""
    order = np.random.default_rng(seed).permutation(rows)[:MOST_ROWS]
    train = min(max(50, 3 * len(order) // 10), 2000)
    test = min(35 * len(order) // 100, 5000)
    return order[:train], order[train : len(order) - test][:5000], order[len(order) - test :]


def make(x, y):
    """Probabilities and labels of every classifier; classes that are not among the training rows are left out."""
    train, pool, test = cut(len(y), 0)
    classes = np.unique(y[train])
    pool, test = pool[np.isin(y[pool], classes)], test[np.isin(y[test], classes)]
    scale = StandardScaler().fit(x[train])
    out = {"pool_y": np.searchsorted(classes, y[pool]), "test_y": np.searchsorted(classes, y[test])}
    for name, model in CLASSIFIERS.items():
        fitted = model().fit(scale.transform(x[train]), y[train])
        for part, rows in (("pool", pool), ("test", test)):
            out[f"{name}/{part}"] = fitted.predict_proba(scale.transform(x[rows])).astype(float)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--half", choices=(*HALVES, "all"), default="all")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")  # of optimisers that stop early: these classifiers are meant to be rough
    (options.cache / "tasks").mkdir(parents=True, exist_ok=True)
    for half in HALVES if options.half == "all" else [options.half]:
        for name, load in HALVES[half].items():
            path = options.cache / "tasks" / f"{name}.npz"
            if path.exists():
                continue
            begin = time.perf_counter()
            x, y = load()
            x, y = np.asarray(x, float), np.asarray(y)
            common = np.isin(y, [c for c in np.unique(y) if (y == c).sum() >= 20])
            made = make(x[common], y[common])
            np.savez_compressed(path, **made)
            print(
                f"{name}: {common.sum()} rows, {x.shape[1]} columns, {made['pool_y'].max() + 1} classes, "
                f"{time.perf_counter() - begin:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
