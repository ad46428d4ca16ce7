"""
A monotone dose-response curve
==============================

More of a drug never has less effect, but how much more? Parametric curves fix the shape beforehand, isotonic
regression has steps and no error bars. `MonotoneRegressor` learns a smooth increasing curve with credible bands.

Six animals at each of eight doses. The true curve, which nobody knows outside of a simulation, rises late and
has a second step: no Emax or logistic curve has this shape.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.isotonic import IsotonicRegression

from linkgistic import MonotoneRegressor

rng = np.random.default_rng(4)


def truth(log_dose):
    """The effect in per cent."""
    return 35 / (1 + np.exp(-4 * (log_dose - 0.2))) + 55 / (1 + np.exp(-5 * (log_dose - 1.6)))


log_dose = np.repeat(np.linspace(-1, 2.5, 8), 6)
effect = truth(log_dose) + rng.normal(scale=6, size=log_dose.size)

# %%
# The fit has no knobs to turn: smoothness, noise and direction are learned. The summary says what was found.

curve = MonotoneRegressor().fit(log_dose, effect)
print(f"increasing: {curve.increasing_}, noise {curve.noise_:.2f} (true: 6)")

# %%
# Two bands: where the curve is, and where another animal would be.

at = np.linspace(-1.2, 2.7, 200)
estimate, lower, upper = curve.predict(at, return_interval=0.9)
_, animal_lower, animal_upper = curve.predict(at, return_interval=0.9, observation=True)

fig, ax = plt.subplots(figsize=(7, 4))
ax.fill_between(at, animal_lower, animal_upper, color="C0", alpha=0.12, linewidth=0, label="90 % band of an animal")
ax.fill_between(at, lower, upper, color="C0", alpha=0.3, linewidth=0, label="90 % band of the curve")
ax.plot(at, estimate, label="monotone regression")
ax.plot(at, IsotonicRegression(out_of_bounds="clip").fit(log_dose, effect).predict(at), color="C1", label="isotonic")
ax.plot(at, truth(at), "--", color="black", label="truth")
ax.plot(log_dose, effect, ".", color="grey")
ax.set(xlabel="log dose", ylabel="effect (%)")
ax.legend()

inside = (at >= -1) & (at <= 2.5)
error = np.sqrt(np.mean((estimate - truth(at))[inside] ** 2))
covered = np.mean((lower < truth(at))[inside] & (truth(at) < upper)[inside])
print(f"root mean square error of the curve {error:.2f}, the band covers {100 * covered:.0f} % of it")

# %%
# What a pharmacologist asks is the dose for half of an effect, with its uncertainty. Every draw from the posterior is
# an increasing curve, so each has one answer.

draws = curve.sample_y(at, n_samples=1000, random_state=0)
dose_for_half = [np.interp(45, draw, at) for draw in draws.T]
low, middle, high = np.quantile(dose_for_half, [0.05, 0.5, 0.95])
true_dose = np.interp(45, truth(at), at)
print(f"log dose for an effect of 45 %: {middle:.2f} (90 %: {low:.2f} to {high:.2f}), true: {true_dose:.2f}")

fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5))
left.plot(at, draws[:, :40], color="C0", alpha=0.3, linewidth=0.8)
left.axhline(45, color="black", linewidth=0.8)
left.set(xlabel="log dose", ylabel="effect (%)", title="40 draws")
right.hist(dose_for_half, bins=30, color="C0")
right.axvline(true_dose, color="black", linestyle="--", label="truth")
right.set(xlabel="log dose for an effect of 45 %", title="their answers")
right.legend()
fig.tight_layout()
plt.show()
