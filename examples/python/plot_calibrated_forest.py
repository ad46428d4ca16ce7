"""
Calibrating a random forest
===========================

The votes of a forest's trees are not probabilities: they shy away from 0 and 1. `CalibratedClassifier` learns the map
from votes to probabilities on rows that the trees did not see, as scikit-learn's ``CalibratedClassifierCV`` does; its
map is smooth, never reorders, and has credible bands.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from linkgistic import CalibratedClassifier, CalibrationDisplay, MonotoneCalibrator

X, y = make_classification(
    n_samples=4000, n_features=20, n_informative=8, n_redundant=4, flip_y=0.08, class_sep=0.7, random_state=1
)
X, X_test, y, y_test = train_test_split(X, y, test_size=0.5, random_state=0)
forest = RandomForestClassifier(n_estimators=60, min_samples_leaf=2, random_state=0, n_jobs=2)

# %%
# The same forest as it is, and calibrated in three ways.

models = {
    "forest": forest,
    "sigmoid": CalibratedClassifierCV(forest, method="sigmoid", cv=5),
    "isotonic": CalibratedClassifierCV(forest, method="isotonic", cv=5),
    "monotone": CalibratedClassifier(forest, cv=5),
}
print(f"{'':10} log loss   Brier     AUC")
predicted = {}
for name, model in models.items():
    p = predicted[name] = model.fit(X, y).predict_proba(X_test)[:, 1]
    scores = log_loss(y_test, p), brier_score_loss(y_test, p), roc_auc_score(y_test, p)
    print(f"{name:10} {scores[0]:8.4f} {scores[1]:7.4f} {scores[2]:7.4f}")

# %%
# Reliability, with bands that say what the test rows can tell: the forest's curve leaves the diagonal, the calibrated
# one does not.

fig, axes = plt.subplots(1, 2, figsize=(9, 4.5), sharey=True)
for ax, name in zip(axes, ("forest", "monotone")):
    CalibrationDisplay.from_predictions(y_test, predicted[name], ax=ax, name=name)
    ax.set_title(name)
fig.tight_layout()

# %%
# With scores at hand, and no classifier, there is `MonotoneCalibrator`. Its band shows where more rows would help.

votes = forest.fit(X, y).predict_proba(X_test)[:, 1]
calibrator = MonotoneCalibrator().fit(votes[:600], y_test[:600])
at = np.linspace(0, 1, 200)
p, lower, upper = calibrator.predict_proba(at, return_interval=0.9)

fig, ax = plt.subplots(figsize=(5, 4.5))
ax.fill_between(at, lower, upper, alpha=0.3, linewidth=0, label="90 % band")
ax.plot(at, p[:, 1], label="probability")
ax.plot([0, 1], [0, 1], "--", color="grey")
ax.set(xlabel="votes for class 1", ylabel="probability of class 1")
ax.legend()
plt.show()

# %%
# The map is strictly increasing: the calibrated log odds rank the rows as the votes do, without new ties. (Votes that
# are equal but for the last digit of their sum are made equal first.)

votes = votes.round(12)
assert roc_auc_score(y_test, votes) == roc_auc_score(y_test, calibrator.decision_function(votes))
