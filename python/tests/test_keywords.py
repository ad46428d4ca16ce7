"""A keyword that nobody knows is refused by every public function, and a near miss is answered with what was meant."""

import inspect
from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import linkgistic
from linkgistic import CalibratedClassifier, CalibrationDisplay, LinkDisplay, LinkgisticClassifier, MonotoneRegressor

CLASSES = [public for name in linkgistic.__all__ if inspect.isclass(public := getattr(linkgistic, name))]


def public_methods():
    """Constructors and methods of our own, with the names of their parameters."""
    for cls in CLASSES:
        ours = {name for base in cls.__mro__ if base.__module__.startswith("linkgistic") for name in vars(base)}
        for name in sorted(ours):
            member = inspect.getattr_static(cls, name)
            if name.startswith("_") and name not in ("__init__", "__call__") or isinstance(member, property):
                continue
            if callable(getattr(cls, name)) and not name.startswith("set_"):
                yield pytest.param(cls, name, id=f"{cls.__name__}.{name}")


def call_with(cls, method, keyword):
    """Calls a method with this keyword alone; the other arguments do not matter before it is refused."""
    function = getattr(cls, method)
    parameters = inspect.signature(function).parameters.values()
    plain = [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
    return function(*[None for _ in plain], **{keyword: 1})


@pytest.mark.parametrize(("cls", "method"), list(public_methods()))
def test_an_unknown_keyword_is_named(cls, method):
    parameters = inspect.signature(getattr(cls, method)).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        pytest.skip("it is tried below")
    with pytest.raises(TypeError, match=r"\(\) got an unexpected keyword argument 'qqqqq'$"):
        call_with(cls, method, "qqqqq")


@pytest.mark.parametrize(("cls", "method"), list(public_methods()))
def test_a_near_miss_is_answered(cls, method):
    parameters = inspect.signature(getattr(cls, method)).parameters
    if any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        pytest.skip("it is tried below")
    names = [p.name for p in parameters.values() if p.name != "self"]
    for name in (name for name in names if len(name) > 3):
        with pytest.raises(TypeError, match=rf"argument '{name[:-1]}'\. Did you mean '{name}'\?"):
            call_with(cls, method, name[:-1])


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    return LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(X, y), X, y


PLOTS = {
    "plot_link": lambda clf, X, y: clf.plot_link,
    "LinkDisplay.from_estimator": lambda clf, X, y: partial(LinkDisplay.from_estimator, clf),
    "LinkDisplay.plot": lambda clf, X, y: LinkDisplay.from_estimator(clf).plot,
    "from_predictions": lambda clf, X, y: partial(CalibrationDisplay.from_predictions, y, clf.predict_proba(X)[:, 1]),
    "CalibrationDisplay.from_estimator": lambda clf, X, y: partial(CalibrationDisplay.from_estimator, clf, X, y),
    "CalibrationDisplay.plot": lambda clf, X, y: CalibrationDisplay.from_estimator(clf, X, y).plot,
}


@pytest.mark.parametrize("name", PLOTS)
def test_plots_know_their_keywords_and_those_of_a_line(fitted, name):
    draw = PLOTS[name](*fitted)
    plt.close("all")
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'qqqqq'$"):
        draw(qqqqq=1)
    with pytest.raises(TypeError, match=r"argument 'linewidht'\. Did you mean 'linewidth'\?"):
        draw(linewidht=1)
    with pytest.raises(TypeError, match=r"argument 'nam'\. Did you mean 'name'\?"):
        draw(nam="mine")
    assert not plt.get_fignums(), "a figure was begun"
    draw(name="mine", lw=3, color="red", linestyle=":")
    plt.close("all")


def test_keywords_of_a_fit_within_a_fit(fitted):
    _, X, y = fitted
    with pytest.raises(TypeError, match=r"argument 'sample_weights'\. Did you mean 'sample_weight'\?"):
        CalibratedClassifier(LogisticRegression()).fit(X, y, sample_weights=np.ones(200))
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'qqqqq'$"):
        CalibratedClassifier(LogisticRegression()).fit(X, y, qqqqq=1)


def test_a_warning_is_at_the_line_that_asked():
    with pytest.warns(UserWarning, match="all x are equal") as seen:
        MonotoneRegressor().fit([1, 1, 1], [1, 2, 3])
    assert seen[0].filename == __file__
