"""Names and defaults of parameters are those of the library."""

import inspect

import pytest

from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor, _core

OWN = {"verbose", "callback"}


@pytest.mark.parametrize(
    ("estimator", "defaults"),
    [
        (LinkgisticClassifier, _core.classifier_defaults()),
        (MonotoneRegressor, _core.regression_defaults()),
        (MonotoneCalibrator, _core.calibrator_defaults()),
    ],
)
def test_defaults_are_those_of_the_library(estimator, defaults):
    ours = {name: p.default for name, p in inspect.signature(estimator).parameters.items() if name not in OWN}
    assert ours == {name: None if value == {} else value for name, value in defaults.items()}


@pytest.mark.parametrize("estimator", [LinkgisticClassifier, MonotoneRegressor, MonotoneCalibrator])
def test_every_parameter_is_documented(estimator):
    text = inspect.getdoc(estimator)
    for name in inspect.signature(estimator).parameters:
        assert f"\n{name} : " in text


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": "flat"}, "prior = flat: 'flat' is none of"),
        ({"l2": -1.0}, "l2"),
        ({"harmonics": 0}, "harmonics"),
    ],
)
def test_a_bad_value_is_named(two_classes, options, message):
    with pytest.raises(ValueError, match=message):
        LinkgisticClassifier(**options).fit(*two_classes)


def test_a_wrong_type_is_a_type_error(two_classes):
    with pytest.raises(TypeError, match="harmonics = many"):
        LinkgisticClassifier(harmonics="many").fit(*two_classes)
