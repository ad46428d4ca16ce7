"""Noise that goes with x, and guesses and lapses: keywords, attributes, batches and files."""

import numpy as np
import pytest
from linkgistic import MonotoneRegressor
from scipy.stats import binom, norm


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    x = rng.random(400)
    return x, 3 * x + 0.1 * 8**x * rng.normal(size=400)


@pytest.fixture(scope="module")
def fit(rows):
    return MonotoneRegressor(noise="smooth").fit(*rows)


def test_noise_is_found_and_used(rows, fit):
    x, y = rows
    noise = fit.noise_at([0.1, 0.5, 0.9])
    # A third of 400 rows leaves 1/sqrt(270) = .06 of a standard deviation.
    assert np.abs(noise / (0.1 * 8 ** np.array([0.1, 0.5, 0.9])) - 1).max() < 0.3
    assert noise.min() < fit.noise_ < noise.max()
    z = (y - fit.predict(x)) / fit.noise_at(x)
    np.testing.assert_allclose(norm.cdf(fit.residuals(x, y)), norm.cdf(z), atol=1e-9)
    assert fit.summary_["converged"] and len(fit.summary_["bounds"]) > 1


def test_constant_noise_is_the_same_everywhere(rows):
    fit = MonotoneRegressor().fit(*rows)
    assert (fit.noise_at([-5, 0.5, 7]) == fit.noise_).all()
    assert np.isnan(MonotoneRegressor(response="gamma").fit(rows[0], np.exp(rows[1])).noise_at([0.5])).all()


def test_batches_are_one_fit(rows, fit):
    x, y = rows
    batches = MonotoneRegressor(noise="smooth").partial_fit(x[:150], y[:150]).partial_fit(x[150:], y[150:])
    assert batches.model_.to_json() == fit.model_.to_json()


def test_files_keep_noise_and_rates(rows, fit, tmp_path):
    fit.save(tmp_path / "noise.json")
    again = MonotoneRegressor.load(tmp_path / "noise.json")
    assert again.noise == "smooth" and (again.noise_at([0.2, 0.8]) == fit.noise_at([0.2, 0.8])).all()
    eye = MonotoneRegressor(response="bernoulli", guess=0.5, lapse="learn").fit(rows[0], rows[1] > 1)
    eye.save(tmp_path / "eye.json")
    again = MonotoneRegressor.load(tmp_path / "eye.json")
    assert (again.guess, again.lapse) == (0.5, "learn")
    assert again.hyper_parameters_["lapse"] == eye.hyper_parameters_["lapse"]
    fit.export(tmp_path / "noise.h")


def test_the_law_of_trials_is_scipys():
    rng = np.random.default_rng(1)
    x, trials = rng.random(80), rng.integers(1, 9, 80)
    y = rng.binomial(trials, 0.25 + 0.7 / (1 + np.exp(-8 * (x - 0.5))))
    fit = MonotoneRegressor(response="binomial", guess=0.25, lapse=0.05).fit(x, y, trials=trials)
    mean = fit.predict(x)
    assert mean.min() > 0.25 and mean.max() < 0.95
    scores = fit.model_.score(x, y.astype(float), trials=trials.astype(float))
    np.testing.assert_allclose(scores["log_density"], binom.logpmf(y, trials, mean), atol=1e-10)
    np.testing.assert_allclose(scores["at_most"], binom.cdf(y, trials, mean), atol=1e-10)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"noise": "smooth", "response": "student"}, "noise = smooth: only the response gaussian"),
        ({"noise": "smooth", "inference": "mcmc"}, "noise = smooth"),
        ({"guess": 0.5}, "guess = 0.5, lapse = 0: only the responses bernoulli and binomial"),
        ({"response": "bernoulli", "guess": 0.5, "lapse": 0.5}, "together they must be below 1"),
        ({"response": "bernoulli", "guess": "much"}, "guess = much: it must be a number, or the word learn"),
        ({"response": "bernoulli", "lapse": 1.5}, "lapse = 1.5: it must be at least 0 and below 1"),
    ],
)
def test_what_cannot_be_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        MonotoneRegressor(**options).fit([0, 1, 2], [0, 1, 1])
