"""One Laplace fit and one evidence gradient, Bernoulli, against PyTorch autodiff from the same start."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from common import Table, run_program, seconds_of
from peers.torch_laplace import LaplaceModel, bernoulli, isgp_source, psi_matrices

ROWS = 5000
HARMONICS = 32  # M = 64
SEED = 20201206
RANGE = 3.0
REPEATS = 3
THREADS = (2, 1)


def make_problem() -> dict[str, Any]:
    """Labels with log odds of slope 2.5 on the left and 0.3 on the right; k(0,0) = 1; the data fill half a period."""
    rng = np.random.default_rng(SEED)
    x = rng.uniform(-RANGE, RANGE, ROWS)
    # The slope is 0.3 + 2.2 sigmoid(-x), the value 0 at 0.
    log_odds = 0.3 * x + 2.2 * (math.log(2) - np.logaddexp(0, -x))
    y = (rng.uniform(size=ROWS) < 1 / (1 + np.exp(-log_odds))).astype(float)
    c, a = 1 / (2 * RANGE), 1.2
    b = (a - 1) / (1 - a**-HARMONICS)
    return {
        "c": c,
        "harmonics": HARMONICS,
        "x": x.tolist(),
        "y": y.tolist(),
        "theta": {"a": a, "b": b, "gamma": 0.01, "mu": 0.0},
        "start": [*unit_slope_weights(c, a, b).tolist(), 0.0],
    }


def unit_slope_weights(c: float, a: float, b: float) -> np.ndarray:
    """The ridge fit of f = 1 over the range of the data, penalised by the prior: nu(x) is near x."""
    m = np.arange(1, HARMONICS + 1)
    angle = math.pi * c * np.outer(np.linspace(-RANGE, RANGE, 201), m)
    phi = np.hstack((np.cos(angle), np.sin(angle)))
    precision = np.tile(a**m / b, 2)
    return np.linalg.solve(phi.T @ phi + 0.1 * np.diag(precision), phi.sum(axis=0))


def torch_theta(theta: dict[str, float]) -> torch.Tensor:
    """(log(a - 1), log b, log gamma, mu)."""
    logs = [math.log(v) for v in (theta["a"] - 1, theta["b"], theta["gamma"])]
    return torch.tensor([*logs, theta["mu"]], dtype=torch.float64)


def torch_model(problem: dict[str, Any]) -> LaplaceModel:
    """The peer's model; its cost is that of the psi matrices."""
    x, y = (torch.tensor(problem[key], dtype=torch.float64) for key in ("x", "y"))
    psi = psi_matrices(x, problem["c"], problem["harmonics"])
    return LaplaceModel(isgp_source(psi), y, bernoulli)


def run_torch(problem: dict[str, Any], threads: int) -> dict[str, Any]:
    """Time psi, mode and evidence gradient as the paper computes them."""
    torch.set_num_threads(threads)
    start = torch.tensor(problem["start"], dtype=torch.float64)
    theta = torch_theta(problem["theta"])
    seconds_psi, model = seconds_of(lambda: torch_model(problem))
    seconds_mode, (mode, evaluations) = seconds_of(lambda: model.mode(start, theta))
    seconds_gradient, _ = seconds_of(lambda: model.log_evidence(mode, theta))
    return {
        "threads": threads,
        "seconds": seconds_psi + seconds_mode + seconds_gradient,
        "seconds_psi": seconds_psi,
        "seconds_mode": seconds_mode,
        "seconds_gradient": seconds_gradient,
        "evaluations": evaluations,
        "mode": mode,
    }


def fastest(results: list[dict[str, Any]]) -> dict[str, Any]:
    """The result with the fewest seconds."""
    return min(results, key=lambda result: result["seconds"])


def largest_difference(ours: list[float], peer: torch.Tensor) -> float:
    """max |ours - peer|; the two must have one length."""
    return float(np.max(np.abs(np.subtract(ours, peer.numpy(), dtype=float))))


def main() -> None:
    """Run both on the same problem, interleaved, and print the comparison."""
    problem = make_problem()
    ours: list[dict[str, Any]] = []
    peers: dict[int, list[dict[str, Any]]] = {threads: [] for threads in THREADS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "laplace.json"
        path.write_text(json.dumps(problem))
        for _ in range(REPEATS):
            for threads in THREADS:
                ours.append(run_program("bench_laplace", path))
                peers[threads].append(run_torch(problem, threads))
    best = fastest(ours)
    peer = fastest([fastest(results) for results in peers.values()])

    model, theta = torch_model(problem), torch_theta(problem["theta"])
    mode = model.polish(peer["mode"], theta)
    log_evidence, gradient = model.log_evidence(mode, theta)

    table = Table(
        f"Laplace fit and evidence gradient, Bernoulli, N = {ROWS}, M = {2 * HARMONICS}"
    )
    for threads, results in peers.items():
        table.value(f"PyTorch, threads = {threads}", fastest(results)["seconds"], "s")
    table.value("  fastest: psi matrices", peer["seconds_psi"], "s")
    table.value("  fastest: mode by L-BFGS", peer["seconds_mode"], "s")
    table.value("  fastest: evidence gradient", peer["seconds_gradient"], "s")
    table.value("  fastest: evaluations of L-BFGS", peer["evaluations"])
    table.value("Linkgistic", best["seconds"], "s")
    table.value("  mode", best["seconds_mode"], "s")
    table.value("  evidence gradient", best["seconds_gradient"], "s")
    table.value("  iterations", best["iterations"])
    table.at_least("PyTorch / Linkgistic", peer["seconds"] / best["seconds"], 100)
    table.at_most(
        "max |difference of nu|",
        largest_difference(best["nu"], model.nu(mode)),
        1e-6,
    )
    table.at_most(
        "|difference of log evidence|", abs(best["log_evidence"] - log_evidence), 1e-6
    )
    table.at_most(
        "max |difference of gradient|",
        largest_difference(best["gradient"][: len(theta)], gradient),
        1e-6,
    )
    table.print()


if __name__ == "__main__":
    main()
