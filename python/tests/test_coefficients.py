"""The table of coefficients against statsmodels' formulas by hand, and marginal probabilities against draws."""

import numpy as np
import pytest
from linkgistic import LinkgisticClassifier
from scipy.special import expit


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 3)) * [1.0, 2.0, 0.5] + [0.0, 1.0, -2.0]
    return X, (rng.random(600) < expit(X @ [1.0, -0.4, 0.8] + 1)).astype(int)


def test_a_straight_link_has_the_errors_of_logistic_regression(rows):
    X, y = rows
    clf = LinkgisticClassifier(prior="none", l2=1e-6, n_jobs=1).fit(X, y)
    Z = np.column_stack([np.ones(len(X)), X])
    beta = np.r_[clf.intercept_, clf.coef_[0]]
    p = expit(Z @ beta)
    H = (Z.T * (p * (1 - p))) @ Z
    covariance = np.linalg.inv(H)
    table = clf.summary()
    np.testing.assert_allclose(table.columns["estimate"], beta, rtol=1e-6)
    np.testing.assert_allclose(table.columns["error"], np.sqrt(np.diag(covariance)), rtol=1e-3)
    np.testing.assert_allclose(table.columns["odds_ratio"][1:], np.exp(beta[1:]), rtol=1e-6)
    # Average marginal effects by the delta method.
    d = p * (1 - p)
    np.testing.assert_allclose(table.columns["effect"][1:], d.mean() * beta[1:], rtol=1e-3)
    gradient = (d * (1 - 2 * p)) @ Z / len(X)
    for j in range(1, 4):
        h = beta[j] * gradient
        h[j] += d.mean()
        np.testing.assert_allclose(table.columns["effect_error"][j], np.sqrt(h @ covariance @ h), rtol=2e-3)
    # The sandwich.
    scores = Z * (y - p)[:, None]
    sandwich = covariance @ (scores.T @ scores) @ covariance
    robust = clf.summary(robust=True)
    np.testing.assert_allclose(robust.columns["error"], np.sqrt(np.diag(sandwich)), rtol=2e-3)
    assert "sandwich" in str(robust) and "Posterior" in str(table)


def test_the_table_is_text_a_frame_and_html(rows):
    pd = pytest.importorskip("pandas")
    X, y = rows
    clf = LinkgisticClassifier(n_jobs=1).fit(pd.DataFrame(X, columns=["a", "b<1>", "c"]), y)
    table = clf.summary()
    frame = table.to_frame()
    assert list(frame.index) == ["(intercept)", "a", "b<1>", "c"]
    assert frame.loc["a", "lower"] < frame.loc["a", "estimate"] < frame.loc["a", "upper"]
    assert frame.loc["a", "p_value"] < 0.01
    assert "b&lt;1&gt;" in table._repr_html_() and "logit" in str(table)


def test_marginal_probabilities_are_drawn_to_a_half(rows):
    X, y = rows
    clf = LinkgisticClassifier(n_jobs=1).fit(X[:150], y[:150])
    mode = clf.predict_proba(X)[:, 1]
    marginal = clf.predict_proba(X, estimate="marginal")[:, 1]
    np.testing.assert_allclose(clf.predict_proba(X, estimate="marginal").sum(axis=1), 1)
    far = np.abs(mode - 0.5) > 0.05
    assert np.all(np.abs(marginal - 0.5)[far] < np.abs(mode - 0.5)[far])
    assert np.abs(clf.predict_proba(X, estimate="plug-in")[:, 1] - mode).max() < 0.1
    with pytest.raises(ValueError, match="estimate"):
        clf.predict_proba(X, estimate="mean")
