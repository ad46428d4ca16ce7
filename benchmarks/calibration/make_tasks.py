"""Makes the calibration tasks: scores of base classifiers on rows they were not trained on.

    LINKGISTIC_DATA=DATA python benchmarks/calibration/make_tasks.py [--cache FOLDER] [--half tuning|held-out|fresh|all]

A data set is cut at random into rows to train on, a pool of rows to calibrate with, and test rows; small sets
several times. A calibration task of n rows takes the first n rows of the pool. One .npz a data set holds, for
every classifier and cut, the scores and labels of the pool and of the test rows. A set that is there is kept.
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
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from datasets import FRESH, HELD_OUT, MOST_ROWS, TUNING

CACHE = Path(__file__).resolve().parent / "cache"


def overfitted_logistic(columns: int):
    """Hardly a penalty, and squares and products where there are few columns."""
    model = LogisticRegression(C=1e4, max_iter=300)
    return make_pipeline(PolynomialFeatures(2), StandardScaler(), model) if columns <= 20 else model


# Name, what its score is, the model for a number of columns, and how many rows it trains on at most.
CLASSIFIERS = (
    ("naive-bayes", "probability", lambda d: GaussianNB(), 2000),
    ("forest", "probability", lambda d: RandomForestClassifier(100, random_state=0), 2000),
    ("svm", "decision", lambda d: LinearSVC(random_state=0), 2000),
    ("boosting", "logit", lambda d: HistGradientBoostingClassifier(learning_rate=0.2, max_iter=150, random_state=0), 2000),
    ("mlp", "probability", lambda d: MLPClassifier((50,), alpha=1e-5, max_iter=100, random_state=0), 2000),
    ("logistic", "logit", overfitted_logistic, 400),
    ("tree", "probability", lambda d: DecisionTreeClassifier(min_samples_leaf=5, random_state=0), 2000),
    ("neighbours", "probability", lambda d: KNeighborsClassifier(15), 2000),
)


def cut(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows to train on (30 %), to calibrate with, to test on (35 %); at least 50 and at most 2,000, 10,000, 5,000."""
    order = np.random.default_rng(seed).permutation(rows)[:MOST_ROWS]
    train = min(max(50, 3 * len(order) // 10), 2000)
    test = min(max(50, 35 * len(order) // 100), 5000, len(order) - train - 50)
    return order[:train], order[train : len(order) - test], order[len(order) - test :]


def scores(model, x: np.ndarray) -> np.ndarray:
    """The decision value where the model has one, else the probability."""
    if hasattr(model, "decision_function"):
        return model.decision_function(x)
    return model.predict_proba(x)[:, 1]


def make(x: np.ndarray, y: np.ndarray) -> dict[str, np.ndarray]:
    """Scores and labels of every classifier on every cut."""
    out = {}
    for repeat in range(3 if len(y) < 1000 else 2 if len(y) < 3000 else 1):
        train, pool, test = cut(len(y), repeat)
        scale = StandardScaler().fit(x[train])
        out[f"{repeat}/pool_y"], out[f"{repeat}/test_y"] = y[pool], y[test]
        for name, _, model, most in CLASSIFIERS:
            fitted = model(x.shape[1]).fit(scale.transform(x[train[:most]]), y[train[:most]])
            for part, rows in (("pool", pool), ("test", test)):
                out[f"{repeat}/{name}/{part}"] = scores(fitted, scale.transform(x[rows])).astype(float)
    return out


def main() -> None:
    """Makes the sets that are not there yet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--half", choices=("tuning", "held-out", "fresh", "all"), default="all")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")  # of optimisers that stop early: these classifiers are meant to be rough
    (options.cache / "tasks").mkdir(parents=True, exist_ok=True)
    halves = {"tuning": TUNING, "held-out": HELD_OUT, "fresh": FRESH, "all": TUNING | HELD_OUT | FRESH}
    for name, load in halves[options.half].items():
        path = options.cache / "tasks" / f"{name}.npz"
        if path.exists():
            continue
        begin = time.perf_counter()
        x, y = load()
        made = make(x, y)
        np.savez_compressed(path, **made)
        print(f"{name}: {len(y)} rows, {x.shape[1]} columns, {y.mean():.3f} positive, "
              f"{time.perf_counter() - begin:.1f} s", flush=True)


if __name__ == "__main__":
    main()
