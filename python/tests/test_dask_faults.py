"""Dask: workers that are killed at random moments change no byte of the model."""

import os
import random
import re
import signal
import threading
import time

import numpy as np
import pytest

from linkgistic import LinkgisticClassifier, MonotoneRegressor

pytest.importorskip("distributed")
from dask import delayed
from distributed import Client, LocalCluster

from linkgistic.dask import DaskLinkgisticClassifier, DaskMonotoneRegressor

pytestmark = pytest.mark.long
KILLS = 20


def text(estimator):
    """The model file, without the times that fits took."""
    return re.sub(r'"seconds[^,\n]*', "", estimator.model_.to_json())


def chunked(values, parts):
    return [delayed(part) for part in np.array_split(values, parts)]


class Killer(threading.Thread):
    """Kills one of the workers of a cluster, a while after its start."""

    def __init__(self, cluster, after, number):
        super().__init__()
        self.cluster, self.after, self.number = cluster, after, number
        self.at = None

    def run(self):
        time.sleep(self.after)
        pids = [nanny.pid for nanny in self.cluster.workers.values() if nanny.pid]
        self.at = time.perf_counter()
        os.kill(pids[self.number % len(pids)], signal.SIGKILL)


def classifier(client, X, y):
    options = {"l2": 2.0, "v": 0.1, "max_iter": 2, "harmonics": 4, "max_passes": 20}
    if client is None:
        return LinkgisticClassifier(**options).fit(X, y)
    return DaskLinkgisticClassifier(client=client, **options).fit(chunked(X, 9), chunked(y, 9))


def regressor(client, X, y):
    x, counts = np.ascontiguousarray(X[:, 0]), np.random.default_rng(13).poisson(np.exp(np.tanh(X[:, 0])))
    options = {"response": "poisson", "harmonics": 3, "increasing": True}
    if client is None:
        return MonotoneRegressor(**options).fit(x, counts)
    return DaskMonotoneRegressor(client=client, **options).fit(chunked(x, 9), chunked(counts, 9))


@pytest.mark.parametrize("fit", [classifier, regressor])
def test_workers_that_are_killed_at_random_moments_change_no_byte(fit):
    rng = np.random.default_rng(11)
    X = rng.normal(size=(90_000, 5))
    y = (X[:, 0] - X[:, 1] + rng.logistic(size=len(X)) > 0).astype(int)
    expected = text(fit(None, X, y))
    random.seed(12)
    kills = fits = 0  # kills that came while a fit was at work
    while kills < KILLS:
        with LocalCluster(n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                fit(client, X, y)  # the workers have what they import
                start = time.perf_counter()
                assert text(fit(client, X, y)) == expected
                usual = time.perf_counter() - start
                for _ in range(5):  # a worker that is killed while it starts may not come again
                    client.wait_for_workers(2, timeout=120)
                    killer = Killer(cluster, random.uniform(0, 0.8 * usual), fits)
                    killer.start()
                    fitted = fit(client, X, y)
                    end = time.perf_counter()
                    killer.join()
                    assert text(fitted) == expected, fits
                    fits += 1
                    kills += killer.at < end
        assert fits <= 4 * KILLS
