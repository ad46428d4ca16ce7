"""scikit-learn's own checks of estimators."""

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

# scikit-learn expects the same of CalibratedClassifierCV and LogisticRegressionCV.
PARTS = "parts of the rows, for cross-validation, depend on their number and order"
SINGLE = "margins are in single precision: equal to 1e-6, not to 1e-7 (test_weight_two_is_the_row_twice)"


def expected_failures(estimator):
    if isinstance(estimator, CalibratedClassifier):
        reason = PARTS
    elif isinstance(estimator, LinkgisticClassifier):
        reason = PARTS if estimator.l2 is None else SINGLE
    else:
        return {}
    failures = {"check_sample_weight_equivalence_on_dense_data": reason}
    if isinstance(estimator, LinkgisticClassifier):
        failures["check_sample_weight_equivalence_on_sparse_data"] = reason
    return failures


@parametrize_with_checks(
    [
        LinkgisticClassifier(),
        LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False),
        MonotoneRegressor(),
        MonotoneCalibrator(),
        CalibratedClassifier(LogisticRegression(C=1), cv=3),
        CalibratedClassifier(LogisticRegression(C=1), cv=2, ensemble=False),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
