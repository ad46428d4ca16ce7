"""Sets of three and more classes, in two halves; no source is in both."""

import sys
from pathlib import Path

import numpy as np
from sklearn import datasets as bundled

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import many_classes  # noqa: E402
from calibration.datasets import data_folder  # noqa: E402

MOST_ROWS = 12_000


def images(folder, part):
    """Images at a quarter of their pixels (means of 2 x 2)."""
    import gzip

    def read(kind, head):
        (path,) = (data_folder() / folder).glob(f"{part}-{kind}-idx*-ubyte*")
        with (gzip.open if path.suffix == ".gz" else open)(path, "rb") as file:
            return np.frombuffer(file.read()[head:], np.uint8)

    y = read("labels", 8).astype(int)
    x = read("images", 16).reshape(len(y), 14, 2, 14, 2).mean(axis=(2, 4)).reshape(len(y), -1)
    return x[:MOST_ROWS], y[:MOST_ROWS]


def made(classes, seed, noise):
    return bundled.make_classification(
        MOST_ROWS, 20, n_informative=10, n_redundant=4, n_classes=classes, n_clusters_per_class=2, flip_y=noise,
        class_sep=1.2, random_state=seed,
    )


TUNING = {
    "digits": many_classes.TUNING["digits"],
    "mnist": lambda: images("mnist", "train"),
    "abalone": many_classes.TUNING["sex of abalones"],
    "hawks": many_classes.TUNING["hawks"],
    "restaurants": many_classes.TUNING["restaurants"],
    "pitches": many_classes.TUNING["pitches"],
    "cars": many_classes.TUNING["origin of cars"],
    "made-5": lambda: made(5, 1, 0.1),
    "made-20": lambda: made(20, 2, 0.02),
}
HELD_OUT = {
    "fmnist": lambda: images("fmnist", "train"),
    "kmnist": lambda: images("kmnist", "t10k"),
    **{name.replace(" ", "-"): load for name, load in many_classes.HELD_OUT.items()},
}
HALVES = {"tuning": TUNING, "held-out": HELD_OUT}
