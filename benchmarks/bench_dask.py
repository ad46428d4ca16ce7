#!/usr/bin/env python3
"""What a pass over the rows costs on a Dask cluster of local workers, beside one process: tasks, merges, messages.

    benchmarks/bench_dask.py [ROWS] [WORKERS]
"""

import sys
import time
import warnings

import numpy as np

from linkgistic import LinkgisticClassifier


def fit_of(make, X, y):
    passes = []
    start = time.perf_counter()
    make(callback=lambda progress: passes.append(progress["step"])).fit(X, y)
    return time.perf_counter() - start


def main():
    import dask.array as da
    from distributed import Client, LocalCluster

    from linkgistic import dask as of_dask
    from linkgistic.dask import DaskLinkgisticClassifier

    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 20)).astype(np.float32)
    y = (X[:, 0] - X[:, 1] + rng.logistic(size=rows) > 0).astype(int)
    options = {"l2": 1.0, "v": 0.1, "em_iterations": 5}
    warnings.simplefilter("ignore")
    one = fit_of(lambda **more: LinkgisticClassifier(n_jobs=1, **options, **more), X, y)
    print(f"{rows} rows of 20 columns, one process, one thread: {one:.2f} s")
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        for partitions in (workers, 4 * workers):
            lazy = da.from_array(X, chunks=(-(-rows // partitions), -1)), da.from_array(y, chunks=-(-rows // partitions))
            asked, sizes = [], []
            asked_of = of_dask._Rows.asked

            def timed(self, *arguments):
                ask = asked_of(self, *arguments)

                def one(request):
                    start = time.perf_counter()
                    result = ask(request)
                    asked.append(time.perf_counter() - start)
                    sizes.append(len(request))
                    return result

                return one

            of_dask._Rows.asked = timed
            fit_of(lambda **more: DaskLinkgisticClassifier(client=client, **options, **more), *lazy)
            asked.clear()
            took = fit_of(lambda **more: DaskLinkgisticClassifier(client=client, **options, **more), *lazy)
            of_dask._Rows.asked = asked_of
            print(
                f"{workers} workers, {partitions} partitions: {took:.2f} s, {len(asked)} requests, "
                f"of {np.median(sizes) / 1000:.0f} kB, median {1000 * np.median(asked):.0f} ms each"
            )


if __name__ == "__main__":
    main()
