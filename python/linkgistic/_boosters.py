"""What XGBoost and LightGBM need to be trained on a loss of ours: where scores begin, and metrics of probabilities.

Under an objective of its user, XGBoost takes the sigmoid of the scores for probabilities, and LightGBM the scores
themselves; their metrics do the same. Each class below has one library's names for the same few things.
"""

import inspect

import numpy as np
from sklearn.utils.validation import _num_samples

_RANKS = ("auc", "aucpr", "average_precision", "map", "ndcg", "pre")  # any increasing map leaves them alone


def booster_of(estimator):
    """The class below that knows an estimator."""
    for base in type(estimator).__mro__:
        for known in (XGBoost, LightGBM):
            if base.__name__ == known.classifier and base.__module__.split(".")[0] == known.package:
                return known
    raise TypeError(
        f"estimator: a {type(estimator).__name__} is not known here, give an XGBClassifier or an LGBMClassifier"
    )


class LogLoss:
    """The mean negative log likelihood of labels, given scores of a loss."""

    __name__ = "log_loss"

    def __init__(self, loss):
        self.loss = loss

    def __call__(self, y_true, scores, sample_weight=None):
        return _mean(self.loss._row_losses(y_true, scores), sample_weight)


class Error:
    """The share of labels that are not the most probable one, given scores of a loss."""

    __name__ = "error"

    def __init__(self, loss):
        self.loss = loss

    def __call__(self, y_true, scores, sample_weight=None):
        return _mean(self.loss._probabilities(scores).argmax(axis=1) != np.ravel(y_true), sample_weight)


def _mean(values, weight):
    return np.average(values, weights=weight if weight is not None and np.size(weight) else None)


class LightGBMLogLoss(LogLoss):
    """The same as LightGBM calls it: name, value, and whether more is better."""

    def __call__(self, y_true, scores, sample_weight):
        return self.__name__, super().__call__(y_true, scores, sample_weight), False


class LightGBMError(Error):
    """The same as LightGBM calls it: name, value, and whether more is better."""

    def __call__(self, y_true, scores, sample_weight):
        return self.__name__, super().__call__(y_true, scores, sample_weight), False


class OfProbabilities:
    """A user's metric of labels and probabilities, as one of labels and scores."""

    def __init__(self, metric, loss):
        self.metric, self.loss = metric, loss
        self.__name__ = getattr(metric, "__name__", type(metric).__name__)
        self.__signature__ = inspect.signature(metric)  # LightGBM counts its parameters

    def __call__(self, y_true, scores, *more, **named):
        return self.metric(y_true, self.loss.predict_proba(scores), *more, **named)


def _metrics_of(given, loss, ours):
    """Metrics of scores for what a user gave: names of metrics, and functions of labels and probabilities."""
    found = []
    ranks = _RANKS if loss.n_classes == 2 else ()
    for metric in given:
        if callable(metric):
            found.append(OfProbabilities(metric, loss))
        elif metric in ours:
            found.append(ours[metric](loss))
        elif isinstance(metric, str) and metric.partition("@")[0] in ranks:
            found.append(metric)
        else:
            known = ", ".join(map(repr, sorted({*ours, *ranks})))
            raise ValueError(f"eval_metric = {metric!r}: under a learned loss it is a function or one of {known}")
    return found or [ours["logloss"](loss)]


def _as_list(given):
    """Nothing, one thing or a list of things."""
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def beginning(start, rows):
    """Where the scores of rows begin: a number, or one for each class, for every row."""
    return np.tile(start, (rows,) + (1,) * np.ndim(start))


_NOT_READ = "has no effect under an objective like this one: give sample_weight"
_BEGINS = "would be where the scores begin, which are those of the shares of the classes"


class XGBoost:
    """XGBClassifier: the margins are the scores."""

    package, classifier = "xgboost", "XGBClassifier"
    objectives = (None, "binary:logistic", "multi:softprob", "multi:softmax")
    start, eval_start = "base_margin", "base_margin_eval_set"
    refused = ("base_margin", "base_margin_eval_set", "xgb_model")
    settings = {"scale_pos_weight": (None, 1), "base_score": (None,)}
    why = {"scale_pos_weight": _NOT_READ, "base_score": _BEGINS}
    metrics = {**dict.fromkeys(("logloss", "mlogloss"), LogLoss), **dict.fromkeys(("error", "merror"), Error)}

    @staticmethod
    def prepared(estimator, loss, fit_params):
        """Sets objective and metrics."""
        metrics = _metrics_of(_as_list(estimator.eval_metric), loss, XGBoost.metrics)
        estimator.set_params(
            objective=loss.xgboost_objective(),
            eval_metric=metrics[0] if len(metrics) == 1 else metrics,
            disable_default_eval_metric=True,
        )
        return fit_params

    @staticmethod
    def evaluation(sets, known):
        """Pairs of rows and labels, as `fit` takes them."""
        return {"eval_set": sets}

    @staticmethod
    def scores(estimator, X, start):
        return estimator.predict(X, output_margin=True, base_margin=beginning(start, _num_samples(X)))


class LightGBM:
    """LGBMClassifier: what it predicts, after the beginning is added, are the scores."""

    package, classifier = "lightgbm", "LGBMClassifier"
    objectives = (None, "binary", "multiclass")
    start, eval_start = "init_score", "eval_init_score"
    refused = ("init_score", "eval_init_score", "init_model", "eval_class_weight")
    settings = {"scale_pos_weight": (None, 1), "is_unbalance": (None, False)}
    why = {"scale_pos_weight": _NOT_READ, "is_unbalance": _NOT_READ}
    metrics = {
        **dict.fromkeys(("logloss", "binary_logloss", "multi_logloss"), LightGBMLogLoss),
        **dict.fromkeys(("error", "binary_error", "multi_error"), LightGBMError),
    }

    @staticmethod
    def prepared(estimator, loss, fit_params):
        """Sets the objective; the metrics are a keyword of `fit`, and the default one is switched off."""
        given = _as_list(fit_params.get("eval_metric")) + _as_list(estimator.get_params().get("metric"))
        metrics = _metrics_of([metric for metric in given if metric != "None"], loss, LightGBM.metrics)
        # Of few rows LightGBM would leave out every feature, and then fails under an objective that it is given.
        settings = {"feature_pre_filter": False, **estimator.get_params()}
        settings |= {"objective": loss.lightgbm_objective(), "metric": "None"}
        estimator.set_params(**settings)
        return {**fit_params, "eval_metric": metrics}

    @staticmethod
    def evaluation(sets, known):
        """Pairs of rows and labels, as `fit` takes them."""
        if "eval_X" not in known:
            return {"eval_set": sets}
        return {"eval_X": tuple(rows for rows, _ in sets), "eval_y": tuple(labels for _, labels in sets)}

    @staticmethod
    def scores(estimator, X, start):
        return start + estimator.predict(X, raw_score=True)

