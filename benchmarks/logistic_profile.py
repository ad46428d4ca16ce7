"""The profile likelihood interval of the middle of a four-parameter logistic curve under Gaussian noise.

At a given middle and slope the two plateaus are linear least squares, so the residual sum of squares is profiled over the
slope alone. The interval holds the middles whose profile is within F: (n - 4) (RSS(middle)/RSS - 1) <= F(1, n - 4), the
quantile of Fisher's law, since the noise is not known (D. Bates and D. Watts, Nonlinear Regression Analysis, 1988, section
6.1). An end is infinite where the profile does not leave the bound within three ranges of x.
"""

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from scipy.special import expit
from scipy.stats import f


def rss_of(middle, log_slope, x, y):
    """Residual sums of squares at each of many slopes."""
    s = expit(np.exp(np.atleast_1d(log_slope))[:, None] * (x - middle))
    s = s - s.mean(axis=1, keepdims=True)
    r = y - y.mean()
    square = np.sum(s * s, axis=1)
    along = np.divide(s @ r, np.sqrt(square), out=np.zeros(len(s)), where=square > 1e-14)
    return r @ r - along**2


def profile(middle, x, y):
    """The least residual sum of squares with this middle."""
    width = np.ptp(x)
    grid = np.linspace(np.log(0.1 / width), np.log(40 * len(x) / width), 80)
    values = rss_of(middle, grid, x, y)
    best = int(np.argmin(values))
    ends = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
    found = minimize_scalar(lambda b: rss_of(middle, b, x, y)[0], bounds=ends, method="bounded")
    return min(found.fun, values[best])


def profile_interval(x, y, interval=0.9):
    """Lower and upper end for the middle."""
    width = np.ptp(x)
    middles = np.linspace(x.min(), x.max(), 201)
    values = [profile(m, x, y) for m in middles]
    best = int(np.argmin(values))
    ends = middles[max(best - 1, 0)], middles[min(best + 1, 200)]
    found = minimize_scalar(lambda m: profile(m, x, y), bounds=ends, method="bounded", options={"xatol": 1e-6})
    centre, least = (found.x, found.fun) if found.fun < values[best] else (middles[best], values[best])
    bound = least * (1 + f.ppf(interval, 1, len(x) - 4) / (len(x) - 4))

    def end(sign):
        # The first crossing on the way out, in steps that grow.
        step, reached = width / 200, centre
        while abs(reached - centre) < 3 * width:
            further = reached + sign * step
            if profile(further, x, y) > bound:
                return brentq(lambda m: profile(m, x, y) - bound, reached, further, xtol=1e-6)
            reached, step = further, 1.1 * step
        return sign * np.inf

    return end(-1), end(1)
