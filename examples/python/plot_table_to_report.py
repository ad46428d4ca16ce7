"""
From a table with text and gaps to a report
===========================================

A table of cars has a make (text), an engine whose power is sometimes missing, and numbers. The question is whether a car
goes 25 miles on a gallon. The program reads such a table as it is; the model it writes is loaded in Python, which judges
it on rows that were held out. The table is the one that ``linkgistic demo`` writes, so nothing is downloaded.
"""

import os
import shutil
import subprocess
import tempfile
import warnings
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from linkgistic import LinkgisticClassifier

folder = Path(tempfile.mkdtemp())
places = [os.environ["PATH"], "build", "../../build"]  # the last two are those of a checkout
program = shutil.which("linkgistic", path=os.pathsep.join(places))
assert program, "the program linkgistic must be on the PATH"


def linkgistic(*words):
    """Runs the program and gives back what it prints."""
    return subprocess.run([program, *map(str, words)], check=True, capture_output=True, text=True).stdout


linkgistic("demo", "--quiet", "-o", folder)
cars = pd.read_csv(folder / "auto-mpg.csv", na_values="?")
cars["make"] = cars["car_name"].str.split().str[0]
cars["goes"] = np.where(cars["mpg"] >= 25, "far", "not far")
features = ["make", "cylinders", "displacement", "horsepower", "weight", "acceleration", "model_year"]
cars = cars[[*features, "goes"]]
print(cars.head(3).to_string(index=False))
print("missing:", cars.isna().sum().loc[lambda n: n > 0].to_dict())

# %%
# Two fifths of the rows are held out. ``--missing impute`` fills gaps by the median and adds a column that says where.

test = np.random.default_rng(0).random(len(cars)) < 0.4
cars[~test].to_csv(folder / "train.csv", index=False)
cars[test].to_csv(folder / "test.csv", index=False)
words = ("--label", "goes", "--missing", "impute", "--quiet", "--model", folder / "m.json")
linkgistic("classify", folder / "train.csv", *words)
print(linkgistic("evaluate", folder / "m.json", folder / "test.csv", "--quiet"))

# %%
# The same in Python, beside logistic regression after scikit-learn's encoders; both choose their penalty by
# cross-validation. The difference of the log losses has a standard error, from the rows: where it is the greater, the two
# cannot be told apart.

model = LinkgisticClassifier.load(folder / "m.json")
numbers = make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler())
encoder = make_column_transformer((OneHotEncoder(handle_unknown="ignore"), ["make"]), (numbers, features[1:]))
logistic = LogisticRegressionCV(Cs=10, scoring="neg_log_loss", max_iter=5000)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", FutureWarning)
    peer = make_pipeline(encoder, logistic).fit(cars.loc[~test, features], cars.loc[~test, "goes"])

rows, truth = cars.loc[test, features], cars.loc[test, "goes"].to_numpy()
losses = {}
warnings.filterwarnings("ignore", "X: 3 values of no category")  # three makes are in the test rows alone
for name, fitted in (("linkgistic", model), ("logistic", peer)):
    p = fitted.predict_proba(rows)
    losses[name] = -np.log(np.where(truth == "far", p[:, 0], p[:, 1]))
    print(f"{name:10} log loss {losses[name].mean():.4f}, accuracy {accuracy_score(truth, fitted.predict(rows)):.3f}")
difference = losses["linkgistic"] - losses["logistic"]
print(f"difference {difference.mean():.4f}, standard error {difference.std() / np.sqrt(len(difference)):.4f}")

# %%
# What counts: the average effect of a feature on P(not far), for one standard deviation of it, with its interval. The
# summary also says whether the data refuse the logit.

table = model.summary().to_frame().loc[features[1:]]
print(model.summary().link_test)
spread = cars.loc[~test, features[1:]].std()
effect, low, high = (table[c] * spread for c in ("effect", "effect_lower", "effect_upper"))
fig, ax = plt.subplots(figsize=(7, 3.5))
ax.errorbar(effect, features[1:], xerr=[effect - low, high - effect], fmt="o", capsize=3)
ax.axvline(0, color="black", linewidth=0.8)
ax.set(xlabel="change of P(not far) for one standard deviation, 95 % interval")
fig.tight_layout()

# %%
# The report is one HTML page with the coefficients, the link and how the model does on the rows that were held out.

linkgistic("report", folder / "m.json", folder / "test.csv", "--quiet", "-o", folder / "report.html")
print(f"report.html has {(folder / 'report.html').stat().st_size // 1024} kB")
plt.show()
shutil.rmtree(folder)
