"""
Images: which digits to hand to a person
========================================

Scikit-learn's 1,797 images of handwritten digits have 8 x 8 pixels. A linear model reads most of them; its probabilities
must say which ones it does not. Both models below are linear in the pixels; one learns the links from scores to the
softmax.
"""

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from linkgistic import LinkgisticClassifier

digits = load_digits()
X = digits.data / 16
train, test = train_test_split(np.arange(len(X)), test_size=0.5, random_state=0, stratify=digits.target)
y, y_test = digits.target[train], digits.target[test]

# %%
# Both choose their penalty by five-fold cross-validation; `LinkgisticClassifier` also chooses how far the links may bend.
# The difference of their log losses has a standard error: on so few images the two cannot be told apart.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", FutureWarning)
    logistic = LogisticRegressionCV(Cs=np.logspace(-1, 2, 4), scoring="neg_log_loss", max_iter=300).fit(X[train], y)
    warnings.simplefilter("ignore", ConvergenceWarning)  # its last steps go to and fro by a thousandth
    learned = LinkgisticClassifier(n_jobs=1).fit(X[train], y)
predicted = {name: model.predict_proba(X[test]) for name, model in (("logistic", logistic), ("linkgistic", learned))}
rows = np.arange(len(test))
for name, p in predicted.items():
    print(f"{name:10} log loss {log_loss(y_test, p):.4f}, errors {np.sum(p.argmax(axis=1) != y_test)} of {len(test)}")
loss = {name: -np.log(p[rows, y_test]) for name, p in predicted.items()}
difference = loss["linkgistic"] - loss["logistic"]
print(f"difference of the log losses {difference.mean():.4f}, standard error {difference.std() / np.sqrt(len(test)):.4f}")

# %%
# A person reads the images of the least sure predictions, in this order. How many errors are left among the others?

fig, ax = plt.subplots(figsize=(6, 4))
for name, p in predicted.items():
    order = np.argsort(p.max(axis=1))
    wrong = (p.argmax(axis=1) != y_test)[order]
    left = wrong.sum() - np.concatenate([[0], np.cumsum(wrong)])
    ax.plot(np.arange(len(left)) / len(test), left, label=name)
    print(f"{name:10} a person reads 5 %: {left[int(0.05 * len(test))]} errors are left, 10 %: {left[int(0.1 * len(test))]}")
ax.set(xlabel="share that a person reads", ylabel="errors left", xlim=(0, 0.3))
ax.legend()

# %%
# The least sure of them, with the two most probable digits and the 90 % band of the first.

p, lower, upper = learned.predict_proba(X[test], return_interval=0.9)
fig, axes = plt.subplots(2, 5, figsize=(11, 5.6))
for ax, i in zip(axes.flat, np.argsort(p.max(axis=1))):
    first, second = np.argsort(p[i])[:-3:-1]
    ax.imshow(digits.images[test[i]], cmap="gray_r")
    band = f"({lower[i, first]:.2f} to {upper[i, first]:.2f})"
    ax.set_title(f"{first}: {p[i, first]:.2f} {band}\n{second}: {p[i, second]:.2f}", size=9)
    ax.set_xlabel(f"it is {y_test[i]}")
    ax.set(xticks=[], yticks=[])
fig.tight_layout()
plt.show()
