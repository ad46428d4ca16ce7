import sys
from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from typing import Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.random import RandomState
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, RegressorMixin, TransformerMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.metadata_routing import MetadataRouter

from ._coefficients import CoefficientTable

if sys.version_info >= (3, 11):
    from typing import Self
else:
    from typing_extensions import Self  # type checkers bring it

Numbers: TypeAlias = NDArray[np.float64]
Path: TypeAlias = str | PathLike[str]
Rows: TypeAlias = Any  # array-like, sparse rows, data frame or Arrow table

__version__: str
__all__: list[str]

def show_versions() -> None: ...

class _ModelFile:
    model_: Any
    summary_: dict[str, Any]
    def save(self, path: Path) -> None: ...
    def export(self, path: Path, name: str = "") -> None: ...
    @classmethod
    def load(cls, path: Path) -> Self: ...

class _ClassIntervals:
    def predict_interval(self, X: Any, interval: float = 0.9) -> Numbers: ...

class LinkgisticClassifier(_ModelFile, _ClassIntervals, ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    coef_: Numbers
    intercept_: Numbers
    l2_: float
    v_: float
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(
        self,
        *,
        prior: Literal["offset", "isgp", "gp", "none"] = "offset",
        basis: Literal["trig", "nystrom"] = "trig",
        origin: Literal["intercept", "shifted"] = "intercept",
        loss: str = "log",
        multiclass: Literal["softmax", "ovr", "ovo"] = "softmax",
        l2: float | Literal["auto"] | None = None,
        C: float | None = None,
        l2_by: Literal["cv", "evidence"] = "cv",
        v: float | Literal["auto"] | None = None,
        v_shared: float | Literal["auto"] | None = None,
        max_iter: int = 30,
        tol: float = 1e-4,
        max_passes: int = 500,
        samples: int = 0,
        harmonics: int = 16,
        learn_hyper: bool = False,
        cross_fit: bool | None = None,
        cv: Any = 5,
        standardize: Literal["auto", "on", "off"] = "auto",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        inference: Literal["laplace", "variational", "mcmc"] = "laplace",
        draws: int = 500,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        device: str = "cpu",
        checkpoint: Path = "",
        verbose: int = 0,
        callback: Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    def fit(self, X: Rows, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def decision_function(self, X: Rows) -> Numbers: ...
    def linear_score(self, X: Rows) -> Numbers: ...
    @overload
    def predict_proba(
        self,
        X: Rows,
        return_interval: None = None,
        band: Literal["all", "link"] = "all",
        estimate: Literal["mode", "marginal", "plug-in"] = "mode",
    ) -> Numbers: ...
    @overload
    def predict_proba(
        self,
        X: Rows,
        return_interval: float,
        band: Literal["all", "link"] = "all",
        estimate: Literal["mode", "marginal", "plug-in"] = "mode",
    ) -> tuple[Numbers, Numbers, Numbers]: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]: ...
    def summary(self, interval: float = 0.95, robust: bool = False) -> CoefficientTable: ...
    def predict_log_proba(self, X: Rows) -> Numbers: ...
    def predict(self, X: Rows) -> NDArray[Any]: ...
    @property
    def learned_loss_(self) -> LearnedLoss | LearnedClassLoss: ...
    def learned_loss(
        self,
        score: int | None = None,
        estimate: Literal["mode", "mean", "sample"] = "mode",
        random_state: int | RandomState | None = 0,
        *,
        label: Any = None,
        seed: int | None = None,
    ) -> LearnedLoss | LearnedClassLoss: ...
    def margin_lipschitz(
        self,
        score: int | None = None,
        draws: int = 200,
        random_state: int | RandomState | None = 0,
        *,
        label: Any = None,
        seed: int | None = None,
    ) -> Numbers: ...
    def link(
        self, at: ArrayLike, *, score: int | None = None, interval: float = 0.9, label: Any = None
    ) -> tuple[Numbers, Numbers, Numbers, Numbers]: ...
    def plot(self, **keywords: Any) -> LinkDisplay: ...
    def plot_link(self, **keywords: Any) -> Axes: ...

class MonotoneRegressor(_ModelFile, TransformerMixin, RegressorMixin, BaseEstimator):
    X_min_: float
    X_max_: float
    increasing_: bool | None
    noise_: float
    log_evidence_: float
    hyper_parameters_: dict[str, float]
    n_iter_: int
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    classes_: NDArray[Any]
    def __init__(
        self,
        *,
        response: Literal[
            "gaussian", "student", "bernoulli", "binomial", "poisson", "negative-binomial", "gamma"
        ] = "gaussian",
        noise: Literal["constant", "smooth"] = "constant",
        guess: float | Literal["learn"] = 0.0,
        lapse: float | Literal["learn"] = 0.0,
        prior: Literal["offset", "isgp", "gp"] = "offset",
        basis: Literal["trig", "nystrom"] = "trig",
        origin: Literal["intercept", "shifted"] = "intercept",
        harmonics: int = 16,
        spectrum: Literal[
            "analytic", "matern12", "matern32", "matern52", "squared-exponential", "auto"
        ] = "analytic",
        increasing: bool | Literal["auto"] = "auto",
        shape: Literal[
            "auto",
            "increasing",
            "decreasing",
            "convex",
            "concave",
            "increasing-convex",
            "increasing-concave",
            "decreasing-convex",
            "decreasing-concave",
        ] = "auto",
        fixed: Mapping[str, float] | None = None,
        inference: Literal["laplace", "variational", "mcmc"] = "laplace",
        draws: int = 1000,
        curvature_floor: float = 1.0,
        profiles: bool = False,
        random_state: int | RandomState | None = 0,
        n_jobs: int | None = None,
        out_of_bounds: Literal["extend", "clip", "nan", "raise"] = "extend",
        verbose: int = 0,
        callback: Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> Self: ...
    def partial_fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> Self: ...
    @overload
    def predict(
        self,
        X: ArrayLike,
        return_interval: None = None,
        observation: bool = False,
        *,
        scale: Literal["mean", "link"] = "mean",
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> Numbers: ...
    @overload
    def predict(
        self,
        X: ArrayLike,
        return_interval: float,
        observation: bool = False,
        *,
        scale: Literal["mean", "link"] = "mean",
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> tuple[Numbers, Numbers, Numbers]: ...
    def predict_interval(
        self,
        X: ArrayLike,
        interval: float = 0.9,
        observation: bool = False,
        *,
        scale: Literal["mean", "link"] = "mean",
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> Numbers: ...
    def score_rows(
        self,
        X: ArrayLike,
        y: ArrayLike,
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
    ) -> dict[str, Numbers]: ...
    def residuals(
        self,
        X: ArrayLike,
        y: ArrayLike,
        kind: Literal["quantile", "deviance"] = "quantile",
        *,
        offset: ArrayLike | None = None,
        exposure: ArrayLike | None = None,
        trials: ArrayLike | None = None,
        random_state: int | np.random.RandomState | None = 0,
    ) -> Numbers: ...
    def transform(self, X: ArrayLike) -> Numbers: ...
    def get_feature_names_out(self, input_features: ArrayLike | None = None) -> NDArray[Any]: ...
    @overload
    def derivative(self, X: ArrayLike, return_interval: None = None) -> Numbers: ...
    @overload
    def derivative(self, X: ArrayLike, return_interval: float) -> tuple[Numbers, Numbers, Numbers]: ...
    def inverse(
        self, level: float | None = None, interval: float = 0.9, *, share: float | None = None
    ) -> dict[str, float | None]: ...
    def functional(
        self, which: Literal["slope", "difference", "ratio", "area"], x: ArrayLike, interval: float = 0.9
    ) -> dict[str, float]: ...
    def steepest(self, interval: float = 0.9) -> dict[str, float]: ...
    def noise_at(self, X: ArrayLike) -> Numbers: ...
    def unknown(self, readings: ArrayLike, interval: float = 0.9) -> dict[str, float | None]: ...
    def detection_limit(self, error: float = 0.05, interval: float = 0.9) -> dict[str, float | None]: ...
    def quantification_limit(self, share: float = 0.1, interval: float = 0.9) -> dict[str, float | None]: ...
    def plot(self, X: ArrayLike | None = None, y: ArrayLike | None = None, **keywords: Any) -> CurveDisplay: ...
    def sample_y(
        self, X: ArrayLike, n_samples: int = 1, random_state: int | np.random.RandomState | None = 0
    ) -> Numbers: ...
    def distribution(
        self,
        X: ArrayLike,
        of: Literal["nu", "response", "latent"] = "nu",
        levels: ArrayLike = (0.05, 0.5, 0.95),
    ) -> dict[str, Numbers]: ...

class MonotoneCalibrator(_ModelFile, _ClassIntervals, ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    def __init__(
        self,
        *,
        score_kind: Literal["auto", "decision", "log_odds", "probability"] = "auto",
        prior: Literal["offset", "isgp", "gp"] = "offset",
        loss: str = "log",
        harmonics: int = 12,
        inference: Literal["laplace", "variational", "mcmc"] = "mcmc",
        n_jobs: int | None = None,
        maps: Literal["auto", "one_vs_rest", "shared"] = "auto",
        method: Literal["auto", "maps", "matrix", "temperature", "vector"] = "auto",
        cv: int = 5,
        random_state: int | RandomState | None = 0,
        verbose: int = 0,
        callback: Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    def fit(self, scores: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def partial_fit(
        self,
        scores: ArrayLike,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self: ...
    @overload
    def predict_proba(self, scores: ArrayLike, return_interval: None = None) -> Numbers: ...
    @overload
    def predict_proba(self, scores: ArrayLike, return_interval: float) -> tuple[Numbers, Numbers, Numbers]: ...
    @property
    def posterior_(self) -> str | list[str]: ...
    def plot(self, X: ArrayLike | None = None, y: ArrayLike | None = None, **keywords: Any) -> CurveDisplay: ...
    def decision_function(self, scores: ArrayLike) -> Numbers: ...
    def predict(self, scores: ArrayLike) -> NDArray[Any]: ...

class _CalibratedPair(NamedTuple):
    estimator: Any
    calibrator: MonotoneCalibrator
    @property
    def calibrators(self) -> list[MonotoneCalibrator]: ...
    @property
    def classes(self) -> NDArray[Any]: ...
    @overload
    def predict_proba(self, X: Rows, return_interval: None = None) -> Numbers: ...
    @overload
    def predict_proba(self, X: Rows, return_interval: float) -> tuple[Numbers, Numbers, Numbers]: ...

class CalibratedClassifier(MetaEstimatorMixin, _ClassIntervals, ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    calibrated_classifiers_: list[_CalibratedPair]
    def __init__(
        self,
        estimator: Any = None,
        *,
        cv: int | str | Iterable[Any] | Any | None = None,
        n_jobs: int | None = None,
        ensemble: bool | Literal["auto"] = "auto",
        calibrator: MonotoneCalibrator | None = None,
        verbose: int = 0,
        callback: Callable[[dict[str, Any]], object] | None = None,
    ) -> None: ...
    def fit(self, X: Rows, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self: ...
    def get_metadata_routing(self) -> MetadataRouter: ...
    @overload
    def predict_proba(self, X: Rows, return_interval: None = None) -> Numbers: ...
    @overload
    def predict_proba(self, X: Rows, return_interval: float) -> tuple[Numbers, Numbers, Numbers]: ...
    def predict(self, X: Rows) -> NDArray[Any]: ...
    def plot(self, X: ArrayLike | None = None, y: ArrayLike | None = None, **keywords: Any) -> CurveDisplay: ...

class BoosterClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    classes_: NDArray[Any]
    estimator_: Any
    loss_: LearnedLoss | LearnedClassLoss
    start_: float | Numbers
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    def __init__(self, estimator: Any, loss: LearnedLoss | LearnedClassLoss | LinkgisticClassifier) -> None: ...
    def fit(self, X: Rows, y: ArrayLike, sample_weight: ArrayLike | None = None, **fit_params: Any) -> Self: ...
    def raw_score(self, X: Rows) -> Numbers: ...
    def decision_function(self, X: Rows) -> Numbers: ...
    def predict_proba(self, X: Rows) -> Numbers: ...
    def predict(self, X: Rows) -> NDArray[Any]: ...

class ProbabilityCalibrator(ClassifierMixin, BaseEstimator):
    classes_: NDArray[np.int64]
    calibrator_: MonotoneCalibrator
    n_features_in_: int
    def __init__(self, calibrator: MonotoneCalibrator | None = None) -> None: ...
    def fit(self, p: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self: ...
    def predict_proba(self, p: ArrayLike) -> Numbers: ...
    def predict(self, p: ArrayLike) -> NDArray[np.int64]: ...
    def plot(self, X: ArrayLike | None = None, y: ArrayLike | None = None, **keywords: Any) -> CurveDisplay: ...

class LearnedLoss:
    def __init__(self, base: str = "log") -> None: ...
    @property
    def base(self) -> str: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def score_range(self) -> tuple[float, float]: ...
    @property
    def increasing(self) -> bool: ...
    @property
    def lipschitz_bound(self) -> float: ...
    @property
    def margin_lipschitz_bound(self) -> float: ...
    def values(self, y: ArrayLike, x: ArrayLike) -> tuple[Numbers, Numbers, Numbers]: ...
    def __call__(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def gradient(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def curvature(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def information(self, x: ArrayLike) -> Numbers: ...
    def predict_proba(self, x: ArrayLike) -> Numbers: ...
    def log_odds(self, x: ArrayLike) -> Numbers: ...
    def link(self, p: ArrayLike) -> Numbers: ...
    def xgboost_objective(self) -> Callable[..., tuple[Numbers, Numbers]]: ...
    def lightgbm_objective(self) -> Callable[..., tuple[Numbers, Numbers]]: ...
    def torch(self, reduction: Literal["mean", "sum", "none"] = "mean") -> Any: ...
    def plot(self, **keywords: Any) -> LossDisplay: ...
    def save(self, path: Path) -> None: ...
    @classmethod
    def load(cls, path: Path) -> Self: ...

class LearnedClassLoss:
    def __init__(self, n_classes: int) -> None: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def score_ranges(self) -> Numbers: ...
    def values(self, y: ArrayLike, x: ArrayLike) -> tuple[Numbers, Numbers, Numbers]: ...
    def __call__(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def gradient(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def hessian(self, y: ArrayLike, x: ArrayLike) -> Numbers: ...
    def information(self, x: ArrayLike) -> Numbers: ...
    def predict_proba(self, x: ArrayLike) -> Numbers: ...
    def predict_log_proba(self, x: ArrayLike) -> Numbers: ...
    def link(self, p: ArrayLike) -> Numbers: ...
    def source(self, label: int, x: ArrayLike) -> tuple[Numbers, Numbers, Numbers]: ...
    def xgboost_objective(self) -> Callable[..., tuple[Numbers, Numbers]]: ...
    def lightgbm_objective(self) -> Callable[..., tuple[Numbers, Numbers]]: ...
    def torch(self, reduction: Literal["mean", "sum", "none"] = "mean") -> Any: ...
    def save(self, path: Path) -> None: ...
    @classmethod
    def load(cls, path: Path) -> Self: ...

class LinkDisplay:
    score: Numbers
    nu: Numbers
    lower: Numbers
    upper: Numbers
    interval: float
    base: str
    name: str | None
    ax_: Axes
    figure_: Figure
    line_: Any
    band_: Any
    base_line_: Any
    def __init__(
        self,
        *,
        score: Numbers,
        nu: Numbers,
        lower: Numbers,
        upper: Numbers,
        interval: float,
        base: str = "log",
        name: str | None = None,
    ) -> None: ...
    def plot(self, ax: Axes | None = None, *, name: str | None = None, **line: Any) -> Self: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: LinkgisticClassifier | Pipeline,
        *,
        score: int | None = None,
        label: Any = None,
        interval: float = 0.9,
        points: int = 201,
        ax: Axes | None = None,
        name: str | None = None,
        **line: Any,
    ) -> Self: ...

class CurveDisplay:
    x: Numbers
    estimate: Numbers
    lower: Numbers
    upper: Numbers
    interval: float
    observation: tuple[Numbers, Numbers] | None
    rows: tuple[Numbers, Numbers] | None
    x_name: str
    y_name: str
    name: str | None
    ax_: Axes
    figure_: Figure
    line_: Any
    band_: Any
    observation_: Any
    points_: Any
    def __init__(
        self,
        *,
        x: Numbers,
        estimate: Numbers,
        lower: Numbers,
        upper: Numbers,
        interval: float,
        observation: tuple[Numbers, Numbers] | None = None,
        rows: tuple[Numbers, Numbers] | None = None,
        x_name: str = "x",
        y_name: str = "y",
        name: str | None = None,
    ) -> None: ...
    def plot(self, ax: Axes | None = None, *, name: str | None = None, **line: Any) -> Self: ...
    @classmethod
    def from_estimator(
        cls,
        estimator: MonotoneRegressor | MonotoneCalibrator | CalibratedClassifier | ProbabilityCalibrator | Pipeline,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        interval: float = 0.9,
        points: int = 201,
        ax: Axes | None = None,
        name: str | None = None,
        **line: Any,
    ) -> Self: ...

class LossDisplay:
    score: Numbers
    values: Numbers
    base_values: Numbers
    base: str
    name: str | None
    ax_: Axes
    figure_: Figure
    lines_: list[Any]
    base_lines_: list[Any]
    def __init__(
        self, *, score: Numbers, values: Numbers, base_values: Numbers, base: str = "log", name: str | None = None
    ) -> None: ...
    def plot(self, ax: Axes | None = None, *, name: str | None = None, **line: Any) -> Self: ...
    @classmethod
    def from_loss(
        cls, loss: LearnedLoss, *, points: int = 201, ax: Axes | None = None, name: str | None = None, **line: Any
    ) -> Self: ...

class CalibrationDisplay:
    predicted: Numbers
    observed: Numbers
    lower: Numbers
    upper: Numbers
    interval: float
    histogram: tuple[Numbers, Numbers] | None
    name: str | None
    bins: tuple[Numbers, Numbers] | None
    ax_: Axes
    figure_: Figure
    line_: Any
    band_: Any
    points_: Any
    def __init__(
        self,
        *,
        predicted: Numbers,
        observed: Numbers,
        lower: Numbers,
        upper: Numbers,
        interval: float,
        histogram: tuple[Numbers, Numbers] | None = None,
        name: str | None = None,
        bins: tuple[Numbers, Numbers] | None = None,
    ) -> None: ...
    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, ref_line: bool = True, **line: Any
    ) -> Self: ...
    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        n_bins: int | None = None,
        strategy: Literal["uniform", "quantile"] = "uniform",
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        interval: float = 0.9,
        points: int = 201,
        ax: Axes | None = None,
        name: str | None = None,
        **line: Any,
    ) -> Self: ...
    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Rows, y: ArrayLike, *, pos_label: Any = None, name: str | None = None, **keywords: Any
    ) -> Self: ...

ReliabilityDisplay = CalibrationDisplay
