"""One against one, and the bases and origins of links."""

import warnings
from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.multiclass import OneVsOneClassifier
from sklearn.preprocessing import StandardScaler

from linkgistic import CalibratedClassifier, LinkgisticClassifier


def coupled(odds, classes):
    """Wu, Lin and Weng's second method by its system of linear equations with a multiplier."""
    q = np.zeros((classes + 1, classes + 1))
    q[-1, :-1] = q[:-1, -1] = 1
    for t, (i, j) in zip(odds, combinations(range(classes), 2), strict=True):
        second = 1 / (1 + np.exp(-t))
        q[i, i] += second**2
        q[j, j] += (1 - second) ** 2
        q[i, j] = q[j, i] = -second * (1 - second)
    return np.linalg.solve(q, np.eye(classes + 1)[-1])[:-1]


def test_pairs_without_a_prior_are_those_of_scikit_learn():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours = LinkgisticClassifier(multiclass="ovo", prior="none", l2=1.0, standardize="off").fit(X, y)
    theirs = OneVsOneClassifier(LogisticRegression(C=1.0, tol=1e-10, max_iter=10_000)).fit(X, y)
    assert ours.coef_.shape == (3, X.shape[1])
    for k, one in enumerate(theirs.estimators_):
        assert_allclose(ours.coef_[k], one.coef_[0], atol=2e-3)
        assert_allclose(ours.intercept_[k], one.intercept_[0], atol=2e-3)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99
    p = ours.predict_proba(X)
    expected = np.array([coupled(row, 3) for row in ours.linear_score(X)])
    assert_allclose(p, expected, atol=1e-6)
    assert_allclose(p.sum(axis=1), 1)
    assert (ours.predict(X) == ours.classes_[p.argmax(axis=1)]).all()


def test_pairs_with_links_are_kept_and_judged(tmp_path):
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = LinkgisticClassifier(multiclass="ovo").fit(X, names)
    assert log_loss(names, model.predict_proba(X)) < 0.2
    assert model.score(X, names) > 0.95
    assert [one["name"] for one in model.summary_["classes"]] == [
        "versicolor against setosa",
        "virginica against setosa",
        "virginica against versicolor",
    ]
    model.save(tmp_path / "model.json")
    again = LinkgisticClassifier.load(tmp_path / "model.json")
    assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=1e-12)
    assert again.multiclass == "ovo"
    assert model.decision_function(X).shape == (150, 3)
    assert_allclose(model.decision_function(X), np.log(model.predict_proba(X)))
    assert model.learned_loss(2).increasing
    with pytest.raises(ValueError, match="pairs of classes"):
        model.learned_loss(label="setosa")
    calibrated = CalibratedClassifier(LinkgisticClassifier(multiclass="ovo", l2=1.0, v=0.0), cv=3).fit(X, names)
    assert calibrated.score(X, names) > 0.9


@pytest.fixture(scope="module")
def bent():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 2))
    score = X @ [1.5, 0.7]
    p = 1 / (1 + np.exp(-np.where(score < 0, 3 * score, 0.5 * score)))
    return X, (random.uniform(size=len(X)) < p).astype(int)


@pytest.mark.parametrize("options", [{"basis": "nystrom"}, {"origin": "shifted"}])
def test_links_of_another_basis_or_origin_are_near_those_of_harmonics(bent, options, tmp_path):
    X, y = bent
    fixed = {"l2": 1.0, "v": 0.3, "harmonics": 8, "cross_fit": False}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        trig = LinkgisticClassifier(**fixed).fit(X, y)
        other = LinkgisticClassifier(**fixed, **options).fit(X, y)
    assert np.abs(trig.predict_proba(X) - other.predict_proba(X)).mean() < 0.02
    assert np.abs(trig.predict_proba(X) - other.predict_proba(X)).max() > 1e-6
    other.save(tmp_path / "model.json")
    again = LinkgisticClassifier.load(tmp_path / "model.json")
    assert_allclose(again.predict_proba(X), other.predict_proba(X), atol=1e-12)
    loss = again.learned_loss_
    assert loss.increasing
    assert_allclose(loss.predict_proba(again.linear_score(X)), again.predict_proba(X)[:, 1], atol=1e-5)


def test_the_bound_of_the_margin_loss_has_a_posterior(bent):
    X, y = bent
    model = LinkgisticClassifier(l2=1.0, v=0.3, max_iter=2).fit(X, y)
    loss = model.learned_loss_
    x = np.linspace(*loss.score_range, 4001)
    u = loss.predict_proba(x)
    steepest = (np.diff(x) / np.diff(u)).max()
    assert steepest <= loss.margin_lipschitz_bound * (1 + 1e-6)
    assert steepest > 0.95 * loss.margin_lipschitz_bound
    draws = model.margin_lipschitz(draws=100, random_state=3)
    assert draws.shape == (100,)
    assert len(np.unique(draws)) > 2  # links that are flat somewhere have an infinite bound
    assert (draws > 0).all()
    assert_allclose(draws[:1], model.learned_loss(estimate="sample", random_state=3).margin_lipschitz_bound)
    with pytest.raises(ValueError, match="draws"):
        model.margin_lipschitz(draws=0)


def test_a_gaussian_process_has_no_origin_to_shift(bent):
    with pytest.raises(ValueError, match="no origin to shift"):
        LinkgisticClassifier(prior="gp", origin="shifted").fit(*bent)
