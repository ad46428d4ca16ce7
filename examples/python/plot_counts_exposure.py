"""
Counts with exposure
====================

Claims of drivers against age. Drivers were insured for different times, so that counts alone do not compare: the mean is
the rate times the exposure. Some drivers are more careful than others of their age, so counts vary more than
Poisson's. The data are simulated, and the truth is known.
"""

import matplotlib.pyplot as plt
import numpy as np

from linkgistic import MonotoneRegressor

rng = np.random.default_rng(1)


def true_rate(age):
    """Claims a year."""
    return 0.1 + 0.5 * np.exp(-(age - 18) / 10)


age = rng.uniform(18, 80, 3000)
years = rng.uniform(0.1, 3, age.size)
claims = rng.poisson(years * true_rate(age) * rng.gamma(2, 0.5, age.size))

# %%
# Two responses for counts. The evidence says which of them the data prefer; the dispersion is learned.

poisson = MonotoneRegressor(response="poisson").fit(age, claims, exposure=years)
wide = MonotoneRegressor(response="negative-binomial").fit(age, claims, exposure=years)
print(f"log evidence: Poisson {poisson.log_evidence_:.1f}, negative binomial {wide.log_evidence_:.1f}")
print(f"dispersion {wide.hyper_parameters_['dispersion']:.2f} (true: 0.5)")

# %%
# The rate with its band, and residuals that are standard normal where the model is right.

at = np.linspace(18, 80, 200)
rate, lower, upper = wide.predict(at, return_interval=0.9)
fig, (left, right) = plt.subplots(1, 2, figsize=(9, 3.8))
left.fill_between(at, lower, upper, color="C0", alpha=0.3, linewidth=0, label="90 % band")
left.plot(at, rate, label="claims a year")
left.plot(at, true_rate(at), "--", color="black", label="truth")
left.set(xlabel="age", ylabel="claims a year")
left.legend()
residuals = np.sort(wide.residuals(age, claims, exposure=years))
normal = np.sort(rng.normal(size=age.size))
right.plot(normal, residuals, ".", markersize=2)
right.axline((0, 0), slope=1, color="black", linewidth=0.8)
right.set(xlabel="normal draws", ylabel="quantile residuals")
fig.tight_layout()

# %%
# Predictions for a driver: the mean in two years, and where the count will lie. The band of a count holds at least 90 %.

mean, least, most = wide.predict([20.0], return_interval=0.9, observation=True, exposure=2.0)
print(f"aged 20, two years: {mean[0]:.2f} claims, {least[0]:.0f} to {most[0]:.0f}")
print("rate at 25 by that at 50:", wide.functional("ratio", [50.0, 25.0]))
plt.show()
