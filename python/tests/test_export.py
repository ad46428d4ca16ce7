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
    fit.export(tmp_path / "m.h", name="some model")
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
    assert np.abs(out - expected).max() <= TOLERANCE * scale_of(expected)


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


@pytest.mark.parametrize("engine", ["sqlite", "duckdb"])
def test_sql_agrees(case, engine, tmp_path):
    fit, X, expected = case
    if engine == "sqlite":  # it joins the table of cells row by row
        X, expected = X[:100], expected[:100]
    fit.export(tmp_path / "m.sql", name="some table")
    query = (tmp_path / "m.sql").read_text()
    features = json.loads(exported_json(fit, tmp_path))["features"]
    frame = pd.DataFrame(X, columns=features)
    frame["row"] = np.arange(len(frame))
    if engine == "sqlite":
        got = by_sqlite(frame, "some table", tmp_path)
    else:
        duckdb = pytest.importorskip("duckdb")
        database = duckdb.connect()
        database.register("some table", frame)
        got = database.execute(query).df()
    got = got.sort_values("row").to_numpy()[:, -expected.shape[1] :].astype(float)
    assert np.abs(got - expected).max() <= TOLERANCE * scale_of(expected)


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


def test_what_has_no_form_says_so(tmp_path):
    fit = LinkgisticClassifier(multiclass="ovo", l2=1.0).fit(*load_iris(return_X_y=True))
    with pytest.raises(ValueError, match="pairs of classes"):
        fit.export(tmp_path / "m.onnx")
    fit = MonotoneRegressor().fit(np.arange(9.0), np.arange(9.0))
    with pytest.raises(ValueError, match=r"no form '.pkl'; there are .onnx, .h, .sql and .json"):
        fit.export(tmp_path / "m.pkl")
    assert not list(tmp_path.iterdir())
