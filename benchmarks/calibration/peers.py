"""The calibration maps that ours is compared with: fit on scores and labels, then map new scores.

Every peer is a function (scores, labels) -> (new scores -> probabilities) of scores as their classifier gave
them, `kind` being "probability", "logit" or "decision". Public packages where there is one.
"""

from collections.abc import Callable

import numpy as np
from betacal import BetaCalibration
from cir_model import CenteredIsotonicRegression
from scipy.special import expit, logit
from sklearn.calibration import _SigmoidCalibration, _TemperatureScaling
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from splinecalib import SplineCalib
from venn_abers import VennAbers

Map = Callable[[np.ndarray], np.ndarray]


def probabilities(score: np.ndarray, kind: str) -> np.ndarray:
    """What the score claims: margins are read as log odds."""
    return score if kind == "probability" else expit(score)


def log_odds(score: np.ndarray, kind: str) -> np.ndarray:
    """Log odds; of probabilities at most those of 1 - 1e-6."""
    return logit(np.clip(score, 1e-6, 1 - 1e-6)) if kind == "probability" else score


def two_columns(p: np.ndarray) -> np.ndarray:
    """Probabilities of both classes, as classifiers give them."""
    return np.column_stack([1 - p, p])


def none(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """The score as it is."""
    return lambda new: probabilities(new, kind)


def platt(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """CalibratedClassifierCV(method="sigmoid"): on the score itself, with Platt's targets."""
    return _SigmoidCalibration().fit(score, y).predict


def temperature(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """CalibratedClassifierCV(method="temperature")."""

    def given(values: np.ndarray) -> np.ndarray:
        return two_columns(values) if kind == "probability" else values

    model = _TemperatureScaling().fit(given(score), y.astype(float))
    return lambda new: model.predict(given(new))[:, 1]


def isotonic(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """CalibratedClassifierCV(method="isotonic")."""
    return IsotonicRegression(out_of_bounds="clip").fit(score, y).predict


def centred_isotonic(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """Package cir-model."""
    return CenteredIsotonicRegression(out_of_bounds="clip").fit(score, y).predict


def beta(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """Package betacal, three parameters."""
    model = BetaCalibration(parameters="abm").fit(probabilities(score, kind).reshape(-1, 1), y)
    return lambda new: model.predict(probabilities(new, kind).reshape(-1, 1))


def quadratic(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """Logistic regression on the standardised log odds and their square."""
    z = log_odds(score, kind)
    centre, scale = z.mean(), z.std() or 1.0

    def columns(values: np.ndarray) -> np.ndarray:
        z = (log_odds(values, kind) - centre) / scale
        return np.column_stack([z, z * z])

    model = LogisticRegression(C=1e6, max_iter=500).fit(columns(score), y)
    return lambda new: model.predict_proba(columns(new))[:, 1]


def spline(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """Package splinecalib (SplineCalib of ml-insights) with its defaults: smoothing by cross-validation."""
    model = SplineCalib()
    model.fit(probabilities(score, kind), y)
    return lambda new: model.calibrate(probabilities(new, kind))


def venn_abers(score: np.ndarray, y: np.ndarray, kind: str) -> Map:
    """Package venn-abers, inductive; p1 / (1 - p0 + p1)."""
    model = VennAbers()
    model.fit(two_columns(probabilities(score, kind)), y)
    return lambda new: model.predict_proba(two_columns(probabilities(new, kind)))[0][:, 1]


PEERS: dict[str, Callable[[np.ndarray, np.ndarray, str], Map]] = {
    "none": none,
    "Platt": platt,
    "temperature": temperature,
    "isotonic": isotonic,
    "centred isotonic": centred_isotonic,
    "beta": beta,
    "quadratic logistic": quadratic,
    "spline": spline,
    "Venn-Abers": venn_abers,
}
