"""Where isotonic regression is ahead: squared error of its curve and of ours, on truths with steps and without.

    .venv/bin/python benchmarks/steps_or_smooth.py
"""

import warnings

import numpy as np
from sklearn.isotonic import IsotonicRegression

from linkgistic import MonotoneRegressor

TRUTHS = {
    "two steps": lambda x: 1.0 * (x > 0.4) + (x > 0.7),
    "kink": lambda x: 4 * np.maximum(x - 0.5, 0),
    "tanh": lambda x: np.tanh(4 * x - 2),
    "straight": lambda x: x,
}
OURS = {
    "ours": {},
    "48 waves": {"harmonics": 48},
    "spectrum": {"spectrum": "auto"},
    "both": {"harmonics": 48, "spectrum": "auto"},
}
SETS = 20


def errors(truth, rows, seed):
    """The mean squared distances of the curves from the truth, isotonic regression's first."""
    rng = np.random.default_rng(seed)
    x = rng.random(rows)
    y = truth(x) + 0.3 * rng.normal(size=rows)
    at = np.linspace(0.01, 0.99, 500)
    models = IsotonicRegression(out_of_bounds="clip"), *(MonotoneRegressor(n_jobs=1, **how) for how in OURS.values())
    return [np.mean((model.fit(x, y).predict(at) - truth(at)) ** 2) for model in models]


if __name__ == "__main__":
    print(f"{'truth':10} {'rows':>5} {'isotonic':>9}" + "".join(f" {name:>9}" for name in OURS) + "  ours / isotonic")
    for name, truth in TRUTHS.items():
        for rows in (100, 1000):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of posteriors that are not close to a Gaussian
                found = np.mean([errors(truth, rows, seed) for seed in range(SETS)], axis=0)
            print(f"{name:10} {rows:5}" + "".join(f" {e:9.5f}" for e in found) + f" {found[1] / found[0]:9.2f}", flush=True)
