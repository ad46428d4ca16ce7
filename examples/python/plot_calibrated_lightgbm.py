"""
LightGBM with rare events: weights distort, calibration repairs
===============================================================

Where one row in thirty is an event, many set ``is_unbalance=True``. It trains on weights that make the classes equal,
and the probabilities are then those of a world in which every second row is an event. `CalibratedClassifier` learns the
map back, and a decision by costs needs no more than right probabilities. The plain booster without weights is the peer
that must be asked, too.
"""

import matplotlib.pyplot as plt
import numpy as np
from lightgbm import LGBMClassifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss, roc_auc_score

from linkgistic import CalibratedClassifier, ReliabilityDisplay

rng = np.random.default_rng(0)
X = rng.normal(size=(20000, 8))
log_odds = -4.6 + 1.2 * X[:, 0] + 0.8 * X[:, 1] * X[:, 2] + 1.5 * (X[:, 3] > 1)
y = (rng.random(len(X)) < 1 / (1 + np.exp(-log_odds))).astype(int)
train, test = np.arange(8000), np.arange(8000, 20000)
print(f"{y[train].sum()} events in {len(train)} rows to learn from, {y[test].sum()} in {len(test)} to test on")

options = {"n_estimators": 60, "num_leaves": 15, "learning_rate": 0.1, "n_jobs": 1, "random_state": 0, "verbose": -1}
weighted = LGBMClassifier(is_unbalance=True, **options)
models = {
    "plain": LGBMClassifier(**options),
    "weighted": weighted,
    "sigmoid": CalibratedClassifierCV(weighted, method="sigmoid", cv=5),
    "isotonic": CalibratedClassifierCV(weighted, method="isotonic", cv=5),
    "monotone": CalibratedClassifier(weighted, cv=5),
}

# %%
# A missed event costs 20, a false alarm 1: act where the probability is above 1/21. The costs are counted on the test
# rows. "expected" is the sum of the probabilities, the number of events that a model expects. The three maps do about
# equally well, and so does the booster without weights: the weights gained nothing here, and cost a calibration.

COST = 20
print(f"{'':9} log loss    AUC  expected  costs")
predicted = {}
for name, model in models.items():
    p = predicted[name] = model.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
    act = p > 1 / (1 + COST)
    costs = COST * np.sum(~act & (y[test] == 1)) + np.sum(act & (y[test] == 0))
    loss, auc = log_loss(y[test], p), roc_auc_score(y[test], p)
    print(f"{name:9} {loss:8.4f} {auc:6.3f} {p.sum():9.0f} {costs:6d}")
nobody = min(COST * y[test].sum(), np.sum(y[test] == 0))
print(f"never or always to act, whichever is better, costs {nobody}")

# %%
# Reliability on the test rows: the weighted booster promises far more events than there are.

fig, axes = plt.subplots(1, 2, figsize=(9.5, 4.5))
for ax, name in zip(axes, ("weighted", "monotone")):
    ReliabilityDisplay.from_predictions(y[test], predicted[name], ax=ax, name=name)
    ax.set_title(name)
fig.tight_layout()

# %%
# The map itself, with its band, of the first of the five parts: from the score of the weighted booster to probability.

display = models["monotone"].calibrated_classifiers_[0].calibrator.plot()
display.ax_.set(xlabel="score of the weighted booster", ylabel="P(event)")
plt.show()
