"""Rows that cannot be used are refused with words that name the place: times, missing labels, columns that are not there."""

import datetime
import subprocess

import numpy as np
import pytest

from linkgistic import LinkgisticClassifier, MonotoneCalibrator, MonotoneRegressor

pd = pytest.importorskip("pandas")

NUMBERS = np.random.default_rng(0).normal(size=60)
FRAME = pd.DataFrame({"a": NUMBERS, "g": ["u", "v", "w"] * 20})
LABELS = (NUMBERS > 0).astype(int)
DAYS = pd.Series(pd.date_range("2020-01-01", periods=60))


def classifier():
    return LinkgisticClassifier(l2=1.0, v=0.1)


@pytest.mark.parametrize("days", [DAYS, DAYS.where(DAYS.index != 3), DAYS.to_numpy(), DAYS - DAYS[0]])
def test_times_are_no_numbers(days):
    for fit in (
        lambda: MonotoneRegressor().fit(days, NUMBERS),
        lambda: MonotoneRegressor().fit(NUMBERS, days),
        lambda: MonotoneRegressor().fit(NUMBERS, NUMBERS).predict(days),
        lambda: MonotoneCalibrator().fit(days, LABELS),
    ):
        with pytest.raises(ValueError, match="times .* are not numbers"):
            fit()


def test_a_column_of_times_is_named():
    with pytest.raises(ValueError, match="X, column 'day': times"):
        classifier().fit(pd.DataFrame({"a": NUMBERS, "day": DAYS}), LABELS)


def test_objects_that_are_no_numbers_are_a_value_error():
    with pytest.raises(ValueError, match="^X: .*datetime.date"):
        MonotoneRegressor().fit([datetime.date(2020, 1, day) for day in (1, 2, 3)], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_a_missing_label_is_named_by_its_row(missing):
    labels = np.where(LABELS > 0, "yes", "no").astype(object)
    labels[4] = missing
    for y in (labels, pd.Series(labels), pd.Series(labels, dtype="string")):
        for fit in (lambda: classifier().fit(FRAME[["a"]], y), lambda: MonotoneCalibrator().fit(NUMBERS, y)):
            with pytest.raises(ValueError, match="the label of row 5 is missing"):
                fit()


def test_labels_of_several_kinds_are_refused():
    with pytest.raises(ValueError, match="labels must be of one kind, and are of int, str"):
        classifier().fit(FRAME[["a"]], np.array(["x", 1] * 30, dtype=object))


def test_a_column_that_a_model_encodes_and_a_frame_lacks_is_named():
    pytest.importorskip("pyarrow")  # behind the capsules of pandas
    fitted = classifier().fit(FRAME, LABELS)
    with pytest.raises(ValueError, match="no column 'g'; the columns are 'a'"):
        fitted.predict_proba(FRAME[["a"]])


def test_a_model_of_the_program_that_imputes_predicts_frames_of_numbers(program, tmp_path):
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": NUMBERS, "b": NUMBERS**2, "y": LABELS})
    frame.loc[[2, 5, 8], "a"] = np.nan
    frame.to_csv(tmp_path / "t.csv", index=False)
    options = "--label y --missing impute --l2 1 --v 0.1 --quiet --model m.json".split()
    subprocess.run([program, "classify", "t.csv", *options], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "predict", "m.json", "t.csv", "-o", "p.csv"], cwd=tmp_path, check=True)
    model = LinkgisticClassifier.load(tmp_path / "m.json")
    expected = pd.read_csv(tmp_path / "p.csv")["probability"]
    found = model.predict_proba(frame[["b", "a"]])  # columns go by their names
    np.testing.assert_allclose(found[:, 1], expected, rtol=1e-9)
    with pytest.raises(ValueError, match=r"encodes columns by their names \('a', 'b'\)"):
        model.predict_proba(frame[["a", "b"]].to_numpy())


def test_a_summary_that_cannot_be_made_says_why():
    pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="all categories of a text"):
        LinkgisticClassifier(prior="none", l2=0).fit(FRAME, LABELS).summary()
    with pytest.raises(ValueError, match="only models of two classes have a table, and this one has 3"):
        classifier().fit(FRAME[["a"]], np.arange(60) % 3).summary()


def test_a_curve_knows_the_name_of_its_column():
    curve = MonotoneRegressor().fit(FRAME[["a"]], NUMBERS)
    assert list(curve.feature_names_in_) == ["a"]
    expected = curve.predict(NUMBERS)
    assert (curve.predict(FRAME[["a"]]) == expected).all()
    assert (curve.predict(FRAME["a"].rename("b")) == expected).all()  # a series is not asked for its name
    with pytest.raises(ValueError, match="fitted to the column 'a', and this one is 'b'"):
        curve.predict(pd.DataFrame({"b": NUMBERS}))
    assert not hasattr(curve.fit(NUMBERS, NUMBERS), "feature_names_in_")


def test_a_missing_score_is_named_by_its_row():
    scores = NUMBERS.copy()
    scores[7] = np.nan
    with pytest.raises(ValueError, match="scores contain NaN, the first in row 8"):
        MonotoneCalibrator().fit(scores, LABELS)
