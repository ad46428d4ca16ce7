"""What the estimators say of a fit are the words of its summary."""

import warnings

import pytest
from sklearn.exceptions import ConvergenceWarning

from linkgistic._options import report

NOT_CONVERGED = "the search for link and coefficients did not converge (no further rise)"


@pytest.mark.parametrize(
    ("summary", "interrupted", "said"),
    [
        ({"converged": True, "stop": "converged", "warnings": []}, False, []),
        (
            {"converged": False, "stop": "no further rise", "warnings": [NOT_CONVERGED, "few rows"]},
            False,
            [(UserWarning, "few rows"), (ConvergenceWarning, NOT_CONVERGED)],
        ),
        (
            {"converged": False, "stop": "iteration limit"},
            False,
            [(ConvergenceWarning, "the fit did not converge (iteration limit)")],
        ),
        (
            {"converged": False, "stop": "interrupted", "warnings": [NOT_CONVERGED]},
            True,
            [(ConvergenceWarning, "interrupted: the best model so far is kept")],
        ),
    ],
)
def test_a_fit_says_the_warnings_of_its_summary_once(summary, interrupted, said):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        report(summary, "the fit", interrupted)
    assert {(w.category, str(w.message)) for w in seen} == set(said)
    assert len(seen) == len(said)
