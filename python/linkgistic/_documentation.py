"""The parameters of an estimator, from the library's table: its signature and the section of its docstring."""

import inspect
import textwrap

from sklearn.base import BaseEstimator

from ._keywords import check_keywords
from ._sklearn_names import current_names, keyword_defaults

_LINE = {
    "width": 100,
    "initial_indent": "    ",
    "subsequent_indent": "    ",
    "break_on_hyphens": False,
    "break_long_words": False,
}


def keywords(defaults, **own):
    """A class decorator that makes `__init__`: each option is a keyword with its default, kept as it is given.

    `defaults` are those of the library, where an empty dictionary is None, under the names of Python (`_sklearn_names`);
    `own` those of Python alone. Old names are taken with a warning.
    """
    values = keyword_defaults(defaults) | own

    def make(cls):
        def __init__(self, **given):
            given = current_names(given, defaults, cls.__qualname__)
            check_keywords(__init__.__qualname__, given, values)
            for name, default in values.items():
                setattr(self, name, given.get(name, default))

        def set_params(self, **params):
            return super(cls, self).set_params(**current_names(params, defaults, cls.__qualname__))

        set_params.__doc__ = BaseEstimator.set_params.__doc__
        parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        parameters += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=d) for n, d in values.items()]
        __init__.__signature__ = inspect.Signature(parameters)
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        __init__.looks_itself = set_params.looks_itself = True
        cls.__init__, cls.set_params = __init__, set_params
        return cls

    return make


def documented(parameters, own=()):
    """A class decorator that writes the section into the docstring, before that of the attributes.

    `parameters` are the (name, type, text) of the library, `own` those of Python alone. Order and defaults are those
    of the signature. A docstring that has the section gets those it lacks at the end of it; without a docstring
    (python -OO) nothing is written.
    """
    table = {name: (kind, text) for name, kind, text in (*parameters, *own)}

    def document(cls):
        if cls.__doc__ is None:
            return cls
        before, heading, after = inspect.cleandoc(cls.__doc__).partition("Attributes\n----------\n")
        begun = "Parameters\n----------\n" in before
        lines = [before.rstrip()] if begun else [before + "Parameters", "----------"]
        for name, parameter in inspect.signature(cls).parameters.items():
            if begun and f"\n{name} : " in before:
                continue
            kind, text = table[name]
            none = " or None" if parameter.default is None else ""
            lines.append(f"{name} : {kind}{none}, default={parameter.default!r}")
            lines += textwrap.wrap(text, **_LINE)
        cls.__doc__ = "\n".join(lines) + "\n\n" + heading + after
        return cls

    return document
