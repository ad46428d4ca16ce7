"""Fits of rows that other processes hold, for any engine: facts, pieces on the grid, plan, requests.

The rows of an engine are an object with these verbs. A part of them stays where it is; only results come here.

    each(function, *arguments)            function(part, *arguments) of every part, in order
    map(function, *arguments, own=None)   rows whose parts the function makes; own[i] is one more argument of part i
    pieces(lengths, block_rows)           rows cut on the grid of the sums, as `_cluster.Piece`, in place of these rows
    merged(function, merge, *arguments)   the results of every part, merged along a tree; only its root comes here
    asked(function, merge, *arguments)    a function that sends a request to every part and gives the merged answer
    stacked()                             the columns of all rows, here
    interrupts                            what a Ctrl-C does, an `Interrupts`
"""

from numbers import Integral

import numpy as np
from scipy import sparse

from . import _cluster, _core, _sklearn_names
from ._options import check_two_classes, label_names, options_of, report, warn_of_regression
from ._progress import progress_callback
from ._rows import class_weights


class Interrupts:
    """The first Ctrl-C does not leave a request unanswered: the fit ends after it with the best model so far."""

    def __init__(self):
        self.interrupted = False

    def result(self, call):
        try:
            return call()
        except KeyboardInterrupt:
            if self.interrupted:
                raise
            self.interrupted = True
            return call()

    def told(self, told):
        """A progress callback that ends the fit after a Ctrl-C."""

        def tell(progress):
            if told is not None:
                told(progress)
            if self.interrupted:
                raise KeyboardInterrupt

        return tell


def check_classifier(estimator):
    """Parameters that only rows of this process allow."""
    if not (estimator.cv is None or isinstance(estimator.cv, Integral)):
        raise ValueError(f"cv = {estimator.cv!r}: it must be a number of parts here")


def check_regressor(estimator, instead):
    """Where rows are x, y and weights alone."""
    if estimator.response in ("bernoulli", "binomial"):
        raise ValueError(
            f"response = {estimator.response!r}: its labels and trials are not distributed; a {instead} or a "
            "MonotoneRegressor takes them"
        )


def threads_of(estimator):
    """Of a task: one, if the user gives no number."""
    return 1 if estimator.n_jobs is None else _sklearn_names.threads_of(estimator.n_jobs)


def every(piece, step):
    """The rows whose numbers are multiples of the step."""
    return piece.columns[0][-piece.first_row % step :: step]


def fit_classifier(estimator, rows, facts, names, encoding=None):
    """Fits a `LinkgisticClassifier` to rows whose parts are X, labels and perhaps weights.

    `facts` are those of `_cluster.block_facts` of each part, `names` those of the columns, or none. `encoding` is the
    `_cluster_text.Encoding` that has made X of a frame.
    """
    if sum(f["rows"] for f in facts) <= _core.few_rows:
        return _fit_few(estimator, rows.stacked(), names)
    facts = _cluster.join_facts(facts)
    check_two_classes(facts["classes"])
    warn_of_regression(facts["classes"], facts["rows"])
    model, interrupted = _ask_for_classifier(estimator, rows, facts, names, encoding)
    estimator.classes_ = facts["classes"]
    estimator.n_features_in_ = facts["columns"]
    if encoding is not None:
        names = encoding.names
        estimator.n_features_in_ = len(names)
    if names:
        estimator.feature_names_in_ = np.array(names, dtype=object)
    elif hasattr(estimator, "feature_names_in_"):
        del estimator.feature_names_in_
    estimator._take(model)
    report(estimator.summary_, "the fit", interrupted)


def _fit_few(estimator, columns, names):
    """Few rows are fitted in this process: equal ones are merged first, which needs all of them."""
    if not columns:
        raise ValueError("there are no rows")
    X = columns[0]
    if names and not sparse.issparse(X) and not hasattr(X, "dtypes"):
        import pandas

        X = pandas.DataFrame(X, columns=names)
    estimator.fit(X, *columns[1:])


def _ask_for_classifier(estimator, rows, facts, names, encoding):
    classes, threads = facts["classes"], threads_of(estimator)
    options = options_of(estimator, _core.classifier_defaults())
    if "class_weights" in options:
        options["class_weights"] = class_weights(options["class_weights"], classes)
    class_names = label_names(classes)
    shape = (facts["rows"], facts["columns"], facts["entries"], facts["sparse"], len(classes))
    pieces = rows.pieces(facts["lengths"], _core.classifier_block_rows(shape)).map(_cluster.encode_piece, classes)
    ranks = pieces.each(_cluster.piece_ranks, len(classes))
    raw = _sums(pieces, np.ones(len(classes)), threads)
    factors = _core.class_factors(class_names, raw[: len(classes)].copy(), options)
    totals = _sums(pieces, factors, threads) if (factors != 1).any() else raw
    origin = raw[len(classes) + 1 :] / facts["rows"] if facts["double"] else np.empty(0)
    if encoding is not None:
        origin[~encoding.numbers] = 0
    plan = _core.classifier_plan(shape, facts["class_rows"], factors, origin, options)
    before = np.concatenate([np.zeros((1, len(classes)), np.uint64), np.cumsum(ranks, axis=0, dtype=np.uint64)])
    if encoding is None:
        medians = _medians(pieces, facts, names)
    else:
        pieces = encoding.stored(pieces, origin)
        facts = {**facts, "double": False}
        medians = encoding.medians(pieces, facts["rows"], origin)
    pivot = _pivot(pieces, facts, origin)
    planned = pieces.map(_cluster.PlannedPiece, plan, threads, own=before[:-1])
    ask = planned.asked(_cluster.answer_classifier, _cluster.merge_answers)
    del pieces, planned
    with progress_callback(estimator.verbose, estimator.callback) as told:
        return _core.fit_classifier_by(
            plan,
            facts["class_rows"],
            class_names,
            names if encoding is None else [],
            None if encoding is None else encoding.message,
            medians,
            totals[: len(classes)].copy(),
            int(totals[len(classes)]),
            facts["bytes"],
            pivot,
            options,
            ask,
            rows.interrupts.told(told),
        )


def _sums(pieces, factors, threads):
    """Weights of the classes, times factors, number of rows and sums of the columns."""
    return _core.total_sums(pieces.merged(_cluster.piece_sums, _cluster.merge_sums, factors, threads))


def _pivot(pieces, facts, origin):
    """The first row, about which moments are taken."""
    if facts["sparse"]:
        return np.zeros(facts["columns"])
    pivot = pieces.each(_cluster.first_row_of)[0]
    return (pivot - origin).astype(np.float32).astype(np.float64) if facts["double"] else pivot


def _medians(pieces, facts, names):
    """They stand for missing values when the program reads a table."""
    if not names or facts["sparse"]:
        return None
    some = np.concatenate(pieces.each(every, -(-facts["rows"] // 16384)))
    return np.array([np.median(some[:, j]) for j in range(some.shape[1])], dtype=np.float64)


def fit_regressor(estimator, rows, lengths, columns, beside=("weight",)):
    """Fits a `MonotoneRegressor` to rows whose parts are x, y and perhaps more: `beside` says which, in order.

    `columns` are names by role. The response 'bernoulli' takes labels, the others take numbers.
    """
    if not sum(lengths):
        raise ValueError("there are no rows")
    options = options_of(estimator, _core.regression_defaults())
    classes = None
    if estimator.response == "bernoulli":
        classes = _two_labels([labels for labels in rows.each(_labels) if len(labels)])
        columns = {**columns, **dict(zip(("negative 1", "positive"), label_names(classes)))}
    pieces = rows.pieces(lengths, _core.regression_block_rows).map(_cluster.as_regression_piece, classes)
    ask = pieces.asked(
        _cluster.answer_regression,
        _cluster.merge_regression_answers,
        estimator.response,
        threads_of(estimator),
        tuple(beside),
    )
    del pieces
    with progress_callback(estimator.verbose, estimator.callback) as told:
        model, interrupted = _core.fit_regression_by(options, ask, rows.interrupts.told(told))
    estimator._take(model.with_columns(columns))
    report(estimator.summary_, "the fit", interrupted)


def _labels(block):
    if block[1].dtype.kind == "f" and not np.isfinite(block[1]).all():
        raise ValueError("y: a label is missing or infinite")
    return np.unique(block[1])


def _two_labels(found):
    classes = np.unique(np.concatenate(found))
    if len(classes) != 2:
        shown = ", ".join(map(repr, classes[:5])) + (", ..." if len(classes) > 5 else "")
        raise ValueError(f"y: the response 'bernoulli' takes two labels, and there are {len(classes)}: {shown}")
    return classes


def score_facts(block):
    """Rows, labels, whether two columns are probabilities of both classes, and how many columns there are."""
    scores = block[0]
    _cluster.length(block)
    two = scores.ndim == 2 and scores.shape[1] == 2
    good = two and bool(np.all((scores >= 0) & (scores <= 1)) and np.all(np.abs(scores.sum(axis=1) - 1) <= 0.01))
    return scores.shape[0], np.unique(block[1]), good, scores.shape[1] if scores.ndim == 2 else 1


def fit_calibrator(estimator, rows, facts, names, columns):
    """Fits a `MonotoneCalibrator` to rows whose parts are scores, labels and perhaps weights.

    `facts` are those of `score_facts` of each part, `names` those of the scores, `columns` those of the others by role.
    """
    full = [f for f in facts if f[0]]
    if not full:
        raise ValueError("there are no rows")
    classes = np.unique(np.concatenate([f[1] for f in full]))
    check_two_classes(classes)
    if len(classes) > 2:
        estimator.fit(*rows.stacked())
        return
    options = options_of(estimator, _core.calibrator_defaults())
    kind = options.get("score_kind", "auto")
    if kind == "auto" and full[0][3] == 2:
        kind = "probability" if all(f[2] for f in full) else "decision"
    if kind == "decision":
        options["score_kind"] = kind
    pieces = rows.pieces([f[0] for f in facts], _core.score_block_rows).map(_cluster.as_score_piece, classes, kind)
    ask = pieces.asked(_cluster.answer_scores, _cluster.merge_score_answers)
    del pieces
    model = _core.fit_calibrator_by(options, ask)
    names = names[1:] if len(names) == 2 and kind == "probability" else names
    if len(names) == 1:
        columns = {**columns, "score": names[0]}
    negative, positive = label_names(classes)
    columns = {"score": "score", "label": "label", **columns, "negative 1": negative, "positive": positive}
    estimator.classes_ = classes
    estimator._take(model.with_columns(columns))
    report(estimator.summary_, "the calibration")
