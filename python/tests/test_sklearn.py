"""scikit-learn's own checks of estimators."""

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

@parametrize_with_checks(
    [
        LinkgisticClassifier(),
        LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False),
        MonotoneRegressor(),
        MonotoneCalibrator(),
        CalibratedClassifier(LogisticRegression(C=1), cv=3),
        CalibratedClassifier(LogisticRegression(C=1), cv=2, ensemble=False),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
