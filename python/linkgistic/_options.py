"""What the estimators share: options for the library, and its model files."""

import os
from numbers import Integral, Real

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._keywords import refuses_unknown_keywords
from ._sklearn_names import from_options, keyword_defaults, to_options
from ._warn import warn


def options_of(estimator, defaults):
    """The library's options among the parameters of an estimator; None is the library's default.

    They are attributes also of a subclass whose constructor has fewer parameters.
    """
    given = to_options({name: getattr(estimator, name) for name in keyword_defaults(defaults)}, defaults)
    return {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in given.items()}


def report(summary, what, interrupted=False):
    """Says what a user should know of a fit."""
    texts = summary.get("warnings", [])
    of_the_end = [text for text in texts if "converge" in text]
    if interrupted:
        warn("interrupted: the best model so far is kept", ConvergenceWarning)
    elif not summary.get("converged", True) and not of_the_end:
        reason = summary.get("stop", "")
        warn(f"{what} did not converge" + (f" ({reason})" if reason else ""), ConvergenceWarning)
    for text in texts:
        if text not in of_the_end:
            warn(text)
        elif not interrupted:
            warn(text, ConvergenceWarning)


def encode_labels(y):
    """The sorted labels, and the place of each row's label among them, as int32."""
    if y.dtype.kind in "iu" and len(y) and int(y.max()) - int(y.min()) < 1000:
        low = y.min()  # counted, not sorted: a tenth of the time
        place = np.subtract(y, low, dtype=np.int32, casting="unsafe")
        present = np.zeros(int(y.max()) - int(low) + 1, dtype=bool)
        present[place] = True
        classes = np.flatnonzero(present).astype(y.dtype) + low  # modulo the range of the type, as the difference was
        return classes, place if present.all() else (np.cumsum(present, dtype=np.int32) - 1)[place]
    try:
        check_classification_targets(y)
        classes, place = np.unique(y, return_inverse=True)
    except TypeError:  # labels that cannot be compared
        kinds = sorted({type(label).__name__ for label in y})
        raise ValueError(f"y: labels must be of one kind, and are of {', '.join(kinds)}") from None
    return classes, place.astype(np.int32)


def refuse_missing_labels(y):
    """An error that names the first row whose label is missing, of a series or of objects."""
    if getattr(y, "ndim", None) != 1:
        return
    if hasattr(y, "isna"):
        missing = np.asarray(y.isna())
    elif getattr(y, "dtype", None) == object:
        missing = np.array([label is None or type(label).__name__ == "NAType" or bool(label != label) for label in y])
    else:
        return
    if missing.any():
        raise ValueError(f"y: the label of row {np.argmax(missing) + 1} is missing: leave the row out")


def label_names(classes):
    """Labels as the text that a model file has."""
    return [str(c) for c in classes]


def labels_from_names(names):
    """Labels of a model file: truth values, whole numbers, numbers or text."""
    if list(names) == ["False", "True"]:
        return np.array([False, True])
    for kind in (int, float):
        try:
            values = [kind(name) for name in names]
        except ValueError:
            continue
        if [str(value) for value in values] == list(names):
            return np.array(values)
    return np.array(names)


def warn_of_regression(classes, rows):
    """Many different numbers as labels look like the y of a regression."""
    if classes.dtype.kind in "iuf":
        words = _core.regression_suspicion(label_names(classes), rows)
        if words:
            warn(f"y: {words}")


def row_numbers(rows, count):
    """Numbers of rows, given as such or as a mask of all rows."""
    rows = np.asarray(rows)
    if rows.dtype == bool:
        if rows.shape != (count,):
            raise ValueError(f"cv: a mask has shape {rows.shape}, and there are {count} rows")
        return np.flatnonzero(rows).astype(np.int64)
    if rows.size and rows.dtype.kind not in "iu":
        raise ValueError(f"cv: rows must be whole numbers or a mask, and are {rows.dtype}")
    return rows.astype(np.int64)


def share(value, name="return_interval"):
    """What a band holds, a number between 0 and 1."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Real):
        raise TypeError(f"{name} = {value!r}: it must be a number")
    if not 0 < value < 1:
        raise ValueError(f"{name} = {value!r}: it must be between 0 and 1")
    return float(value)


def whole(value, name, least):
    """A whole number that is at least this."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, Integral):
        raise TypeError(f"{name} = {value!r}: it must be a whole number")
    if value < least:
        raise ValueError(f"{name} = {value!r}: it must be at least {least}")
    return int(value)


def one_of(value, name, words):
    """A word among these."""
    if not (isinstance(value, str) and value in words):
        raise ValueError(f"{name} = {value!r}: it must be one of {', '.join(map(repr, words))}")
    return value


def one_dimension(values, name, dtype=None):
    """A number, (n,) or (n, 1) as an array of shape (n,)."""
    values = np.asarray(values, dtype=dtype)
    if values.ndim > 2 or (values.ndim == 2 and values.shape[1] != 1):
        raise ValueError(f"{name} must have shape (n,) or (n, 1), and has {values.shape}")
    return values.reshape(-1)


def yes_or_no(value, name):
    """A truth value."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {value!r}: it must be True or False")
    return bool(value)


def non_negative(weight):
    """Weights of rows, none of them below 0."""
    if weight is not None and np.any(weight < 0):
        row = np.flatnonzero(weight < 0)[0]
        raise ValueError(f"sample_weight: the weight of row {row + 1} is {weight[row]:g}: it must not be negative")
    return weight


def check_two_classes(classes, labels=None, weight=None):
    """Labels of one class teach nothing; those of rows without a weight, given labels and weights, are not counted."""
    among = ""
    if weight is not None:
        classes, among = np.unique(labels[weight > 0]), ", with a positive weight"
    if len(classes) < 2:
        found = f"there is 1 class, {classes[0]}{among}" if len(classes) else f"there is no row{among}"
        raise ValueError(f"y: rows of at least 2 classes are needed, and {found}")


def most_probable(values, classes):
    """The labels of log odds: those of the second class (n,), or of each class (n, classes)."""
    return classes[(values > 0).astype(int) if values.ndim == 1 else values.argmax(axis=1)]


def weight_array(sample_weight, X):
    """Weights as the library takes them, or None: every row counts once."""
    if sample_weight is None:
        return None
    return np.ascontiguousarray(_check_sample_weight(sample_weight, X, dtype=np.float64))


def readable(path):
    """The path as text; an OSError where it cannot be opened."""
    with open(path, "rb"):
        return os.fspath(path)


def save_model(model, path):
    """Writes a model of the library; an OSError where the file cannot be written."""
    try:
        model.save(os.fspath(path))
    except ValueError as error:
        raise OSError(str(error)) from None


@refuses_unknown_keywords
class ModelFile:
    """Model files, the same as those of the C++ library and the program.

    An estimator has `_read`, which reads the library's model, `_take`, which sets the attributes that come from it in a
    fit as well, and `_restore`, which sets the others.
    """

    def save(self, path):
        """Write the fitted model to a file; it is written completely or not at all.

        Parameters
        ----------
        path : str or path-like
            The program and the C++ library read the same file.
        """
        check_is_fitted(self)
        save_model(self.model_, path)

    def export(self, path, name=""):
        """Write the fitted model in a form that other programs run.

        Parameters
        ----------
        path : str or path-like
            Its ending names the form: '.onnx' (one input of float32 rows; the last output has the probabilities, or the
            estimate of a regression), '.h' (a function of C), '.sql' (a query) or '.json' (a table of numbers).
        name : str, default=''
            Name of the function of C, by default 'predict', or of the table that the query reads, by default 'input'. A
            name that a function of C or C++ cannot have is a ValueError.
        """
        check_is_fitted(self)
        _core.export_model(self.model_.to_json(), os.fspath(path), name)

    @classmethod
    def load(cls, path):
        """A fitted estimator from a model file.

        Parameters
        ----------
        path : str or path-like
            A file written by `save`, by the program or by the C++ library.

        Returns
        -------
        estimator : estimator of this class
            Labels that are all numbers are numbers again, even if they were the text of numbers, and 'False' and 'True'
            are truth values. Where the file of a calibration has several labels beside the positive one, the other class
            is 'not <label>'.
        """
        model = cls._read(readable(path))
        estimator = cls(**from_options(model.options))
        estimator._take(model)
        estimator._restore(model)
        return estimator

    def _restore(self, model):
        pass
