# The rate as the target and the exposure as the weight give Poisson's likelihood; there is no band.
import numpy as np
from sklearn.ensemble import HistGradientBoostingRegressor

rng = np.random.default_rng(1)
age, years = rng.uniform(18, 80, 3000), rng.uniform(0.1, 3, 3000)
claims = rng.poisson(years * (0.1 + 0.5 * np.exp(-(age - 18) / 10)))
fit = HistGradientBoostingRegressor(loss="poisson", monotonic_cst=[-1]).fit(age[:, None], claims / years, sample_weight=years)
print("rate at 20, 40, 60:", fit.predict([[20], [40], [60]]).round(3))
