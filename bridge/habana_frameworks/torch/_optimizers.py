# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu.optimizer_*, and what else steps lists of tensors: all of a list by one launch."""
import torch

from ._fp8 import narrowed
from ._ops import WRITING, op, written_by

aten = torch.ops.aten


def _scalar(x) -> torch.Tensor:
    """One number as the card's ops take it."""
    return x.reshape([]).float()


def _number(x: float, like: torch.Tensor) -> torch.Tensor:
    return torch.full([], x, dtype=torch.float32, device=like.device)


def _rows(*lists):
    """The items of lists that are of one length, as zip gives them."""
    lengths = [len(each) for each in lists]
    if len(set(lengths)) > 1:
        raise ValueError(f"lists of {', '.join(map(str, lengths))} elements; expected equally many")
    return zip(*lists)


def _store(targets: list[list], values: list) -> None:
    """The values, one list after the other, in the tensors of lists."""
    for target, value in _rows([each for targets_ in targets for each in targets_], values):
        target.copy_(value)


# --- torch.optim with fused=True -----------------------------------------------------------------

_library = torch.library.Library("aten", "IMPL")


def _with_rate_of_the_card(name: str) -> None:
    """The rate changes from step to step: as a tensor it is no part of a graph."""
    packet = getattr(torch.ops.aten, name)

    def step(weights, *lists, lr, **options) -> None:
        if weights:
            packet.tensor_lr(weights, *lists, lr=torch.full([], lr, dtype=torch.float32,
                                                            device=weights[0].device), **options)
    _library.impl(name, step, "HPU")


for _name in ("_fused_adam_", "_fused_adamw_", "_fused_sgd_", "_fused_adagrad_"):
    _with_rate_of_the_card(_name)


class _Scalars:
    """Numbers of steps as the card's ops take them, by calls of ops."""

    def __init__(self, call) -> None:
        self.call = call

    def of(self, x):
        x = self.call(aten.view.default, x, [])
        return self.call(torch.ops.prims.convert_element_type.default, x, torch.float32)

    def number(self, x: float):
        return self.call(aten.full.default, [], x, dtype=torch.float32)


# --- AdamW ---------------------------------------------------------------------------------------

FP8_MAX = {torch.float8_e4m3fn: 240.0, torch.float8_e5m2: 57344.0}
"""The largest numbers of scaled moments."""


def _adamw(grads, weights, exp_avgs, exp_avg_sqs, step, decay, beta1, beta2, eps):
    made = torch.ops.gaudi.fused_adamw(grads, weights, exp_avgs, exp_avg_sqs, step,
                                       _number(eps, step), decay, beta1, beta2)
    count = len(weights)
    return made[:count], made[count:2 * count], made[2 * count:]


def rescaled(x, scale, is_stochastic: bool = False):
    """Moments and their scale as they are stored in eight bits; a step rounds at random, so that
    what is smaller than the last digit is not lost each time."""
    def store(target):
        most = FP8_MAX[target.dtype]
        largest = x.abs().amax()
        fresh = torch.exp2(torch.floor(torch.log2(most / largest)))
        used = torch.where(torch.isfinite(fresh) & (fresh > 0), fresh, _scalar(scale))
        target.copy_(narrowed((x * used).clamp(-most, most), target.dtype, is_stochastic))
        scale.copy_(used.reshape(scale.shape))
    return store


def _adamw_of_scales(grads, weights, exp_avgs, exp_avg_sqs, neg_step, beta1, beta2, eps,
                     weight_decay, has_weight_decay, exp_avg_scales, exp_avg_sq_scales):
    """Moments of eight bits, which are stored times their scales."""
    decay = _scalar(weight_decay) if has_weight_decay else _number(1, neg_step)
    scales = [exp_avg_scales, exp_avg_sq_scales]
    states = [exp_avgs, exp_avg_sqs]
    read = [[each.float() / _scalar(scale) for each, scale in _rows(state, scale_)] if scale_ else
            list(state) for state, scale_ in zip(states, scales)]
    new, *made = _adamw(grads, weights, *read, -_scalar(neg_step), decay, beta1, beta2, eps)
    _store([weights], new)
    for state, scale_, values in zip(states, scales, made):
        if not scale_:
            _store([state], values)
            continue
        for target, scale, value in _rows(state, scale_, values):
            rescaled(value, scale, is_stochastic=True)(target)


@written_by("optimizer_adamw(Tensor[] gradient_vec, Tensor(a!)[] weight_vec, "
            "Tensor(b!)[] exp_avg_vec, Tensor(c!)[] exp_avg_sq_vec, Tensor neg_step_t, "
            "float beta1, float beta2, float epsilon, Tensor weight_decay, "
            "bool has_weight_decay, Tensor(d!)[]? exp_avg_scales=None, "
            "Tensor(e!)[]? exp_avg_sq_scales=None) -> ()", other=_adamw_of_scales)
def optimizer_adamw(call, grads, weights, exp_avgs, exp_avg_sqs, neg_step, beta1, beta2, eps,
                    weight_decay, has_weight_decay, exp_avg_scales=None, exp_avg_sq_scales=None):
    """`neg_step` is minus the size of the step, `weight_decay` what weights are multiplied by
    before."""
    if exp_avg_scales or exp_avg_sq_scales:
        return NotImplemented
    scalars = _Scalars(call)
    decay = scalars.of(weight_decay) if has_weight_decay else scalars.number(1.0)
    step = call(aten.neg.default, scalars.of(neg_step))
    return call(torch.ops.gaudi.fused_adamw.default, grads, weights, exp_avgs, exp_avg_sqs, step,
                scalars.number(eps), decay, beta1, beta2)


@op("optimizer_adamw.number(Tensor[] gradient_vec, Tensor(a!)[] weight_vec, "
    "Tensor(b!)[] exp_avg_vec, Tensor(c!)[] exp_avg_sq_vec, Tensor neg_step_t, float beta1, "
    "float beta2, float epsilon, float weight_decay) -> ()")
def optimizer_adamw_of_number(grads, weights, exp_avgs, exp_avg_sqs, neg_step, beta1, beta2, eps,
                              weight_decay):
    WRITING[torch.ops.hpu.optimizer_adamw.default](
        grads, weights, exp_avgs, exp_avg_sqs, neg_step, beta1, beta2, eps,
        _number(weight_decay, neg_step), weight_decay != 1)


# --- descent, Adagrad -----------------------------------------------------------------------------


def _descend(call, grads, weights, buffers, lr, first, momentum, dampening, weight_decay,
             nesterov):
    return call(torch.ops.gaudi.fused_sgd.default, grads, weights, buffers,
                _Scalars(call).of(lr), first, momentum, dampening, weight_decay, nesterov)


@written_by("optimizer_sgd(Tensor[] gradients, Tensor(a!)[] weights, Tensor learning_rate, "
            "float wd, float mom, float damp, bool nesterov) -> ()")
def optimizer_sgd(call, gradients, weights, learning_rate, wd, mom, damp, nesterov):
    return _descend(call, gradients, weights, [], learning_rate, None, 0.0, 0.0, wd, False)


@written_by("optimizer_sgd_momentum.number(Tensor[] gradients, Tensor(a!)[] weights, "
            "Tensor(b!)[] momentum, Tensor epoch_num, Tensor learning_rate, float mom, float wd, "
            "float damp, bool nesterov) -> ()")
def optimizer_sgd_momentum_of_number(call, gradients, weights, momentum, epoch_num, learning_rate,
                                     mom, wd, damp, nesterov):
    """`epoch_num` is 0 at the first step, whose gradients become the buffers."""
    first = call(aten.view.default, call(aten.eq.Scalar, epoch_num, 0), [])
    return _descend(call, gradients, weights, momentum, learning_rate, first, mom, damp, wd,
                    nesterov)


@op("optimizer_sgd_momentum(Tensor[] gradients, Tensor(a!)[] weights, Tensor(b!)[] momentum, "
    "Tensor epoch_num, Tensor learning_rate, Tensor mom, float wd, float damp, bool nesterov) "
    "-> ()")
def optimizer_sgd_momentum(gradients, weights, momentum, epoch_num, learning_rate, mom, wd, damp,
                           nesterov):
    lr, mom, first = _scalar(learning_rate), _scalar(mom), (epoch_num == 0).reshape([])
    for gradient, weight, buffer in _rows(gradients, weights, momentum):
        wide = weight.float()
        gradient = gradient.float() + wd * wide
        new = torch.where(first, gradient, mom * buffer.float() + (1 - damp) * gradient)
        weight.copy_(wide - lr * (gradient + mom * new if nesterov else new))
        buffer.copy_(new)


@written_by("optimizer_adagrad(Tensor[] gradients, Tensor(a!)[] weights, "
            "Tensor(b!)[] variances, Tensor epoch_num, Tensor lr, float wd, float lrd, "
            "float epsilon) -> ()")
def optimizer_adagrad(call, gradients, weights, variances, epoch_num, lr, wd, lrd, epsilon):
    """`epoch_num` is the number of the step, from 1 on."""
    scalars = _Scalars(call)
    before = call(aten.sub.Tensor, scalars.of(epoch_num), scalars.number(1.0))
    divisor = call(aten.add.Tensor, call(aten.mul.Tensor, before, scalars.number(lrd)),
                   scalars.number(1.0))
    rate = call(aten.div.Tensor, scalars.of(lr), divisor)
    return call(torch.ops.gaudi.fused_adagrad.default, gradients, weights, variances, rate,
                epsilon, wd)


# --- LAMB -----------------------------------------------------------------------------------------


def _norm(tensors) -> torch.Tensor:
    return torch.stack([each.float().square().sum() for each in tensors]).sum().sqrt()


@op("optimizer_lamb_fused_norm(Tensor[] grad, float max_grad_norm) -> Tensor")
def optimizer_lamb_fused_norm(grad, max_grad_norm):
    """What gradients are to be divided by: their norm by its bound, or 1 if it is less. Each step
    is rounded to their type."""
    total = grad[0].square().sum()
    for each in grad[1:]:
        total = total + each.square().sum().to(total.dtype)
    norm = total.sqrt()
    return torch.where(norm > max_grad_norm, norm / max_grad_norm, 1.0).to(norm.dtype).reshape([1])


@op("optimizer_lamb_phase1(Tensor[] gradients, Tensor[] weights, Tensor(a!)[] exp_avg, "
    "Tensor(b!)[] exp_avg_sq, Tensor(c!)[] out_weight_norms, Tensor(d!)[] out_adam_norms, "
    "Tensor(e!)[] out_adam_steps, Tensor clip_global_grad_norm, int grad_averaging, float beta1, "
    "float beta2, float epsilon, Tensor bias_correction1, Tensor bias_correction2, "
    "float weight_decay) -> ()")
def optimizer_lamb_phase1(gradients, weights, exp_avg, exp_avg_sq, out_weight_norms,
                          out_adam_norms, out_adam_steps, clip_global_grad_norm, grad_averaging,
                          beta1, beta2, epsilon, bias_correction1, bias_correction2, weight_decay):
    clip, first, second = map(_scalar, (clip_global_grad_norm, bias_correction1,
                                        bias_correction2))
    share = 1 - beta1 if grad_averaging else 1.0
    for gradient, weight, mean, square, weight_norm, adam_norm, step in _rows(
            gradients, weights, exp_avg, exp_avg_sq, out_weight_norms, out_adam_norms,
            out_adam_steps):
        gradient, wide = gradient.float() / clip, weight.float()
        new_mean = beta1 * mean.float() + share * gradient
        new_square = beta2 * square.float() + (1 - beta2) * gradient * gradient
        new_step = new_mean / first / ((new_square / second).sqrt() + epsilon)
        if weight_decay != 0:
            new_step = new_step + weight_decay * wide
        mean.copy_(new_mean)
        square.copy_(new_square)
        step.copy_(new_step)
        weight_norm.copy_(_norm([wide]).reshape(weight_norm.shape))
        adam_norm.copy_(_norm([new_step]).reshape(adam_norm.shape))


@op("optimizer_lamb_phase2(Tensor(a!)[] weights, Tensor[] adam_norms, Tensor[] weight_norms, "
    "Tensor[] adam_steps, Tensor neg_step, float weight_decay, bool use_lamb) -> ()")
def optimizer_lamb_phase2(weights, adam_norms, weight_norms, adam_steps, neg_step, weight_decay,
                          use_lamb):
    """The second part of LAMB: each weight makes its step, times the ratio of the norms of weight
    and step where that of the step is positive."""
    for weight, adam_norm, weight_norm, step in _rows(weights, adam_norms, weight_norms,
                                                      adam_steps):
        step = step * neg_step.to(step.dtype)
        if weight_decay != 0 or use_lamb:
            ratio = torch.where(adam_norm > 0, weight_norm / adam_norm, 1.0)
            step = step * ratio.to(step.dtype)
        weight.add_(step)


@written_by("optimizer_lamb(Tensor[] gradients, Tensor(a!)[] weights, Tensor(b!)[] exp_avg, "
            "Tensor(c!)[] exp_avg_sq, Tensor? clip_global_grad_norm, Tensor? max_grad_norm, "
            "Tensor lr, Tensor bias_correction1, Tensor bias_correction2, bool grad_averaging, "
            "float beta1, float beta2, float epsilon, float weight_decay, bool use_lamb) -> ()")
def optimizer_lamb(call, gradients, weights, exp_avg, exp_avg_sq, clip_global_grad_norm,
                   max_grad_norm, lr, bias_correction1, bias_correction2, grad_averaging, beta1,
                   beta2, epsilon, weight_decay, use_lamb):
    """All of LAMB. The gradients are divided by `clip_global_grad_norm`, or their norm is bounded
    by `max_grad_norm`."""
    scalars = _Scalars(call)
    if clip_global_grad_norm is not None:
        clip = scalars.of(clip_global_grad_norm)
        wide = [call(torch.ops.prims.convert_element_type.default, each, torch.float32)
                for each in gradients]
        gradients = [call(aten.div.Tensor, each, clip) for each in wide]
    bound = None if max_grad_norm is None else scalars.of(max_grad_norm)
    return call(torch.ops.gaudi.fused_lamb.default, gradients, weights, exp_avg, exp_avg_sq,
                *map(scalars.of, (lr, bias_correction1, bias_correction2)), bound, beta1, beta2,
                epsilon, weight_decay, grad_averaging, use_lamb)


# --- LARS and its momentum, averages, clipped norms -----------------------------------------------


@op("optimizer_lars(Tensor[] params, Tensor(a!)[] grads, int[] skip_masks, float eeta, "
    "float weight_decay, float eps, Tensor lr) -> ()")
def optimizer_lars(params, grads, skip_masks, eeta, weight_decay, eps, lr):
    """Gradients times the rate, and, where the mask is not 0, with weight decay and times the
    ratio of norms."""
    lr = _scalar(lr)
    for param, grad, mask in _rows(params, grads, skip_masks):
        wide, rate = grad.float(), lr
        if mask:
            weight = param.float()
            weight_norm, grad_norm = _norm([weight]), _norm([wide])
            ratio = eeta * weight_norm / (grad_norm + weight_decay * weight_norm + eps)
            rate = lr * torch.where((weight_norm > 0) & (grad_norm > 0), ratio, 1.0)
            wide = wide + weight_decay * weight
        grad.copy_(wide * rate)


@op("optimizer_resource_apply_momentum(Tensor(a!)[] params_momentum_buf_list, Tensor[] dp_list, "
    "float momentum) -> ()")
def optimizer_resource_apply_momentum(params_momentum_buf_list, dp_list, momentum):
    """Of parameters and buffers in turn: a buffer becomes itself times the momentum minus the
    gradient, and is added to its parameter."""
    for param, buffer, gradient in _rows(params_momentum_buf_list[::2],
                                         params_momentum_buf_list[1::2], dp_list):
        new = buffer.float() * momentum - gradient.float()
        buffer.copy_(new)
        param.copy_(param.float() + new)


@written_by("optimizer_ema(Tensor[] model_inputs, Tensor(a!)[] updated_ema, Tensor decay) -> ()")
def optimizer_ema(call, model_inputs, updated_ema, decay):
    return call(torch.ops.gaudi.fused_ema.default, updated_ema, model_inputs,
                _Scalars(call).of(decay))


@written_by("fused_clip_norm(Tensor(a!)[] grad, Tensor max_norm, float norm_type) -> ()")
def fused_clip_norm(call, grad, max_norm, norm_type):
    """Clips all but the last, which becomes their norm as it was."""
    if norm_type != 2:
        raise ValueError(f"fused_clip_norm has norms of type 2 only, not {norm_type}")
    *gradients, total = grad
    *clipped, norm, _ = call(torch.ops.gaudi.fused_clip_norm.default, gradients,
                             _Scalars(call).of(max_norm), 1e-6)
    norm = call(aten.view.default, norm, call.shape(total))
    return [*clipped, call(torch.ops.prims.convert_element_type.default, norm, call.dtype(total))]


@op("custom_foreach_add_(Tensor(a!)[] self, Tensor[] other) -> ()")
def custom_foreach_add_(self, other):
    for each, added in _rows(self, other):
        each.add_(added)
