"""MonotoneRegressor."""

import pickle
import signal
import threading
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from linkgistic import MonotoneRegressor


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    x = rng.random(200)
    return x, np.exp(2 * x) + 0.2 * rng.normal(size=200)


@pytest.fixture(scope="module")
def fitted(data):
    return MonotoneRegressor().fit(*data)


def test_the_curve_is_found(fitted):
    at = np.linspace(0.05, 0.95, 50)
    estimate, lower, upper = fitted.predict(at, return_interval=0.99)
    assert np.abs(estimate - np.exp(2 * at)).max() < 0.2
    assert np.mean((lower < np.exp(2 * at)) & (np.exp(2 * at) < upper)) > 0.9
    assert fitted.increasing_ and abs(fitted.noise_ - 0.2) < 0.04


def test_the_estimate_still_has_its_former_name(fitted):
    with pytest.warns(DeprecationWarning, match="estimate"):
        mean = fitted.model_.mean(np.array([0.2, 0.8]))
    np.testing.assert_array_equal(mean, fitted.predict([0.2, 0.8]))


def test_the_slope_is_that_of_the_curve(fitted):
    at, h = np.linspace(0.1, 0.9, 9), 1e-5
    np.testing.assert_allclose(
        fitted.derivative(at), (fitted.predict(at + h) - fitted.predict(at - h)) / (2 * h), rtol=1e-6
    )


def test_draws_are_increasing_and_reproducible(fitted):
    at = np.linspace(0, 1, 50)
    draws = fitted.sample_y(at, 20, random_state=3)
    assert draws.shape == (50, 20) and np.all(np.diff(draws, axis=0) > 0)
    np.testing.assert_array_equal(draws, fitted.sample_y(at, 20, random_state=3))
    assert not np.array_equal(draws, fitted.sample_y(at, 20, random_state=4))
    assert fitted.sample_y(at, 2, random_state=np.random.RandomState(0)).shape == (50, 2)


def test_observations_have_wider_bands(fitted):
    _, lower, upper = fitted.predict([0.5], return_interval=0.9)
    _, obs_lower, obs_upper = fitted.predict([0.5], return_interval=0.9, observation=True)
    assert obs_lower < lower < upper < obs_upper


def test_a_falling_curve(data):
    x, y = data
    assert not MonotoneRegressor().fit(x, -y).increasing_


def test_one_column_is_as_good_as_none(data, fitted):
    x, y = data
    np.testing.assert_array_equal(MonotoneRegressor().fit(x[:, None], y).predict(x), fitted.predict(x))
    with pytest.raises(ValueError, match="shape"):
        MonotoneRegressor().fit(np.column_stack([x, x]), y)


def test_weight_two_is_the_row_twice(data):
    x, y = data
    weight = np.random.default_rng(0).integers(0, 3, size=len(y))
    weighted = MonotoneRegressor().fit(x, y, sample_weight=weight)
    repeated = MonotoneRegressor().fit(np.repeat(x, weight), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict(x), repeated.predict(x), rtol=1e-5)


def test_pickle(fitted):
    at = np.linspace(-1, 2, 20)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict(at), fitted.predict(at))


def test_held_hyper_parameters(data):
    assert MonotoneRegressor(fixed={"noise": 0.5}).fit(*data).noise_ == pytest.approx(0.5)


@pytest.mark.parametrize("inference", ["laplace", "variational", "mcmc"])
def test_every_inference_finds_the_curve(data, inference):
    options = {"draws": 100} if inference == "mcmc" else {}
    curve = MonotoneRegressor(inference=inference, **options).fit(*data)
    assert curve.summary_["posterior"] != "" and curve.get_params()["inference"] == inference
    at = np.linspace(0.1, 0.9, 20)
    mean, lower, upper = curve.predict(at, return_interval=0.9)
    assert np.abs(mean - np.exp(2 * at)).max() < 0.3 and np.all(lower < upper)


def test_set_output_gives_data_frames(data):
    x, y = data
    frame = pd.DataFrame({"dose": x})
    out = MonotoneRegressor().set_output(transform="pandas").fit(frame, y).transform(frame)
    assert isinstance(out, pd.DataFrame) and list(out.columns) == ["monotoneregressor0"] and out.shape == (200, 1)


def test_progress_is_told(data, capsys):
    seen = []
    curve = MonotoneRegressor(increasing=True, callback=seen.append, verbose=1).fit(*data)
    assert [one["objective"] for one in seen] == curve.summary_["trace"]
    assert {one["phase"] for one in seen} == {"search"}
    assert "search: step" in capsys.readouterr().err


def test_an_error_in_the_callback_reaches_the_caller(data):
    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        MonotoneRegressor(callback=fail).fit(*data)


@pytest.mark.parametrize("inference", ["laplace", "variational", "mcmc"])
def test_ctrl_c_keeps_the_best_so_far(data, inference):
    x, y = data
    seen = []

    def interrupt(progress):
        seen.append(progress)
        if len(seen) == 3:
            raise KeyboardInterrupt

    with pytest.warns(ConvergenceWarning, match="interrupted: the best model so far is kept"):
        curve = MonotoneRegressor(inference=inference, callback=interrupt).fit(x, y)
    assert len(seen) == 3
    assert curve.summary_["stop"] == "interrupted"
    assert curve.score(x, y) > 0.9
    assert np.all(np.diff(curve.predict(np.linspace(-1, 2, 50))) > 0)


def test_a_signal_from_outside_ends_sampling_with_the_gaussian(data, fitted):
    sampling = threading.Event()

    def tell(progress):
        if progress["phase"] == "sampling":
            sampling.set()

    curve = MonotoneRegressor(inference="mcmc", draws=100_000, callback=tell)
    thread = threading.Thread(target=lambda: (sampling.wait(60), signal.raise_signal(signal.SIGINT)))
    thread.start()
    with pytest.warns(UserWarning, match="stopped before the posterior was found by mcmc: it is the Gaussian"):
        curve.fit(*data)
    thread.join()
    np.testing.assert_array_equal(curve.predict(data[0]), fitted.predict(data[0]))


def test_the_distribution_has_the_band_of_the_curve(data):
    x, y = data
    curve = MonotoneRegressor(inference="mcmc", draws=200).fit(x, y)
    at = np.linspace(x.min(), x.max(), 7)
    found = curve.distribution(at)
    assert found["quantiles"].shape == (7, 3)
    assert np.all(np.diff(found["quantiles"], axis=1) > 0)
    np.testing.assert_array_equal(found["median"], found["quantiles"][:, 1])
    draws = curve.sample_y(at, n_samples=800)
    spread = draws.std(axis=1)
    assert np.all(np.abs(found["mean"] - draws.mean(axis=1)) < 0.3 * spread)
    wider = curve.distribution(at, of="response")["quantiles"]
    assert np.all(wider[:, 2] - wider[:, 0] > found["quantiles"][:, 2] - found["quantiles"][:, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda curve: curve.distribution([0.5], of="f"), "of = 'f'"),
        (lambda curve: curve.distribution([0.5], of=3), "of = 3"),
        (lambda curve: curve.distribution([0.5], levels=[0.5, 1.5]), "levels = .*1.5"),
        (lambda curve: curve.predict([0.5], return_interval=1e200), r"return_interval = 1e\+200: it must be"),
        (lambda curve: curve.derivative([0.5], return_interval=0), "return_interval = 0"),
        (lambda curve: curve.sample_y([0.5], n_samples=0), "n_samples = 0"),
        (lambda curve: curve.sample_y([0.5], random_state=-1), "random_state = -1"),
    ],
)
def test_what_cannot_be_asked_is_named(data, call, message):
    with pytest.raises(ValueError, match=message):
        call(MonotoneRegressor().fit(*data))


@pytest.mark.parametrize("method", ["predict", "derivative", "sample_y", "distribution", "transform"])
def test_before_fit_it_is_said(method):
    with pytest.raises(NotFittedError):
        getattr(MonotoneRegressor(), method)([0.5])


def test_a_direction_against_the_data_warns():
    x = np.linspace(0, 1, 20)
    with pytest.warns(UserWarning, match="direction = decreasing is against the data: y rises with x, with a corr"):
        MonotoneRegressor(increasing=False).fit(x, x**2)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=".*against the data")
        MonotoneRegressor(increasing=True).fit(x, x**2)


@pytest.mark.parametrize("shape", ["convex", "increasing-concave", "decreasing-convex"])
def test_a_shape_is_kept(tmp_path, shape):
    rng = np.random.default_rng(2)
    x = rng.random(80)
    truth = {"convex": (x - 0.4) ** 2, "increasing-concave": np.sqrt(x), "decreasing-convex": np.exp(-3 * x)}[shape]
    curve = MonotoneRegressor(shape=shape).fit(x, truth + 0.05 * rng.normal(size=80))
    y = curve.predict(np.linspace(-0.5, 1.5, 1001))
    assert (np.diff(y, 2) * (-1 if shape.endswith("concave") else 1)).min() > -1e-12
    if shape == "convex":
        assert curve.increasing_ is None
        with pytest.raises(ValueError, match="shape = convex: its curve is not monotone"):
            curve.inverse(0.1)
    else:
        assert curve.increasing_ == shape.startswith("increasing")
        answer = curve.inverse(share=0.5)
        assert answer["lower"] <= answer["estimate"] <= answer["upper"]
    curve.save(tmp_path / "m.json")
    again = MonotoneRegressor.load(tmp_path / "m.json")
    assert again.shape == shape and again.increasing_ == curve.increasing_
    np.testing.assert_array_equal(again.predict(x), curve.predict(x))


def test_limits_of_an_assay():
    x = np.linspace(0, 1, 500)
    curve = MonotoneRegressor().fit(x, 2 * x + 0.1 * np.random.default_rng(0).normal(size=500))
    detection, quantification = curve.detection_limit(0.05), curve.quantification_limit(0.1)
    assert abs(detection["estimate"] - 2 * 1.645 * 0.1 / 2) < 0.03
    assert abs(quantification["estimate"] - 0.5) < 0.06
    for answer in (detection, quantification):
        assert answer["lower"] <= answer["estimate"] <= answer["upper"]
    with pytest.raises(ValueError, match="error = 2"):
        curve.detection_limit(2)
