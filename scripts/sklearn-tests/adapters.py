"""Our estimators under the names and with the keywords of scikit-learn's, for scikit-learn's own tests."""

import linkgistic


class CalibratedClassifierCV(linkgistic.CalibratedClassifier):
    """`CalibratedClassifier`; it has one map, so `method` is kept and has no effect."""

    def __init__(self, estimator=None, *, method="sigmoid", cv=None, n_jobs=None, ensemble="auto"):
        super().__init__(estimator, cv=cv, n_jobs=n_jobs, ensemble=ensemble)
        self.method = method


class IsotonicRegression(linkgistic.MonotoneRegressor):
    """`MonotoneRegressor`; it has no bounds of y, so `y_min` and `y_max` are kept and have no effect."""

    def __init__(self, *, y_min=None, y_max=None, increasing=True, out_of_bounds="nan"):
        super().__init__(increasing=increasing, out_of_bounds=out_of_bounds)
        self.y_min = y_min
        self.y_max = y_max
