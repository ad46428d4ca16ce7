"""
Linkgistic against logistic regression on text
==============================================

Is a paragraph from the documentation of SciPy or of scikit-learn? The text is what the installed packages carry in their
docstrings, so nothing is downloaded. Words are counted into sparse TF-IDF rows; both models are linear in them. Logistic
regression fixes the link from score to log odds, `LinkgisticClassifier` learns it.
"""

import importlib
import inspect
import re
import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from linkgistic import CalibrationDisplay, LinkgisticClassifier

MODULES = {
    "scipy": ["cluster.hierarchy", "interpolate", "linalg", "ndimage", "optimize", "signal", "sparse", "spatial", "stats"],
    "sklearn": ["cluster", "covariance", "decomposition", "ensemble", "feature_selection", "linear_model", "manifold",
                "metrics", "model_selection", "neighbors", "preprocessing", "svm", "tree"],
}  # fmt: skip


def paragraphs(package):
    """Paragraphs of at least 12 words from the docstrings of a package's public functions and classes."""
    found = set()
    for name in MODULES[package]:
        module = importlib.import_module(f"{package}.{name}")
        for public in getattr(module, "__all__", dir(module)):
            if public.startswith("Halving"):  # experimental
                continue
            text = inspect.getdoc(getattr(module, public, None)) or ""
            for paragraph in re.split(r"\n\s*\n", text):
                words = re.findall(r"[a-z]{2,}", paragraph.lower())
                # Code, and the names of the packages themselves, would give the answer away.
                if len(words) >= 12 and ">>>" not in paragraph:
                    found.add(" ".join(w for w in words if w not in ("scipy", "sklearn", "scikit", "learn")))
    return sorted(found)


text = {package: paragraphs(package) for package in MODULES}
documents = text["scipy"] + text["sklearn"]
y = np.repeat([0, 1], [len(text["scipy"]), len(text["sklearn"])])
print(f"{len(text['scipy'])} paragraphs of SciPy, {len(text['sklearn'])} of scikit-learn")

# %%
# Half of the paragraphs train, half test, five times over. Each model chooses its penalty by cross-validation.


def losses(seed):
    """Both models fitted to a random half of the paragraphs, and their log losses on the other half."""
    train, test, y_train, y_test = train_test_split(documents, y, test_size=0.5, random_state=seed, stratify=y)
    vectorizer = TfidfVectorizer(sublinear_tf=True, min_df=2)
    X, X_test = vectorizer.fit_transform(train), vectorizer.transform(test)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        logistic = LogisticRegressionCV(Cs=np.logspace(-1, 3, 9), scoring="neg_log_loss", max_iter=1000).fit(X, y_train)
    learned = LinkgisticClassifier().fit(X, y_train)
    values = [log_loss(y_test, model.predict_proba(X_test)) for model in (logistic, learned)]
    print(f"half {seed}: logistic {values[0]:.4f}, linkgistic {values[1]:.4f}")
    return values, logistic, learned, vectorizer, X_test, y_test


fits = [losses(seed) for seed in range(5)]
means = np.mean([fit[0] for fit in fits], axis=0)
print(f"mean log loss: logistic {means[0]:.4f}, linkgistic {means[1]:.4f}, ratio {means[1] / means[0]:.3f}")

# %%
# The gain is a few hundredths, in most of the halves: the logistic link is nearly right here, and what was learned bends a
# little from the straight line that it assumes. The band says how sure that is.

_, logistic, learned, vectorizer, X_test, y_test = fits[-1]
fig, (left, right) = plt.subplots(1, 2, figsize=(9.5, 4.2))
learned.plot_link(ax=left)
for name, model in (("logistic", logistic), ("linkgistic", learned)):
    CalibrationDisplay.from_estimator(model, X_test, y_test, name=name, ax=right, ref_line=name == "logistic")
fig.tight_layout()
plt.show()

# %%
# The coefficients are those of words, as in any linear model.

names = vectorizer.get_feature_names_out()
order = np.argsort(learned.coef_[0])
print("SciPy:       ", ", ".join(names[order[:8]]))
print("scikit-learn:", ", ".join(names[order[:-9:-1]]))
