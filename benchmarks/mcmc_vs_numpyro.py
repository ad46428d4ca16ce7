"""Exact sampling against NumPyro on the same posterior, and its cost at 10^6 rows."""

import math
import os
import time
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=4")

import arviz
import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, init_to_value

from common import Table, run_program, seconds_of

jax.config.update("jax_enable_x64", True)

ROWS = 2000
HARMONICS = 8
DRAWS = 1000
WARMUP = 500
C = 0.5  # the period is 2/C
PLACES = np.array([-0.8, -0.4, 0.0, 0.4, 0.8])
# A straight line: chains that begin anywhere find modes that they never leave.
START = {
    "theta_a": math.log(0.5), "theta_v": 0.0, "theta_s": 0.0, "theta_gamma": 0.0, "mu": 0.0,
    "log_precision": math.log(4.0), "z": np.zeros(2 * HARMONICS + 1), "z0": 0.0,
}  # fmt: skip
HYPER = ("theta_a", "theta_v", "theta_s", "theta_gamma", "mu", "log_precision")


def features(x: np.ndarray) -> np.ndarray:
    """(N, 4K + 2): 1, C_0..C_2K, S_1..S_2K."""
    j = np.arange(1, 2 * HARMONICS + 1)
    angle = math.pi * C * np.outer(x, j)
    scale = 1 / (math.pi * C * j)
    return np.hstack(
        (
            np.ones((len(x), 1)),
            x[:, None],
            np.sin(angle) * scale,
            (1 - np.cos(angle)) * scale,
        )
    )


def product_tensor() -> np.ndarray:
    """(P, D, D): the coefficients of the integral of f^2 in the features, f = p_0 + sum p_m cos + q_m sin."""
    k = HARMONICS
    tensor = np.zeros((4 * k + 2, 2 * k + 1, 2 * k + 1))
    cos, sin = (lambda m: m), (lambda m: k + m)
    c, s = (lambda j: 1 + j), (lambda j: 1 + 2 * k + j)
    for m in range(k + 1):
        for n in range(k + 1):
            tensor[c(abs(m - n)), cos(m), cos(n)] += 0.5
            tensor[c(m + n), cos(m), cos(n)] += 0.5
            if m and n:
                tensor[c(abs(m - n)), sin(m), sin(n)] += 0.5
                tensor[c(m + n), sin(m), sin(n)] -= 0.5
            if m:  # sin m cos n, twice: once in each order
                tensor[s(m + n), sin(m), cos(n)] += 1.0
                if m != n:
                    tensor[s(abs(m - n)), sin(m), cos(n)] += math.copysign(1.0, m - n)
    return tensor


def model(phi: jax.Array, tensor: jax.Array, at: jax.Array, y: jax.Array) -> None:
    """The offset prior with learned hyper-parameters, whitened coordinates, Gaussian noise."""
    theta_a = numpyro.sample("theta_a", dist.Normal(math.log(0.5), 1.0))
    theta_v = numpyro.sample("theta_v", dist.Normal(0.0, 1.5))
    theta_s = numpyro.sample("theta_s", dist.Normal(0.0, 2.0))
    theta_gamma = numpyro.sample("theta_gamma", dist.Normal(0.0, 1.0))
    mu = numpyro.sample("mu", dist.Normal(0.0, 1.0))
    log_precision = numpyro.sample("log_precision", dist.Normal(math.log(4.0), 2.0))
    z = numpyro.sample("z", dist.Normal(0.0, 1.0).expand([2 * HARMONICS + 1]))
    z0 = numpyro.sample("z0", dist.Normal(0.0, 1.0))
    m = jnp.concatenate((jnp.arange(HARMONICS + 1), jnp.arange(1, HARMONICS + 1)))
    log_a = jnp.log1p(jnp.exp(theta_a))
    decay = jnp.exp(-jnp.arange(HARMONICS + 1) * log_a)
    s, v = jnp.exp(theta_s), jax.nn.sigmoid(theta_v)
    w = z * jnp.sqrt(s * v * jnp.exp(-m * log_a) / decay.sum())
    w = w.at[0].add(jnp.sqrt(s * (1 - v)))
    kappa = jnp.einsum("pij,i,j->p", tensor, w, w)
    kappa = kappa.at[0].add(mu + z0 * jnp.exp(-theta_gamma / 2))
    numpyro.deterministic("nu", at @ kappa)
    numpyro.sample("y", dist.Normal(phi @ kappa, jnp.exp(-log_precision / 2)), obs=y)


def sampler(warmup: int, draws: int) -> MCMC:
    """Four chains, each on its own host device."""
    return MCMC(
        NUTS(model, dense_mass=True, init_strategy=init_to_value(values=START)),
        num_warmup=warmup,
        num_samples=draws,
        num_chains=4,
        chain_method="parallel",
        progress_bar=False,
    )


def run_numpyro(x: np.ndarray, y: np.ndarray) -> dict[str, Any]:
    """Seconds and the least effective sample size over nu and the hyper-parameters, chain by chain.

    The time of a run of a few draws, which is that of compiling, is taken off.
    """
    arguments = [
        jnp.asarray(a)
        for a in (features(x), product_tensor(), features(PLACES), y)
    ]
    compiling, _ = seconds_of(lambda: sampler(5, 5).run(jax.random.PRNGKey(0), *arguments))
    mcmc = sampler(WARMUP, DRAWS)
    begin = time.perf_counter()
    mcmc.run(jax.random.PRNGKey(1), *arguments)
    jax.block_until_ready(mcmc.get_samples())
    seconds = time.perf_counter() - begin - compiling
    samples = mcmc.get_samples(group_by_chain=True)
    quantities = [np.asarray(samples["nu"])[:, :, i] for i in range(len(PLACES))]
    quantities += [np.asarray(samples[name]) for name in HYPER]
    nu = np.asarray(samples["nu"]).reshape(-1, len(PLACES))
    return {
        "seconds": seconds,
        # Each chain on its own, added up: no less than the joint figure, whether or not the chains agree.
        "ess": min(
            sum(float(arviz.ess(chain[None, :], method=m)) for chain in q)
            for q in quantities
            for m in ("bulk", "tail")
        ),
        "r_hat": max(float(arviz.rhat(q)) for q in quantities),
        "nu_mean": nu.mean(axis=0),
        "nu_sd": nu.std(axis=0),
    }


def main() -> None:
    """Run both at 2,000 rows, ours at 10^4 and 10^6, and print the comparison."""
    runs = [run_program("bench_sampling", str(ROWS), str(HARMONICS), str(DRAWS), str(WARMUP)) for _ in range(3)]
    ours = min(runs, key=lambda run: run["seconds"])
    x, y = np.array(ours["x"]), np.array(ours["y"])
    peer = run_numpyro(x, y)
    rate = min(ours["bulk_ess"], ours["tail_ess"]) / ours["seconds"]

    table = Table(f"Exact sampling, offset prior, K = {HARMONICS}, N = {ROWS}, 4 x {DRAWS} draws")
    table.value("NumPyro, compilation apart", peer["seconds"], "s",
                f"least ESS {peer['ess']:.0f}, R-hat {peer['r_hat']:.4f}")
    table.value("Linkgistic, Laplace fit included", ours["seconds"], "s",
                f"least ESS {min(ours['bulk_ess'], ours['tail_ess']):.0f}, R-hat {ours['r_hat']:.4f}")
    table.value("NumPyro, effective draws a second", peer["ess"] / peer["seconds"])
    table.value("Linkgistic, effective draws a second", rate)
    table.at_least("  ratio", rate / (peer["ess"] / peer["seconds"]), 20)
    difference = np.max(np.abs(np.array(ours["nu_mean"]) - peer["nu_mean"]) / peer["nu_sd"])
    table.at_most("largest difference of posterior means of nu, in standard deviations", difference, 0.2)
    for rows in (10**4, 10**6):
        run = run_program("bench_sampling", str(rows), "16", str(DRAWS), str(WARMUP))
        table.at_most(f"N = {rows}, K = 16: seconds in all", run["seconds"], 20, "s")
        table.value("  of them the pass over the rows", run["seconds_pass"], "s")
        table.at_most("  R-hat", run["r_hat"], 1.01)
        table.value("  least ESS", min(run["bulk_ess"], run["tail_ess"]))
    table.print()


if __name__ == "__main__":
    main()
