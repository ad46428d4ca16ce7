"""Laplace inference for the integrated squared Gaussian process by PyTorch autodiff.

The method as Walder and Nock (NeurIPS 2020) describe it: explicit psi matrices from the closed forms of
appendix E, the mode by L-BFGS, the Hessian and the gradient of the evidence by automatic differentiation
(section 4.1, appendix D). Two deviations, both corrections: the implicit derivative of the mode has a plus sign
because H is minus the second derivative, and the evidence keeps its constant (d/2) log 2 pi.

Notation: M = 2K weights w of (cos m, sin m), m = 1..K; Gamma = (w, nu0), d = M + 1;
theta = (log(a - 1), log b, log gamma, mu, log alpha), alpha the precision of Gaussian noise.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.autograd.functional import hessian

LOG_2PI = math.log(2 * math.pi)


def psi_matrices(x: Tensor, c: float, harmonics: int) -> Tensor:
    """psi(x) = integral from 0 to x of phi phi', shape (N, M, M), by appendix E."""
    index = torch.arange(1, harmonics + 1, dtype=x.dtype)
    m, n = index[:, None], index[None, :]
    angle = math.pi * c * x[:, None] * index
    sin_m, cos_m = torch.sin(angle)[:, :, None], torch.cos(angle)[:, :, None]
    sin_n, cos_n = sin_m.transpose(1, 2), cos_m.transpose(1, 2)
    # The entries m = n are replaced below; eye keeps their division finite.
    scale = math.pi * c * (m**2 - n**2 + torch.eye(harmonics, dtype=x.dtype))
    sin_sin = (n * sin_m * cos_n - m * cos_m * sin_n) / scale
    cos_cos = (m * sin_m * cos_n - n * cos_m * sin_n) / scale
    sin_cos = (m - n * sin_m * sin_n - m * cos_m * cos_n) / scale
    half, quarter = x[:, None] / 2, torch.sin(2 * angle) / (4 * math.pi * c * index)
    sin_sin.diagonal(dim1=1, dim2=2).copy_(half - quarter)
    cos_cos.diagonal(dim1=1, dim2=2).copy_(half + quarter)
    sin_cos.diagonal(dim1=1, dim2=2).copy_(
        torch.sin(angle) ** 2 / (2 * math.pi * c * index)
    )
    upper = torch.cat((cos_cos, sin_cos.transpose(1, 2)), dim=2)
    lower = torch.cat((sin_cos, sin_sin), dim=2)
    return torch.cat((upper, lower), dim=1)


def isgp_source(psi: Tensor) -> Callable[[Tensor], Tensor]:
    """w -> (w'psi(x_n)w)_n, as one matrix-vector product with vec(ww'), which is the fastest form in PyTorch."""
    flat = psi.reshape(len(psi), -1)
    return lambda w: flat @ torch.outer(w, w).reshape(-1)


def gaussian(nu: Tensor, y: Tensor, theta: Tensor) -> Tensor:
    """Log likelihood of y ~ N(nu, 1/alpha)."""
    log_alpha = theta[4]
    squares = ((nu - y) ** 2).sum()
    return 0.5 * len(y) * (log_alpha - LOG_2PI) - 0.5 * log_alpha.exp() * squares


def bernoulli(nu: Tensor, y: Tensor, theta: Tensor) -> Tensor:
    """Log likelihood of y in {0, 1} with log odds nu; theta has no part in it."""
    return torch.nn.functional.logsigmoid((2 * y - 1) * nu).sum()


@dataclass(frozen=True)
class LaplaceModel:
    """The log joint of (w, nu0) and what Laplace inference makes of it."""

    source: Callable[[Tensor], Tensor]  # w -> nu(x_n) - nu0
    y: Tensor
    log_likelihood: Callable[[Tensor, Tensor, Tensor], Tensor]

    def nu(self, params: Tensor) -> Tensor:
        """nu at the data."""
        return self.source(params[:-1]) + params[-1]

    def log_joint(self, params: Tensor, theta: Tensor) -> Tensor:
        """log p(D, Gamma), w ~ N(0, diag(b a^-m)), nu0 ~ N(mu, 1/gamma)."""
        w, nu0 = params[:-1], params[-1]
        log_a = torch.nn.functional.softplus(theta[0])  # log(1 + exp(log(a - 1)))
        m = torch.arange(1, len(w) // 2 + 1, dtype=w.dtype).repeat(2)
        log_lambda = theta[1] - m * log_a
        prior_w = -0.5 * (w**2 / log_lambda.exp() + log_lambda + LOG_2PI).sum()
        log_gamma, mu = theta[2], theta[3]
        prior_nu0 = 0.5 * (log_gamma - LOG_2PI - log_gamma.exp() * (nu0 - mu) ** 2)
        return self.log_likelihood(self.nu(params), self.y, theta) + prior_w + prior_nu0

    def mode(
        self, start: Tensor, theta: Tensor, tolerance: float = 1e-6
    ) -> tuple[Tensor, int]:
        """L-BFGS until max|gradient| <= tolerance * max|gradient at the start|; the mode and the evaluations."""
        params = start.clone().requires_grad_()
        (first,) = torch.autograd.grad(self.log_joint(params, theta), params)
        optimiser = torch.optim.LBFGS(
            [params],
            max_iter=20000,
            tolerance_grad=tolerance * first.abs().max().item(),
            tolerance_change=0.0,
            line_search_fn="strong_wolfe",
        )

        def closure() -> Tensor:
            optimiser.zero_grad()
            loss = -self.log_joint(params, theta)
            loss.backward()
            return loss

        optimiser.step(closure)
        return params.detach(), optimiser.state[params]["func_evals"]

    def polish(self, params: Tensor, theta: Tensor, steps: int = 4) -> Tensor:
        """Newton steps that take a converged mode to rounding error."""
        for _ in range(steps):
            params = params.detach().requires_grad_()
            (gradient,) = torch.autograd.grad(self.log_joint(params, theta), params)
            params = params + torch.linalg.solve(self.hessian(params, theta), gradient)
        return params.detach()

    def hessian(
        self, params: Tensor, theta: Tensor, create_graph: bool = False
    ) -> Tensor:
        """H = -d2 log p(D, Gamma) / dGamma dGamma', row by row, which is faster here than vectorised."""
        return hessian(
            lambda g: -self.log_joint(g, theta), params, create_graph=create_graph
        )

    def log_evidence(self, params: Tensor, theta: Tensor) -> tuple[float, Tensor]:
        """log q(D | theta) = log p(D, mode) - 1/2 log det H + d/2 log 2 pi, and its total gradient in theta."""
        params = params.detach().requires_grad_()
        theta = theta.detach().requires_grad_()
        h = self.hessian(params, theta, create_graph=True)
        joint = self.log_joint(params, theta)
        log_q = joint - 0.5 * torch.logdet(h) + 0.5 * len(params) * LOG_2PI
        by_params, by_theta = torch.autograd.grad(log_q, (params, theta))
        # (dGamma/dtheta)' v = (d2 log p / dtheta dGamma') H^-1 v, as the derivative of (H^-1 v)' dlog p/dGamma.
        direction = torch.linalg.solve(h.detach(), by_params)
        (score,) = torch.autograd.grad(
            self.log_joint(params, theta), params, create_graph=True
        )
        (implicit,) = torch.autograd.grad(score @ direction, theta)
        return log_q.item(), (by_theta + implicit).detach()
