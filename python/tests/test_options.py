"""Names, defaults and meanings of parameters are those of the library."""

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from joblib import cpu_count
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning

import linkgistic
from linkgistic import CalibratedClassifier, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor, _core
from linkgistic._options import encode_labels
from linkgistic._progress import PROGRESS_PARAMETERS
from linkgistic._regressor import OUT_OF_BOUNDS
from linkgistic._sklearn_names import from_options, in_python, keyword_defaults, parameters_of, to_options

OWN = {name for name, _, _ in (OUT_OF_BOUNDS, *PROGRESS_PARAMETERS)}


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
    assert ours == keyword_defaults(defaults)
    options = to_options(ours, defaults)
    assert options == {name: defaults[name] for name in options}
    assert all(value in (None, {}, False) for name, value in defaults.items() if name not in options)


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


@pytest.mark.parametrize("weight", ["much", [1.0, 2.0], {0: "much"}], ids=str)
def test_class_weights_that_cannot_be_are_named(two_classes, weight):
    with pytest.raises((TypeError, ValueError), match="class_weight = "):
        LinkgisticClassifier(class_weight=weight).fit(*two_classes)


def test_class_weights_of_labels_that_are_equal(two_classes):
    X, y = two_classes
    quick = {"l2": 1.0, "v": 0.5, "cross_fit": False, "class_weight": {1: 2.0}}
    expected = LinkgisticClassifier(**quick).fit(X, y)
    for labels in (y.astype(float), y.astype(bool), y.astype(str)):
        np.testing.assert_array_equal(LinkgisticClassifier(**quick).fit(X, labels).coef_, expected.coef_)


@pytest.mark.parametrize("model", [LinkgisticClassifier(random_state=-1), MonotoneRegressor(random_state=-1)], ids=str)
def test_a_negative_seed_is_named(two_classes, model):
    X, y = two_classes
    with pytest.raises(ValueError, match="random_state = -1: it must not be negative"):
        model.fit(X if isinstance(model, LinkgisticClassifier) else X[:, 0], y)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda clf, X: clf.predict_proba(X, return_interval=2), "return_interval = 2: it must be"),
        (lambda clf, X: clf.link([0.0], interval=-1e200), r"interval = -1e\+200: "),
        (lambda clf, X: clf.link([0.0], score=3), "score = 3: it must be below 1"),
        (lambda clf, X: clf.plot_link(score=3), "score = 3: it must be below 1"),
        (lambda clf, X: clf.learned_loss(score=-1), "score = -1"),
        (lambda clf, X: clf.learned_loss(random_state=-1), "random_state = -1"),
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


DEFAULTS = {
    "classify": _core.classifier_defaults,
    "regress": _core.regression_defaults,
    "calibrate": _core.calibrator_defaults,
}
VERBS = {"classify": LinkgisticClassifier, "regress": MonotoneRegressor, "calibrate": MonotoneCalibrator}
# Flags by their options; balanced is a value of --class-weight.
OTHER_NAMES = {"fix": "fixed", "class_weight": "class_weights"}


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
    own = (OUT_OF_BOUNDS, *PROGRESS_PARAMETERS)
    table = [*in_python(TABLES[verb]()), *(p for p in own if p[0] in parameters)]
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
        assert meaning in described[name]


@pytest.mark.parametrize("verb", VERBS)
def test_names_choices_and_defaults_are_those_of_the_program(program, verb):
    flags = flags_of(program, verb)
    text = inspect.getdoc(VERBS[verb])
    options = DEFAULTS[verb]()
    renamed = parameters_of(options)
    for name, default in options.items():
        if name == "balanced":
            continue
        choices, shown = flags[name]
        documented = re.search(rf"^{name} : {{(.*?)}}", text, re.M)
        if name not in renamed:
            assert choices == (set(re.findall(r"'([\w-]+)'", documented.group(1))) if documented else set()), name
        if shown is None:
            assert default in (None, False, "", {}), name
        elif shown == "auto":
            assert default in (None, "auto"), name
        else:
            assert type(default)(shown) == default, name


# --- names of scikit-learn ---

SAME = [
    (LinkgisticClassifier, {"seed": 3}, {"random_state": 3}),
    (LinkgisticClassifier, {"threads": 2}, {"n_jobs": 2}),
    (LinkgisticClassifier, {"threads": 0}, {"n_jobs": None}),
    (LinkgisticClassifier, {"em_iterations": 2, "tolerance": 1e-3}, {"max_iter": 2, "tol": 1e-3}),
    (LinkgisticClassifier, {"balanced": True}, {"class_weight": "balanced"}),
    (LinkgisticClassifier, {"class_weights": {1: 3.0}}, {"class_weight": {1: 3.0}}),
    (MonotoneRegressor, {"direction": "increasing"}, {"increasing": True}),
    (MonotoneRegressor, {"direction": "decreasing"}, {"increasing": False}),
    (MonotoneCalibrator, {"seed": 5, "folds": 3}, {"random_state": 5, "cv": 3}),
]


@pytest.mark.parametrize(("estimator", "old", "new"), SAME, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_old_names_are_taken_with_a_warning(estimator, old, new):
    with pytest.warns(FutureWarning, match="is called .* now") as seen:
        model = estimator(**old)
    assert {w.filename for w in seen} == {__file__}
    assert model.get_params() == estimator(**new).get_params()
    with pytest.warns(FutureWarning, match="is called .* now"):
        assert estimator().set_params(**old).get_params() == model.get_params()
    assert estimator().set_params(**new).get_params() == model.get_params()


@pytest.mark.parametrize(("estimator", "old", "new"), SAME, ids=lambda value: str(value) if isinstance(value, dict) else "")
def test_new_names_are_options_of_the_library(estimator, old, new):
    defaults = next(f() for verb, f in DEFAULTS.items() if VERBS[verb] is estimator)
    options = to_options(estimator(**new).get_params(), defaults)
    assert {name: options.get(name, defaults[name]) for name in old} == old
    again = estimator(**from_options({**defaults, **options}))
    assert again.get_params() == estimator(**new).get_params()


def test_an_old_name_beside_the_new_one_is_refused():
    with pytest.raises(TypeError, match="seed is the old name of random_state"):
        LinkgisticClassifier(seed=1, random_state=2)


def test_C_is_one_over_l2(two_classes):
    quick = {"v": 0.5, "cross_fit": False}
    by_C, by_l2 = (LinkgisticClassifier(**quick, **p).fit(*two_classes) for p in ({"C": 0.25}, {"l2": 4.0}))
    np.testing.assert_array_equal(by_C.coef_, by_l2.coef_)
    with pytest.raises(ValueError, match="l2 = 4.0 and C = 0.25: give one of them"):
        LinkgisticClassifier(C=0.25, l2=4.0).fit(*two_classes)
    for C in (0, -1.0):
        with pytest.raises(ValueError, match="C = "):
            LinkgisticClassifier(C=C).fit(*two_classes)


def test_auto_is_what_the_library_chooses(two_classes):
    auto, none = (LinkgisticClassifier(l2=value, v=value).fit(*two_classes) for value in ("auto", None))
    np.testing.assert_array_equal(auto.coef_, none.coef_)


def test_balanced_classes_weigh_the_same(two_classes):
    X, y = two_classes
    quick = {"l2": 1.0, "v": 0.5, "cross_fit": False}
    count = np.bincount(y)
    by_hand = {label: len(y) / (2 * count[label]) for label in (0, 1)}
    balanced = LinkgisticClassifier(**quick, class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(balanced.coef_, LinkgisticClassifier(**quick, class_weight=by_hand).fit(X, y).coef_, rtol=1e-5)


@pytest.mark.parametrize(("n_jobs", "threads"), [(None, 0), (1, 1), (3, 3), (-1, cpu_count()), (-10**6, 1)])
def test_jobs_are_threads(n_jobs, threads):
    assert to_options(MonotoneRegressor(n_jobs=n_jobs).get_params(), _core.regression_defaults())["threads"] == threads


@pytest.mark.parametrize(
    "options",
    [
        {"n_jobs": 0},
        {"n_jobs": 1.5},
        {"random_state": "x"},
        {"increasing": "up"},
        {"increasing": 1},
    ],
    ids=str,
)
def test_values_that_cannot_be_are_named_in_python(two_classes, options):
    with pytest.raises((TypeError, ValueError), match=next(iter(options)) if "random_state" not in options else "seed"):
        MonotoneRegressor(**options).fit(two_classes[0][:, 0], two_classes[1])


def test_a_random_state_draws_seeds(two_classes):
    x, y = two_classes[0][:, 0], two_classes[1]
    state = np.random.RandomState(0)
    seeds = [MonotoneRegressor(random_state=state).fit(x, y).model_.options["seed"] for _ in range(2)]
    assert seeds[0] != seeds[1]
    assert MonotoneRegressor(random_state=np.random.RandomState(0)).fit(x, y).model_.options["seed"] == seeds[0]


def test_a_model_file_has_the_parameters_under_their_names(two_classes, tmp_path):
    X, y = two_classes
    model = LinkgisticClassifier(l2=1.0, v=0.5, class_weight="balanced", random_state=7, tol=1e-3, max_iter=2).fit(X, y)
    model.save(tmp_path / "m.json")
    loaded = LinkgisticClassifier.load(tmp_path / "m.json")
    assert loaded.get_params() == model.get_params()
    curve = MonotoneRegressor(increasing=False).fit(X[:, 0], -X[:, 0])
    curve.save(tmp_path / "c.json")
    assert MonotoneRegressor.load(tmp_path / "c.json").increasing is False


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
    assert (model.prior, model.random_state, model.callback) == ("gp", 0, None)
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
