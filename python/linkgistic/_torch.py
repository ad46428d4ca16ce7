"""The learned loss as a PyTorch module."""

import torch


class _Loss(torch.autograd.Function):
    @staticmethod
    def forward(context, scores, labels, loss):
        y, x = labels.detach().cpu().numpy().ravel(), scores.detach().double().cpu().numpy().ravel()
        value, gradient, _ = loss.values(y, x)
        context.save_for_backward(torch.as_tensor(gradient).to(scores).reshape(scores.shape))
        return torch.as_tensor(value).to(scores).reshape(scores.shape)

    @staticmethod
    def backward(context, outer):
        (gradient,) = context.saved_tensors
        return outer * gradient, None, None


class _ClassLoss(torch.autograd.Function):
    @staticmethod
    def forward(context, scores, labels, loss):
        y, x = labels.detach().cpu().numpy(), scores.detach().double().cpu().numpy()
        context.save_for_backward(torch.as_tensor(loss.gradient(y, x)).to(scores))
        return torch.as_tensor(loss(y, x)).to(scores)

    @staticmethod
    def backward(context, outer):
        (gradient,) = context.saved_tensors
        return outer.unsqueeze(-1) * gradient, None, None


class LearnedClassLossModule(torch.nn.Module):
    """The loss of scores (n, n_classes) and labels (n,), differentiable once in the scores."""

    def __init__(self, loss, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"reduction = {reduction!r}: it must be 'mean', 'sum' or 'none'")
        self.loss = loss
        self.reduction = reduction

    def forward(self, scores, labels):
        """The loss, reduced."""
        if not scores.is_floating_point():
            raise TypeError(f"scores: floating point numbers are needed, and they are {scores.dtype}")
        if scores.ndim != 2 or tuple(scores.shape[:1]) != tuple(labels.shape):
            raise ValueError(f"scores of shape {tuple(scores.shape)} and labels of shape {tuple(labels.shape)}")
        values = _ClassLoss.apply(scores, labels, self.loss)
        return values if self.reduction == "none" else getattr(values, self.reduction)()


class LearnedLossModule(torch.nn.Module):
    """The loss of scores and labels, differentiable once in the scores."""

    def __init__(self, loss, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"reduction = {reduction!r}: it must be 'mean', 'sum' or 'none'")
        self.loss = loss
        self.reduction = reduction

    def forward(self, scores, labels):
        """The loss, reduced; labels have the shape of the scores, but for a last dimension of 1."""
        if not scores.is_floating_point():
            raise TypeError(f"scores: floating point numbers are needed, and they are {scores.dtype}")
        shapes = [tuple(t.shape[:-1]) if t.shape[-1:] == (1,) else tuple(t.shape) for t in (scores, labels)]
        if shapes[0] != shapes[1]:
            raise ValueError(f"scores of shape {tuple(scores.shape)} and labels of shape {tuple(labels.shape)}")
        values = _Loss.apply(scores, labels, self.loss)
        return values if self.reduction == "none" else getattr(values, self.reduction)()
