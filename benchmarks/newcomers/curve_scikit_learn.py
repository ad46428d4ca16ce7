# scikit-learn has no band: it follows from isotonic regressions of rows drawn anew.
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.isotonic import IsotonicRegression
from sklearn.utils import resample

cars = pd.read_csv("auto-mpg.csv")
at = np.append(np.linspace(cars.weight.min(), cars.weight.max(), 200), 3000)


def curve(rows):
    return IsotonicRegression(increasing=False, out_of_bounds="clip").fit(rows.weight, rows.mpg).predict(at)


draws = np.array([curve(resample(cars, random_state=seed)) for seed in range(200)])
lower, upper = np.quantile(draws, [0.05, 0.95], axis=0)
plt.scatter(cars.weight, cars.mpg, s=8)
plt.plot(at[:-1], curve(cars)[:-1])
plt.fill_between(at[:-1], lower[:-1], upper[:-1], alpha=0.3)
plt.savefig("fit.png")
print(f"{curve(cars)[-1]:.6g},{lower[-1]:.6g},{upper[-1]:.6g}")
