"""scikit-learn's own checks of estimators."""

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

# scikit-learn expects the same of CalibratedClassifierCV: its parts of the rows depend on their order.
PARTS = "parts of the rows depend on their number and order"


def expected_failures(estimator):
    if isinstance(estimator, CalibratedClassifier):
        return {
            "check_sample_weight_equivalence_on_dense_data": PARTS,
            "check_sample_weight_equivalence_on_sparse_data": PARTS,
            "check_sample_weights_invariance": PARTS,
        }
    return {}


@parametrize_with_checks(
    [
        LinkgisticClassifier(),
        LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False),
        MonotoneRegressor(),
        MonotoneCalibrator(),
        CalibratedClassifier(LogisticRegression(C=1)),
        CalibratedClassifier(LogisticRegression(C=1), cv=2, ensemble=False),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
