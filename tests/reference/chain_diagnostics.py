"""Values for tests/numeric/chain_diagnostics_test.cpp and pareto_test.cpp, by ArviZ.

python tests/reference/chain_diagnostics.py
"""

import arviz as az
import numpy as np
from arviz.stats.stats import _gpdfit


def lcg(count: int) -> np.ndarray:
    """Uniforms of the generator s -> (1103515245 s + 12345) mod 2^31, from s = 1."""
    s, out = 1, []
    for _ in range(count):
        s = (1103515245 * s + 12345) % 2**31
        out.append((s + 0.5) / 2**31)
    return np.array(out)


def chains(correlation: float, shift: float, ties: bool) -> np.ndarray:
    """Four autoregressive chains of 201 draws; chain c is moved by c shift."""
    u = lcg(4 * 201).reshape(4, 201) - 0.5
    x = np.zeros_like(u)
    for c in range(4):
        last = 0.0
        for i in range(201):
            last = correlation * last + u[c, i]
            x[c, i] = last + c * shift
    return np.floor(x * 8) / 8 if ties else x


def main() -> None:
    """Print one line a case."""
    for correlation, shift, ties in (
        (0.0, 0.0, False),
        (0.7, 0.0, False),
        (-0.5, 0.0, False),
        (0.5, 0.3, False),
        (0.7, 0.1, True),
    ):
        x = chains(correlation, shift, ties)
        print(
            f"{{{correlation}, {shift}, {str(ties).lower()}, {az.rhat(x, method='rank'):.15g}, "
            f"{az.ess(x, method='bulk'):.15g}, {az.ess(x, method='tail'):.15g}}},"
        )
    u = lcg(500)
    for shape in (0.2, 0.5, 0.9):
        x = np.sort((u**-shape - 1) / shape)
        k, sigma = _gpdfit(x)
        log_ratio = -shape * np.log(u)
        _, pareto_k = az.psislw(log_ratio.copy(), reff=1.0)
        print(f"{{{shape}, {k:.15g}, {sigma:.15g}, {float(pareto_k):.15g}}},")


if __name__ == "__main__":
    main()
