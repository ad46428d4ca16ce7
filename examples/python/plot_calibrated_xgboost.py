"""
How many rows does it take to calibrate XGBoost?
================================================

Deep boosted trees rank well and are too sure of themselves. A calibration map repairs that, and it is learned from rows
that the trees did not see: often few. The data are simulated, so that the true probability of every row is known, and
maps can be judged by their distance to it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import log_loss
from xgboost import XGBClassifier

from linkgistic import CalibratedClassifier, ReliabilityDisplay

rng = np.random.default_rng(0)
X = rng.normal(size=(12000, 10))
log_odds = 1.5 * X[:, 0] - X[:, 1] + 2 * X[:, 2] * (X[:, 3] > 0) + np.abs(X[:, 4]) - 1
truth = 1 / (1 + np.exp(-log_odds))
y = (rng.random(len(truth)) < truth).astype(int)
train, pool, test = np.arange(2000), np.arange(2000, 4000), np.arange(4000, 12000)

trees = XGBClassifier(n_estimators=200, max_depth=5, learning_rate=0.2, random_state=0, n_jobs=1).fit(X[train], y[train])
raw = trees.predict_proba(X[test])[:, 1]
print(f"XGBoost as it is: log loss {log_loss(y[test], raw):.4f}; the true probabilities {log_loss(y[test], truth[test]):.4f}")

# %%
# Maps learned from 50, 200 and 1,000 rows, each ten times from other rows. ``FrozenEstimator`` says that the trees are
# fitted already. With 50 rows there is nothing to choose between the sigmoid and the monotone map, which is nearly a
# sigmoid then; with more rows the sigmoid's shape is the limit. Isotonic regression gives probabilities of 0 and 1, and
# pays for each that is wrong.

MAPS = {
    "sigmoid": lambda: CalibratedClassifierCV(FrozenEstimator(trees), method="sigmoid"),
    "isotonic": lambda: CalibratedClassifierCV(FrozenEstimator(trees), method="isotonic"),
    "monotone": lambda: CalibratedClassifier(FrozenEstimator(trees)),
}
sizes = [50, 200, 1000]
losses = {name: np.empty((len(sizes), 10)) for name in MAPS}
for i, size in enumerate(sizes):
    for k in range(10):
        rows = rng.choice(pool, size, replace=False)
        for name, make in MAPS.items():
            p = make().fit(X[rows], y[rows]).predict_proba(X[test])[:, 1]
            losses[name][i, k] = log_loss(y[test], p)
print("log loss on the test rows, mean of ten (and the worst)")
print(f"{'rows':10}" + "".join(f"{size:>18}" for size in sizes))
for name, values in losses.items():
    print(f"{name:10}" + "".join(f"{row.mean():10.4f} ({row.max():.3f})" for row in values))

# %%
# The last maps, of 1,000 rows, with the band of the monotone one; and reliability on the test rows before and after.

fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.5))
order = np.argsort(raw)
for name, make in MAPS.items():
    fitted = make().fit(X[rows], y[rows])
    left.plot(raw[order], fitted.predict_proba(X[test])[order, 1], label=name)
p, lower, upper = fitted.predict_proba(X[test], return_interval=0.9)
left.fill_between(raw[order], lower[order], upper[order], color="C2", alpha=0.3, linewidth=0, label="its 90 % band")
left.plot([0, 1], [0, 1], "--", color="grey")
left.set(xlabel="probability by XGBoost", ylabel="calibrated")
left.legend()
for name, values in (("XGBoost", raw), ("monotone", p[:, 1])):
    ReliabilityDisplay.from_predictions(y[test], values, ax=right, name=name, ref_line=name == "XGBoost")
fig.tight_layout()

# %%
# The mean distance to the true probability of a row. What is left is what the trees do not know of the rows.

for name, values in (("XGBoost", raw), ("monotone", p[:, 1])):
    print(f"{name:9} is {np.mean(np.abs(values - truth[test])):.3f} from the true probability on average")
plt.show()
