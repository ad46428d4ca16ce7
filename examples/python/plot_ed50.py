"""
The dose that kills half, with its interval
===========================================

C. Bliss (The calculation of the dosage-mortality curve, Annals of Applied Biology 22, 1935) exposed flour beetles to
carbon disulphide at eight doses. The textbook fits a logistic or probit curve, whose shape is chosen beforehand: the
logistic one does not fit these numbers well. `MonotoneRegressor` learns the shape, and the dose with half of the deaths
(ED50) follows from it with its interval.
"""

import matplotlib.pyplot as plt
import numpy as np

from linkgistic import MonotoneRegressor

dose = np.array([1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839])  # log10 of mg/l
exposed = np.array([59, 60, 62, 56, 63, 59, 62, 60])
killed = np.array([6, 13, 18, 28, 52, 53, 61, 60])

# %%
# Each row is a number of successes among its trials. The curve is the log odds of a death; smoothness is learned.

curve = MonotoneRegressor(response="binomial").fit(dose, killed, trials=exposed)
answer = curve.inverse(0.5)
print(f"ED50 {answer['estimate']:.4f}, 90 % interval {answer['lower']:.4f} to {answer['upper']:.4f}")

# %%
# A level that the data do not reach is not extrapolated: the answer is None.

print("dose that kills one in a thousand:", curve.inverse(0.001)["estimate"])

# %%
# The interval holds the doses at which the band of the curve holds one half.

at = np.linspace(dose[0], dose[-1], 200)
share, lower, upper = curve.predict(at, return_interval=0.9)
fig, ax = plt.subplots(figsize=(7, 4))
ax.fill_between(at, lower, upper, color="C0", alpha=0.3, linewidth=0, label="90 % band")
ax.plot(at, share, label="share killed")
ax.plot(dose, killed / exposed, ".", color="black", label="data")
ax.hlines(0.5, answer["lower"], answer["upper"], color="C1", linewidth=3, label="ED50")
ax.axvline(answer["estimate"], color="C1", linestyle="--", linewidth=0.8)
ax.set(xlabel="log10 dose", ylabel="share killed")
ax.legend()
fig.tight_layout()

# %%
# Between two doses: how much more, how many times as many, and where the curve is steepest.

print("difference", curve.functional("difference", [1.75, 1.85]))
print("ratio", curve.functional("ratio", [1.75, 1.85]))
print("steepest at", curve.steepest()["estimate"])
plt.show()
