"""MonotoneRegressor of every response, against SciPy's distributions."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from linkgistic import MonotoneRegressor

RNG = np.random.default_rng(5)
X = np.sort(RNG.uniform(0, 10, 250))
CURVE = np.tanh(X - 5)
EXPOSURE = RNG.uniform(0.5, 4, len(X))
TRIALS = RNG.integers(1, 9, len(X))
P = 1 / (1 + np.exp(-2 * CURVE))
ROWS = {
    "gaussian": (CURVE + 0.3 * RNG.normal(size=len(X)), {}),
    "student": (CURVE + 0.2 * RNG.standard_t(3, size=len(X)), {}),
    "bernoulli": (np.where(RNG.random(len(X)) < P, "yes", "no"), {}),
    "binomial": (RNG.binomial(TRIALS, P).astype(float), {"trials": TRIALS}),
    "poisson": (RNG.poisson(EXPOSURE * np.exp(CURVE)).astype(float), {"exposure": EXPOSURE}),
    "negative-binomial": (
        RNG.poisson(EXPOSURE * np.exp(CURVE) * RNG.gamma(2, 0.5, len(X))).astype(float),
        {"exposure": EXPOSURE},
    ),
    "gamma": (EXPOSURE * np.exp(CURVE) * RNG.gamma(3, 1 / 3, len(X)), {"exposure": EXPOSURE}),
}


def law(fit, response, mean, trials):
    """SciPy's distribution at the fit's own hyper-parameters."""
    own = fit.hyper_parameters_
    if response == "gaussian":
        return stats.norm(mean, own["noise"])
    if response == "student":
        return stats.t(own["freedom"], mean, own["noise"])
    if response == "bernoulli":
        return stats.bernoulli(mean)
    if response == "binomial":
        return stats.binom(trials, mean)
    if response == "poisson":
        return stats.poisson(mean)
    if response == "negative-binomial":
        r = 1 / own["dispersion"]
        return stats.nbinom(r, r / (r + mean))
    return stats.gamma(own["shape"], scale=mean / own["shape"])


@pytest.fixture(scope="module", params=sorted(ROWS))
def fitted(request):
    y, sizes = ROWS[request.param]
    return request.param, MonotoneRegressor(response=request.param).fit(X, y, **sizes), y, sizes


def test_likelihood_is_that_of_scipy(fitted):
    response, fit, y, sizes = fitted
    observed = (y == "yes").astype(float) if response == "bernoulli" else y
    of = law(fit, response, fit.predict(X, **sizes), TRIALS)
    density = of.logpdf if hasattr(of.dist, "logpdf") and response in ("gaussian", "student", "gamma") else of.logpmf
    scores = fit.score_rows(X, y, **sizes)
    np.testing.assert_allclose(scores["log_density"], density(observed), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(scores["at_most"], of.cdf(observed), rtol=1e-8, atol=1e-10)
    if response not in ("gaussian", "student", "gamma"):
        np.testing.assert_allclose(scores["below"], of.cdf(observed - 1), rtol=1e-8, atol=1e-10)


def test_curve_is_monotone_and_near_the_truth(fitted):
    response, fit, _, _ = fitted
    link = fit.predict(X, scale="link")
    truth = 2 * CURVE if response in ("bernoulli", "binomial") else CURVE
    assert np.all(np.diff(link) >= -1e-9)
    assert np.abs(link - truth).mean() < (0.7 if response == "bernoulli" else 0.4)  # 250 labels tell little


def test_residuals_are_normal(fitted):
    response, fit, y, sizes = fitted
    residuals = fit.residuals(X, y, **sizes)
    assert stats.kstest(residuals, "norm").pvalue > 1e-3
    deviance = fit.residuals(X, y, "deviance", **sizes)
    np.testing.assert_allclose(deviance**2, fit.score_rows(X, y, **sizes)["deviance"], atol=1e-9)


def test_observation_bands_hold_what_they_say(fitted):
    response, fit, y, sizes = fitted
    _, lower, upper = fit.predict(X, return_interval=0.9, observation=True, **sizes)
    observed = (y == "yes").astype(float) if response == "bernoulli" else y
    if response == "binomial":
        observed = y / TRIALS
    assert np.mean((lower <= observed) & (observed <= upper)) > 0.85


def test_file_has_response_columns_and_labels(fitted, tmp_path):
    response, fit, y, sizes = fitted
    fit.save(tmp_path / "m.json")
    same = MonotoneRegressor.load(tmp_path / "m.json")
    assert same.response == response
    np.testing.assert_array_equal(same.predict(X, **sizes), fit.predict(X, **sizes))
    if response == "bernoulli":
        assert list(same.classes_) == ["no", "yes"]


def test_names_of_columns_are_kept():
    frame = pd.DataFrame({"age": X, "claims": ROWS["poisson"][0], "years": EXPOSURE})
    fit = MonotoneRegressor(response="poisson").fit(frame["age"], frame["claims"], exposure=frame["years"])
    assert fit.model_.columns == {"x": "age", "y": "claims", "exposure": "years"}
    np.testing.assert_allclose(fit.predict([5.0], exposure=3), 3 * fit.predict([5.0]))


@pytest.mark.parametrize(
    "response, y, sizes, message",
    [
        ("poisson", [1, -1, 2], {}, "y is -1 in row 2: it must be a count"),
        ("poisson", [1, 1.5, 2], {}, "y is 1.5 in row 2: it must be a count"),
        ("poisson", [1, 1, 2], {"exposure": [1, 0, 1]}, "exposure is 0 in row 2: it must be positive"),
        ("binomial", [1, 3, 2], {"trials": [2, 2, 2]}, "trials is 2 in row 2: it must be at least"),
        ("binomial", [1, 3, 2], {}, "needs a number of trials"),
        ("bernoulli", ["a", "b", "c"], {}, "takes two labels, and there are 3"),
        ("gaussian", [1, 3, 2], {"exposure": 1.0}, "exposure: the response 'gaussian' takes none"),
        ("gamma", [1, 0, 2], {}, "y is 0 in row 2: it must be positive"),
    ],
)
def test_rows_that_cannot_be_are_refused(response, y, sizes, message):
    with pytest.raises(ValueError, match=message):
        MonotoneRegressor(response=response).fit([1, 2, 3], y, **sizes)


def test_inverse_and_functionals():
    y, sizes = ROWS["binomial"]
    fit = MonotoneRegressor(response="binomial").fit(X, y, **sizes)
    half = fit.inverse(0.5)
    assert half["lower"] < half["estimate"] < half["upper"] and abs(half["estimate"] - 5) < 1
    np.testing.assert_allclose(fit.predict([half["estimate"]]), 0.5, atol=1e-8)
    assert fit.inverse(1e-6) == {"estimate": None, "lower": None, "upper": None} or fit.inverse(1e-6)["estimate"] is None
    middle = fit.inverse(share=0.5, interval=0.5)
    assert middle["lower"] <= middle["estimate"] <= middle["upper"]
    a, b = fit.predict([3.0, 7.0])
    assert fit.functional("difference", [3.0, 7.0])["estimate"] == pytest.approx(b - a)
    assert fit.functional("ratio", [3.0, 7.0])["estimate"] == pytest.approx(b / a)
    assert fit.functional("slope", 5.0)["lower"] > 0
    assert fit.steepest()["lower"] <= fit.steepest()["estimate"]
    gaussian = MonotoneRegressor().fit(X, ROWS["gaussian"][0])
    sample = gaussian.unknown([0.1, -0.1, 0.0])
    assert sample["lower"] < 5 < sample["upper"]
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit.inverse(1.5)
    with pytest.raises(ValueError, match="either level or share"):
        fit.inverse()
    with pytest.raises(ValueError, match="within the data"):
        fit.functional("slope", -3.0)
