"""Keywords that nobody knows are refused by name, with the one that was probably meant."""

import functools
import inspect
from difflib import get_close_matches

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def check_keywords(function, given, known):
    """A TypeError, as Python's own, for the first of the given keywords that is not known; `function` is its name."""
    for name in given:
        if name not in known:
            near = get_close_matches(name, sorted(known), n=1)
            meant = f". Did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{meant}")


def keyword_names(function):
    """What a function takes by name, and whether it takes any other name too."""
    parameters = inspect.signature(function).parameters.values()
    names = {p.name for p in parameters if p.kind in _BY_NAME} - {"self", "cls"}
    return names, any(p.kind is p.VAR_KEYWORD for p in parameters)


def _checked(function):
    known, any_other = keyword_names(function)
    if any_other or getattr(function, "looks_itself", False):
        return function

    @functools.wraps(function)
    def call(*arguments, **given):
        if not known.issuperset(given):
            check_keywords(function.__qualname__, given, known)
        return function(*arguments, **given)

    return call


def refuses_unknown_keywords(cls):
    """A class decorator for the constructor and the public methods that the class defines."""
    for name, member in list(vars(cls).items()):
        if name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(member, (classmethod, staticmethod)):
            setattr(cls, name, type(member)(_checked(member.__func__)))
        elif inspect.isfunction(member):
            setattr(cls, name, _checked(member))
    return cls
