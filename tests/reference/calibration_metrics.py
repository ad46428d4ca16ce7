"""Prints the values that calibration_metrics_test.cpp compares with.

    pip install scikit-learn relplot uncertainty-calibration
    python tests/reference/calibration_metrics.py

Weighted values where scikit-learn has them; else of the rows repeated by their weights.
"""

import calibration
import numpy as np
import relplot
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score

i = np.arange(400)
log_odds = np.round(30 * np.sin(1.7 * i)) / 10
y = ((i * 7919) % 101 < 101 / (1 + np.exp(-(0.6 * log_odds + 0.3)))).astype(int)
weight = 1 + i % 3
p = 1 / (1 + np.exp(-log_odds))
P, Y = np.repeat(p, weight), np.repeat(y, weight)

pooled = IsotonicRegression().fit(p, y, weight).predict(p)
reference = np.average(y, weights=weight)
brier = np.average((p - y) ** 2, weights=weight)
recalibrated = np.average((pooled - y) ** 2, weights=weight)
j = np.arange(390)
distinct = 0.0005 + j * 0.999 / 389  # no ties, 26 rows a bin: the packages cut tied rows apart
labels = ((j * 7919) % 101 < 101 * distinct**2).astype(int)
pairs = list(zip(distinct, labels))
mass_bins = calibration.bin(pairs, calibration.get_equal_bins(distinct, num_bins=15))
print("log_loss", repr(log_loss(y, p, sample_weight=weight)))
print("brier", repr(brier_score_loss(y, p, sample_weight=weight)))
print("auc", repr(roc_auc_score(y, log_odds, sample_weight=weight)))
print("mcb", repr(brier - recalibrated))
print("dsc", repr(reference * (1 - reference) - recalibrated))
print("unc", repr(reference * (1 - reference)))
print("ece", repr(calibration.plugin_ce(calibration.bin(list(zip(P, Y)), calibration.get_equal_prob_bins(P, num_bins=15)), power=1)))
print("smooth_ece", repr(relplot.smECE(P, Y)))
print("without ties: ece_equal_mass", repr(calibration.plugin_ce(mass_bins, power=1)))
print("without ties: ece_debiased", repr(calibration.unbiased_l2_ce(mass_bins)))
print("without ties: smooth_ece", repr(relplot.smECE(distinct, labels)))
