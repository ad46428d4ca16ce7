#!/usr/bin/env python3
"""What a pass over the rows costs on a Dask cluster of local workers beside the sums themselves: time, processor time,
tasks and messages of a request; and a fit beside that of dask-ml's LogisticRegression, where it is installed, on the same
rows at the same ridge.

    benchmarks/bench_dask.py [ROWS] [WORKERS]
"""

import os
import sys
import time
import warnings
import zlib

import numpy as np
import psutil

from linkgistic import LinkgisticClassifier


def timed(function):
    start = time.perf_counter()
    found = function()
    return found, time.perf_counter() - start


def processor_seconds(clusters_workers):
    """Of this process, in which the scheduler is, and of the workers."""
    processes = [psutil.Process(), *(psutil.Process(pid) for pid in clusters_workers)]
    used = [sum(process.cpu_times()[:2]) for process in processes]
    return used[0], sum(used[1:])


def watched_rows(requests):
    """Rows whose requests are timed, here and in the tasks."""
    from linkgistic import _dask_rows

    class TimedAnswer(_dask_rows._Answer):
        def __call__(self, group, request):
            import time
            import zlib

            from distributed import get_worker

            start, used = time.perf_counter(), time.thread_time()
            answer = super().__call__(group, request)
            worker = get_worker()
            one = zlib.crc32(request), time.perf_counter() - start, time.thread_time() - used
            worker.sums = [*getattr(worker, "sums", []), one]
            return answer

    _dask_rows._Answer = TimedAnswer
    asked_of = _dask_rows.Rows.asked

    def asked(self, *arguments):
        ask = asked_of(self, *arguments)
        requests.clear()

        def one(request):
            answer, took = timed(lambda: ask(request))
            requests.append((zlib.crc32(request), took, len(request)))
            return answer

        return one

    _dask_rows.Rows.asked = asked


def take_sums(dask_worker):
    sums, dask_worker.sums = getattr(dask_worker, "sums", []), []
    return sums


class Counted:
    """Tasks and messages of a client and its scheduler."""

    def __init__(self, client, scheduler):
        self.client, self.scheduler, self.graphs, self.tasks = client, scheduler, 0, 0
        get = client.get

        def counted(tasks, keys, **how):
            self.graphs += 1
            self.tasks += len(tasks)
            return get(tasks, keys, **how)

        client.get = counted

    def counts(self):
        to_workers = sum(comm.message_count for comm in self.scheduler.stream_comms.values())
        to_clients = sum(comm.message_count for comm in self.scheduler.client_comms.values())
        return np.array([self.graphs, self.tasks, self.client.scheduler_comm.message_count, to_workers, to_clients])


def measure(client, scheduler, estimator, lazy, requests):
    """One fit, in words."""
    estimator.fit(*lazy)  # the workers have what they import
    client.run(take_sums)
    pids = list(client.run(os.getpid).values())
    counted = Counted(client, scheduler)
    before, counts = processor_seconds(pids), counted.counts()
    _, took = timed(lambda: estimator.fit(*lazy))
    after, counts = processor_seconds(pids), counted.counts() - counts
    del client.get
    sums = list(client.run(take_sums).values())
    n = len(requests)
    in_sums = sum(used for of_worker in sums for _, _, used in of_worker)
    slowest = {number: 0.0 for number, _, _ in requests}  # of its workers
    for of_worker in sums:
        busy = {}
        for number, took_here, _ in of_worker:
            busy[number] = busy.get(number, 0) + took_here
        slowest.update({number: max(slowest[number], took_here) for number, took_here in busy.items()})
    wall = np.array([one for _, one, _ in requests])
    over = np.array([one - slowest[number] for number, one, _ in requests])
    print(
        f"  {took:.2f} s, {n} requests of {np.median([size for _, _, size in requests]) / 1000:.0f} kB, median "
        f"{1000 * np.median(wall):.0f} ms each, {1000 * np.median(over):.0f} ms over the slowest worker's sums"
    )
    driver, workers = after[0] - before[0], after[1] - before[1] - in_sums
    print(
        f"  processor ms a request over the sums: {1000 * driver / n:.1f} of the driver and scheduler, "
        f"{1000 * workers / n:.1f} of the workers; a request: {counts[1] / n:.1f} tasks in {counts[0] / n:.1f} graphs, "
        f"messages {counts[2] / n:.1f} to the scheduler, {counts[3] / n:.1f} to workers, {counts[4] / n:.1f} to the driver"
    )


def beside_dask_ml(lazy, estimator):
    try:
        from dask_ml.linear_model import LogisticRegression
    except ImportError as error:
        print(f"  dask-ml is not installed ({error})")
        return
    model, own = timed(lambda: estimator.fit(*lazy))
    peer = LogisticRegression(penalty="l2", C=1 / model.l2_, solver="lbfgs", tol=1e-4)
    peer.fit(*lazy)
    _, theirs = timed(lambda: peer.fit(*lazy))
    far = np.abs(model.coef_[0] - peer.coef_).max()
    print(
        f"  logistic regression at ridge {model.l2_:g}: {own:.2f} s here, {theirs:.2f} s by dask-ml "
        f"({theirs / own:.1f} times); coefficients differ by at most {far:.1g}"
    )


def main():
    import dask.array as da
    from distributed import Client, LocalCluster

    from linkgistic.dask import DaskLinkgisticClassifier

    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 20)).astype(np.float32)
    y = (X[:, 0] - X[:, 1] + rng.logistic(size=rows) > 0).astype(int)
    options = {"l2": 1.0, "v": 0.1, "max_iter": 5}
    logistic = {"l2": 1.0, "prior": "none", "standardize": "off"}
    warnings.simplefilter("ignore")
    _, one = timed(lambda: LinkgisticClassifier(n_jobs=1, **options).fit(X, y))
    print(f"{rows} rows of 20 columns, one process, one thread: {one:.2f} s")
    requests = []
    watched_rows(requests)
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for partitions in (workers, 4 * workers):
            print(f"{workers} workers, {partitions} partitions:")
            chunk = -(-rows // partitions)
            lazy = da.from_array(X, chunks=(chunk, -1)).persist(), da.from_array(y, chunks=chunk).persist()
            measure(client, cluster.scheduler, DaskLinkgisticClassifier(client=client, **options), lazy, requests)
            beside_dask_ml(lazy, DaskLinkgisticClassifier(client=client, **logistic))


if __name__ == "__main__":
    main()
