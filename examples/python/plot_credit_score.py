"""
A credit score: smooth weights of evidence, as SQL and C
========================================================

A scorecard replaces each feature by its weight of evidence, the log odds of default in a bin of it less those of all rows,
and adds the weights up by logistic regression. Bins have edges, and a bin of few rows goes astray. Here the log odds are
a smooth monotone curve with a band. Ten thousand loans are simulated, with a risk that rises in one feature and falls in
two.
"""

import shutil
import sqlite3
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

from linkgistic import MonotoneRegressor

rng = np.random.default_rng(0)
NAMES = {"utilisation": True, "income": False, "months": False}  # whether the risk rises
X = np.column_stack([rng.beta(1.2, 2, 10000), rng.lognormal(10.3, 0.5, 10000), rng.exponential(60, 10000)])
truth = expit(-4.2 + 2.5 * (X[:, 0] > 0.7) + 2 * X[:, 0] ** 2 - 0.8 * (np.log(X[:, 1]) - 10.3) + 1.5 * np.exp(-X[:, 2] / 12))
y = (rng.random(10000) < truth).astype(int)
train, test = np.arange(3000), np.arange(3000, 10000)
base = logit(y[train].mean())
print(f"{y[train].sum()} defaults in {len(train)} loans to learn from, {y[test].sum()} in {len(test)} to test on")

# %%
# The table of a scorecard for one feature: rows, defaults and weight of evidence of ten bins, and the curve's in the
# middle of the bin with its 90 % band.

curves = {
    name: MonotoneRegressor(response="bernoulli", increasing=rises).fit(X[train, j], y[train])
    for j, (name, rises) in enumerate(NAMES.items())
}
bins = KBinsDiscretizer(10, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
place = bins.fit_transform(X[train]).astype(int)
x, bad = X[train, 0], y[train]
print("utilisation     loans  defaults  WOE of the bin   of the curve")
for k in range(10):
    rows = place[:, 0] == k
    woe, low, high = (v[0] - base for v in curves["utilisation"].predict([x[rows].mean()], 0.9, scale="link"))
    count = bad[rows].sum()
    of_bin = logit((count + 0.5) / (rows.sum() + 1)) - base
    ends = f"{x[rows].min():.2f} to {x[rows].max():.2f}"
    print(f"{ends}  {rows.sum():7d}  {count:8d}  {of_bin:14.2f}   {woe:.2f} ({low:.2f} to {high:.2f})")

# %%
# Three scorecards, which differ in what logistic regression adds up: the features as they are, the weights of the bins,
# the curves. The test loans judge them; the true risk is the best that can be had.


def binned(rows):
    """Weights of evidence of the bins, half a default added to each."""
    of_rows, weights = bins.transform(rows).astype(int), np.empty(rows.shape)
    for j in range(rows.shape[1]):
        n, d = np.bincount(place[:, j], minlength=10), np.bincount(place[:, j], bad, minlength=10)
        weights[:, j] = logit((d + 0.5) / (n + 1))[of_rows[:, j]]
    return weights


def smooth(rows):
    """Log odds by the curves."""
    return np.column_stack([curve.predict(rows[:, j], scale="link") for j, curve in enumerate(curves.values())])


scale = StandardScaler().fit(X[train])
print("          log loss     AUC")
for name, make in (("linear", scale.transform), ("binned", binned), ("curves", smooth)):
    p = LogisticRegression(C=np.inf).fit(make(X[train]), y[train]).predict_proba(make(X[test]))[:, 1]
    print(f"{name:9} {log_loss(y[test], p):.4f}  {roc_auc_score(y[test], p):.4f}")
print(f"truth     {log_loss(y[test], truth[test]):.4f}  {roc_auc_score(y[test], truth[test]):.4f}")

fig, axes = plt.subplots(1, 3, figsize=(11, 3.5))
for ax, (name, curve), j in zip(axes, curves.items(), range(3)):
    curve.plot(ax=ax)
    ax.set(xlabel=name, ylabel="P(default)", ylim=(0, 0.5))
fig.tight_layout()

# %%
# A curve goes to production as a query of SQL or a header of C. SQLite runs the query; it agrees with ``predict``.

folder = Path(tempfile.mkdtemp())
curves["utilisation"].export(folder / "risk.sql", name="loans")
curves["utilisation"].export(folder / "risk.h", name="risk")
database = sqlite3.connect(":memory:")
for name, function in (("exp", np.exp), ("ln", np.log), ("floor", np.floor), ("sqrt", np.sqrt)):
    database.create_function(name, 1, lambda v, function=function: float(function(v)))
database.execute("create table loans (x real)")
database.executemany("insert into loans values (?)", X[test[:200], :1].tolist())
risk = np.array([row[-1] for row in database.execute((folder / "risk.sql").read_text().rstrip().rstrip(";"))])
predicted = curves["utilisation"].predict(X[test[:200], 0])
print(f"largest difference of SQL and predict: {np.abs(risk - predicted).max():.0e}")
print("\n".join((folder / "risk.h").read_text().splitlines()[:9]))
database.close()
shutil.rmtree(folder)
plt.show()
