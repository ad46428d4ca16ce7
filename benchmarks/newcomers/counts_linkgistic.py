import numpy as np
from linkgistic import MonotoneRegressor

rng = np.random.default_rng(1)
age, years = rng.uniform(18, 80, 3000), rng.uniform(0.1, 3, 3000)
claims = rng.poisson(years * (0.1 + 0.5 * np.exp(-(age - 18) / 10)))
fit = MonotoneRegressor(response="poisson").fit(age, claims, exposure=years)
rate, lower, upper = fit.predict([20, 40, 60], return_interval=0.9)
print("rate at 20, 40, 60:", rate.round(3), "from", lower.round(3), "to", upper.round(3))
