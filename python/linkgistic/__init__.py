"""Monotone regression, calibration and generalised linear models that learn their loss."""

from ._booster_classifier import BoosterClassifier
from ._calibrated_classifier import CalibratedClassifier
from ._calibrator import MonotoneCalibrator
from ._class_loss import LearnedClassLoss
from ._classifier import LinkgisticClassifier
from ._core import __version__
from ._curve_display import CurveDisplay
from ._display import CalibrationDisplay, LinkDisplay, ReliabilityDisplay
from ._loss import LearnedLoss
from ._loss_display import LossDisplay
from ._probability_calibrator import ProbabilityCalibrator
from ._regressor import MonotoneRegressor
from ._versions import show_versions

__all__ = [
    "BoosterClassifier",
    "CalibratedClassifier",
    "CalibrationDisplay",
    "CurveDisplay",
    "LearnedClassLoss",
    "LearnedLoss",
    "LinkDisplay",
    "LinkgisticClassifier",
    "LossDisplay",
    "MonotoneCalibrator",
    "MonotoneRegressor",
    "ProbabilityCalibrator",
    "ReliabilityDisplay",
    "__version__",
    "show_versions",
]
