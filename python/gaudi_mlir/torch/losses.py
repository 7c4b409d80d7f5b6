# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses: the gradient of a cross entropy, that of a linear layer, an op of torch.nn that works
by chunks, as a whole, and one that PyTorch decomposes wrongly."""
import torch
import torch.nn.functional as F

Tensor = torch.Tensor


def _log_probabilities(input: Tensor, linear_weight: Tensor, linear_bias: Tensor | None) -> Tensor:
    logits = F.linear(input.float(), linear_weight.float(),
                      None if linear_bias is None else linear_bias.float())
    return torch.log_softmax(logits, -1)


def _shares(target: Tensor, weight: Tensor | None, ignored: int) -> tuple[Tensor, Tensor]:
    """The targets, none of which is outside, and the weight of each."""
    is_ignored = target == ignored
    target = torch.where(is_ignored, 0, target)
    ones = torch.ones_like(target, dtype=torch.float32)
    return target, torch.where(is_ignored, 0.0, ones if weight is None else weight.float()[target])


def _of_targets(values: Tensor, target: Tensor) -> Tensor:
    return torch.gather(values, 1, target.unsqueeze(1)).squeeze(1)


def linear_cross_entropy(input: Tensor, linear_weight: Tensor, target: Tensor, linear_bias, weight,
                         reduction: str, ignore_index: int, label_smoothing: float,
                         batch_chunk_size: int, acc_policy: str, acc_dtype,
                         allow_retain_graph: bool, compute_input_grad: bool,
                         compute_linear_weight_grad: bool,
                         compute_linear_bias_grad: bool):
    """The loss and its gradients; a gradient that is not wanted is empty."""
    if label_smoothing or reduction not in ("mean", "sum"):
        return NotImplemented
    log_probabilities = _log_probabilities(input, linear_weight, linear_bias)
    target, shares = _shares(target, weight, ignore_index)
    if reduction == "mean":
        shares = shares / shares.sum()
    loss = -(_of_targets(log_probabilities, target) * shares).sum()
    if reduction == "mean" and input.shape[0] == 0:
        loss = torch.full_like(loss, float("nan"))
    is_target = target.unsqueeze(1) == torch.arange(linear_weight.shape[0], device=target.device)
    grads = (log_probabilities.exp() - is_target.float()) * shares.unsqueeze(1)

    def made(is_wanted: bool, grad, dims: int) -> Tensor:
        return (grad() if is_wanted else grads.new_zeros([0] * dims)).to(input.dtype)

    return (loss.to(input.dtype),
            made(compute_input_grad, lambda: grads @ linear_weight.float(), 2),
            made(compute_linear_weight_grad, lambda: grads.t() @ input.float(), 2),
            made(compute_linear_bias_grad, lambda: grads.sum(0), 1))


def linear_cross_entropies(input: Tensor, linear_weight: Tensor, target: Tensor, linear_bias,
                           weight, ignore_index: int, batch_chunk_size: int, acc_policy: str,
                           acc_dtype) -> Tensor:
    """The loss of each row."""
    log_probabilities = _log_probabilities(input, linear_weight, linear_bias)
    target, shares = _shares(target, weight, ignore_index)
    return (-_of_targets(log_probabilities, target) * shares).to(input.dtype)


def nll_loss_backward(grad: Tensor, x: Tensor, target: Tensor, weight: Tensor | None,
                      reduction: int, ignore_index: int, total_weight: Tensor) -> Tensor:
    """By comparing classes: the zeros that a scatter begins with would be a constant of the recipe,
    as large as the logits."""
    dim = 0 if x.dim() < 2 else 1
    if reduction == 1:  # mean
        grad = grad / total_weight
    if x.dim() == 1 and target.dim() > 0:
        target = target[0]
    target = target.unsqueeze(dim)
    classes = torch.arange(x.shape[dim], device=x.device)
    classes = classes.reshape([-1 if each == dim else 1 for each in range(x.dim())])
    if x.dim() > grad.dim() > 0:
        grad = grad.unsqueeze(dim)
    if weight is not None:
        grad = grad * weight.reshape(classes.shape)
    is_target = (classes == target) & (target != ignore_index)
    return torch.where(is_target, -grad, 0.0).to(x.dtype)


def _named_classes(self: Tensor, target: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Rows in f32, the classes that each names, up to the first -1, and which of them are."""
    count = self.shape[-1] if self.dim() else 1
    target = target.reshape(-1, count)
    is_named = (target < 0).to(torch.int64).cumsum(1) == 0
    return self.reshape(-1, count).float(), torch.where(is_named, target, 0), is_named


def _margins(rows: Tensor, target: Tensor, is_named: Tensor, is_target: Tensor) -> Tensor:
    """[rows, named classes, classes]: how far within 1 of a named class each other one comes."""
    margins = 1 - torch.gather(rows, 1, target).unsqueeze(2) + rows.unsqueeze(1)
    return torch.where(is_named.unsqueeze(2) & ~is_target.unsqueeze(1), margins, 0).clamp(min=0)


def multilabel_margin_loss(self: Tensor, target: Tensor, reduction: int):
    """The loss, and which classes are named. PyTorch's decomposition takes what is behind the
    first -1 for class 0."""
    if self.numel() == 0:
        return NotImplemented
    rows, places, is_named = _named_classes(self, target)
    is_target = torch.scatter_add(torch.zeros_like(rows), 1, places, is_named.float()) > 0
    losses = _margins(rows, places, is_named, is_target).sum((1, 2)) / rows.shape[1]
    losses = losses.reshape(self.shape[:-1]) if reduction == 0 else \
        losses.mean() if reduction == 1 else losses.sum()
    return losses.to(self.dtype), is_target.reshape(target.shape).to(self.dtype)


def multilabel_margin_loss_backward(grad: Tensor, self: Tensor, target: Tensor, reduction: int,
                                    is_target: Tensor) -> Tensor:
    if self.numel() == 0:
        return torch.zeros_like(self)
    rows, places, is_named = _named_classes(self, target)
    is_near = _margins(rows, places, is_named, is_target.reshape(rows.shape) != 0) > 0
    shares = is_near.float() / rows.shape[1]
    result = torch.scatter_add(shares.sum(1), 1, places, -shares.sum(2))
    if reduction == 1:
        result = result / rows.shape[0]
    return (result * grad.reshape(-1, 1).float()).reshape(self.shape).to(self.dtype)
