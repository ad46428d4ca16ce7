"""Reading the tasks that make_tasks.py wrote, scoring predictions, and the cache of the peers' scores."""

import hashlib
import inspect
import json
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from datasets import FRESH, HELD_OUT, TUNING
from make_tasks import CLASSIFIERS

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10000)
HALVES = {"tuning": TUNING, "held-out": HELD_OUT, "fresh": FRESH, "all": TUNING | HELD_OUT | FRESH}
KINDS = {"decision": 0, "logit": 1, "probability": 2}  # of scores, as the programs number them
LEAST_PROBABILITY = 1e-12  # predictions are clipped here, so that a wrong 0 or 1 costs 27.6 and not infinity


@dataclass(frozen=True)
class Task:
    """Scores and labels to calibrate with and to test on."""

    dataset: str
    classifier: str
    repeat: int
    kind: str
    score: np.ndarray
    y: np.ndarray
    test_score: np.ndarray
    test_y: np.ndarray

    @property
    def name(self) -> str:
        """Unique: data set, repeat, classifier, rows."""
        return f"{self.dataset}/{self.repeat}/{self.classifier}/{len(self.y)}"


def tasks_of(cache: Path, dataset: str) -> Iterator[Task]:
    """All tasks of a data set whose calibration rows have two of each class."""
    path = cache / "tasks" / f"{dataset}.npz"
    if not path.exists():
        sys.exit(f"{path} is missing: run make_tasks.py first")
    with np.load(path) as file:
        stored = dict(file)
    for repeat in range(3):
        if f"{repeat}/pool_y" not in stored:
            return
        y, test_y = stored[f"{repeat}/pool_y"], stored[f"{repeat}/test_y"]
        for classifier, kind, *_ in CLASSIFIERS:
            pool, test = (stored[f"{repeat}/{classifier}/{part}"] for part in ("pool", "test"))
            for n in SIZES:
                if n <= len(y) and min(y[:n].sum(), n - y[:n].sum()) >= 2:
                    yield Task(dataset, classifier, repeat, kind, pool[:n], y[:n], test, test_y)


def brier_and_log_loss(p: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Of predictions clipped away from 0 and 1."""
    p = np.clip(p, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    return float(np.mean((p - y) ** 2)), float(-np.mean(np.log(np.where(y == 1, p, 1 - p))))


def peer_scores(cache: Path, dataset: str, peer: str) -> dict[str, list[float]]:
    """Brier, log loss and seconds of the fit on every task of a data set, from the cache where it is there.

    The cache is keyed by the text of the peer. A peer that fails or predicts what is no probability predicts
    what `none` does, and its time is NaN.
    """
    from peers import PEERS, none  # here alone: their packages are not needed to read tasks

    key = hashlib.sha256(inspect.getsource(PEERS[peer]).encode()).hexdigest()[:8]
    path = cache / "peers" / peer.replace(" ", "-") / f"{dataset}.{key}.json"
    if path.exists():
        return json.loads(path.read_text())
    out = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for task in tasks_of(cache, dataset):
            begin = time.perf_counter()
            try:
                fitted = PEERS[peer](task.score, task.y, task.kind)
                seconds = time.perf_counter() - begin
                p = np.asarray(fitted(task.test_score), float)
                if not np.all((p >= 0) & (p <= 1)):
                    raise ValueError("no probabilities")
            except Exception:  # whatever a package throws is its answer to the task
                p, seconds = none(task.score, task.y, task.kind)(task.test_score), float("nan")
            out[task.name] = [*brier_and_log_loss(p, task.test_y), seconds]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(out))
    return out
