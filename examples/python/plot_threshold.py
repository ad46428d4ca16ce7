"""
A threshold with its interval
=============================

From what size on is a tumour probably malignant? In scikit-learn's breast cancer data the radius of the worst cells tells
most. The question asks for a number on the x axis, and for how sure it is. `MonotoneRegressor` learns P(malignant) as an
increasing curve of the radius and solves for it.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from linkgistic import MonotoneRegressor

data = load_breast_cancer(as_frame=True)
radius = data.data["worst radius"].to_numpy()
malignant = (data.target == 0).astype(int).to_numpy()
x, x_test, y, y_test = train_test_split(radius, malignant, test_size=0.5, random_state=0, stratify=malignant)

# %%
# The curve, and the radii where it is 10, 50 and 90 %. The draws of ``inference="mcmc"`` are from the exact posterior; the
# default, a Gaussian at the mode, has too wide a band where nearly all labels are alike: intervals may have no end there.

curve = MonotoneRegressor(response="bernoulli", increasing=True, inference="mcmc", draws=300).fit(x, y)
answers = {level: curve.inverse(level) for level in (0.1, 0.5, 0.9)}
for level, found in answers.items():
    print(f"P(malignant) = {level}: radius {found['estimate']:.2f}, 90 % interval {found['lower']:.2f} to {found['upper']:.2f}")

# %%
# The curve is held against its peers on the other half of the tumours. Logistic regression without a penalty has one
# shape, which fits here: all three do about as well. Isotonic regression has steps, at 0 and 1 too, where a single miss
# costs without limit (here they are cut at 0.001).

logistic = LogisticRegression(C=np.inf, tol=1e-8, max_iter=1000).fit(x[:, None], y)
isotonic = IsotonicRegression(out_of_bounds="clip").fit(x, y)
predicted = {
    "monotone": curve.predict(x_test),
    "logistic": logistic.predict_proba(x_test[:, None])[:, 1],
    "isotonic": np.clip(isotonic.predict(x_test), 0.001, 0.999),
}
for name, p in predicted.items():
    print(f"{name} log loss on the test half {log_loss(y_test, p):.4f}")

# %%
# The interval holds the radii at which the band of the curve holds the level.

fig, ax = plt.subplots(figsize=(7, 4.2))
at = np.linspace(10, 24, 300)
curve.plot(at, ax=ax)
ax.plot(at, logistic.predict_proba(at[:, None])[:, 1], color="C1", label="logistic")
ax.plot(at, isotonic.predict(at), color="C2", linewidth=0.8, label="isotonic")
for level, answer in answers.items():
    ax.hlines(level, answer["lower"], answer["upper"], color="C3", linewidth=3)
ax.set(xlabel="worst radius", ylabel="P(malignant)", xlim=(10, 24))
ax.legend()
fig.tight_layout()

# %%
# The peer of the interval is that of logistic regression, from 100 bootstrap samples of the rows. It is narrower, and
# right if the logistic shape is; the curve's interval also holds what is not known of the shape.

crossings = []
for seed in range(100):
    rows = np.random.default_rng(seed).integers(len(x), size=len(x))
    again = LogisticRegression(C=np.inf, tol=1e-6, max_iter=1000).fit(x[rows, None] - x.mean(), y[rows])
    crossings.append(x.mean() - again.intercept_[0] / again.coef_[0, 0])
low, middle, high = np.quantile(crossings, [0.05, 0.5, 0.95])
print(f"P(malignant) = 0.5 by logistic regression: radius {middle:.2f}, 90 % interval {low:.2f} to {high:.2f}")

# %%
# A level that the data do not reach has no answer, and the curve is not continued to find one.

print("radius with P(malignant) = 0.0001:", curve.inverse(0.0001)["estimate"])
plt.show()
