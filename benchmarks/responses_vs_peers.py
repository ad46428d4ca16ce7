"""Known monotone truths, four responses: deviance and coverage beside pyGAM, isotonic regression and a GLM.

python benchmarks/responses_vs_peers.py [--sets 100] [--gam-sets 100] [--sizes 30,300,3000] [--first 0] [--jobs 1]

What is judged is the mean deviance of fresh rows: the expected deviance of a new y from an estimate m of its mean, the
noise of y included, averaged over 200 places of x. It is (y - m)^2 of numbers, in units of the noise; -2 log of the
probability of the label; 2 (y log(y/m) - y + m) of counts; 2 (y/m - 1 - log(y/m)) of amounts. Even the true mean has a
deviance; what an estimate has beyond it, twice the Kullback-Leibler distance from the truth, is the excess in the second
half of the table. "to best" is the mean deviance over that of the best peer; pyGAM may have fewer sets (--gam-sets) and is
compared on these. Coverage is that of the 90 % bands of the mean. Peers that are not installed are left out.

With --solve N the coverage of 90 % intervals of the x with half of the change over the data follows, N sets a cell, on four
truths, and that of the x at which the mean has the same height as a known level; widths are beside those of the profile
likelihood interval of a four-parameter logistic curve (benchmarks/logistic_profile.py), which is the true model of the
first. --first is the number of the first data set.
"""

import argparse
import warnings

import numpy as np
from joblib import Parallel, delayed
from logistic_profile import profile_interval
from scipy.special import digamma
from scipy.stats import poisson
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import GammaRegressor, LinearRegression, LogisticRegression, PoissonRegressor

from linkgistic import MonotoneRegressor

try:
    from pygam import GammaGAM, LinearGAM, LogisticGAM, PoissonGAM, s

    GAMS = {"gaussian": LinearGAM, "bernoulli": LogisticGAM, "poisson": PoissonGAM, "gamma": GammaGAM}
except ImportError:
    GAMS = {}

RESPONSES = ("gaussian", "bernoulli", "poisson", "gamma")
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


def excess(response, truth, m):
    """Of the estimate m: its mean deviance less that of the true mean."""
    if response == "gaussian":
        return np.mean((truth - m) ** 2) / NOISE**2
    if response == "bernoulli":
        m = np.clip(m, 1e-6, 1 - 1e-6)
        return 2 * np.mean(truth * np.log(truth / m) + (1 - truth) * np.log((1 - truth) / (1 - m)))
    m = np.maximum(m, 1e-6)
    if response == "poisson":
        return 2 * np.mean(truth * np.log(truth / m) - truth + m)
    return 2 * np.mean(truth / m - 1 - np.log(truth / m))


def noise_deviance(response, truth):
    """The mean deviance of the true mean."""
    if response == "gaussian":
        return 1.0
    if response == "bernoulli":
        return -2 * np.mean(truth * np.log(truth) + (1 - truth) * np.log(1 - truth))
    if response == "gamma":
        return 2 * (np.log(SHAPE) - digamma(SHAPE))
    y = np.arange(200)[:, None]  # means are at most 9
    log_ratio = np.log(np.maximum(y, 1) / truth)
    return np.mean(np.sum(poisson.pmf(y, truth) * 2 * (y * log_ratio - y + truth), axis=0))


def glm(response):
    return {
        "gaussian": LinearRegression(),
        "bernoulli": LogisticRegression(C=1e6),
        "poisson": PoissonRegressor(alpha=0, max_iter=1000),
        "gamma": GammaRegressor(alpha=0, max_iter=1000),
    }[response]


def peers(response, x, y, at, gam):
    """Estimates of the mean at these places, by name."""
    found = {"isotonic": IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(at)}
    model = glm(response).fit(x[:, None], y)
    found["glm"] = (
        model.predict_proba(at[:, None])[:, 1] if response == "bernoulli" else model.predict(at[:, None])
    )
    if gam:
        try:
            spline = GAMS[response](s(0, constraints="monotonic_inc", n_splines=20))
            spline.gridsearch(x[:, None], y, lam=np.logspace(-3, 3, 7), progress=False)
            found["pygam"] = spline.predict_mu(at[:, None])
        except Exception as error:  # it fails on some sets; that is its result
            warnings.warn(f"pygam: {error}")
    return found


PLACES = np.linspace(0.0025, 0.9975, 200)


def cell(response, truth, n, seeds, gam_sets):
    """The excess of every method on every set, by name, nan where there is none, and the coverage on each."""
    place = [RESPONSES.index(response), list(TRUTHS).index(truth)]
    mean = mean_of(response, TRUTHS[truth](PLACES))
    found, inside = {"linkgistic": [], "pygam": [], "isotonic": [], "glm": []}, []
    for number, seed in enumerate(seeds):
        rng = np.random.default_rng([seed, n, *place])
        x = rng.random(n)
        y = draw(response, mean_of(response, TRUTHS[truth](x)), rng)
        if response == "bernoulli" and len(set(y)) < 2:
            continue
        fit = MonotoneRegressor(response=response, increasing=True, n_jobs=1).fit(x, y)
        m, lower, upper = fit.predict(PLACES, return_interval=0.9)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimates = {"linkgistic": m, **peers(response, x, y, PLACES, bool(GAMS) and number < gam_sets)}
        for name, values in found.items():
            values.append(excess(response, mean, estimates[name]) if name in estimates else np.nan)
        inside.append(np.mean((lower <= mean) & (mean <= upper)))
    return {name: np.array(values) for name, values in found.items()}, np.mean(inside)


def study(seeds, sizes, gam_sets, jobs):
    names = ["linkgistic", *(["pygam"] if GAMS and gam_sets else []), "isotonic", "glm"]
    columns = "".join(f"{name:>11}" for name in names)
    print(f"{'':30}mean deviance of fresh rows{'':{11 * len(names) - 18}}its excess over the truth's")
    print(f"{'response':10}{'truth':13}{'n':>6}{columns}{'to best':>9}{columns}{'coverage':>9}")
    cells = [(r, t, n) for r in RESPONSES for t in TRUTHS for n in sizes]
    ratios, covered = [], {}
    work = Parallel(n_jobs=jobs, return_as="generator")(delayed(cell)(*c, seeds, gam_sets) for c in cells)
    for (response, truth, n), (found, inside) in zip(cells, work, strict=True):
        noise = noise_deviance(response, mean_of(response, TRUTHS[truth](PLACES)))
        ratio = 0.0
        for name in names[1:]:
            both = np.isfinite(found[name])  # the sets on which it has an estimate
            ratio = max(ratio, (noise + found["linkgistic"][both].mean()) / (noise + found[name][both].mean()))
        ratios.append(ratio)
        covered.setdefault(response, []).append(inside)
        scores = [np.nanmean(found[name]) for name in names]
        line = "".join(f"{noise + score:11.4f}" for score in scores) + f"{ratio:9.3f}"
        line += "".join(f"{score:11.5f}" for score in scores)
        print(f"{response:10}{truth:13}{n:6}{line}{inside:9.3f}", flush=True)
    best = sum(ratio <= 1.01 for ratio in ratios)
    print(f"mean deviance lowest or within 1 % of the lowest in {best} of {len(ratios)} cells, {max(ratios):.3f} at worst")
    print("coverage: " + ", ".join(f"{name} {np.mean(values):.3f}" for name, values in covered.items()))


# Log dose in [0, 4]; the effect goes from 0 to 1 about.
DOSES = {
    "4pl": lambda x: 1 / (1 + np.exp(-2.5 * (x - 2))),
    "5pl": lambda x: (1 + np.exp(-2 * (x - 1.2))) ** -2.5,
    "biphasic": lambda x: 0.45 / (1 + np.exp(-5 * (x - 1))) + 0.55 / (1 + np.exp(-5 * (x - 2.8))),
    "plateau": lambda x: 1 - np.exp(-1.3 * x),
}


def ends_of(answer):
    lower, upper = answer["lower"], answer["upper"]  # None: not reached within the data
    assert lower is None or lower <= answer["estimate"]
    assert upper is None or answer["estimate"] <= upper
    return -np.inf if lower is None else lower, np.inf if upper is None else upper


def solve_cell(name, n, seeds):
    """Coverage and median width of each kind of interval."""
    effect = DOSES[name]
    fine = np.linspace(0, 4, 40001)
    half = effect(np.array([0.0, 4.0])).mean()
    middle = fine[np.searchsorted(effect(fine), half)]
    found = {"half of the change": [], "known level": [], "profile": []}
    for seed in seeds:
        rng = np.random.default_rng([seed, n, list(DOSES).index(name)])
        x = np.linspace(0, 4, n)
        y = effect(x) + 0.08 * rng.normal(size=n)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of few rows: the Gaussian is poor
            fit = MonotoneRegressor(increasing=True, n_jobs=1).fit(x, y)
        found["half of the change"].append(ends_of(fit.inverse(share=0.5)))
        found["known level"].append(ends_of(fit.inverse(half)))
        found["profile"].append(profile_interval(x, y))
    result = {}
    for kind, intervals in found.items():
        lower, upper = np.array(intervals).T
        result[kind] = np.mean((lower <= middle) & (middle <= upper)), np.median(upper - lower)
    return result


def solve_study(seeds, jobs):
    kinds = ("half of the change", "known level", "profile")
    print(f"\n{'':18}" + "".join(f"{kind:>20}" for kind in kinds))
    print(f"{'truth':10}{'points':>8}" + f"{'coverage':>13}{'width':>7}" * 3 + f"{'width by profile':>18}")
    cells = [(name, n) for name in DOSES for n in (6, 12, 40, 200)]
    pooled = {kind: [] for kind in kinds}
    work = Parallel(n_jobs=jobs, return_as="generator")(delayed(solve_cell)(*c, seeds) for c in cells)
    for (name, n), result in zip(cells, work, strict=True):
        for kind in kinds:
            pooled[kind].append(result[kind][0])
        line = "".join(f"{result[kind][0]:13.3f}{result[kind][1]:7.3f}" for kind in kinds)
        print(f"{name:10}{n:8}{line}{result[kinds[0]][1] / result['profile'][1]:18.2f}", flush=True)
    for kind in kinds[:2]:
        values = pooled[kind]
        print(f"{kind}: coverage {np.mean(values):.3f} on average, from {min(values):.3f} to {max(values):.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=100)
    parser.add_argument("--gam-sets", type=int, default=100, help="of them with pyGAM")
    parser.add_argument("--sizes", default="30,300,3000")
    parser.add_argument("--first", type=int, default=0, help="number of the first data set")
    parser.add_argument("--solve", type=int, default=0, help="data sets a cell of the second table")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    o = parser.parse_args()
    if o.sets:
        study(range(o.first, o.first + o.sets), [int(n) for n in o.sizes.split(",")], o.gam_sets, o.jobs)
    if o.solve:
        solve_study(range(o.first, o.first + o.solve), o.jobs)
