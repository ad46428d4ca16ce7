"""scikit-learn's own checks of estimators."""

from importlib.util import find_spec

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from linkgistic import (
    BoosterClassifier,
    CalibratedClassifier,
    LearnedLoss,
    LinkgisticClassifier,
    MonotoneCalibrator,
    MonotoneRegressor,
)


def boosters():
    """Boosters on the log loss, of those that are installed."""
    if find_spec("xgboost"):
        from xgboost import XGBClassifier

        yield BoosterClassifier(XGBClassifier(n_estimators=5, n_jobs=1), LearnedLoss())
    if find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        yield BoosterClassifier(LGBMClassifier(n_estimators=5, n_jobs=1, verbose=-1), LearnedLoss())


@parametrize_with_checks(
    [
        LinkgisticClassifier(),
        LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False),
        MonotoneRegressor(),
        MonotoneCalibrator(),
        CalibratedClassifier(),
        CalibratedClassifier(LogisticRegression(C=1), cv=3),
        CalibratedClassifier(LogisticRegression(C=1), cv=2, ensemble=False),
        *boosters(),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
