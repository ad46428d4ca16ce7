"""Win rates of calibration maps over tasks and data sets, with bootstrap intervals over data sets."""

from dataclasses import dataclass

import numpy as np

BUCKETS = {
    "all": lambda n: True,
    "n <= 150": lambda n: n <= 150,
    "150 < n < 2000": lambda n: 150 < n < 2000,
    "n >= 2000": lambda n: n >= 2000,
}
BRIER, LOG_LOSS, SECONDS = range(3)


@dataclass
class Results:
    """values[m, t] = (Brier, log loss, seconds) of method m on task t."""

    methods: list[str]
    tasks: list[str]
    values: np.ndarray  # (methods, tasks, 3)

    def __post_init__(self) -> None:
        self.dataset = np.array([task.split("/")[0] for task in self.tasks])
        self.classifier = np.array([task.split("/")[2] for task in self.tasks])
        self.rows = np.array([int(task.split("/")[3]) for task in self.tasks])

    def bucket(self, name: str) -> np.ndarray:
        """Which tasks lie in a bucket."""
        return np.array([BUCKETS[name](n) for n in self.rows])

    def wins(self, metric: int) -> np.ndarray:
        """(methods, tasks): share of the other methods that are worse on the task, ties one half."""
        v = self.values[:, :, metric]
        same = np.isclose(v[:, None], v[None], rtol=1e-12, atol=0)
        better = np.where(same, 0.5, v[:, None] < v[None])
        return (better.sum(axis=1) - 0.5) / (len(self.methods) - 1)

    def per_dataset(self, metric: int, chosen: np.ndarray) -> np.ndarray:
        """(methods, data sets with a chosen task): mean share of wins."""
        wins = self.wins(metric)
        names = np.unique(self.dataset[chosen])
        return np.array([wins[:, chosen & (self.dataset == name)].mean(axis=1) for name in names]).T

    def win_rate(self, metric: int, bucket: str = "all") -> np.ndarray:
        """(methods): mean over tasks, then over data sets; NaN where there is none."""
        chosen = self.bucket(bucket)
        if not chosen.any():
            return np.full(len(self.methods), np.nan)
        return self.per_dataset(metric, chosen).mean(axis=1)

    def mean(self, metric: int) -> np.ndarray:
        """(methods): mean score over tasks, then over data sets."""
        v = self.values[:, :, metric]
        return np.array([v[:, self.dataset == name].mean(axis=1) for name in np.unique(self.dataset)]).mean(axis=0)

    def lead(self, metric: int, method: str, bucket: str = "all", draws: int = 4000) -> tuple[str, float, float, float]:
        """The best other method, the lead over it, and the 90 % interval of the lead over data sets drawn anew."""
        rates = self.per_dataset(metric, self.bucket(bucket))
        mine = self.methods.index(method)
        best = max((m for m in range(len(self.methods)) if m != mine), key=lambda m: rates[m].mean())
        gap = rates[mine] - rates[best]
        drawn = np.random.default_rng(0).integers(len(gap), size=(draws, len(gap)))
        low, high = np.quantile(gap[drawn].mean(axis=1), (0.05, 0.95))
        return self.methods[best], float(gap.mean()), float(low), float(high)

    def share_worse_than_none(self, metric: int) -> np.ndarray:
        """(methods): share of the tasks below 500 rows where the score is more than 1 % above that of `none`."""
        few = self.rows < 500
        v = self.values[:, few, metric]
        return (v > 1.01 * v[self.methods.index("none")]).mean(axis=1)
