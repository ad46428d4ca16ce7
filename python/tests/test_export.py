"""Models exported as ONNX, C, SQL and JSON, held against predict."""

import ctypes
import json
import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

ROWS = 10_000
# `predict` of a classifier computes its scores in single precision, and ONNX has outputs of single precision: 6e-8 of
# scores of about 10 and of estimates of about 1.
TOLERANCE = 1e-6


def far(rng, scale=3.0):
    """Numbers of single precision, most within the data and some far beyond."""
    x = scale * rng.standard_normal(ROWS) * np.exp(rng.uniform(-3, 2, ROWS))
    return x.astype(np.float32).astype(np.float64)


def regressor():
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 3, 300)
    fit = MonotoneRegressor().fit(x, np.tanh(2 * x) + 0.1 * rng.standard_normal(300))
    X = far(rng)[:, None]
    return fit, X, fit.predict(X[:, 0])[:, None]


def calibrator(kind):
    rng = np.random.default_rng(1)
    s = rng.standard_normal(800) * 2
    y = (rng.uniform(size=800) < 1 / (1 + np.exp(-(0.3 + s + 0.4 * np.sin(2 * s))))).astype(int)
    queries = far(rng)
    if kind == "probability":
        s, queries = 1 / (1 + np.exp(-s)), 1 / (1 + np.exp(-queries))
        queries = queries.astype(np.float32).astype(np.float64)
        queries[:2] = 0, 1
    if kind == "infinite":
        s[:3], s[3:6] = np.inf, -np.inf
    fit = MonotoneCalibrator().fit(s, y)
    return fit, queries[:, None], fit.predict_proba(queries)


def classifier(kind):
    rng = np.random.default_rng(2)
    if kind == "two":
        X = rng.standard_normal((600, 4)) * [1, 10, 0.1, 1] + [0, 5, 0, -3]
        s = X @ [1, 0.1, 5, -0.5]
        y = rng.uniform(size=600) < np.where(s > 1.5, 0.9, 0.1 + 0.2 / (1 + np.exp(-3 * s)))
        options = {"v": 0.3, "l2": 1.0}
    else:
        X, y = load_iris(return_X_y=True)
        options = {"multiclass": kind, "l2": 1.0}
    fit = LinkgisticClassifier(**options).fit(X, y)
    queries = np.stack([rng.choice(X[:, j], ROWS) * rng.uniform(0.5, 2, ROWS) for j in range(X.shape[1])], axis=1)
    queries = queries.astype(np.float32).astype(np.float64)
    return fit, queries, fit.predict_proba(queries)


CASES = {
    "regressor": regressor,
    "calibrator": lambda: calibrator("decision"),
    "probability": lambda: calibrator("probability"),
    "infinite": lambda: calibrator("infinite"),
    "two": lambda: classifier("two"),
    "softmax": lambda: classifier("softmax"),
    "ovr": lambda: classifier("ovr"),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return CASES[request.param]()


def scale_of(expected):
    return max(1.0, np.abs(expected).max())


RUN_ONNX = """
import numpy as np, onnxruntime
session = onnxruntime.InferenceSession("m.onnx")
(given,) = session.get_inputs()
X = np.load("x.npy")
assert given.type == "tensor(float)" and given.shape[1] == X.shape[1]
np.savez("got.npz", *session.run(None, {given.name: X}))
"""


def test_onnx_has_one_float_input_and_probabilities_last(case, tmp_path):
    if find_spec("onnxruntime") is None:
        pytest.skip("no onnxruntime")
    fit, X, expected = case
    fit.export(tmp_path / "m.onnx")
    np.save(tmp_path / "x.npy", X.astype(np.float32))
    # A process of its own, as a user of the file would have.
    subprocess.run([sys.executable, "-c", RUN_ONNX], cwd=tmp_path, check=True)
    with np.load(tmp_path / "got.npz") as saved:
        got = [saved[name] for name in saved.files]
    assert got[-1].shape == expected.shape and got[-1].dtype == np.float32
    assert np.abs(got[-1] - expected).max() <= TOLERANCE * scale_of(expected)
    if len(got) == 2:
        sure = np.sort(expected, axis=1)[:, -1] - np.sort(expected, axis=1)[:, -2] > 1e-5
        assert (got[0] == expected.argmax(axis=1))[sure].all()


def test_c_header_agrees(case, tmp_path):
    fit, X, expected = case
    fit.export(tmp_path / "m.h", name="some_model")
    (tmp_path / "m.c").write_text(
        '#include "m.h"\nvoid rows(const double* x, double* out, int n, int d, int c)'
        "{ for (int i = 0; i < n; ++i) some_model(x + i * d, out + i * c); }\n"
    )
    library = tmp_path / "m.so"
    command = ["cc", "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "m.c", "-o", library, "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    out = np.empty(expected.shape)
    X = np.ascontiguousarray(X)
    pointer = ctypes.POINTER(ctypes.c_double)
    ctypes.CDLL(str(library)).rows(
        X.ctypes.data_as(pointer), out.ctypes.data_as(pointer), len(X), X.shape[1], expected.shape[1]
    )
    assert np.abs(out - expected).max() <= bound_of(fit, expected)


def bound_of(fit, expected):
    """What the page promises of forms in double precision, where predict computes in double precision too."""
    if isinstance(fit, LinkgisticClassifier):
        return TOLERANCE
    return 1e-7 if isinstance(fit, MonotoneCalibrator) else 1e-9 * np.ptp(fit.predict(np.array([fit.X_min_, fit.X_max_])))


NAN_MAIN = """
#include <stdio.h>
#include "m.h"
int main(void) {
  double x[COLUMNS], out[OUTPUTS], far[] = {NAN, INFINITY, -INFINITY, 0.5, 1e300, -1e300};
  for (int row = 0; row < 6; ++row) {
    for (int j = 0; j < COLUMNS; ++j) x[j] = j == COLUMNS - 1 ? far[row] : 0.5;
    predict(x, out);
    for (int k = 0; k < OUTPUTS; ++k) printf("%.17g ", out[k]);
    printf("\\n");
  }
  return 0;
}
"""


def test_c_header_gives_nan_for_nan_and_has_no_undefined_behaviour(case, tmp_path):
    fit, X, expected = case
    fit.export(tmp_path / "m.h")
    (tmp_path / "m.c").write_text(NAN_MAIN)
    checks = ["-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all"]
    sizes = [f"-DCOLUMNS={X.shape[1]}", f"-DOUTPUTS={expected.shape[1]}"]
    subprocess.run(["cc", "-std=c99", "-O1", *checks, *sizes, "m.c", "-o", "m", "-lm"], cwd=tmp_path, check=True)
    run = subprocess.run(["./m"], cwd=tmp_path, check=True, capture_output=True, text=True)
    out = np.array([[float(word) for word in line.split()] for line in run.stdout.splitlines()])
    assert np.isnan(out[0]).all() and np.isfinite(out[3]).all()


def test_onnx_gives_nan_for_the_rows_with_nan_alone(case, tmp_path):
    if find_spec("onnxruntime") is None:
        pytest.skip("no onnxruntime")
    fit, X, expected = case
    fit.export(tmp_path / "m.onnx")
    X = X[:8].astype(np.float32)
    X[2, -1] = np.nan
    np.save(tmp_path / "x.npy", X)
    subprocess.run([sys.executable, "-c", RUN_ONNX], cwd=tmp_path, check=True)
    with np.load(tmp_path / "got.npz") as saved:
        got = saved[saved.files[-1]]
    assert np.isnan(got[2]).all()
    others = np.arange(8) != 2
    assert np.abs(got - expected[:8])[others].max() <= TOLERANCE * scale_of(expected)


RUN_SQLITE = """
import sqlite3, sys
import pandas as pd
database = sqlite3.connect(":memory:")
pd.read_pickle("frame.pkl").to_sql(sys.argv[1], database, index=False)
pd.read_sql(open("m.sql").read(), database).to_pickle("got.pkl")
"""


def by_sqlite(frame, table, folder):
    """What the query says, by a process of its own: SQLite keeps much memory of a long query, and other tests count it."""
    frame.to_pickle(folder / "frame.pkl")
    subprocess.run([sys.executable, "-c", RUN_SQLITE, table], cwd=folder, check=True)
    return pd.read_pickle(folder / "got.pkl")


def by_engine(engine, frame, table, folder):
    if engine == "sqlite":
        return by_sqlite(frame, table, folder)
    duckdb = pytest.importorskip("duckdb")
    database = duckdb.connect()
    database.register(table, frame)
    return database.execute((folder / "m.sql").read_text()).df()


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_agrees(case, engine, tmp_path):
    fit, X, expected = case
    if engine == "sqlite":  # it joins the table of cells row by row
        X, expected = X[:100], expected[:100]
    fit.export(tmp_path / "m.sql", name="some table")
    features = json.loads(exported_json(fit, tmp_path))["features"]
    frame = pd.DataFrame(X, columns=features)
    frame["row"] = np.arange(len(frame))
    got = by_engine(engine, frame, "some table", tmp_path)
    got = got.sort_values("row")
    promised = ["estimate"] if expected.shape[1] == 1 else [f"p_{name}" for name in fit.classes_]
    assert list(got.columns) == [*frame.columns, *promised]
    assert np.abs(got[promised].to_numpy(float) - expected).max() <= bound_of(fit, expected)


def exported_json(fit, folder):
    fit.export(folder / "m.json")
    return (folder / "m.json").read_text()


def test_json_has_the_numbers(case, tmp_path):
    fit, X, expected = case
    table = json.loads(exported_json(fit, tmp_path))
    assert table["format"] == "linkgistic-table" and len(table["features"]) == X.shape[1]
    if isinstance(fit, LinkgisticClassifier):
        assert np.allclose([score["coefficients"] for score in table["scores"]], fit.coef_)


def test_text_columns_are_made_by_the_query(program, tmp_path):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"it's": rng.choice(["a", "b'", "c"], 200), "n": rng.standard_normal(200).round(2), "y": rng.integers(0, 2, 200)}
    )
    frame.loc[::7, "n"] = np.nan
    frame.to_csv(tmp_path / "t.csv", index=False)
    run = [program, "classify", "t.csv", "--label", "y", "--missing", "impute", "--l2", "1", "--quiet", "--model", "m.json"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    subprocess.run([program, "export", "m.json", "-o", "m.sql", "--name", "t"], cwd=tmp_path, check=True)
    subprocess.run([program, "predict", "m.json", "t.csv", "-o", "p.csv"], cwd=tmp_path, check=True, capture_output=True)
    expected = pd.read_csv(tmp_path / "p.csv")["probability"]
    got = by_sqlite(frame.assign(row=np.arange(200)), "t", tmp_path).sort_values("row")
    assert np.abs(got["p_1"].to_numpy() - expected.to_numpy()).max() < TOLERANCE


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_keeps_rows_without_an_input(engine, tmp_path):
    """A table of objects, where DuckDB finds text and SQLite the type of each cell, and a table of numbers."""
    fit, X, _ = regressor()
    fit.export(tmp_path / "m.sql")
    words = pd.Series(["0.5", None, "", " ? ", "NaN", "NA", "word", "-", "2020-01-01", "+1e-1", "0.5"], dtype=object)
    numbers = pd.Series([0.5, np.nan, 0.1, 0.5])
    for column in (words, numbers):
        frame = pd.DataFrame({"x": column, "row": np.arange(len(column))})
        got = by_engine(engine, frame, "input", tmp_path).sort_values("row")
        assert list(got.columns) == ["x", "row", "estimate"] and len(got) == len(frame)
        value = pd.to_numeric(column, errors="coerce").to_numpy()
        known = np.isfinite(value)
        estimate = got["estimate"].to_numpy(float)
        assert known.sum() == 3 and (np.isfinite(estimate) == known).all()
        assert np.allclose(estimate[known], fit.predict(value[known]), rtol=0, atol=1e-8)


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
@pytest.mark.parametrize("na", [None, "-9,none"])
def test_sql_takes_the_words_of_the_model_for_missing(program, engine, na, tmp_path):
    rng = np.random.default_rng(4)
    n = 240
    words = ["", "NaN", "nan"] + (["NA", "?", "."] if na is None else ["-9", "-9.0", "none"])
    frame = pd.DataFrame({"a": rng.standard_normal(n).round(2), "b": rng.integers(0, 9, n)}).astype(str)
    frame["c"] = rng.choice(["u", "v", "8", "x y"], n)
    y = (frame["a"].astype(float) + (frame["c"] == "u") + rng.standard_normal(n) > 0).astype(int)
    for j, name in enumerate(["a", "c"]):
        frame.loc[3 + j :: 5, name] = rng.choice(words, len(frame.loc[3 + j :: 5]))
    frame["y"] = y
    frame.to_csv(tmp_path / "t.csv", index=False)
    flags = ["--missing", "impute", "--l2", "1", "--quiet"] + ([] if na is None else ["--na", na])
    run = [program, "classify", "t.csv", "--label", "y", *flags, "--model", "m.json"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    subprocess.run([program, "export", "m.json", "-o", "m.sql", "--name", "t"], cwd=tmp_path, check=True)
    queries = frame.copy()
    queries.loc[0, "b"] = "NaN"  # that had none in training
    queries.loc[1, "c"] = "new"
    queries.to_csv(tmp_path / "q.csv", index=False)
    subprocess.run([program, "predict", "m.json", "q.csv", "-o", "p.csv"], cwd=tmp_path, check=True, capture_output=True)
    expected = pd.read_csv(tmp_path / "p.csv")["probability"].to_numpy()
    numbers = queries.replace({"a": words, "b": words}, np.nan).astype({"a": float, "b": float})
    numbers["c"] = queries["c"].replace("", None)
    for table in (queries, queries.replace("", "  "), queries.replace("", None), numbers):
        got = by_engine(engine, table.assign(row=np.arange(n)), "t", tmp_path).sort_values("row")
        assert list(got.columns) == [*frame.columns, "row", "p_0", "p_1"] and len(got) == n
        assert np.abs(got["p_1"].to_numpy(float) - expected).max() < TOLERANCE


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_of_a_model_that_does_not_impute_gives_null(program, engine, tmp_path):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"n": rng.standard_normal(100), "c": rng.choice(["a", "b"], 100)})
    frame["y"] = (frame["n"] + rng.standard_normal(100) > 0).astype(int)
    frame.to_csv(tmp_path / "t.csv", index=False)
    run = [program, "classify", "t.csv", "--label", "y", "--l2", "1", "--quiet", "--model", "m.json"]
    subprocess.run(run, cwd=tmp_path, check=True, capture_output=True)
    subprocess.run([program, "export", "m.json", "-o", "m.sql"], cwd=tmp_path, check=True)
    table = pd.DataFrame({"n": [0.5, np.nan, 0.5, 0.5], "c": ["a", "a", None, "?"], "row": range(4)})
    got = by_engine(engine, table, "input", tmp_path).sort_values("row")
    assert got["p_1"].isna().tolist() == [False, True, True, True]


@pytest.mark.parametrize(
    "name", ["int", "class", "co_await", "1 bad-name;", "some model", "größe", "exp", "log1pf", "NAN", "main", "__x", "_X"]
)
def test_names_that_c_refuses(name, tmp_path):
    fit = MonotoneRegressor().fit(np.arange(9.0), np.arange(9.0))
    with pytest.raises(ValueError, match=rf"name = '{name}': the name of a function of C"):
        fit.export(tmp_path / "m.h", name=name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["predict", "x", "out", "_a1", "cells", "integer", "logs"])
def test_names_that_c_takes(name, tmp_path):
    fit = MonotoneRegressor().fit(np.arange(9.0), np.arange(9.0))
    fit.export(tmp_path / "m.h", name=name)
    call = f"void call(const double* features, double* outputs) {{ {name}(features, outputs); }}"
    (tmp_path / "m.c").write_text(f'#include "m.h"\nvoid call(const double*, double*);\n{call}\n')
    for compiler in (["cc", "-std=c99"], ["c++", "-x", "c++"]):
        subprocess.run([*compiler, "-Wall", "-Werror", "-fsyntax-only", "m.c"], cwd=tmp_path, check=True)


def test_what_has_no_form_says_so(tmp_path):
    fit = LinkgisticClassifier(multiclass="ovo", l2=1.0).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="pairs of classes"):
        fit.export(tmp_path / "m.onnx")
    fit = MonotoneRegressor().fit(np.arange(9.0), np.arange(9.0))
    with pytest.raises(ValueError, match=r"no form '.pkl'; there are .onnx, .h, .sql and .json"):
        fit.export(tmp_path / "m.pkl")
    assert not list(tmp_path.iterdir())
