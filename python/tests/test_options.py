"""Names, defaults and meanings of parameters are those of the library."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning

import linkgistic
from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor, _core
from linkgistic._options import encode_labels
from linkgistic._progress import PROGRESS_PARAMETERS

OWN = {name for name, _, _ in PROGRESS_PARAMETERS}


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


def test_without_docstrings_the_package_is_there():
    code = "from linkgistic import MonotoneRegressor as M; assert M.__doc__ is None; M().fit([0, 1, 2], [0, 1, 3])"
    here = {"PYTHONPATH": Path(linkgistic.__file__).parents[1]}
    subprocess.run([sys.executable, "-OO", "-c", code], check=True, env=here)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prior": "flat"}, "prior = flat: 'flat' is not one of"),
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


@pytest.mark.parametrize("weights", ["balanced", [1.0, 2.0], {0: "much"}], ids=str)
def test_class_weights_of_a_wrong_type_are_named(two_classes, weights):
    with pytest.raises(TypeError, match="class_weights = "):
        LinkgisticClassifier(class_weights=weights).fit(*two_classes)


def test_class_weights_of_labels_that_are_equal(two_classes):
    X, y = two_classes
    quick = {"l2": 1.0, "v": 0.5, "cross_fit": False, "class_weights": {1: 2.0}}
    expected = LinkgisticClassifier(**quick).fit(X, y)
    for labels in (y.astype(float), y.astype(bool), y.astype(str)):
        np.testing.assert_array_equal(LinkgisticClassifier(**quick).fit(X, labels).coef_, expected.coef_)


@pytest.mark.parametrize("model", [LinkgisticClassifier(seed=-1), MonotoneRegressor(seed=-1)], ids=str)
def test_a_negative_seed_is_named(two_classes, model):
    X, y = two_classes
    with pytest.raises(ValueError, match="seed = -1: it must not be negative"):
        model.fit(X if isinstance(model, LinkgisticClassifier) else X[:, 0], y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda clf, X: clf.predict_proba(X, return_interval=2), "return_interval = 2: it must be"),
        (lambda clf, X: clf.link([0.0], interval=-1e200), r"interval = -1e\+200: "),
        (lambda clf, X: clf.link([0.0], score=3), "score = 3: it must be below 1"),
        (lambda clf, X: clf.plot_link(score=3), "score = 3: it must be below 1"),
        (lambda clf, X: clf.learned_loss(score=-1), "score = -1"),
        (lambda clf, X: clf.learned_loss(seed=-1), "seed = -1"),
        (lambda clf, X: clf.learned_loss(estimate="best"), "estimate = 'best': it must be one of 'mode'"),
        (lambda clf, X: clf.learned_loss_.link([-1e200]), r"the probability -1e\+200"),
        (lambda clf, X: MonotoneCalibrator().fit(X[:, 0], X[:, 1] > 0).predict_proba([0], 2), "return_interval = 2"),
    ],
)
def test_an_argument_that_cannot_be_is_named(two_classes, call, message):
    X, y = two_classes
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False).fit(X, y)
    with pytest.raises(ValueError, match=message):
        call(clf, X)
    with pytest.raises(TypeError, match="return_interval = True"):
        clf.predict_proba(X, return_interval=True)


@pytest.mark.parametrize(
    "model",
    [
        LinkgisticClassifier(l2=1.0, v=0.5, callback=3),
        MonotoneRegressor(callback=3),
        MonotoneCalibrator(callback=3),
        CalibratedClassifier(callback=3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_callback_that_cannot_be_called_is_named(two_classes, model):
    X, y = two_classes
    with pytest.raises(TypeError, match="callback = 3: it must be callable or None"):
        model.fit(X[:, 0] if isinstance(model, (MonotoneRegressor, MonotoneCalibrator)) else X, y)


@pytest.mark.parametrize(
    "model", [LinkgisticClassifier(), MonotoneCalibrator(), CalibratedClassifier()], ids=lambda m: type(m).__name__
)
def test_labels_of_one_class_are_refused(two_classes, model):
    X = two_classes[0]
    with pytest.raises(ValueError, match="y: rows of at least 2 classes are needed, and there is 1 class, 7"):
        model.fit(X[:, 0] if isinstance(model, MonotoneCalibrator) else X, np.full(len(X), 7))


def test_one_weight_for_all_rows(two_classes):
    X, y = two_classes
    for model in (MonotoneRegressor(), MonotoneCalibrator(inference="laplace")):
        one, each = (clone(model).fit(X[:, 0], y, w) for w in (2.0, np.full(len(y), 2.0)))
        np.testing.assert_array_equal(one.predict(X[:, 0]), each.predict(X[:, 0]))


def test_a_column_of_observations(two_classes):
    x = two_classes[0][:, 0]
    with pytest.warns(DataConversionWarning):
        column = MonotoneRegressor().fit(x, x[:, None] ** 3)
    np.testing.assert_array_equal(column.predict(x), MonotoneRegressor().fit(x, x**3).predict(x))


def test_a_checkpoint_is_a_path(two_classes, tmp_path):
    LinkgisticClassifier(l2=1.0, v=0.5, checkpoint=tmp_path / "c.json").fit(*two_classes)
    assert (tmp_path / "c.json").exists()


VERBS = {"classify": LinkgisticClassifier, "regress": MonotoneRegressor, "calibrate": MonotoneCalibrator}
OTHER_NAMES = {"fix": "fixed", "class_weight": "class_weights"}
# Parameters that the program has no flag for: balanced is a value of --class-weight there.
LIBRARY_ONLY = {"classify": {"balanced"}, "regress": set(), "calibrate": set()}


def help_of(program, verb):
    return subprocess.run([program, verb, "--help"], capture_output=True, text=True, check=True).stdout


def flags_of(program, verb):
    """Flags of a verb by their names in Python: the words to choose from and the default, where its help has them."""
    text = help_of(program, verb)
    flags = {}
    pattern = r"^  (?:-\w,)?--([\w-]+)(?: [A-Z][A-Z0-9:]*(?:{(.*?)})?(?:=(\S+))?)?"
    for name, choices, default in re.findall(pattern, text, re.M):
        name = name.replace("-", "_")
        flags[OTHER_NAMES.get(name, name)] = (set(choices.split(",")) - {""}, default or None)
    return flags


TABLES = {
    "classify": _core.classifier_parameters,
    "regress": _core.regression_parameters,
    "calibrate": _core.calibrator_parameters,
}


def sections(pattern, text):
    """What follows each name, up to the next one, with its white space collapsed."""
    parts = re.split(pattern, text, flags=re.M)
    return {name.replace("-", "_"): " ".join(rest.split()) for name, rest in zip(parts[1::2], parts[2::2])}


@pytest.mark.parametrize("verb", VERBS)
def test_every_parameter_is_documented_by_the_table(verb):
    parameters = inspect.signature(VERBS[verb]).parameters
    table = [*TABLES[verb](), *(p for p in PROGRESS_PARAMETERS if p[0] in parameters)]
    assert {name for name, _, _ in table} == set(parameters)
    text = inspect.getdoc(VERBS[verb])
    described = sections(r"^(\w+) : ", text[text.index("Parameters\n---") : text.index("Attributes\n---")])
    assert list(described) == list(parameters)
    for name, kind, meaning in table:
        none = " or None" if parameters[name].default is None else ""
        assert described[name] == f"{kind}{none}, default={parameters[name].default!r} {meaning}"


def test_a_docstring_with_parameters_of_its_own_gets_those_of_progress():
    text = inspect.getdoc(CalibratedClassifier)
    described = sections(r"^(\w+) : ", text[text.index("Parameters\n---") : text.index("Attributes\n---")])
    assert list(described) == list(inspect.signature(CalibratedClassifier).parameters)
    for name, kind, meaning in PROGRESS_PARAMETERS:
        assert described[name].startswith(kind) and described[name].endswith(meaning)


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_the_program_is_that_of_the_table(program, verb):
    described = sections(r"^  (?:-\w,)?--([\w-]+)", help_of(program, verb))
    described = {OTHER_NAMES.get(name, name): text for name, text in described.items()}
    described["balanced"] = described.get("class_weights")
    for name, _, meaning in TABLES[verb]():
        if name == "balanced" or name not in LIBRARY_ONLY[verb]:
            assert meaning in described[name]


@pytest.mark.parametrize("verb", VERBS)
def test_names_choices_and_defaults_are_those_of_the_program(program, verb):
    flags = flags_of(program, verb)
    text = inspect.getdoc(VERBS[verb])
    for name, parameter in inspect.signature(VERBS[verb]).parameters.items():
        if name in OWN | LIBRARY_ONLY[verb]:
            continue
        choices, default = flags[name]
        documented = re.search(rf"^{name} : {{(.*?)}}", text, re.M)
        assert choices == (set(re.findall(r"'([\w-]+)'", documented.group(1))) if documented else set()), name
        if default is None:
            assert parameter.default in (None, False, "", {}), name
        elif default == "auto":
            assert parameter.default in (None, "auto"), name
        else:
            assert type(parameter.default)(default) == parameter.default, name


@pytest.mark.parametrize(
    "y",
    [
        np.array([3, 1, 3, 7]),
        np.array([-100, 100, 0], dtype=np.int8),
        np.array([255, 250], dtype=np.uint8),
        np.array([0, 10**6]),
        np.array([2**40 + 5, 2**40, 2**40 + 5]),
        np.array([2**63 + 1, 2**63], dtype=np.uint64),
        np.array([1.0, 0.0, 1.0]),
        np.array([True, False]),
        np.array(["b", "a", "b"]),
    ],
    ids=lambda y: y.dtype.str,
)
def test_labels_are_encoded_as_numpy_does(y):
    (classes, places), expected = encode_labels(y), np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected[0])
    np.testing.assert_array_equal(places, expected[1])
    assert (classes.dtype, places.dtype) == (y.dtype, np.int32)


@pytest.mark.parametrize("estimator", VERBS.values(), ids=lambda e: e.__name__)
def test_the_made_signature_is_that_of_a_function(estimator):
    unknown = rf"{estimator.__name__}.__init__\(\) got an unexpected keyword argument 'colour'"
    with pytest.raises(TypeError, match=unknown):
        estimator(colour="red")
    with pytest.raises(TypeError, match="takes 1 positional argument but 2 were given"):
        estimator("gp")
    model = estimator(prior="gp")
    assert (model.prior, model.seed, model.callback) == ("gp", 0, None)
    assert set(vars(model)) == set(inspect.signature(estimator).parameters)
    assert clone(model).get_params() == model.get_params()


def test_a_device_that_is_not_there_is_an_error_that_says_what_is_missing():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1]
    with pytest.raises(ValueError, match="device = gpu: it is cpu, cuda or cuda:N"):
        LinkgisticClassifier(device="gpu").fit(X, y)
    if _core.cuda_devices().startswith("none"):
        with pytest.raises(ValueError, match="^device = cuda: "):
            LinkgisticClassifier(device="cuda").fit(X, y)


def test_versions_name_the_devices(capsys):
    linkgistic.show_versions()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"linkgistic: {linkgistic.__version__}"
    assert any(line.startswith("cuda: ") for line in lines)
