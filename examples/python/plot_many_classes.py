"""
Many classes: a softmax of learned links, with bands
====================================================

The patients of scikit-learn's diabetes data in three classes: the disease goes on little, in the middle, or much within a
year. Multinomial logistic regression takes the softmax of linear scores. `LinkgisticClassifier` takes that of scores after a
learned increasing curve for each class, and says how sure each probability is.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import ConfusionMatrixDisplay, accuracy_score, log_loss
from sklearn.model_selection import train_test_split

from linkgistic import LinkgisticClassifier, ReliabilityDisplay

X, progress = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
names = np.array(["1 little", "2 middle", "3 much"])
y = names[np.digitize(progress, np.quantile(progress, [1 / 3, 2 / 3]))]

# %%
# Four random halves to learn from, the other halves to test on. Both choose their penalty by cross-validation. The halves
# overlap, so that four differences are not four experiments.


def halves(seed):
    """Both models fitted to a half, and the other half."""
    train, test, y_train, y_test = train_test_split(X, y, test_size=0.5, random_state=seed, stratify=y)
    logistic = LogisticRegressionCV(Cs=np.logspace(-2, 2, 5), scoring="neg_log_loss", max_iter=5000)
    mean, spread = train.mean(), train.std()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        logistic.fit((train - mean) / spread, y_train)
        warnings.simplefilter("ignore", ConvergenceWarning)  # its last steps go to and fro by a thousandth
        learned = LinkgisticClassifier(n_jobs=1).fit(train, y_train)
    return {"logistic": logistic.predict_proba((test - mean) / spread), "linkgistic": learned}, test, y_test


losses = {"logistic": [], "linkgistic": []}
hits = {"logistic": [], "linkgistic": []}
for seed in range(4):
    models, test, y_test = halves(seed)
    clf = models["linkgistic"]
    for name, p in (("logistic", models["logistic"]), ("linkgistic", clf.predict_proba(test))):
        losses[name].append(log_loss(y_test, p))
        hits[name].append(accuracy_score(y_test, names[p.argmax(axis=1)]))
print(f"guessing   log loss {np.log(3):.4f}, accuracy 0.333")
for name in losses:
    print(f"{name:10} log loss {np.mean(losses[name]):.4f}, accuracy {np.mean(hits[name]):.3f}")
difference = np.subtract(losses["linkgistic"], losses["logistic"])
print("linkgistic less logistic, half by half:", np.round(difference, 4))

# %%
# The two are close. Which classes are taken for which, on the last test half; and whether the probability of the last
# class is what it says.

fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2))
ConfusionMatrixDisplay.from_predictions(y_test, clf.predict(test), ax=left, colorbar=False)
much = (y_test == "3 much").astype(int)
ReliabilityDisplay.from_predictions(much, clf.predict_proba(test)[:, 2], ax=right, name="3 much")
fig.tight_layout()

# %%
# Probabilities of six patients, with 90 % bands. The bands carry the uncertainty of the links; of three classes they hold
# the coefficients at their estimate.

p, lower, upper = clf.predict_proba(test[:6], return_interval=0.9)
fig, ax = plt.subplots(figsize=(8, 3.5))
for c, name in enumerate(clf.classes_):
    at = np.arange(6) + 0.2 * (c - 1)
    ends = np.abs(np.stack([lower[:, c], upper[:, c]]) - p[:, c])
    ax.errorbar(at, p[:, c], yerr=ends, fmt="o", capsize=3, label=name)
ax.set(xticks=range(6), xticklabels=y_test[:6], xlabel="what happened", ylabel="probability", ylim=(0, 1))
ax.legend()
fig.tight_layout()
_, lower, upper = clf.predict_proba(test, return_interval=0.9)
print(f"mean width of the bands on the test half: {np.mean(upper - lower):.3f}")
plt.show()
