"""Estimators of Spark ML for the rows of a data frame.

The solver runs where `fit` is called; Spark's jobs answer its requests with sums over partitions, which tasks have
written to files beside their executor. Nothing else than tasks runs: what a lost executor held is computed again.
"""

import os
import pickle
import tempfile

import numpy as np
import pyarrow as pa
from pyspark.ml import Estimator, Model
from pyspark.ml.functions import array_to_vector
from pyspark.ml.linalg import VectorUDT
from pyspark.ml.param import Params
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.functions import arrow_udf

from . import _cluster, _cluster_fits, _core
from ._calibrator import MonotoneCalibrator
from ._classifier import LinkgisticClassifier
from ._documentation import documented
from ._options import share
from ._progress import PROGRESS_PARAMETERS
from ._regressor import MonotoneRegressor
from ._sklearn_names import in_python
from ._spark_params import parameters
from ._spark_predict import predicted
from ._spark_rows import rows_of, rows_of_vectors
from ._spark_tasks import facts_of

__all__ = [
    "SparkLinkgisticClassifier",
    "SparkLinkgisticClassifierModel",
    "SparkMonotoneCalibrator",
    "SparkMonotoneCalibratorModel",
    "SparkMonotoneRegressor",
    "SparkMonotoneRegressorModel",
]

_FEATURES = (
    "features_col",
    "str or list of str",
    "A column of vectors, of arrays or of numbers, or the names of columns of numbers.",
)
_ROWS = (
    ("label_col", "str", "The column of y."),
    ("weight_col", "str", "The column of weights; a weight of 2 counts the row twice, a weight of 0 leaves it out."),
    (
        "order_col",
        "str",
        "A column that orders the rows, with another value in each: the model then has the bytes of one that was fitted "
        "to the ordered rows on one machine.",
    ),
)
_PREDICTION = ("prediction_col", "str", "The column that predictions are written to; '' leaves it out.")
_CLASSES = (
    ("raw_prediction_col", "str", "The column of vectors of log odds, a number for each class; '' leaves it out."),
    ("probability_col", "str", "The column of vectors of probabilities; '' leaves it out."),
)
_INTERVAL = ("interval", "float", "Predictions have columns of credible bands with this probability.")


class _Columns(Params):
    """Columns of a frame by the names that parameters give."""

    def _value(self, name):
        return self.getOrDefault(name)

    def _column(self, frame, role):
        name = self._value(role)
        if name not in frame.columns:
            raise ValueError(f"{role} = {name!r}: the columns are {', '.join(frame.columns)}")
        return F.col(f"`{name}`"), frame.schema[name].dataType

    def _features(self, frame):
        """Features as one column of lists or of unwrapped vectors, and the names of plain columns."""
        given = self._value("features_col")
        names = [given] if isinstance(given, str) else list(given)
        unknown = [name for name in names if name not in frame.columns]
        if unknown or not names:
            raise ValueError(f"features_col = {given!r}: the columns are {', '.join(frame.columns)}")
        kinds = [frame.schema[name].dataType for name in names]
        columns = [F.col(f"`{name}`") for name in names]
        if isinstance(given, str) and isinstance(kinds[0], VectorUDT):
            return F.unwrap_udt(columns[0]), []
        if isinstance(given, str) and isinstance(kinds[0], T.ArrayType):
            single = isinstance(kinds[0].elementType, T.FloatType)
            return columns[0].cast("array<float>" if single else "array<double>"), []
        for name, kind in zip(names, kinds):
            if not isinstance(kind, (T.NumericType, T.BooleanType)):
                raise TypeError(f"features_col: column {name!r} is of type {kind.simpleString()}, and must be of numbers")
        single = all(isinstance(kind, T.FloatType) for kind in kinds)
        return F.array(*(column.cast("float" if single else "double") for column in columns)), names


# --- models ---


class _ModelWriter(MLWriter):
    """Parameters as Spark ML has them, and the model file of the library as the text file `model`."""

    def __init__(self, instance):
        super().__init__()
        self.instance = instance

    def saveImpl(self, path):
        local = self.instance.to_local()
        text = local.model_.to_json()
        kind = local.classes_.dtype.kind if hasattr(local, "classes_") else ""
        DefaultParamsWriter.saveMetadata(self.instance, path, self.sparkSession, extraMetadata={"labels": kind})
        frame = self.sparkSession.createDataFrame([(text.rstrip("\n"),)], "value string")
        frame.coalesce(1).write.text(os.path.join(path, "model"))


class _ModelReader(MLReader):
    def __init__(self, cls):
        super().__init__()
        self.cls = cls

    def load(self, path):
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        text = self.sparkSession.read.text(os.path.join(path, "model"), wholetext=True).first().value
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "model.json")
            with open(file, "w", encoding="utf-8") as out:
                out.write(text)
            local = self.cls._local.load(file)
        if metadata["labels"] == "U":
            local.classes_ = local.classes_.astype(np.str_)
        model = self.cls()
        model._keep(local)
        model._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(model, metadata)
        return model


class _SparkModel(_Columns, Model, MLWritable, MLReadable):
    """What the three models share."""

    _fitted = None

    def _keep(self, local):
        local.callback = None
        self._fitted = local
        return self

    def to_local(self):
        """The ordinary estimator, which predicts arrays and saves model files for the program."""
        return pickle.loads(pickle.dumps(self._fitted))

    def write(self):
        """Writes parameters and the library's model file into a folder."""
        return _ModelWriter(self)

    @classmethod
    def read(cls):
        """Reads what `write` has written."""
        return _ModelReader(cls)

    def _text_labels(self):
        return hasattr(self._fitted, "classes_") and self._fitted.classes_.dtype.kind not in "biuf"

    def _transform(self, dataset):
        features, _ = self._features(dataset)
        interval = self._value("interval")
        interval = None if interval is None else share(interval, "interval")
        local = self.to_local()
        if hasattr(local, "feature_names_in_"):
            del local.feature_names_in_  # rows come without names
        sent, name = pickle.dumps(local), self._value("features_col")
        label = "string" if self._text_labels() else "double"

        def predict(column: pa.Array) -> pa.Array:
            return predicted(sent, column, name, interval)

        kind = f"prediction {label}, raw array<double>, probability array<double>, lower array<double>, upper array<double>"
        found = F.col("_linkgistic")
        columns = self._predictions(found, interval)
        for column in columns:
            if column in dataset.columns:
                raise ValueError(f"the frame has a column {column!r} already: name another one for the predictions")
        with_all = dataset.withColumn("_linkgistic", arrow_udf(predict, kind)(features))
        return with_all.select(*(F.col(f"`{c}`") for c in dataset.columns), *(v.alias(c) for c, v in columns.items()))

    def _named(self, columns):
        """Columns by their names, without those that are to be left out."""
        return {name: column for name, column in columns if name}


class _ProbabilityModel(_SparkModel):
    """A model of classes."""

    def _predictions(self, found, interval):
        probability = self._value("probability_col")
        columns = [
            (self._value("raw_prediction_col"), array_to_vector(found["raw"])),
            (probability, array_to_vector(found["probability"])),
            (self._value("prediction_col"), found["prediction"]),
        ]
        if interval is not None and probability:
            for side in ("lower", "upper"):
                band = found[side]
                two = len(self._fitted.classes_) == 2
                columns.append((f"{probability}_{side}", band[0] if two else array_to_vector(band)))
        return self._named(columns)


class _SparkEstimator(_Columns, Estimator, DefaultParamsWritable, DefaultParamsReadable):
    """What the three estimators share."""

    def _fit(self, dataset):
        given = {name: self._value(name) for name in (*self._options, "verbose")}
        local = self._local(**given, callback=self.callback)
        self._learn(dataset, local)
        return self._copyValues(self._model()._keep(local))

    def _rows(self, dataset, label_type, dense=False):
        """The partitions of features, label and weight; with `order_col` in its order."""
        features, _ = self._features(dataset)
        label, kind = self._column(dataset, "label_col")
        if not isinstance(kind, (T.NumericType, T.BooleanType, T.StringType)):
            raise TypeError(f"label_col: it is of type {kind.simpleString()}, and must be of numbers or text")
        if label_type is not None or isinstance(kind, T.DecimalType):
            label = label.cast(label_type or "double")
        names = {"features": self._value("features_col"), "label": self._value("label_col")}
        columns = [features.alias("features"), label.alias("label")]
        if self._value("weight_col"):
            columns.append(self._column(dataset, "weight_col")[0].cast("double").alias("weight"))
            names["weight"] = self._value("weight_col")
        if self._value("order_col"):
            columns.append(self._column(dataset, "order_col")[0].alias("order"))
            names["order"] = self._value("order_col")
        frame = dataset.select(*columns)
        frame = frame.withColumn("hash", F.xxhash64(*(F.col(c) for c in frame.columns)))
        return rows_of(frame.orderBy("order") if "order" in names else frame, names, dense)

    def _roles(self, **roles):
        named = {role: self._value(name) for role, name in roles.items()}
        return {role: name for role, name in named.items() if isinstance(name, str) and name}


_OF_MODEL = {"features_col": "features", "prediction_col": "prediction", "interval": None}
_OF_CLASSES = {"raw_prediction_col": "rawPrediction", "probability_col": "probability"}
_OF_SCORES = {
    "features_col": "rawPrediction",
    "prediction_col": "calibratedPrediction",
    "raw_prediction_col": "calibratedRawPrediction",
    "probability_col": "calibratedProbability",
}
_OF_FIT = {"label_col": "label", "weight_col": None, "order_col": None, "verbose": 0}
_TEXTS = (_FEATURES, *_ROWS, _PREDICTION, *_CLASSES, _INTERVAL, *PROGRESS_PARAMETERS)


@documented(_TEXTS)
@parameters(_TEXTS, {}, **_OF_MODEL, **_OF_CLASSES)
class SparkLinkgisticClassifierModel(_ProbabilityModel):
    """A fitted `SparkLinkgisticClassifier`; `to_local()` has coefficients, links and losses.

    Labels that are numbers are predicted as doubles, as those of Spark ML are; other labels as text. Places in the
    vectors are those of the sorted labels. With `interval` there are `probability_lower` and `probability_upper`: of two
    classes those of the second one, as doubles, and of a softmax vectors.

    Attributes
    ----------
    uid : str
        Its name in saved pipelines.
    """

    _local = LinkgisticClassifier


@documented((*in_python(_core.classifier_parameters()), *_TEXTS))
@parameters((*in_python(_core.classifier_parameters()), *_TEXTS), _core.classifier_defaults(), **_OF_MODEL, **_OF_CLASSES, **_OF_FIT)
class SparkLinkgisticClassifier(_SparkEstimator):
    """`LinkgisticClassifier` of the rows of a Spark frame.

    Attributes
    ----------
    callback : callable or None
        As it was given.
    """

    _local = LinkgisticClassifier
    _model = SparkLinkgisticClassifierModel

    def _learn(self, dataset, local):
        _cluster_fits.check_classifier(local)
        _, names = self._features(dataset)
        with self._rows(dataset, None) as rows:
            facts = rows_of_vectors(rows, rows.each(facts_of))
            _cluster_fits.fit_classifier(local, rows, facts, names)


@documented(_TEXTS)
@parameters(_TEXTS, {}, **_OF_MODEL)
class SparkMonotoneRegressorModel(_SparkModel):
    """A fitted `SparkMonotoneRegressor`. With `interval` there are columns `lower` and `upper`.

    Attributes
    ----------
    uid : str
        Its name in saved pipelines.
    """

    _local = MonotoneRegressor

    def _predictions(self, found, interval):
        columns = [(self._value("prediction_col"), found["prediction"])]
        if interval is not None:
            columns += [(side, found[side][0]) for side in ("lower", "upper")]
        return self._named(columns)


@documented((*in_python(_core.regression_parameters()), *_TEXTS))
@parameters((*in_python(_core.regression_parameters()), *_TEXTS), _core.regression_defaults(), **_OF_MODEL, **_OF_FIT)
class SparkMonotoneRegressor(_SparkEstimator):
    """`MonotoneRegressor` of the rows of a Spark frame.

    Attributes
    ----------
    callback : callable or None
        As it was given.
    """

    _local = MonotoneRegressor
    _model = SparkMonotoneRegressorModel

    def _learn(self, dataset, local):
        _cluster_fits.check_regressor(local, "SparkMonotoneCalibrator")
        columns = self._roles(x="features_col", y="label_col", weight="weight_col")
        with self._rows(dataset, "double", dense=True) as rows:
            _cluster_fits.fit_regressor(local, rows, rows.each(_length_of_one), columns)


@documented(_TEXTS)
@parameters(_TEXTS, {}, **{**_OF_MODEL, **_OF_SCORES})
class SparkMonotoneCalibratorModel(_ProbabilityModel):
    """A fitted `SparkMonotoneCalibrator`; its columns are those of `SparkLinkgisticClassifierModel`.

    Attributes
    ----------
    uid : str
        Its name in saved pipelines.
    """

    _local = MonotoneCalibrator


@documented((*in_python(_core.calibrator_parameters()), *_TEXTS))
@parameters((*in_python(_core.calibrator_parameters()), *_TEXTS), _core.calibrator_defaults(), **{**_OF_MODEL, **_OF_SCORES}, **_OF_FIT)
class SparkMonotoneCalibrator(_SparkEstimator):
    """`MonotoneCalibrator` of the scores of a Spark frame: raw predictions or probabilities of a classifier.

    Two classes are calibrated where the scores are; of more, the scores come to the driver.

    Attributes
    ----------
    callback : callable or None
        As it was given.
    """

    _local = MonotoneCalibrator
    _model = SparkMonotoneCalibratorModel

    def _learn(self, dataset, local):
        columns = self._roles(label="label_col", weight="weight_col")
        _, names = self._features(dataset)
        with self._rows(dataset, None, dense=True) as rows:
            _cluster_fits.fit_calibrator(local, rows, rows.each(_cluster_fits.score_facts), names, columns)


def _length_of_one(block):
    """The number of rows of one feature."""
    if block[0].shape[1] != 1:
        raise ValueError(f"features_col: there must be one number in a row, and there are {block[0].shape[1]}")
    return _cluster.length(block)
