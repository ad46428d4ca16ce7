"""
A language model as a judge: 100 labels make its scores probabilities
=====================================================================

A language model gives 5,000 answers of an assistant scores from 1 to 10. People have read 100 of the answers and said
whether they are good. What does a score of 7 mean, and how many of all answers are good? The scores and labels are
simulated (the judge is kind: most scores are 8 and above), so that the truth is known.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from linkgistic import MonotoneCalibrator

rng = np.random.default_rng(0)
quality = rng.normal(size=5000)
score = np.clip(np.round(10 * expit(1.5 + 1.3 * quality + rng.normal(scale=0.5, size=5000))), 1, 10)
good = (rng.random(5000) < expit(2.5 * quality - 0.5)).astype(int)
levels = np.unique(score)
truth = np.array([good[score == s].mean() for s in levels])  # of 5,000 answers, 100 of which are labelled below

# %%
# The map from scores to probabilities of one set of 100 labels, with its band. Score / 10, which many take for a
# probability, is the dashed line.

labelled = rng.choice(5000, 100, replace=False)
calibrator = MonotoneCalibrator(score_kind="decision").fit(score[labelled], good[labelled])
p, lower, upper = calibrator.predict_proba(levels, return_interval=0.9)
fig, ax = plt.subplots(figsize=(6.5, 4.2))
ax.errorbar(levels, p[:, 1], yerr=[p[:, 1] - lower, upper - p[:, 1]], fmt="o", capsize=3, label="calibrated, 90 % bands")
ax.plot(levels, truth, "_", color="black", markersize=14, label="share of good answers, of all 5,000")
ax.plot(levels, levels / 10, "--", color="grey", label="score / 10")
ax.set(xlabel="score by the judge", ylabel="P(good)")
ax.legend()
for s, one, low, high, share in zip(levels, p[:, 1], lower, upper, truth):
    print(f"score {s:2.0f}: {one:.2f} ({low:.2f} to {high:.2f}), in truth {share:.2f}")

# %%
# 100 times 100 labels: how far are the maps from the truth, over all answers? The peers are logistic regression on the
# score and isotonic regression. "share of all" is the estimate of the share of good answers, its error beside that of
# just counting the labels.

MAPS = {
    "score / 10": lambda x, y: levels / 10,
    "monotone": lambda x, y: MonotoneCalibrator(score_kind="decision").fit(x, y).predict_proba(levels)[:, 1],
    "logistic": lambda x, y: LogisticRegression(C=np.inf).fit(x[:, None], y).predict_proba(levels[:, None])[:, 1],
    "isotonic": lambda x, y: IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(x, y).predict(levels),
}
weight = np.array([np.mean(score == s) for s in levels])
error = {name: [] for name in MAPS}
share = {name: [] for name in (*MAPS, "counting")}
for _ in range(100):
    rows = rng.choice(5000, 100, replace=False)
    for name, make in MAPS.items():
        found = make(score[rows], good[rows])
        error[name].append(weight @ np.abs(found - truth))
        share[name].append(weight @ found)
    share["counting"].append(good[rows].mean())
print(f"{'':10}  distance to the truth   error of the share of all ({good.mean():.3f})")
for name, values in share.items():
    off = np.sqrt(np.mean((np.array(values) - good.mean()) ** 2))
    distance = f"{np.mean(error[name]):.4f}" if name in error else ""
    print(f"{name:10}  {distance:>21}   {off:.4f}")
plt.show()
