"""
A learned loss inside XGBoost
=============================

A linear model that learns its link has learned a loss: the proper loss whose link it is. `LearnedLoss` hands it to other
learners. Here labels depend on a linear score in an asymmetric way, and XGBoost's linear booster gets further on the loss
that fits.
"""

import matplotlib.pyplot as plt
import numpy as np
import xgboost
from sklearn.metrics import log_loss

from linkgistic import LearnedLoss, LinkgisticClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(9000, 4))
score = X @ [1.5, -1.0, 0.5, 0.3]
log_odds = np.where(score > 0, 4 * score, 0.3 * score)
y = (rng.random(len(score)) < 1 / (1 + np.exp(-log_odds))).astype(int)
part = np.repeat([0, 1, 2], 3000)  # for the loss, for the booster, for the test

# %%
# The loss is learned on rows of its own.

clf = LinkgisticClassifier().fit(X[part == 0], y[part == 0])
learned = clf.learned_loss_
print(learned)

# %%
# Value and slope of the loss, compared with those of logistic regression.

at = np.linspace(-5, 5, 300)
fig, axes = plt.subplots(1, 2, figsize=(9, 3.8))
for color, (name, loss) in zip(("C0", "C1"), (("log", LearnedLoss()), ("learned", learned))):
    for label, style in ((1, "-"), (0, "--")):
        value, slope, _ = loss.values(np.full(at.size, label), at)
        axes[0].plot(at, value, style, color=color, label=f"{name}, y = {label}")
        axes[1].plot(at, slope, style, color=color)
axes[0].set(xlabel="score", ylabel="loss")
axes[1].set(xlabel="score", ylabel="its derivative")
axes[0].legend()
fig.tight_layout()

# %%
# A linear booster trained on each of the two, round by round. What XGBoost predicts are scores;
# `LearnedLoss.predict_proba` makes probabilities of them. (`BoosterClassifier` does all this for an `XGBClassifier`.)

train, test = (xgboost.DMatrix(X[part == k], y[part == k]) for k in (1, 2))
options = {"booster": "gblinear", "eta": 0.3, "lambda": 0.0, "base_score": 0.0, "nthread": 2}
history = {}
for name, loss in (("log", LearnedLoss()), ("learned", learned)):

    def test_loss(margins, data, loss=loss):
        return "log_loss", log_loss(y[part == 2], loss.predict_proba(margins))

    record = {}
    xgboost.train(
        options, train, 40, obj=loss.xgboost_objective(), custom_metric=test_loss,
        evals=[(test, "test")], evals_result=record, verbose_eval=False,
    )  # fmt: skip
    history[name] = record["test"]["log_loss"]
    print(f"{name:8} log loss on the test rows {history[name][-1]:.4f}")

best = -np.mean(np.where(y == 1, -np.logaddexp(0, -log_odds), -np.logaddexp(0, log_odds))[part == 2])
fig, ax = plt.subplots(figsize=(6, 4))
for name, values in history.items():
    ax.plot(values, label=name)
ax.axhline(best, color="black", linestyle="--", label="the true probabilities")
ax.set(xlabel="round", ylabel="log loss on the test rows")
ax.legend()
plt.show()

assert history["learned"][-1] < history["log"][-1]
