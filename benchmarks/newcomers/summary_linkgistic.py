from sklearn.datasets import load_breast_cancer
from linkgistic import LinkgisticClassifier

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = LinkgisticClassifier().fit(X[["mean radius", "mean texture", "mean smoothness"]], y)
print(model.summary())
