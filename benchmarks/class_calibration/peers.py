"""Calibrators of many classes: functions of probabilities (n, C) and labels to a function of probabilities."""

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax, softmax
from sklearn.isotonic import IsotonicRegression

LEAST = 1e-12


def logs(p):
    return np.log(np.clip(p, LEAST, None))


def inside(p):
    """Probabilities that are not 0."""
    p = np.clip(p, LEAST, None)
    return p / p.sum(axis=1, keepdims=True)


def none(p, y):
    return lambda q: q


def temperature(p, y):
    """One factor of the logarithms, by maximum likelihood."""
    s = logs(p)
    rows = np.arange(len(y))
    best = minimize_scalar(lambda t: -log_softmax(np.exp(t) * s, axis=1)[rows, y].mean(), bounds=(-4, 3), method="bounded")
    return lambda q: softmax(np.exp(best.x) * logs(q), axis=1)


def _probmetrics(name):
    from probmetrics.calibrators import get_calibrator

    def fit(p, y):
        calibrator = get_calibrator(name)
        calibrator.fit(inside(p), y)
        return lambda q: calibrator.predict_proba(inside(q))

    return fit


def structured_matrix(p, y):
    """Structured matrix scaling (probmetrics)."""
    return _probmetrics("sms")(p, y)


def structured_vector(p, y):
    """Structured vector scaling (probmetrics)."""
    return _probmetrics("svs")(p, y)


def dirichlet(p, y):
    """Dirichlet calibration: multinomial regression on log p, off-diagonal and intercept penalised (strength 1e-3)."""
    from scipy.optimize import minimize

    s = logs(p)
    n, classes = s.shape
    rows = np.arange(n)
    off = 1 - np.eye(classes)

    def objective(flat):
        w, b = flat[: classes * classes].reshape(classes, classes), flat[classes * classes :]
        l = log_softmax(s @ w.T + b, axis=1)
        r = np.exp(l)
        r[rows, y] -= 1
        strength = 1e-3
        value = -l[rows, y].mean() + strength * (((w * off) ** 2).sum() / (classes * (classes - 1)) + (b**2).mean())
        gradient = r.T @ s / n + 2 * strength * w * off / (classes * (classes - 1))
        return value, np.concatenate([gradient.ravel(), r.mean(axis=0) + 2 * strength * b / classes])

    start = np.concatenate([np.eye(classes).ravel(), np.zeros(classes)])
    best = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    w, b = best[: classes * classes].reshape(classes, classes), best[classes * classes :]
    return lambda q: softmax(logs(q) @ w.T + b, axis=1)


def _one_vs_rest(fit_one):
    def fit(p, y):
        maps = [fit_one(p[:, k], y == k) for k in range(p.shape[1])]

        def predict(q):
            r = np.column_stack([m(q[:, k]) for k, m in enumerate(maps)])
            total = r.sum(axis=1, keepdims=True)
            return np.where(total > 0, r / np.where(total > 0, total, 1), 1 / r.shape[1])

        return predict

    return fit


def isotonic(p, y):
    """One class against the rest, divided by the sum."""
    return _one_vs_rest(lambda s, one: IsotonicRegression(out_of_bounds="clip", y_min=0, y_max=1).fit(s, one).predict)(p, y)


def spline(p, y):
    """Smoothing splines (splinecalib), one class against the rest."""
    import splinecalib

    def one(s, label):
        m = splinecalib.SplineCalib()
        m.fit(s, label.astype(int))
        return m.predict

    return _one_vs_rest(one)(p, y)


def venn_abers(p, y):
    """Venn-Abers, one class against the rest."""
    from venn_abers import VennAbers

    def one(s, label):
        m = VennAbers()
        m.fit(np.column_stack([1 - s, s]), label.astype(int))
        return lambda q: m.predict_proba(np.column_stack([1 - q, q]))[0][:, 1]

    return _one_vs_rest(one)(p, y)


PEERS = {
    "none": none,
    "temperature": temperature,
    "structured matrix": structured_matrix,
    "structured vector": structured_vector,
    "dirichlet": dirichlet,
    "isotonic": isotonic,
    "spline": spline,
    "venn-abers": venn_abers,
}
