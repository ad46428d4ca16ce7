"""Known monotone truths, four responses: mean deviance and coverage beside pyGAM, isotonic regression and a GLM.

python benchmarks/responses_vs_peers.py [--sets 100] [--sizes 30,300,3000] [--solve 200]

The deviance of an estimate m of the true mean t is the expectation of the rows' deviance less that of the truth, averaged
over 200 places: 2 (t log(t/m) - t + m) of counts, 2 sum p log(p/m) of labels, 2 (t/m - 1 - log(t/m)) of amounts, (t - m)^2
of numbers in units of the noise. Coverage is that of the 90 % bands of the mean. With --solve the coverage of intervals of
the x with half of the effect follows, on four truths, with the width beside that of a correctly specified parametric fit
(SciPy's curve_fit, delta method). Peers that are not installed are left out.
"""

import argparse
import warnings

import numpy as np
from scipy.optimize import curve_fit
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import GammaRegressor, LinearRegression, LogisticRegression, PoissonRegressor

from linkgistic import MonotoneRegressor

try:
    from pygam import GammaGAM, LinearGAM, LogisticGAM, PoissonGAM, s

    GAMS = {"gaussian": LinearGAM, "bernoulli": LogisticGAM, "poisson": PoissonGAM, "gamma": GammaGAM}
except ImportError:
    GAMS = {}

# On the scale of the link, x in [0, 1].
TRUTHS = {
    "step": lambda x: 2 / (1 + np.exp(-40 * (x - 0.5))) - 1,
    "saturating": lambda x: 2 * (1 - np.exp(-5 * x)) - 1,
    "linear": lambda x: 2 * x - 1,
    "exponential": lambda x: (np.exp(3 * x) - 1) / (np.exp(3) - 1) * 2 - 1,
    "kinked": lambda x: np.where(x < 0.5, -1, -1 + 4 * (x - 0.5)),
}
SHAPE, NOISE = 3.0, 0.5


def mean_of(response, nu):
    return nu if response == "gaussian" else 1 / (1 + np.exp(-2 * nu)) if response == "bernoulli" else 3 * np.exp(nu)


def draw(response, mean, rng):
    if response == "gaussian":
        return mean + NOISE * rng.normal(size=len(mean))
    if response == "bernoulli":
        return (rng.random(len(mean)) < mean).astype(float)
    return rng.poisson(mean).astype(float) if response == "poisson" else mean * rng.gamma(SHAPE, 1 / SHAPE, len(mean))


def deviance(response, truth, m):
    if response == "gaussian":
        return np.mean((truth - m) ** 2) / NOISE**2
    if response == "bernoulli":
        m = np.clip(m, 1e-6, 1 - 1e-6)
        return 2 * np.mean(truth * np.log(truth / m) + (1 - truth) * np.log((1 - truth) / (1 - m)))
    m = np.maximum(m, 1e-6)
    if response == "poisson":
        return 2 * np.mean(truth * np.log(truth / m) - truth + m)
    return 2 * np.mean(truth / m - 1 - np.log(truth / m))


def glm(response):
    return {
        "gaussian": LinearRegression(),
        "bernoulli": LogisticRegression(C=1e6),
        "poisson": PoissonRegressor(alpha=0, max_iter=1000),
        "gamma": GammaRegressor(alpha=0, max_iter=1000),
    }[response]


def peers(response, x, y, at):
    """Estimates of the mean at these places, by name."""
    found = {"isotonic": IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(at)}
    model = glm(response)
    if response != "bernoulli":
        found["glm"] = model.fit(x[:, None], y).predict(at[:, None])
    elif len(set(y)) > 1:
        found["glm"] = model.fit(x[:, None], y).predict_proba(at[:, None])[:, 1]
    if GAMS:
        try:
            gam = GAMS[response](s(0, constraints="monotonic_inc", n_splines=20))
            gam.gridsearch(x[:, None], y, lam=np.logspace(-3, 3, 7), progress=False)
            found["pygam"] = gam.predict_mu(at[:, None])
        except Exception as error:  # it fails on some sets; that is its result
            warnings.warn(f"pygam: {error}")
    return found


def study(sets, sizes):
    at = np.linspace(0.0025, 0.9975, 200)
    names = ["linkgistic", *(["pygam"] if GAMS else []), "isotonic", "glm"]
    print(f"{'response':10}{'truth':13}{'n':>6}" + "".join(f"{name:>12}" for name in names) + f"{'coverage':>10}")
    cells, best, covered = 0, 0, {}
    for response in ("gaussian", "bernoulli", "poisson", "gamma"):
        for truth, curve in TRUTHS.items():
            mean = mean_of(response, curve(at))
            for n in sizes:
                total, inside, used = {name: 0.0 for name in names}, 0.0, 0
                for seed in range(sets):
                    rng = np.random.default_rng([seed, n])
                    x = rng.random(n)
                    y = draw(response, mean_of(response, curve(x)), rng)
                    if response == "bernoulli" and len(set(y)) < 2:
                        continue
                    fit = MonotoneRegressor(response=response, increasing=True, n_jobs=1).fit(x, y)
                    m, lower, upper = fit.predict(at, return_interval=0.9)
                    estimates = {"linkgistic": m, **peers(response, x, y, at)}
                    for name in names:
                        total[name] += deviance(response, mean, estimates[name]) if name in estimates else np.nan
                    inside += np.mean((lower <= mean) & (mean <= upper))
                    used += 1
                scores = {name: value / used for name, value in total.items()}
                cells += 1
                best += scores["linkgistic"] <= 1.01 * np.nanmin(list(scores.values()))
                covered.setdefault(response, []).append(inside / used)
                line = "".join(f"{scores[name]:12.5f}" for name in names)
                print(f"{response:10}{truth:13}{n:6}{line}{inside / used:10.3f}", flush=True)
    print(f"lowest or within 1 % of the lowest in {best} of {cells} cells")
    print("coverage: " + ", ".join(f"{name} {np.mean(values):.3f}" for name, values in covered.items()))


# Log dose in [0, 4]; the effect goes from 0 to 1 about.
DOSES = {
    "4pl": lambda x: 1 / (1 + np.exp(-2.5 * (x - 2))),
    "5pl": lambda x: (1 + np.exp(-2 * (x - 1.2))) ** -2.5,
    "biphasic": lambda x: 0.45 / (1 + np.exp(-5 * (x - 1))) + 0.55 / (1 + np.exp(-5 * (x - 2.8))),
    "plateau": lambda x: 1 - np.exp(-1.3 * x),
}


def logistic(x, low, high, slope, middle):
    return low + (high - low) / (1 + np.exp(-slope * (x - middle)))


def solve_study(sets):
    print(f"\n{'truth':10}{'points':>8}{'coverage':>10}{'width':>8}{'parametric: coverage':>22}{'width':>8}")
    fine = np.linspace(0, 4, 40001)
    for name, effect in DOSES.items():
        ends = effect(np.array([0.0, 4.0]))
        middle = fine[np.searchsorted(effect(fine), ends.mean())]
        for n in (6, 12, 40, 200):
            found, parametric = [], []
            for seed in range(sets):
                rng = np.random.default_rng([seed, n])
                x = np.linspace(0, 4, n)
                y = effect(x) + 0.08 * rng.normal(size=n)
                fit = MonotoneRegressor(increasing=True, n_jobs=1).fit(x, y)
                answer = fit.inverse(share=0.5)
                assert answer["lower"] <= answer["estimate"] <= answer["upper"]
                found.append((answer["lower"], answer["upper"]))
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        values, covariance = curve_fit(logistic, x, y, [0, 1, 2, 2], maxfev=5000)
                    half = 1.645 * np.sqrt(covariance[3, 3])
                    if np.isfinite(half):
                        parametric.append((values[3] - half, values[3] + half))
                except RuntimeError:
                    pass

            def summary(intervals):
                intervals = np.array(intervals)
                inside = np.mean((intervals[:, 0] <= middle) & (middle <= intervals[:, 1]))
                return inside, np.median(intervals[:, 1] - intervals[:, 0])

            ours, theirs = summary(found), summary(parametric)
            print(f"{name:10}{n:8}{ours[0]:10.3f}{ours[1]:8.3f}{theirs[0]:22.3f}{theirs[1]:8.3f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--sizes", default="30,300,3000")
    parser.add_argument("--solve", type=int, default=0, help="data sets a cell of the second table")
    options = parser.parse_args()
    if options.sets:
        study(options.sets, [int(n) for n in options.sizes.split(",")])
    if options.solve:
        solve_study(options.solve)
