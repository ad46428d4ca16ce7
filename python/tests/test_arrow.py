"""Tables behind Arrow's capsules: Polars, DuckDB, pyarrow, pandas and others give the bits of NumPy's."""

import sys

import numpy as np
import pytest

from linkgistic import CalibratedClassifier, LinkgisticClassifier, _core

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")
pd = pytest.importorskip("pandas")


class Capsules:
    """A table of another library: it has the capsules and nothing else."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


class OneArray:
    def __init__(self, batch):
        self._batch = batch

    def __arrow_c_array__(self, requested_schema=None):
        return self._batch.__arrow_c_array__(requested_schema)


def rows(kind=np.float64, n=400):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    y = X[:, 0] - X[:, 1] + rng.logistic(size=n) > 0
    return ((X * 40 + 128).clip(0, 255) if kind == np.uint8 else X).astype(kind), y


def columns(X):
    return {f"a{j}": X[:, j] for j in range(X.shape[1])}


def text_of(X, y, **more):
    return LinkgisticClassifier(l2=1, v=0.1, max_iter=2, **more).fit(X, y).model_.to_json()


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.uint8])
def test_every_library_gives_the_bits_of_numpy(kind):
    X, y = rows(kind)
    table = pa.table(columns(X))
    expected = text_of(pd.DataFrame(columns(X)), y)
    tables = {
        "polars": pl.DataFrame(columns(X)),
        "pyarrow": table,
        "batches": pa.Table.from_batches(table.to_batches(max_chunksize=37)),
        "batch": table.to_batches()[0],
        "reader": pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=50)),
        "capsules": Capsules(pl.DataFrame(columns(X))),
        "array": OneArray(table.to_batches()[0]),
    }
    for name, given in tables.items():
        assert text_of(given, y) == expected, name
    plain = LinkgisticClassifier(l2=1, v=0.1, max_iter=2).fit(X, y)
    fitted = LinkgisticClassifier(l2=1, v=0.1, max_iter=2).fit(Capsules(table), y)
    assert (fitted.coef_ == plain.coef_).all()
    assert list(fitted.feature_names_in_) == ["a0", "a1", "a2", "a3"]
    assert (fitted.predict_proba(Capsules(table)) == plain.predict_proba(X)).all()


def test_duckdb_relations():
    duckdb = pytest.importorskip("duckdb")
    X, y = rows()
    frame = pd.DataFrame(columns(X))
    relation = duckdb.sql("select a0, a1, a2, a3 from frame")
    assert text_of(relation, y) == text_of(frame, y)


def test_pyarrow_is_not_needed(monkeypatch):
    X, y = rows()
    frame = Capsules(pl.DataFrame(columns(X)))
    for name in [name for name in sys.modules if name.split(".")[0] == "pyarrow"]:
        monkeypatch.setitem(sys.modules, name, None)
    assert text_of(frame, y) == text_of(pl.DataFrame(columns(X)), y)


def test_types_are_those_of_numpy():
    def kind(**columns):
        return _core.ArrowInput(pa.table(columns)).matrix().dtype

    byte, single, double = np.ones(2, np.uint8), np.ones(2, np.float32), np.ones(2)
    assert kind(a=byte, b=byte) == np.uint8
    assert kind(a=byte, b=single) == np.float32
    assert kind(a=np.ones(2, np.int16), b=single) == np.float32
    assert kind(a=np.ones(2, np.int32), b=single) == np.float64
    assert kind(a=np.ones(2, bool), b=byte) == np.float64
    assert kind(a=double, b=single) == np.float64
    values = _core.ArrowInput(pa.table({"a": pa.array([1, None], pa.uint8())})).matrix()
    assert values.dtype == np.float64 and values[0, 0] == 1 and np.isnan(values[1, 0])


def test_nulls_are_missing_values_and_other_types_are_refused():
    X, y = rows(n=40)
    table = pa.table({"a": pa.array([None, *X[1:, 0]])})
    with pytest.raises(ValueError, match="NaN"):
        LinkgisticClassifier().fit(Capsules(table), y)
    times = pa.table({"when": pa.array([0] * 40, pa.timestamp("s"))})
    with pytest.raises(ValueError, match="column 'when' has times, neither numbers nor text"):
        LinkgisticClassifier().fit(Capsules(times), y)
    fitted = LinkgisticClassifier(l2=1, v=0.1).fit(Capsules(pa.table(columns(X))), y)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(Capsules(pa.table(columns(X)).rename_columns(["b", "a1", "a2", "a3"])))


def mixed(n=300):
    rng = np.random.default_rng(5)
    colour = np.array(["red", "green", "blue"])[rng.integers(3, size=n)]
    size = np.array(["1", "2"])[rng.integers(2, size=n)]
    x = rng.normal(size=n)
    y = x + (colour == "red") - (size == "2") + rng.logistic(size=n) > 0
    return {"x": x, "colour": colour.tolist(), "size": size.tolist()}, y


def as_frames(table):
    arrow = pa.table({**table, "size": pa.array(table["size"]).dictionary_encode()})
    return {
        "pyarrow": arrow,
        "polars": pl.DataFrame(table).with_columns(pl.col("size").cast(pl.Categorical)),
        "pandas": pd.DataFrame(table).astype({"size": "category"}),
        "capsules": Capsules(arrow),
    }


def test_text_is_encoded_as_the_program_does(tmp_path):
    table, y = mixed()
    fits = {name: LinkgisticClassifier(l2=1, v=0.1).fit(X, y) for name, X in as_frames(table).items()}
    first = fits["pyarrow"]
    assert len({fit.model_.to_json() for fit in fits.values()}) == 1
    assert first.model_.feature_names == ["x", "colour=blue", "colour=green", "colour=red", "size=1", "size=2"]
    assert list(first.feature_names_in_) == ["x", "colour", "size"] and first.n_features_in_ == 3
    by_hand = np.column_stack(
        [table["x"]]
        + [np.array(table["colour"]) == c for c in ("blue", "green", "red")]
        + [np.array(table["size"]) == s for s in ("1", "2")]
    ).astype(np.float64)
    plain = LinkgisticClassifier(l2=1, v=0.1).fit(by_hand, y)
    # Indicators are kept about 0 here, and about their means there: single precision rounds them differently.
    np.testing.assert_allclose(first.coef_, plain.coef_, rtol=2e-4, atol=2e-4)
    expected = first.predict_proba(as_frames(table)["pyarrow"])
    for X in as_frames(table).values():
        assert (first.predict_proba(X) == expected).all()
        assert first.decision_function(X).shape == (300,)
        p, lower, upper = first.predict_proba(X, return_interval=0.9)
        assert (lower <= p[:, 1]).all() and (p[:, 1] <= upper).all()
    first.save(tmp_path / "model.json")
    loaded = LinkgisticClassifier.load(tmp_path / "model.json")
    assert list(loaded.feature_names_in_) == ["x", "colour", "size"]
    assert (loaded.predict_proba(as_frames(table)["polars"]) == expected).all()
    with pytest.warns(UserWarning, match="1 value of no category"):
        first.predict_proba(pa.table({"x": [0.0], "colour": ["mauve"], "size": ["1"]}))
    with pytest.raises(ValueError, match="no column called 'colour'|colour"):
        first.predict_proba(pa.table({"x": [0.0], "size": ["1"]}))


def test_text_in_columns_of_objects_is_text():
    table, y = mixed()
    del table["size"]
    objects = pd.DataFrame(table).astype({"colour": object})
    fit = LinkgisticClassifier(l2=1, v=0.1).fit(objects, y)
    assert fit.model_.to_json() == LinkgisticClassifier(l2=1, v=0.1).fit(pa.table(table), y).model_.to_json()
    assert (fit.predict_proba(objects) == fit.predict_proba(pa.table(table))).all()
    numbers = pd.DataFrame({"x": table["x"]}).astype(object)  # objects that are numbers are as before
    np.testing.assert_array_equal(
        LinkgisticClassifier(l2=1, v=0.1).fit(numbers, y).coef_,
        LinkgisticClassifier(l2=1, v=0.1).fit(np.array(table["x"])[:, None], y).coef_,
    )


def test_a_missing_value_beside_text_is_refused_in_the_words_of_python():
    table, y = mixed()
    table["x"] = [None if i == 3 else value for i, value in enumerate(table["x"])]
    with pytest.raises(ValueError, match="row 4, column 'x': missing value: fill it or leave out its row") as caught:
        LinkgisticClassifier().fit(pa.table(table), y)
    assert "--" not in str(caught.value)


def test_parquet_files_through_a_dataset(tmp_path):
    dataset = pytest.importorskip("pyarrow.dataset")
    parquet = pytest.importorskip("pyarrow.parquet")
    X, y = rows()
    for i in range(4):
        parquet.write_table(pa.table(columns(X[100 * i : 100 * (i + 1)])), tmp_path / f"part-{i}.parquet")
    assert text_of(dataset.dataset(tmp_path), y) == text_of(pd.DataFrame(columns(X)), y)


def test_the_index_of_a_frame_is_no_column():
    rng = np.random.default_rng(4)
    frame = pd.DataFrame({"size": rng.normal(size=200), "make": rng.choice(["fiat", "opel"], 200)})
    y = rng.random(200) < 1 / (1 + np.exp(-frame["size"]))
    rows = rng.permutation(200)[:150]
    plain = LinkgisticClassifier(C=1.0, v=0.1).fit(frame.iloc[rows].reset_index(drop=True), y[rows])
    for part in (frame.iloc[rows], frame.iloc[rows].set_index(frame.index[rows].astype(str).rename("name"))):
        model = LinkgisticClassifier(C=1.0, v=0.1).fit(part, y[rows])
        assert model.get_feature_names_out().tolist() == ["size", "make=fiat", "make=opel"]
        np.testing.assert_array_equal(model.coef_, plain.coef_)
        np.testing.assert_array_equal(model.predict_proba(frame), plain.predict_proba(frame))
        assert not isinstance(part.index, pd.RangeIndex)
    p = CalibratedClassifier(LinkgisticClassifier(C=1.0, v=0.1), cv=3).fit(frame, y).predict_proba(frame.iloc[rows])
    assert p.shape == (150, 2)
