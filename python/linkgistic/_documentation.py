"""The Parameters section of an estimator's docstring, from the library's table."""

import inspect
import textwrap

_LINE = {
    "width": 100,
    "initial_indent": "    ",
    "subsequent_indent": "    ",
    "break_on_hyphens": False,
    "break_long_words": False,
}


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
