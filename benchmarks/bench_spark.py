#!/usr/bin/env python3
"""What a pass over the rows costs on local executors of Spark, and a fit beside that of Spark MLlib's LogisticRegression
on the same cached rows at the same ridge.

    benchmarks/bench_spark.py [ROWS] [EXECUTORS] [COLUMNS]
"""

import os
import sys
import time
import warnings
from pathlib import Path

import numpy as np

import linkgistic


def session_of(executors):
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,2048]").config("spark.ui.enabled", False)
    # Executors run elsewhere: what is relative in PYTHONPATH is not found there.
    builder = builder.config("spark.executorEnv.PYTHONPATH", str(Path(linkgistic.__file__).resolve().parents[1]))
    settings = {"spark.executor.memory": "2g", "spark.driver.memory": "2g", "spark.ui.showConsoleProgress": False}
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def table_of(session, rows, columns, partitions):
    """Standard normal features and the label of a logistic model, drawn by the executors and cached."""
    from pyspark.ml.functions import array_to_vector
    from pyspark.sql import functions as F

    frame = session.range(0, rows, 1, partitions)
    frame = frame.select(F.array(*(F.randn(j) for j in range(columns))).alias("x"), F.rand(columns).alias("u"))
    noise = F.log(F.col("u") / (1 - F.col("u")))
    label = (F.col("x")[0] - F.col("x")[1] + noise > 0).cast("double")
    frame = frame.select(array_to_vector("x").alias("features"), label.alias("label")).cache()
    frame.count()
    return frame


def timed(function):
    start = time.perf_counter()
    found = function()
    return found, time.perf_counter() - start


def main():
    from pyspark.ml.classification import LogisticRegression

    from linkgistic import _spark_rows
    from linkgistic.spark import SparkLinkgisticClassifier

    given = [int(argument) for argument in sys.argv[1:]]
    rows, executors, columns = given + [200_000, 2, 20][len(given) :]
    warnings.simplefilter("ignore")
    session = session_of(executors)
    asked, sizes, asked_of = [], [], _spark_rows.SparkRows.asked

    def watched(self, *arguments):
        ask = asked_of(self, *arguments)

        def one(request):
            answer, took = timed(lambda: ask(request))
            asked.append(took)
            sizes.append(len(request))
            return answer

        return one

    _spark_rows.SparkRows.asked = watched
    ridge, ours = 1.0, {"prior": "none", "standardize": "off"}
    for partitions in (executors, 4 * executors):
        frame = table_of(session, rows, columns, partitions)
        print(f"{rows} rows of {columns} columns, {executors} executors of one core, {partitions} partitions:")
        fits = {
            "MLlib's LogisticRegression": LogisticRegression(regParam=ridge / rows, standardization=False, tol=1e-6),
            "the same model here": SparkLinkgisticClassifier(l2=ridge, **ours),
            "and its link": SparkLinkgisticClassifier(l2=ridge, v=0.1, standardize="off"),
        }
        for name, estimator in fits.items():
            estimator.fit(frame)  # the workers have what they import
            asked.clear()
            sizes.clear()
            model, took = timed(lambda: estimator.fit(frame))
            if asked:
                requests = f", {len(asked)} requests of {np.median(sizes) / 1000:.0f} kB, median {1000 * np.median(asked):.0f} ms"
                beta = model.to_local().coef_[0]
            else:
                requests = f", {model.summary.totalIterations} iterations"
                beta = peer = model.coefficients.toArray()
            far = np.abs(beta - peer).max()
            print(f"  {name}: {took:.2f} s{requests}; coefficients differ from MLlib's by at most {far:.1g}")
        frame.unpersist()
    session.stop()


if __name__ == "__main__":
    main()
