#!/usr/bin/env python3
"""A program that reads Parquet: the models of the same rows as CSV, from one file and several, with and without ranges.

parquet_test.py PROGRAM
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def model(program, folder, verb, path, *options):
    made = folder / "model.json"
    subprocess.run([program, verb, str(path), *options, "--model", str(made), "--quiet"], check=True, stdout=subprocess.DEVNULL)
    return made.read_text()


def refused(program, verb, path, *options):
    done = subprocess.run([program, verb, str(path), *options, "--quiet"], capture_output=True, text=True)
    assert done.returncode == 1, done
    return done.stderr


def tables():
    rng = np.random.default_rng(0)
    x = rng.normal(size=150_000).round(6)
    x[17] = 0.0
    x = np.abs(x)  # the least is 0, which writers of Parquet call -0
    y = (np.tanh(x) + 0.1 * rng.normal(size=len(x))).round(6)
    kind = rng.choice(["u", "v", "w"], size=len(x))
    label = np.where(x + (kind == "u") + rng.logistic(size=len(x)) > 1, "yes", "no")
    count = rng.integers(0, 9, size=len(x)).astype(np.int32)
    return pa.table({"kind": kind, "x": x, "label": label, "y": y, "count": count, "list": [[1, 2]] * len(x)})


def main():
    program = sys.argv[1]
    regress = ["--x", "x", "--y", "y", "--direction", "increasing", "--harmonics", "4"]
    poisson = ["--x", "x", "--y", "count", "--response", "poisson", "--direction", "increasing", "--harmonics", "4"]
    classify = ["--label", "label", "--drop", "y,count", "--em-iterations", "1", "--harmonics", "4", "--threads", "1"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        nested = tables()
        flat = nested.drop(["list"])
        flat.to_pandas().to_csv(folder / "rows.csv", index=False)
        expected = {verb: model(program, folder, verb, folder / "rows.csv", *options) for verb, options in
                    (("regress", regress), ("classify", classify))}
        counts = model(program, folder, "regress", folder / "rows.csv", *poisson)
        pq.write_table(flat, folder / "groups.parquet", row_group_size=40_000)
        pq.write_table(flat, folder / "plain.parquet", write_statistics=False, compression="gzip")
        pq.write_table(nested, folder / "nested.parquet")
        for i in range(3):
            pq.write_table(flat.slice(50_000 * i, 50_000), folder / f"part-{i}.parquet", compression="zstd")
        for files in ("groups.parquet", "plain.parquet", "part-*.parquet"):
            assert model(program, folder, "regress", folder / files, *regress) == expected["regress"], files
            assert model(program, folder, "classify", folder / files, *classify) == expected["classify"], files
            assert model(program, folder, "regress", folder / files, *poisson) == counts, files
        # Of a nested column the schema already says that it cannot be read.
        assert "lists" in refused(program, "regress", folder / "nested.parquet", *regress)

        gap = flat.to_pandas()
        gap.loc[123_456, "y"] = None
        pq.write_table(pa.Table.from_pandas(gap), folder / "gap.parquet", row_group_size=40_000)
        assert "row 123457, column 'y'" in refused(program, "regress", folder / "gap.parquet", *regress)
        nan = flat.set_column(3, "y", pa.array(gap["y"].to_numpy(), from_pandas=False))
        pq.write_table(nan, folder / "nan.parquet")
        assert "row 123457, column 'y'" in refused(program, "regress", folder / "nan.parquet", *regress)
        (folder / "cut.parquet").write_bytes((folder / "groups.parquet").read_bytes()[:-100])
        assert "cut.parquet" in refused(program, "regress", folder / "cut.parquet", *regress)
    print("the program reads Parquet")


if __name__ == "__main__":
    main()
