#!/usr/bin/env python3
"""Files larger than memory, on one machine: a regression from Parquet in one decoding, and a classification of mapped rows.

    benchmarks/bench_large.py PROGRAM [SHARE]

SHARE is that of the full sizes, 10^8 rows of two columns and 2 x 10^7 rows of 100, by default a tenth. The data are made
in a temporary folder (16 GB at 1). The regression needs a PROGRAM that reads Parquet. Times of a machine that does other
work as well say little; processor seconds do.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from pathlib import Path

import numpy as np

MB = 1e6


class Run:
    """A command with its wall and processor seconds and its greatest anonymous memory."""

    def __init__(self, command, limit=None):
        self.group = limit and control_group(limit)
        start = time.perf_counter()
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=self._enter, env=environment)
        self.anonymous, self._ended = 0, threading.Event()
        watch = threading.Thread(target=self._watch, args=(process.pid,))
        watch.start()
        self.output = process.stdout.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        self.wall = time.perf_counter() - start
        self._ended.set()
        watch.join()
        process.returncode = os.waitstatus_to_exitcode(status)
        if self.group:
            self.group.rmdir()
        if process.returncode:
            sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
        self.processor = used.ru_utime + used.ru_stime

    def _enter(self):
        if self.group:
            (self.group / "cgroup.procs").write_text(str(os.getpid()))

    def _watch(self, pid):
        while not self._ended.wait(0.02):
            try:
                status = Path(f"/proc/{pid}/status").read_text()
            except OSError:
                return
            found = [line.split()[1] for line in status.splitlines() if line.startswith("RssAnon")]
            if found:
                self.anonymous = max(self.anonymous, 1024 * int(found[0]))


def control_group(limit):
    """A group of processes with this much memory, mapped pages counted; None where there are none to be had."""
    group = Path("/sys/fs/cgroup") / f"linkgistic-{uuid.uuid4().hex}"
    try:
        group.mkdir()
        if not (group / "memory.max").exists():  # a folder, not a control group
            group.rmdir()
            raise OSError("no control groups of memory are mounted there")
        (group / "memory.max").write_text(str(int(limit)))
        return group
    except OSError as error:
        print(f"  (no limit by a control group: {error})")
        return None


def regression(program, folder, rows):
    import pyarrow as pa
    import pyarrow.parquet as pq

    from linkgistic import MonotoneRegressor

    path = folder / "rows.parquet"
    rng = np.random.default_rng(0)
    schema = pa.schema([("x", pa.float64()), ("y", pa.float64())])
    xs, ys = [], []
    with pq.ParquetWriter(path, schema) as file:
        for first in range(0, rows, 1 << 20):
            x = rng.normal(size=min(1 << 20, rows - first))
            y = np.tanh(x) + 0.1 * rng.normal(size=len(x))
            file.write_table(pa.table({"x": x, "y": y}, schema=schema))
            if rows <= 2e7:
                xs.append(x)
                ys.append(y)
    print(f"regression of {rows} rows of Parquet, {path.stat().st_size / MB:.0f} MB:")
    command = [program, "regress", str(path), "--x", "x", "--y", "y", "--direction", "increasing", "--quiet"]
    run = Run([*command, "--model", str(folder / "m.json")])
    before = time.process_time()
    for _ in pq.ParquetFile(path).iter_batches(batch_size=65536):
        pass
    decoding = time.process_time() - before
    print(f"  {run.wall:.2f} s, {run.processor:.2f} processor seconds, at most {run.anonymous / MB:.0f} MB of anonymous memory")
    if not xs:
        print(f"  decoding alone, by pyarrow: {decoding:.2f} processor seconds")
        return
    x, y = np.concatenate(xs), np.concatenate(ys)
    before = time.process_time()
    MonotoneRegressor(increasing=True).fit(x, y)
    moments = time.process_time() - before
    print(
        f"  decoding alone, by pyarrow, {decoding:.2f} and the fit of arrays {moments:.2f} processor seconds: ratio of "
        f"processor seconds {run.processor / (decoding + moments):.2f}, of time to half of them "
        f"{2 * run.wall / (decoding + moments):.2f}"
    )


def classification(program, folder, rows, columns):
    path, labels = folder / "rows.npy", folder / "labels.npy"
    rng = np.random.default_rng(1)
    X = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(rows, columns))
    y = np.lib.format.open_memmap(labels, mode="w+", dtype=np.uint8, shape=(rows,))
    for first in range(0, rows, 1 << 16):
        last = min(first + (1 << 16), rows)
        X[first:last] = rng.standard_normal((last - first, columns), dtype=np.float32)
        y[first:last] = X[first:last, :4].sum(axis=1) + rng.logistic(size=last - first) > 0
    size = X.nbytes
    del X, y
    memory = size / 4
    print(f"classification of {rows} x {columns} float32, {size / MB:.0f} MB, --memory {int(memory / (1 << 20))}M:")
    command = [program, "classify", str(path), "--labels", str(labels), "--json", "--quiet"]
    options = ["--memory", f"{int(memory / (1 << 20))}M", "--l2", "1", "--v", "0.1", "--model", str(folder / "m.json")]
    run = Run([*command, *options], limit=size / 4 * 1.25)
    summary = json.loads(run.output)
    passes = sum(step["passes"] for step in summary["trace"])
    reading = Run(["dd", f"if={path}", "of=/dev/null", "bs=1M", "status=none"])
    print(
        f"  {run.wall:.1f} s, {run.processor:.1f} processor seconds for {passes} passes of beta and what the links need, "
        f"at most {run.anonymous / MB:.0f} MB of anonymous memory ({run.anonymous / memory:.2f} of --memory)"
    )
    print(
        f"  reading the file once: {reading.wall:.2f} s, {reading.processor:.2f} processor seconds; the fit took "
        f"{run.wall / (passes * reading.wall):.2f} of the time, {run.processor / (passes * reading.processor):.2f} of the "
        "processor seconds of reading it once a pass"
    )


def main():
    program = os.path.abspath(sys.argv[1])
    share = float(sys.argv[2]) if len(sys.argv) > 2 else 0.1
    with tempfile.TemporaryDirectory() as folder:
        regression(program, Path(folder), int(share * 1e8))
        classification(program, Path(folder), int(share * 2e7), 100)


if __name__ == "__main__":
    main()
