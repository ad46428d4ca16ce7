# scikit-learn has no errors of coefficients: they follow from Fisher's information.
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[["mean radius", "mean texture", "mean smoothness"]]
model = LogisticRegression(C=1e10, solver="newton-cholesky").fit(X, y)
p = model.predict_proba(X)[:, 1]
rows = np.column_stack([np.ones(len(X)), X])
error = np.sqrt(np.diag(np.linalg.inv(rows.T * (p * (1 - p)) @ rows)))
estimate = np.append(model.intercept_, model.coef_)
for name, value, e in zip(["(intercept)", *X.columns], estimate, error):
    print(f"{name:17} {value:8.4g} {e:8.4g} {value / e:8.4g} {value - 1.96 * e:8.4g} {value + 1.96 * e:8.4g}")
