"""Spark: the bytes of one machine's model where a column orders the rows, also when an executor is killed."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("there is no Java", allow_module_level=True)

from pyspark.ml import Pipeline
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.tuning import CrossValidator, ParamGridBuilder
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor
from linkgistic.spark import (
    SparkLinkgisticClassifier,
    SparkLinkgisticClassifierModel,
    SparkMonotoneCalibrator,
    SparkMonotoneRegressor,
)

ROWS = 21_500
QUICK = {"l2": 2.0, "v": 0.1, "max_iter": 1, "harmonics": 4, "max_passes": 5}
PACKAGE = str(Path(__file__).parents[1])
NAMES = list("abcde")


@pytest.fixture(scope="module")
def spark():
    """Two executors, each a process of one core."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([PACKAGE, os.environ.get("PYTHONPATH", "")])
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", False)
        .config("spark.ui.showConsoleProgress", False)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.adaptive.coalescePartitions.enabled", False)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def text(estimator):
    """The model file, without the times that fits took."""
    return re.sub(r'"seconds[^,\n]*', "", estimator.model_.to_json())


def table(classes=2):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 5)) * [1, 2, 3, 4, 5] + 3
    score = X[:, 0] - X[:, 1] / 2 + rng.logistic(size=ROWS)
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    return pd.DataFrame(X, columns=NAMES).assign(y=y, w=rng.random(ROWS).round(3), n=np.arange(ROWS))


def mixed(spark, frame):
    """The rows in another order, in partitions of which at least one is empty."""
    return spark.createDataFrame(frame.sample(frac=1, random_state=0)).repartition(4, F.col("n") % 3)


def cut(spark, frame, lengths):
    """The rows in their order, in partitions of these lengths."""
    ends = np.cumsum(lengths)
    parts = [frame.iloc[e - n : e] for n, e in zip(lengths, ends)]
    rdd = spark.sparkContext.parallelize(parts, len(parts)).flatMap(lambda part: part.to_numpy().tolist())
    return spark.createDataFrame(rdd, ", ".join(f"`{name}` double" for name in frame.columns))


@pytest.mark.parametrize("kind", ["columns", "sparse", "softmax", "chosen"])
def test_an_ordered_classifier_has_the_bytes_of_one_machine(spark, kind):
    frame = table(3 if kind == "softmax" else 2)
    options, given, X, w = dict(QUICK), {"features_col": NAMES}, frame[NAMES], []
    if kind == "columns":
        given["weight_col"], w = "w", [frame.w]
    if kind == "softmax":
        options.update(class_weight="balanced")
        frame.y = np.array(["low", "mid", "high"])[frame.y]
    if kind == "chosen":
        options.update(l2=None, v=None, standardize="on", cv=2)
    rows = mixed(spark, frame)
    if kind == "softmax":
        rows = rows.withColumn("x", F.array(*(F.col(name).cast("float") for name in NAMES)))
        given, X = {"features_col": "x"}, X.to_numpy(np.float32)
    if kind == "sparse":
        X = sparse.csr_matrix(np.where(X > 5, X, 0))
        assert 2 * X.nnz < X.shape[0] * X.shape[1]
        zeroed = rows.select("y", "n", *(F.when(F.col(c) > 5, F.col(c)).otherwise(0.0).alias(c) for c in NAMES))
        rows = VectorAssembler(inputCols=NAMES, outputCol="x").transform(zeroed)
        given = {"features_col": "x"}
    whole = LinkgisticClassifier(**options).fit(X, frame.y, *w)
    model = SparkLinkgisticClassifier(label_col="y", order_col="n", **given, **options).fit(rows)
    assert text(model.to_local()) == text(whole)
    found = model.transform(rows, {model.interval: 0.9}).toPandas().sort_values("n")
    p, lower, upper = whole.predict_proba(X, return_interval=0.9)
    np.testing.assert_allclose(np.stack([v.toArray() for v in found.probability]), p, rtol=1e-6)
    if kind == "softmax":
        assert (found.prediction == whole.predict(X)).all()
        np.testing.assert_allclose(np.stack([v.toArray() for v in found.probability_upper]), upper, rtol=1e-6)
    else:
        assert (found.prediction == found.prediction.round()).all() and found.prediction.dtype == np.float64
        np.testing.assert_allclose(found.probability_lower, lower, rtol=1e-5)
        log_odds = np.stack([v.toArray() for v in found.rawPrediction])
        np.testing.assert_allclose(log_odds[:, 1], whole.decision_function(X), rtol=1e-4, atol=1e-6)


def test_partitions_may_be_empty_or_have_one_row(spark):
    """Rows that were not shuffled keep their order, and then give the bytes of one machine."""
    frame = table()
    whole = LinkgisticClassifier(**QUICK).fit(frame[NAMES], frame.y.astype(float), frame.w)
    estimator = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", weight_col="w", **QUICK)
    assert text(estimator.fit(cut(spark, frame, [0, 1, 4095, 1, 9000, 0, 8403])).to_local()) == text(whole)
    few = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", **QUICK).fit(cut(spark, frame[:900], [0, 1, 899]))
    assert text(few.to_local()) == text(LinkgisticClassifier(**QUICK).fit(frame[NAMES][:900], frame.y[:900].astype(float)))


def test_answers_of_many_partitions_are_merged_in_a_tree(spark):
    frame, options = table(), {"l2": 2.0, "prior": "none", "max_passes": 5}
    rows = cut(spark, frame, [500] * 9 + [ROWS - 4500])
    fitted = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", **options).fit(rows)
    assert text(fitted.to_local()) == text(LinkgisticClassifier(**options).fit(frame[NAMES], frame.y.astype(float)))


def test_refits_of_shuffled_rows_without_an_order_are_equal(spark):
    rows = mixed(spark, table()).cache()
    estimator = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", **QUICK)
    first = text(estimator.fit(rows).to_local())
    assert text(estimator.fit(rows).to_local()) == first
    rows.unpersist()
    assert text(estimator.fit(rows).to_local()) == first


def test_regressions_and_calibrations_have_the_bytes_of_one_machine(spark):
    rng = np.random.default_rng(2)
    n = 70_000
    frame = pd.DataFrame({"x": rng.normal(size=n).round(3), "w": rng.random(n).round(3), "n": np.arange(n)})
    frame["y"] = np.tanh(frame.x) + 0.1 * rng.normal(size=n)
    frame["label"] = np.where(rng.random(n) < 1 / (1 + np.exp(-2 * frame.x)), "yes", "no")
    rows = mixed(spark, frame)
    options = {"harmonics": 3, "increasing": True}
    curve = SparkMonotoneRegressor(features_col="x", label_col="y", weight_col="w", order_col="n", interval=0.9, **options)
    whole = MonotoneRegressor(**options).fit(frame.x, frame.y, frame.w)
    model = curve.fit(rows)
    assert text(model.to_local()) == text(whole)
    found = model.transform(rows.filter("n < 100")).toPandas().sort_values("n")
    np.testing.assert_array_equal(found.lower, whole.predict(frame.x[:100], return_interval=0.9)[1])
    with pytest.raises(ValueError, match="response = 'bernoulli'"):
        SparkMonotoneRegressor(features_col="x", response="bernoulli").fit(rows)
    calibrator = SparkMonotoneCalibrator(features_col="x", weight_col="w", order_col="n", harmonics=3)
    whole = MonotoneCalibrator(harmonics=3).fit(frame.x, frame.label, frame.w)
    model = calibrator.fit(rows)
    assert text(model.to_local()) == text(whole)
    found = model.transform(rows.filter("n < 100")).toPandas().sort_values("n")
    assert (found.calibratedPrediction == whole.predict(frame.x[:100])).all()


LOADS = """
import sys
from pyspark.ml import PipelineModel
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
rows = PipelineModel.load(sys.argv[1]).transform(spark.read.parquet(sys.argv[2]))
rows.select("n", "prediction", "probability", "rawPrediction").write.parquet(sys.argv[3])
"""


def test_pipelines_searches_and_files(spark, tmp_path):
    frame = table().iloc[:900]
    rows = spark.createDataFrame(frame).repartition(2, "n")
    classifier = SparkLinkgisticClassifier(label_col="y", order_col="n", features_col="x", v=0.1, max_iter=1)
    pipeline = Pipeline(stages=[VectorAssembler(inputCols=NAMES, outputCol="x"), classifier])
    grid = ParamGridBuilder().addGrid(classifier.l2, [0.5, 1e7]).build()
    area = BinaryClassificationEvaluator(labelCol="y")
    search = CrossValidator(estimator=pipeline, estimatorParamMaps=grid, evaluator=area, numFolds=2, seed=1).fit(rows)
    assert search.avgMetrics[0] > search.avgMetrics[1] > 0.4
    best = search.bestModel.stages[1]
    assert best.to_local().l2_ == 0.5
    found = search.bestModel.transform(rows)
    assert MulticlassClassificationEvaluator(labelCol="y", metricName="logLoss").evaluate(found) < 0.69
    pipeline.write().overwrite().save(str(tmp_path / "pipeline"))
    again = Pipeline.load(str(tmp_path / "pipeline")).getStages()[1]
    assert again.getOrDefault("v") == 0.1 and again.getOrDefault("order_col") == "n" and again.uid == classifier.uid
    search.bestModel.save(str(tmp_path / "model"))
    rows.write.parquet(str(tmp_path / "rows"))
    files = [str(tmp_path / name) for name in ("model", "rows", "found")]
    subprocess.run([sys.executable, "-c", LOADS, *files], check=True, capture_output=True, timeout=120)
    columns = ["prediction", "probability", "rawPrediction"]
    loaded = spark.read.parquet(files[2]).orderBy("n").toPandas()
    assert loaded[columns].equals(found.orderBy("n").select(columns).toPandas())
    named = best.copy({best.probability_col: "p", best.raw_prediction_col: ""}).transform(found.drop("prediction"))
    assert "p" in named.columns and "rawPrediction" in named.columns
    texts = spark.createDataFrame(frame.assign(t=np.where(frame.y, "2", "1")))
    by_text = SparkLinkgisticClassifier(features_col=NAMES, label_col="t", **QUICK).fit(texts)
    by_text.save(str(tmp_path / "text"))
    assert SparkLinkgisticClassifierModel.load(str(tmp_path / "text")).transform(texts).first().prediction in ("1", "2")
    LinkgisticClassifier.load(next((tmp_path / "text" / "model").glob("part-*")))  # a model file as the program reads it


def test_errors_name_the_row_and_leave_the_session_usable(spark):
    frame = table()
    ordered = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", weight_col="w", order_col="n", **QUICK)
    where = F.col("n") == 15_000

    def fails(estimator, rows, match, kind=ValueError):
        with pytest.raises(kind, match=match):
            estimator.fit(rows)

    rows = mixed(spark, frame)
    fails(ordered, rows.withColumn("c", F.when(where, F.lit(float("nan"))).otherwise(F.col("c"))), "n is 15000: c is nan")
    fails(ordered, rows.withColumn("c", F.when(~where, F.col("c"))), "the row whose n is 15000: c is missing")
    fails(ordered, rows.withColumn("w", F.when(where, -1.0).otherwise(F.col("w"))), "n is 15000: w, the weight, is -1")
    fails(ordered, rows.withColumn("y", F.when(~where, F.col("y"))), "n is 15000: y is missing")
    fails(ordered, rows.withColumn("n", F.when(where, 7).otherwise(F.col("n"))), "n is 7 in another row too")
    here = frame.copy()
    here.loc[1002, "a"] = np.inf
    plain = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", **QUICK)
    fails(plain, cut(spark, here, [0, 1000, ROWS - 1000]), "row 3 of partition 3: a is inf")
    fails(plain, rows.filter("n < 0"), "there are no rows")
    some = F.array(F.col("a"), F.col("b"))
    uneven = SparkLinkgisticClassifier(features_col="x", label_col="y", order_col="n", **QUICK)
    fails(uneven, rows.withColumn("x", F.when(where, F.array("a")).otherwise(some)), "n is 15000: x has 1 numbers, and 2")
    fails(plain, rows.withColumn("a", F.lit("text")), "column 'a' is of type string", TypeError)
    fails(SparkLinkgisticClassifier(features_col="x"), rows, "features_col = 'x': the columns are")
    with pytest.raises(TypeError, match="Did you mean 'max_iter'"):
        SparkLinkgisticClassifier(em_iteration=3)
    assert spark.range(7).count() == 7


# --- executors that are lost ---


def processes():
    """Numbers of all processes with those of their parents."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            found[int(process.name)] = int((process / "stat").read_text().rpartition(")")[2].split()[1])
    return found


def executors(spark):
    """The processes of the executors with the folders of blocks that each has written."""
    found = {}
    for number in processes():
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{number}/cmdline").read_bytes()
            if b"CoarseGrainedExecutorBackend" in command and spark.sparkContext.applicationId.encode() in command:
                setting = Path(f"/proc/{number}/environ").read_bytes()
                folders = re.search(rb"SPARK_EXECUTOR_DIRS=([^\0]*)", setting)[1].decode()
                found[number] = set(Path(folders).glob("blockmgr-*/linkgistic-*/*"))
    return found


def kill_python(spark):
    """Kills the Python workers of all executors: the children of their daemons."""
    parents, ours = processes(), executors(spark)
    workers = [number for number, parent in parents.items() if parents.get(parent) in ours]
    for worker in workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    return workers


def wait_for(condition, seconds=60):
    end = time.time() + seconds
    while not condition():
        assert time.time() < end
        time.sleep(0.05)


class Killer:
    """When a fit has made so many steps: kills an executor that holds blocks, and takes its files as a machine would
    that is lost. Python workers may have mapped those files and are killed too."""

    def __init__(self, spark, step):
        self.spark, self.step, self.told, self.killed, self.folders = spark, step, 0, None, []

    def __call__(self, progress):
        self.told += 1
        self.folders.append(set().union(*executors(self.spark).values()))
        if self.told == self.step:
            held = executors(self.spark)
            self.killed = max(held, key=lambda pid: len(held[pid]))
            assert held[self.killed]
            os.kill(self.killed, signal.SIGKILL)
            wait_for(lambda: self.killed not in executors(self.spark))
            for folder in held[self.killed]:
                shutil.rmtree(folder, ignore_errors=True)
            kill_python(self.spark)


@pytest.fixture(scope="module")
def to_kill():
    """Rows, options and the model of a fit of several steps."""
    frame = table()
    options = {**QUICK, "max_passes": 10, "max_iter": 3}
    return frame, options, text(LinkgisticClassifier(**options).fit(frame[NAMES], frame.y))


def fit_and_kill(spark, to_kill, step):
    frame, options, expected = to_kill
    kill = Killer(spark, step)
    estimator = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", order_col="n", callback=kill, **options)
    model = estimator.fit(mixed(spark, frame))
    assert kill.killed and kill.told > step  # the fit went on
    assert kill.folders[-1] - kill.folders[step - 1]  # with partitions that were written again
    assert text(model.to_local()) == expected


def test_an_executor_that_is_killed_changes_nothing(spark, to_kill):
    fit_and_kill(spark, to_kill, 2)


@pytest.mark.long
def test_twenty_executors_that_are_killed_change_nothing(spark, to_kill):
    for number in range(20):
        fit_and_kill(spark, to_kill, 1 + number % 3)
        wait_for(lambda: len(executors(spark)) == 2)


def remove_folders(spark):
    """What the fits have written; Python workers, which may have mapped it, are killed."""
    folders = set().union(*executors(spark).values())
    for folder in folders:
        shutil.rmtree(folder)
    assert kill_python(spark)
    return folders


def test_files_and_python_workers_that_vanish_change_nothing(spark, to_kill):
    frame, options, expected = to_kill
    gone, found = set(), set()

    def remove(progress):
        folders = set().union(*executors(spark).values())
        for folder in folders:
            assert folder.stat().st_mode & 0o777 == 0o700 and folder.parent.stat().st_mode & 0o777 == 0o700
            assert all(file.stat().st_mode & 0o777 == 0o600 for file in folder.iterdir())
        if not gone:
            gone.update(remove_folders(spark))
        else:
            found.update(folders)

    estimator = SparkLinkgisticClassifier(features_col=NAMES, label_col="y", order_col="n", callback=remove, **options)
    assert text(estimator.fit(mixed(spark, frame)).to_local()) == expected
    assert gone and found and not gone & found  # all were written again
    assert not any(executors(spark).values())  # a fit leaves no files


def test_rows_that_change_when_they_are_computed_again_are_refused(spark, to_kill):
    frame, options, _ = to_kill
    noise = F.udf(lambda: float(np.random.default_rng().normal()), "double").asNondeterministic()
    estimator = SparkLinkgisticClassifier(features_col=[*NAMES, "f"], label_col="y", **options)
    estimator.callback = lambda progress: remove_folders(spark)
    with pytest.raises(RuntimeError, match="has other rows than before"):
        estimator.fit(cut(spark, frame, [10_000, ROWS - 10_000]).withColumn("f", noise()))
