"""The learned loss inside XGBoost, LightGBM and PyTorch."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from linkgistic import LearnedLoss, LinkgisticClassifier


@pytest.fixture(scope="module")
def asymmetric():
    """Labels whose log odds bend in a linear score, and the loss learned on the first half."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 4))
    t = X @ [1.5, -1.0, 0.5, 0.3]
    y = (rng.random(6000) < 1 / (1 + np.exp(-np.where(t > 0, 4 * t, 0.3 * t)))).astype(int)
    loss = LinkgisticClassifier(l2=1.0).fit(X[:3000], y[:3000]).learned_loss_
    return X, y, loss


def test_both_forms_of_an_objective_are_the_same(asymmetric):
    _, y, loss = asymmetric

    class Rows:
        get_label = staticmethod(lambda: y[:50])
        get_weight = staticmethod(lambda: np.array([]))

    x = np.linspace(-2, 2, 50)
    for objective in (loss.xgboost_objective(), loss.lightgbm_objective()):
        for one, two in zip(objective(y[:50], x), objective(x, Rows())):
            np.testing.assert_array_equal(one, two)
        gradient, curvature = objective(y[:50], x, np.full(50, 2.0))
        np.testing.assert_array_equal(gradient, 2 * loss.gradient(y[:50], x))
        assert np.all(curvature > 0)


def test_xgboost_learns_more_from_the_learned_loss(asymmetric):
    xgboost = pytest.importorskip("xgboost")
    X, y, loss = asymmetric
    train, test = xgboost.DMatrix(X[:3000], y[:3000]), xgboost.DMatrix(X[3000:], y[3000:])
    score = {}
    for name, one in (("log", LearnedLoss()), ("learned", loss)):
        options = {"booster": "gblinear", "eta": 0.5, "lambda": 0.0, "base_score": 0.0, "nthread": 2}
        model = xgboost.train(options, train, 50, obj=one.xgboost_objective())
        score[name] = log_loss(y[3000:], one.predict_proba(model.predict(test, output_margin=True)))
    assert score["learned"] < score["log"] - 0.005


def test_lightgbm_learns_more_from_the_learned_loss(asymmetric):
    lightgbm = pytest.importorskip("lightgbm")
    X, y, loss = asymmetric
    score = {}
    for name, one in (("log", LearnedLoss()), ("learned", loss)):
        options = {
            "objective": one.lightgbm_objective(),
            "learning_rate": 0.1,
            "num_leaves": 4,
            "verbose": -1,
            "num_threads": 2,
        }
        model = lightgbm.train(options, lightgbm.Dataset(X[:3000], y[:3000]), 60)
        score[name] = log_loss(y[3000:], one.predict_proba(model.predict(X[3000:])))
    assert score["learned"] < score["log"] - 0.002


def estimator_of(package, loss):
    module = pytest.importorskip(package)
    options = {"n_estimators": 4, "learning_rate": 0.3, "max_depth": 3, "n_jobs": 2}
    if package == "xgboost":
        return module.XGBClassifier(objective=loss.xgboost_objective(), tree_method="exact", **options)
    options |= {"verbose": -1, "min_child_samples": 0, "min_child_weight": 0, "min_data_in_bin": 1}
    return module.LGBMClassifier(objective=loss.lightgbm_objective(), **options)


@pytest.mark.parametrize("package", ["xgboost", "lightgbm"])
def test_a_weight_is_a_repetition_in_a_booster(asymmetric, package):
    X, y, _ = asymmetric
    loss = LearnedLoss()
    X, y = X[:1000].round(1), y[:1000]  # few values, so that LightGBM cuts them alike
    w = 1.0 + (np.arange(1000) % 3 == 0) * y  # weights 1 and 2
    keyword = {"output_margin": True} if package == "xgboost" else {"raw_score": True}
    margins = [
        model.predict(X, **keyword)
        for model in (
            estimator_of(package, loss).fit(X, y, sample_weight=w),
            estimator_of(package, loss).fit(np.repeat(X, w.astype(int), axis=0), np.repeat(y, w.astype(int))),
            estimator_of(package, loss).fit(X, y),
        )
    ]
    weighted, repeated, plain = margins
    np.testing.assert_allclose(weighted, repeated, atol=1e-5)
    assert np.abs(weighted - plain).mean() > 0.01


def test_torch_has_the_gradient(asymmetric):
    torch = pytest.importorskip("torch")
    _, y, loss = asymmetric
    x = torch.linspace(-2, 2, 50, dtype=torch.float64, requires_grad=True)
    labels = torch.as_tensor(y[:50])
    value = loss.torch("sum")(x, labels)
    value.backward()
    np.testing.assert_allclose(value.item(), loss(y[:50], x.detach().numpy()).sum())
    np.testing.assert_allclose(x.grad.numpy(), loss.gradient(y[:50], x.detach().numpy()))
    assert torch.autograd.gradcheck(lambda s: loss.torch("none")(s, labels), (x,), eps=1e-5, atol=1e-6)


def test_torch_learns_more_from_the_learned_loss(asymmetric):
    torch = pytest.importorskip("torch")
    X, y, loss = asymmetric
    rows, labels = torch.as_tensor(X, dtype=torch.float32), torch.as_tensor(y)
    score = {}
    for name, one in (("log", LearnedLoss()), ("learned", loss)):
        torch.manual_seed(0)
        model, module = torch.nn.Linear(4, 1), one.torch()
        optimiser = torch.optim.LBFGS(model.parameters(), max_iter=50)

        def closure():
            optimiser.zero_grad()
            value = module(model(rows[:3000]).squeeze(1), labels[:3000])
            value.backward()
            return value

        optimiser.step(closure)
        with torch.no_grad():
            margins = model(rows[3000:]).squeeze(1).numpy()
        score[name] = log_loss(y[3000:], one.predict_proba(margins))
    assert score["learned"] < score["log"] - 0.005
