"""Model files are the same in Python and in the program."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest

from linkgistic import LearnedLoss, LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor


def run(program, *arguments, cwd):
    subprocess.run([program, *arguments], cwd=cwd, check=True, capture_output=True, text=True)


@pytest.fixture
def tables(tmp_path, two_classes):
    X, y = two_classes
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["kind"] = np.array(["no", "yes"])[y]
    frame["height"] = X[:, 0] ** 3 + X[:, 0]
    frame.to_csv(tmp_path / "table.csv", index=False)
    return frame, tmp_path


def test_a_classifier_of_the_program_in_python(program, tables):
    frame, folder = tables
    run(program, "classify", "table.csv", "--label", "kind", "--drop", "height", "--l2", "1", "--model", "m.json", cwd=folder)
    run(program, "predict", "m.json", "table.csv", "-o", "out.csv", cwd=folder)
    clf = LinkgisticClassifier.load(folder / "m.json")
    assert list(clf.classes_) == ["no", "yes"] and list(clf.feature_names_in_) == ["a", "b", "c"] and clf.l2 == 1
    out = pd.read_csv(folder / "out.csv")
    column = next(name for name in out.columns if "yes" in name or name in ("p", "probability"))
    np.testing.assert_allclose(clf.predict_proba(frame[["a", "b", "c"]])[:, 1], out[column], atol=1e-5)


def test_a_classifier_of_python_in_the_program(program, tables):
    frame, folder = tables
    clf = LinkgisticClassifier(l2=1.0).fit(frame[["a", "b", "c"]], frame["kind"])
    clf.save(folder / "m.json")
    run(program, "predict", "m.json", "table.csv", "-o", "out.csv", cwd=folder)
    out = pd.read_csv(folder / "out.csv")
    column = next(name for name in out.columns if "yes" in name or name in ("p", "probability"))
    np.testing.assert_allclose(clf.predict_proba(frame[["a", "b", "c"]])[:, 1], out[column], atol=1e-5)


def test_a_curve_of_the_program_in_python(program, tables):
    frame, folder = tables
    run(program, "regress", "table.csv", "--x", "a", "--y", "height", "--model", "m.json", cwd=folder)
    same = MonotoneRegressor().fit(frame["a"], frame["height"])
    loaded = MonotoneRegressor.load(folder / "m.json")
    np.testing.assert_allclose(loaded.predict(frame["a"]), same.predict(frame["a"]), rtol=1e-8)
    assert loaded.get_params() == same.get_params()


@pytest.mark.parametrize("of", ["nu", "response", "latent"])
def test_the_distribution_is_that_of_the_program(program, tables, of):
    frame, folder = tables
    curve = MonotoneRegressor().fit(frame["a"], frame["height"])
    curve.save(folder / "m.json")
    wanted = ("--x", "a", "--quantiles", "0.1,0.8", "--of", of)
    run(program, "predict", "m.json", "table.csv", *wanted, "-o", "out.csv", cwd=folder)
    out = pd.read_csv(folder / "out.csv")
    ours = curve.distribution(frame["a"], of=of, levels=[0.1, 0.8])
    for name in ("mean", "median", "mode"):
        np.testing.assert_allclose(ours[name], out[name], rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(ours["quantiles"], out[["q0.1", "q0.8"]], rtol=1e-4, atol=1e-5)


def test_a_calibration_both_ways(program, tables):
    frame, folder = tables
    run(program, "calibrate", "table.csv", "--score", "a", "--label", "kind", "--model", "m.json", cwd=folder)
    same = MonotoneCalibrator().fit(frame["a"].to_numpy(), frame["kind"].to_numpy())  # which have no names
    loaded = MonotoneCalibrator.load(folder / "m.json")
    np.testing.assert_allclose(loaded.predict_proba(frame["a"]), same.predict_proba(frame["a"]), rtol=1e-10)
    same.save(folder / "n.json")
    frame.rename(columns={"a": "score", "kind": "label"}).to_csv(folder / "renamed.csv", index=False)
    run(program, "predict", "n.json", "renamed.csv", "-o", "out.csv", cwd=folder)
    out = pd.read_csv(folder / "out.csv")
    column = next(name for name in out.columns if name in ("p", "probability"))
    np.testing.assert_allclose(out[column], same.predict_proba(frame["a"])[:, 1], atol=1e-6)


def named(kind, frame, name):
    """A column with its name, as the kind of object that is asked for."""
    if kind == "series":
        return frame[name]
    if kind == "frame":
        return frame[[name]]
    polars, arrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    return {
        "polars series": lambda: polars.Series(name, frame[name].to_numpy()),
        "polars frame": lambda: polars.DataFrame({name: frame[name].to_numpy()}),
        "arrow table": lambda: arrow.table({name: frame[name].to_numpy()}),
    }[kind]()


KINDS = ["series", "frame", "polars series", "polars frame", "arrow table"]


def columns_of(path):
    return json.loads(path.read_text())["columns"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_curve_of_a_named_column_knows_the_name(program, tables, kind):
    frame, folder = tables
    curve = MonotoneRegressor().fit(named(kind, frame, "a"), frame["height"])
    curve.save(folder / "m.json")
    assert columns_of(folder / "m.json") == {"x": "a", "y": "height"}
    run(program, "predict", "m.json", "table.csv", "-o", "out.csv", cwd=folder)
    np.testing.assert_allclose(pd.read_csv(folder / "out.csv")["estimate"], curve.predict(frame["a"]), atol=1e-5)
    run(program, "evaluate", "m.json", "table.csv", cwd=folder)


def test_a_curve_of_arrays_has_no_names(program, tables):
    frame, folder = tables
    unnamed = [
        frame["a"].to_numpy(),
        frame["a"].tolist(),
        frame["a"].rename(None),
        frame["a"].rename(3),
        frame[["a"]].set_axis([0], axis=1),
    ]
    for x in unnamed:
        MonotoneRegressor().fit(x, frame["height"].to_numpy()).save(folder / "m.json")
        assert columns_of(folder / "m.json") == {}
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run(program, "predict", "m.json", "table.csv", cwd=folder)
    assert "the model does not know the name of its column x: give --x" in refused.value.stderr


def test_names_come_back_from_a_file_of_the_program(program, tables):
    frame, folder = tables
    run(program, "regress", "table.csv", "--x", "a", "--y", "height", "--model", "m.json", cwd=folder)
    MonotoneRegressor.load(folder / "m.json").save(folder / "n.json")
    assert columns_of(folder / "n.json") == columns_of(folder / "m.json") == {"x": "a", "y": "height"}
    weight = frame["b"].abs()
    MonotoneRegressor().fit(frame["a"], frame["height"], weight).save(folder / "n.json")
    assert columns_of(folder / "n.json") == {"x": "a", "y": "height", "weight": "b"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_calibration_of_a_named_column_knows_the_name(program, tables, kind):
    frame, folder = tables
    calibrator = MonotoneCalibrator(inference="laplace").fit(named(kind, frame, "a"), frame["kind"])
    calibrator.save(folder / "m.json")
    expected = {"score": "a", "label": "kind", "positive": "yes", "negative 1": "no"}
    assert columns_of(folder / "m.json") == expected
    run(program, "predict", "m.json", "table.csv", "-o", "out.csv", cwd=folder)
    ours = calibrator.predict_proba(frame["a"])[:, 1]
    np.testing.assert_allclose(pd.read_csv(folder / "out.csv")["probability"], ours, atol=1e-6)
    run(program, "calibrate", "table.csv", "--score", "a", "--label", "kind", "--model", "n.json", cwd=folder)
    assert columns_of(folder / "n.json") == expected
    assert list(MonotoneCalibrator.load(folder / "n.json").classes_) == ["no", "yes"]


def test_two_columns_have_the_name_of_the_second_or_none(tables):
    frame, folder = tables
    p = 1 / (1 + np.exp(-frame["a"]))
    both = pd.DataFrame({"p_no": 1 - p, "p_yes": p})
    for scores, name in ((both, "p_yes"), (frame[["a", "b"]], "score")):
        MonotoneCalibrator(inference="laplace").fit(scores, frame["kind"]).save(folder / "m.json")
        assert columns_of(folder / "m.json")["score"] == name


def test_a_calibration_of_many_classes_knows_the_names(program, tables):
    frame, folder = tables
    names = ["a", "b", "c"]
    y = frame[names].to_numpy().argmax(axis=1)
    calibrator = MonotoneCalibrator(inference="laplace", maps="shared").fit(frame[names], pd.Series(y, name="top"))
    calibrator.save(folder / "m.json")
    assert columns_of(folder / "m.json") == {"score 1": "a", "score 2": "b", "score 3": "c", "label": "top"}
    run(program, "predict", "m.json", "table.csv", "-o", "out.csv", cwd=folder)
    out = pd.read_csv(folder / "out.csv")
    np.testing.assert_allclose(out[["0", "1", "2"]], calibrator.predict_proba(frame[names]), atol=1e-6)


def test_a_calibration_with_several_other_labels(program, tables):
    frame, folder = tables
    frame["kind"] = np.where(frame["b"] > 1, "maybe", frame["kind"])
    frame.to_csv(folder / "three.csv", index=False)
    run(program, *"calibrate three.csv --score a --label kind --positive yes --model m.json".split(), cwd=folder)
    assert list(MonotoneCalibrator.load(folder / "m.json").classes_) == ["not yes", "yes"]


def test_an_unknown_label_is_refused_as_of_a_model_of_the_program(program, tables):
    frame, folder = tables
    MonotoneCalibrator(inference="laplace").fit(frame["a"], frame["kind"]).save(folder / "m.json")
    run(program, "evaluate", "m.json", "table.csv", cwd=folder)
    frame["kind"] = np.where(frame["b"] > 1, "maybe", frame["kind"])
    frame.to_csv(folder / "three.csv", index=False)
    with pytest.raises(subprocess.CalledProcessError) as refused:
        run(program, "evaluate", "m.json", "three.csv", cwd=folder)
    assert "the model does not know the label 'maybe'" in refused.value.stderr


def test_a_damaged_file_is_named(tmp_path):
    (tmp_path / "bad.json").write_text("{")
    for kind in (LinkgisticClassifier, MonotoneRegressor, MonotoneCalibrator):
        with pytest.raises(ValueError, match="bad.json"):
            kind.load(tmp_path / "bad.json")


def test_a_missing_file_is_an_os_error(tmp_path):
    for kind in (LinkgisticClassifier, MonotoneRegressor, MonotoneCalibrator, LearnedLoss):
        with pytest.raises(FileNotFoundError, match="none.json"):
            kind.load(tmp_path / "none.json")


def test_a_file_that_cannot_be_written_is_an_os_error(tmp_path):
    x = np.linspace(0, 1, 20)
    for model in (MonotoneRegressor().fit(x, x), MonotoneCalibrator().fit(x, x > 0.4), LearnedLoss()):
        with pytest.raises(OSError, match="none/m.json: cannot write: No such file or directory"):
            model.save(tmp_path / "none" / "m.json")


@pytest.mark.parametrize("rows", [51, 100_000])
def test_medians_for_missing_values_are_those_of_the_columns(rows):
    X = pd.DataFrame(np.random.default_rng(0).exponential(size=(rows, 2)), columns=["a", "b"])
    clf = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False, max_iter=1).fit(X, X["a"] > X["b"])
    medians = [column["median"] for column in json.loads(clf.model_.to_json())["encoding"]["columns"]]
    # Of many rows: of 16,384 of them, whose median has a standard error of 1 / sqrt(16384).
    np.testing.assert_allclose(medians, X.median(), atol=1e-12 if rows < 16384 else 0.03)
