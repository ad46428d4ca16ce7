"""BoosterClassifier: XGBoost and LightGBM on a learned loss, with the right probabilities."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict

from linkgistic import BoosterClassifier, LearnedClassLoss, LearnedLoss, LinkgisticClassifier

PACKAGES = ["xgboost", "lightgbm"]


@pytest.fixture(scope="module")
def asymmetric():
    """Labels whose log odds bend in a linear score, and the loss learned on the first half."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 4))
    t = X @ [1.5, -1.0, 0.5, 0.3]
    y = (rng.random(3000) < 1 / (1 + np.exp(-np.where(t > 0, 6 * t, 0.2 * t)))).astype(int)
    loss = LinkgisticClassifier(l2=1.0).fit(X[:1500], y[:1500]).learned_loss_
    return X, y, loss


def booster(package, **options):
    module = pytest.importorskip(package)
    options = {"n_estimators": 20, "learning_rate": 0.3, "max_depth": 3, "n_jobs": 2, **options}
    if package == "xgboost":
        return module.XGBClassifier(**options)
    return module.LGBMClassifier(verbose=-1, **options)


def test_xgboosts_own_probabilities_are_wrong_and_ours_are_right(asymmetric):
    X, y, loss = asymmetric
    own = booster("xgboost", objective=loss.xgboost_objective()).fit(X[:1500], y[:1500])
    model = BoosterClassifier(booster("xgboost"), loss).fit(X[:1500], y[:1500])
    sigmoid, right = (log_loss(y[1500:], m.predict_proba(X[1500:])) for m in (own, model))
    assert right < sigmoid - 0.05
    by_hand = loss.predict_proba(own.predict(X[1500:], output_margin=True))
    assert right < log_loss(y[1500:], by_hand) + 0.003  # which begins elsewhere, and is right as well


@pytest.mark.parametrize("package", PACKAGES)
def test_probabilities_are_those_of_the_link(asymmetric, package):
    X, y, loss = asymmetric
    model = BoosterClassifier(booster(package), loss).fit(X[:1500], y[:1500])
    p = model.predict_proba(X[1500:])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p[:, 1], loss.predict_proba(model.raw_score(X[1500:])))
    np.testing.assert_allclose(np.log(p[:, 1] / p[:, 0]), model.decision_function(X[1500:]), rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X[1500:]), (p[:, 1] > 0.5).astype(int))
    # The scores are the sum of the beginning and the trees: of no tree, the share of the second class.
    np.testing.assert_allclose(loss.predict_proba([model.start_]), y[:1500].mean())
    without = BoosterClassifier(booster(package, learning_rate=1e-9), loss).fit(X[:1500], y[:1500])
    np.testing.assert_allclose(without.predict_proba(X)[:, 1], y[:1500].mean(), rtol=1e-5)


@pytest.mark.parametrize("package", PACKAGES)
def test_on_the_log_loss_it_is_the_booster_itself(asymmetric, package):
    X, y, _ = asymmetric
    ours = BoosterClassifier(booster(package), LearnedLoss()).fit(X, y).predict_proba(X)
    np.testing.assert_allclose(ours, booster(package).fit(X, y).predict_proba(X), atol=2e-3)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_weight_is_a_repetition_from_the_beginning_on(asymmetric, package):
    X, y, loss = asymmetric
    X, y = X[:600].round(1), y[:600]
    w = 1 + (np.arange(600) % 3 == 0) * y
    exact = {"tree_method": "exact"} if package == "xgboost" else {"min_child_samples": 0, "min_data_in_bin": 1}
    estimator = booster(package, n_estimators=4, **exact)
    weighted = BoosterClassifier(estimator, loss).fit(X, y, sample_weight=w)
    repeated = BoosterClassifier(estimator, loss).fit(np.repeat(X, w, axis=0), np.repeat(y, w))
    assert weighted.start_ == pytest.approx(repeated.start_)
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-4)
    plain = BoosterClassifier(estimator, loss).fit(X, y)
    assert np.abs(weighted.predict_proba(X) - plain.predict_proba(X)).mean() > 0.01


def stopped_early(package, model, **fit_params):
    """A fit that stops by its metric, the values of it, and the place of the best."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        if package == "lightgbm":
            import lightgbm

            fit_params["callbacks"] = [lightgbm.early_stopping(5, verbose=False)]
        else:
            fit_params["verbose"] = False
            model.set_params(estimator__early_stopping_rounds=5)
        model.fit(**fit_params)
    inner = model.estimator_
    results = inner.evals_result() if package == "xgboost" else inner.evals_result_
    (values,) = list(results.values())
    best = inner.best_iteration if package == "xgboost" else inner.best_iteration_ - 1
    return values, best


@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("labels", [np.array([0, 1]), np.array(["no", "yes"])], ids=["numbers", "text"])
def test_early_stopping_goes_by_the_log_loss_of_the_right_probabilities(asymmetric, package, labels):
    X, y, loss = asymmetric
    y = labels[y]
    model = BoosterClassifier(booster(package, n_estimators=200), loss)
    held_out = (X[1500:], y[1500:])
    values, best = stopped_early(package, model, X=X[:1500], y=y[:1500], eval_set=[held_out])
    assert list(values) == ["log_loss"]
    assert best < 150
    assert best == np.argmin(values["log_loss"])
    expected = log_loss(y[1500:], model.predict_proba(X[1500:]), labels=labels)
    assert values["log_loss"][best] == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("package", PACKAGES)
def test_metrics_see_probabilities(asymmetric, package):
    X, y, loss = asymmetric
    seen = []

    def brier(y_true, p, sample_weight=None):
        seen.append((p.min(), p.max()))
        value = np.average((y_true - p) ** 2, weights=sample_weight)
        return ("brier", value, False) if package == "lightgbm" else value

    fit_params = {"X": X[:1500], "y": y[:1500], "eval_set": [(X[1500:], y[1500:])]}
    if package == "xgboost":
        model = BoosterClassifier(booster(package, eval_metric=[brier, "auc"]), loss).fit(**fit_params, verbose=False)
        values = model.estimator_.evals_result()["validation_0"]
    else:
        model = BoosterClassifier(booster(package), loss).fit(**fit_params, eval_metric=[brier, "auc"])
        values = model.estimator_.evals_result_["valid_0"]
    p = model.predict_proba(X[1500:])[:, 1]
    assert min(low for low, _ in seen) > 0 and max(high for _, high in seen) < 1
    assert values["brier"][-1] == pytest.approx(np.mean((y[1500:] - p) ** 2), rel=1e-4)
    assert values["auc"][-1] == pytest.approx(roc_auc_score(y[1500:], p), rel=1e-4)


@pytest.mark.parametrize("package", PACKAGES)
def test_habits_of_scikit_learn(asymmetric, package):
    X, y, loss = asymmetric
    X, y = X[:600], np.array(["no", "yes"])[y[:600]]
    model = BoosterClassifier(booster(package), loss)
    with pytest.raises(NotFittedError):
        model.predict_proba(X)
    assert model.get_params()["estimator__max_depth"] == 3
    fitted = clone(model).set_params(estimator__max_depth=2).fit(X, y)
    assert (fitted.estimator_.max_depth, model.estimator.max_depth) == (2, 3)
    assert not callable(fitted.estimator.objective)
    assert fitted.classes_.tolist() == ["no", "yes"] and set(fitted.predict(X)) == {"no", "yes"}
    assert fitted.score(X, y) > 0.7 and fitted.n_features_in_ == 4
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(X), fitted.predict_proba(X))
    search = GridSearchCV(model, {"estimator__max_depth": [1, 2]}, cv=2, scoring="neg_log_loss").fit(X, y)
    assert search.best_estimator_.estimator_.max_depth in (1, 2)
    assert cross_val_predict(model, X, y, cv=2, method="predict_proba").shape == (600, 2)


def test_the_loss_is_learned_on_the_same_rows(asymmetric):
    X, y, _ = asymmetric
    learner = LinkgisticClassifier(l2=1.0, v=0.5, cross_fit=False)
    model = BoosterClassifier(booster("lightgbm"), learner).fit(X[:600], y[:600])
    expected = clone(learner).fit(X[:600], y[:600]).learned_loss_
    at = np.linspace(-2, 2, 9)
    np.testing.assert_array_equal(model.loss_.predict_proba(at), expected.predict_proba(at))
    assert not hasattr(learner, "model_")


def test_class_weights_of_lightgbm_are_weights_of_rows(asymmetric):
    X, y, loss = asymmetric
    names = np.array(["no", "yes"])[y]
    by_class = BoosterClassifier(booster("lightgbm", class_weight={"no": 1.0, "yes": 3.0}), loss).fit(X, names)
    by_row = BoosterClassifier(booster("lightgbm"), loss).fit(X, names, sample_weight=1 + 2.0 * y)
    np.testing.assert_array_equal(by_class.predict_proba(X), by_row.predict_proba(X))


@pytest.mark.parametrize(
    ("package", "options", "message"),
    [
        ("xgboost", {"objective": "reg:squarederror"}, "objective = 'reg:squarederror': the objective is the loss"),
        ("xgboost", {"scale_pos_weight": 2.0}, "scale_pos_weight = 2.0: has no effect"),
        ("xgboost", {"base_score": 0.3}, "base_score = 0.3: would be where the scores begin"),
        ("xgboost", {"eval_metric": "rmse"}, "eval_metric = 'rmse': under a learned loss it is a function or one of"),
        ("lightgbm", {"objective": "regression"}, "objective = 'regression': the objective is the loss"),
        ("lightgbm", {"is_unbalance": True}, "is_unbalance = True: has no effect"),
        ("lightgbm", {"metric": "l2"}, "eval_metric = 'l2': under a learned loss"),
    ],
)
def test_settings_without_effect_are_refused(asymmetric, package, options, message):
    X, y, loss = asymmetric
    with pytest.raises(ValueError, match=message):
        BoosterClassifier(booster(package, **options), loss).fit(X, y)


@pytest.mark.parametrize("package", PACKAGES)
def test_what_cannot_be_is_refused(asymmetric, package):
    X, y, loss = asymmetric
    model = BoosterClassifier(booster(package), loss)
    with pytest.raises(ValueError, match="y has 3 classes, and the loss is of 2"):
        model.fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="at least 2 classes are needed, and there is 1 class, 1, with a positive"):
        model.fit(X, y, sample_weight=y)
    with pytest.raises(ValueError, match="eval_set: it has the label 7, and y has"):
        model.fit(X, y, eval_set=[(X, y + 7)])
    with pytest.raises(TypeError, match=r"argument 'eval_sets'\. Did you mean 'eval_set'\?"):
        model.fit(X, y, eval_sets=[(X, y)])
    start = "base_margin" if package == "xgboost" else "init_score"
    with pytest.raises(TypeError, match=f"got an unexpected keyword argument '{start}'"):
        model.fit(X, y, **{start: np.zeros(len(X))})
    with pytest.raises(TypeError, match="loss = 'log': it must be a LearnedLoss, a LearnedClassLoss or"):
        BoosterClassifier(booster(package), "log").fit(X, y)


def test_another_estimator_is_refused(asymmetric):
    X, y, loss = asymmetric
    with pytest.raises(TypeError, match="estimator: a LinkgisticClassifier is not known here, give an XGBClassifier"):
        BoosterClassifier(LinkgisticClassifier(), loss).fit(X, y)


@pytest.fixture(scope="module")
def bent_classes():
    """Four classes whose log odds bend in linear scores, and the loss learned on the first half."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4000, 5))
    t = X @ rng.normal(size=(5, 4))
    nu = np.where(t > 0, 0.3 * t, 3 * t)
    y = (nu + rng.gumbel(size=nu.shape)).argmax(axis=1)
    clf = LinkgisticClassifier(multiclass="softmax", l2=1.0, v=0.1, v_shared=0.1).fit(X[:2000], y[:2000])
    return X, y, clf.learned_loss_


@pytest.mark.parametrize("package", PACKAGES)
def test_many_classes_have_the_probabilities_of_their_links(bent_classes, package):
    X, y, loss = bent_classes
    assert isinstance(loss, LearnedClassLoss)
    model = BoosterClassifier(booster(package), loss).fit(X[:2000], y[:2000])
    p = model.predict_proba(X[2000:])
    np.testing.assert_allclose(p.sum(axis=1), 1)
    np.testing.assert_allclose(p, loss.predict_proba(model.raw_score(X[2000:])))
    np.testing.assert_array_equal(model.predict(X[2000:]), p.argmax(axis=1))
    shares = np.bincount(y[:2000]) / 2000
    np.testing.assert_allclose(loss.predict_proba([model.start_])[0], shares)
    without = BoosterClassifier(booster(package, learning_rate=1e-9), loss).fit(X[:2000], y[:2000])
    np.testing.assert_allclose(without.predict_proba(X[:5]), np.tile(shares, (5, 1)), rtol=1e-5)
    # The booster's own softmax knows nothing of the links.
    own = booster(package, objective=loss.xgboost_objective())
    if package == "xgboost":
        wrong = log_loss(y[2000:], own.fit(X[:2000], y[:2000]).predict_proba(X[2000:]))
        assert log_loss(y[2000:], p) < wrong - 0.02
    assert log_loss(y[2000:], p) < 0.9 * log_loss(y[2000:], np.tile(shares, (2000, 1)))


@pytest.mark.parametrize("package", PACKAGES)
def test_many_classes_have_metrics_weights_and_labels_of_any_kind(bent_classes, package):
    X, y, loss = bent_classes
    names = np.array(["d", "a", "c", "b"])[y]
    params = {"eval_set": [(X[2000:], names[2000:])]}
    own = booster(package)
    model = BoosterClassifier(own, loss).fit(X[:2000], names[:2000], sample_weight=np.full(2000, 2.0), **params)
    assert list(model.classes_) == ["a", "b", "c", "d"]
    fitted = model.estimator_
    history = fitted.evals_result() if package == "xgboost" else fitted.evals_result_
    last = next(iter(next(iter(history.values())).values()))[-1]
    np.testing.assert_allclose(last, log_loss(names[2000:], model.predict_proba(X[2000:])), rtol=1e-5)
    with pytest.raises(ValueError, match="y has 3 classes, and the loss is of 4"):
        BoosterClassifier(own, loss).fit(X, np.arange(len(X)) % 3)
    with pytest.raises(ValueError, match="give it multiclass='softmax', or use OneVsRestClassifier"):
        BoosterClassifier(own, LinkgisticClassifier(multiclass="ovr")).fit(X, y)
    whole = BoosterClassifier(own, LinkgisticClassifier(multiclass="softmax", l2=1.0, v=0.1, v_shared=0.1))
    assert whole.fit(X[:500], y[:500]).loss_.n_classes == 4


def test_the_loss_of_many_classes_in_torch(bent_classes):
    torch = pytest.importorskip("torch")
    X, y, loss = bent_classes
    scores = torch.tensor(X[:20, :4], dtype=torch.float64, requires_grad=True)
    labels = torch.tensor(y[:20])
    assert torch.autograd.gradcheck(lambda s: loss.torch("none")(s, labels), (scores,), atol=1e-5)
    value = loss.torch()(scores, labels)
    np.testing.assert_allclose(value.item(), loss(y[:20], X[:20, :4]).mean())
    with pytest.raises(ValueError, match="scores of shape"):
        loss.torch()(scores[:3], labels)
    with pytest.raises(ValueError, match="reduction = 'all'"):
        loss.torch("all")


def test_the_loss_of_many_classes_has_values_files_and_messages(bent_classes, tmp_path):
    X, y, loss = bent_classes
    value, gradient, hessian = loss.values(y[:7], X[:7, :4])
    assert value.shape == (7,) and gradient.shape == (7, 4) and hessian.shape == (7, 4, 4)
    np.testing.assert_allclose(value, -np.log(loss.predict_proba(X[:7, :4])[np.arange(7), y[:7]]))
    np.testing.assert_allclose(loss.predict_proba(loss.link(loss.predict_proba(X[:7, :4]))), loss.predict_proba(X[:7, :4]))
    loss.save(tmp_path / "loss.json")
    for again in (LearnedClassLoss.load(tmp_path / "loss.json"), pickle.loads(pickle.dumps(loss))):
        np.testing.assert_allclose(again(y[:7], X[:7, :4]), value)
    with pytest.raises(ValueError, match="x: it has the shape"):
        loss(y[:7], X[:7])
    with pytest.raises(ValueError, match="labels must be 0 to 3"):
        loss([4], X[:1, :4])
    with pytest.raises(ValueError, match="that of row 1 is NaN"):
        loss([0], [[np.nan, 0, 0, 0]])
    with pytest.raises(ValueError, match="n_classes = 1"):
        LearnedClassLoss(1)
    # Fisher's information is the expectation of the Hessian's diagonal where the probabilities are true.
    p = loss.predict_proba(X[:1, :4])[0]
    mean = sum(p[k] * loss.hessian([k], X[:1, :4])[0] for k in range(4))
    np.testing.assert_allclose(np.diag(mean), loss.information(X[:1, :4])[0], rtol=1e-9)
