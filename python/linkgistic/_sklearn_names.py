"""What the library's options are called in Python: scikit-learn's names, wherever the meaning is the same.

A `Parameter` stands in place of one option of the library or of several, and turns its value into theirs and back. The
names of the options themselves were those of version 0.1, and are taken for one version more, with a warning.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Callable

import numpy as np
from joblib import cpu_count
from sklearn.utils import check_random_state

from ._warn import warn


def _number(value, name, least=None, whole=False):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral if whole else Real):
        raise TypeError(f"{name} = {value!r}: it must be a {'whole ' if whole else ''}number")
    if least is not None and not value >= least:
        raise ValueError(f"{name} = {value!r}: it must " + ("not be negative" if least == 0 else f"be at least {least}"))
    return int(value) if whole else float(value)


def seed_of(random_state, old=None):
    """A seed of the library; anything but a whole number is asked for one. `old` is what the old name was given."""
    if old is not None:
        warn("seed is called random_state now; the old name goes in the next version", FutureWarning)
        random_state = old
    if isinstance(random_state, (Integral, bool, np.bool_)):
        return _number(random_state, "random_state", 0, whole=True)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def threads_of(n_jobs):
    """A number of threads, where 0 is all of them."""
    if n_jobs is None:
        return 0
    jobs = _number(n_jobs, "n_jobs", whole=True)
    if jobs == 0:
        raise ValueError("n_jobs = 0: it must be None, -1 (all processors) or a number of threads")
    return jobs if jobs > 0 else max(1, cpu_count() + 1 + jobs)


def _direction_of(increasing):
    if isinstance(increasing, (bool, np.bool_)):
        return "increasing" if increasing else "decreasing"
    if increasing != "auto":
        raise ValueError(f"increasing = {increasing!r}: it must be True, False or 'auto'")
    return increasing


def _weights_of(class_weight):
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(f"class_weight = {class_weight!r}: it must be a dict from labels to weights, 'balanced' or None")
        return {"balanced": True}
    if class_weight is not None and not isinstance(class_weight, Mapping):
        raise TypeError(f"class_weight = {class_weight!r}: it must be a dict from labels to weights, 'balanced' or None")
    return {"class_weights": class_weight} if class_weight else {}


def _class_weight_from(class_weights=None, balanced=False):
    if class_weights and balanced:
        warn("balanced is left out: class_weight is the weights of the classes or 'balanced'")
    return class_weights or ("balanced" if balanced else None)


@dataclass(frozen=True)
class Parameter:
    """A parameter of an estimator in place of the library's `options`.

    `to` makes options of its value, `back` the value of keywords that are options. A text that begins with '...' goes on
    after that of the option.
    """

    name: str
    options: tuple
    kind: str
    text: str
    to: Callable
    back: Callable

    @classmethod
    def of(cls, name, option, kind, text, to, back=lambda value: value):
        """In place of one option."""
        return cls(name, (option,), kind, text, lambda v: {option: to(v)}, lambda **given: back(given[option]))

    def value_of(self, options):
        """Its value for options of the library."""
        return self.back(**{name: options[name] for name in self.options if name in options})


_ALL = (
    Parameter.of("max_iter", "em_iterations", "int", "...", lambda value: _number(value, "max_iter", 0, whole=True)),
    Parameter.of("tol", "tolerance", "float", "...", lambda value: _number(value, "tol", 0)),
    Parameter(
        "class_weight",
        ("class_weights", "balanced"),
        "dict or 'balanced'",
        "Factors for the weights of the rows of each class; 'balanced' gives every class the total weight rows/classes.",
        _weights_of,
        _class_weight_from,
    ),
    Parameter.of(
        "increasing",
        "direction",
        "bool or 'auto'",
        "Whether the curve rises; 'auto': the data decide.",
        _direction_of,
        lambda direction: {"increasing": True, "decreasing": False}.get(direction, direction),
    ),
    Parameter.of("cv", "folds", "int", "...", lambda value: _number(value, "cv", 2, whole=True)),
    Parameter.of(
        "random_state",
        "seed",
        "int or RandomState instance",
        "... None is another seed for every fit.",
        seed_of,
    ),
    Parameter.of(
        "n_jobs",
        "threads",
        "int",
        "Number of threads; None and -1 are all processors. The results are the same for any number.",
        threads_of,
        lambda threads: threads or None,
    ),
)

PENALTY = ("C", "float", "1/l2, in place of l2: the C of LogisticRegression after StandardScaler.")


def parameters_of(defaults):
    """Those that an estimator with these options of the library has, by the names of the options."""
    return {option: p for p in _ALL if p.options[0] in defaults for option in p.options}


def in_python(table):
    """The (name, type, text) of the library's table under the names of Python."""
    renamed = parameters_of({name for name, _, _ in table})
    for name, kind, text in table:
        parameter = renamed.get(name)
        if parameter is None:
            yield name, "float or 'auto'" if name in ("l2", "v", "v_shared") else kind, text
            if name == "l2":
                yield PENALTY
        elif name == parameter.options[0]:
            own = parameter.text
            yield parameter.name, parameter.kind, text + own[3:] if own.startswith("...") else own


def keyword_defaults(defaults):
    """Names and defaults of the keywords of an estimator, from those of the library's options."""
    renamed = parameters_of(defaults)
    values = {}
    for name, default in defaults.items():
        if name in renamed:
            values[renamed[name].name] = renamed[name].value_of(defaults)
        else:
            values[name] = None if default == {} else default
        if name == "l2":
            values["C"] = None
    return values


def current_names(given, defaults, what):
    """The given keywords under the names of today, with a warning for each option that had another name."""
    renamed = parameters_of(defaults)
    old = {name: given.pop(name) for name in list(given) if name in renamed}
    for parameter in {renamed[name].name: renamed[name] for name in old}.values():
        value, names = parameter.value_of(old), " and ".join(name for name in parameter.options if name in old)
        if parameter.name in given:
            raise TypeError(f"{what}: {names} is the old name of {parameter.name}: give one of them")
        now = f"{parameter.name} now, here {parameter.name}={value!r}"
        warn(f"{what}: {names} is called {now}; the old name goes in the next version", FutureWarning)
        given[parameter.name] = value
    return given


def from_options(options):
    """Keywords of an estimator for the options that a model file has."""
    renamed = parameters_of(options)
    given = {name: None if value == {} else value for name, value in options.items() if name not in renamed}
    for parameter in {p.name: p for p in renamed.values()}.values():
        given[parameter.name] = parameter.value_of(options)
    return given


def to_options(params, defaults):
    """The library's options among the parameters of an estimator; None and 'auto' are the library's default."""
    renamed = parameters_of(defaults)
    given = {name: params[name] for name in defaults if name not in renamed and params[name] is not None}
    for parameter in {p.name: p for p in renamed.values()}.values():
        given.update(parameter.to(params[parameter.name]))
    for name in ("l2", "v", "v_shared"):  # None by default, which does not tell
        if isinstance(given.get(name), str) and given[name] == "auto":
            del given[name]
        if name in given:
            _number(given[name], name)
    if params.get("C") is not None:
        if "l2" in given:
            raise ValueError(f"l2 = {given['l2']!r} and C = {params['C']!r}: give one of them, C is 1/l2")
        if not _number(params["C"], "C", 0) > 0:
            raise ValueError(f"C = {params['C']!r}: it must be above 0")
        given["l2"] = 1 / params["C"]
    for name, value in given.items():
        number = isinstance(defaults[name], Real) and not isinstance(defaults[name], bool)
        if number and isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{name} = {value!r}: it must be a number")
    return given
