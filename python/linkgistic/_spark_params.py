"""Parameters of an estimator of Spark ML, those of the local one: Params and keywords of the same names."""

import inspect

from pyspark.ml import Estimator
from pyspark.ml.param import Param, Params, TypeConverters

from ._keywords import check_keywords
from ._sklearn_names import keyword_defaults

_CONVERTERS = {
    bool: TypeConverters.toBoolean,
    int: TypeConverters.toInt,
    float: TypeConverters.toFloat,
    str: TypeConverters.toString,
}


def _converter(name, default):
    if name in ("l2", "C", "v", "v_shared", "interval"):
        return TypeConverters.toFloat
    if name in ("features_col", "class_weight", "increasing", "n_jobs"):
        return TypeConverters.identity
    return TypeConverters.toString if name.endswith("_col") else _CONVERTERS.get(type(default), TypeConverters.identity)


def parameters(texts, defaults, **own):
    """A class decorator: each of the library's options, and of our own, is a Param and a keyword of `__init__`.

    An option that is None is the library's default.
    """
    values = own | keyword_defaults(defaults)
    texts = {name: text for name, _, text in texts}

    def make(cls):
        cls._options = tuple(keyword_defaults(defaults))
        for name, default in values.items():
            setattr(cls, name, Param(Params._dummy(), name, texts[name], _converter(name, default)))
        shown = {**values, "callback": None} if issubclass(cls, Estimator) else values

        def __init__(self, **given):
            check_keywords(__init__.__qualname__, given, shown)
            super(cls, self).__init__()
            self.callback = given.pop("callback", None)
            self._setDefault(**values)
            self._set(**{name: value for name, value in given.items() if value is not None})

        parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
        parameters += [inspect.Parameter(n, inspect.Parameter.KEYWORD_ONLY, default=d) for n, d in shown.items()]
        __init__.__signature__ = inspect.Signature(parameters)
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__
        return cls

    return make
