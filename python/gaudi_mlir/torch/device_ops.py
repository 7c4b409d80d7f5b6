# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The fused ops of the device, gaudi::sdpa and those of optimizers, as PyTorch sees them: schemas,
and the types of their results. Only the device computes them, but for round_to.

Lists give one list: new parameters, then new states, in the order of the operands. Scalars are
tensors of one float32. docs/reference/ops.md has the formulas.
"""
import torch
from torch import Tensor

SCHEMAS = (
    "sdpa(Tensor query, Tensor key, Tensor value, Tensor? mask, Tensor? valid_lengths, "
    "Tensor? dropout_mask, Tensor? seed, float scale, bool is_causal, bool is_left_padded, "
    "float mask_value, float dropout, bool is_fast, int saves) -> Tensor[]",
    "fp8_sdpa(Tensor query, Tensor key, Tensor value, Tensor? mask, Tensor? valid_lengths, "
    "Tensor? dropout_mask, Tensor? seed, float scale, bool is_causal, bool is_left_padded, "
    "float mask_value, float dropout, bool is_fast, int saves, Tensor? d_scale_q, "
    "Tensor? d_scale_k, Tensor? d_scale_v, Tensor? q_scale_s, Tensor? q_scale_o, "
    "Tensor? d_scale_s, bool amax_s, bool amax_o) -> Tensor[]",
    "sdpa_grad(Tensor grad, Tensor query, Tensor key, Tensor value, Tensor? output, Tensor? mask, "
    "Tensor? valid_lengths, Tensor? dropout_mask, Tensor? seed, Tensor? m, Tensor? linv, "
    "Tensor? probabilities, float scale, bool is_causal, bool is_left_padded, float mask_value, "
    "float dropout, bool is_fast) -> Tensor[]",
    "round_to(Tensor self, Tensor? words, ScalarType dtype, float limit, bool flush) -> Tensor",
    "fused_adamw(Tensor[] gradients, Tensor[] parameters, Tensor[] exp_avgs, "
    "Tensor[] exp_avg_sqs, Tensor step_size, Tensor eps, Tensor decay, float beta1, float beta2) "
    "-> Tensor[]",
    "fused_sgd(Tensor[] gradients, Tensor[] parameters, Tensor[] momentum_buffers, Tensor lr, "
    "Tensor? first_step, float momentum, float dampening, float weight_decay, bool nesterov) "
    "-> Tensor[]",
    "fused_adagrad(Tensor[] gradients, Tensor[] parameters, Tensor[] sums, Tensor lr, float eps, "
    "float weight_decay) -> Tensor[]",
    "fused_lamb(Tensor[] gradients, Tensor[] parameters, Tensor[] exp_avgs, Tensor[] exp_avg_sqs, "
    "Tensor lr, Tensor? bias_correction1, Tensor? bias_correction2, Tensor? max_grad_norm, "
    "float beta1, float beta2, float eps, float weight_decay, bool grad_averaging, "
    "bool use_ratio) -> Tensor[]",
    "fused_ema(Tensor[] averages, Tensor[] values, Tensor decay) -> Tensor[]",
    "fused_clip_norm(Tensor[] gradients, Tensor max_norm, float eps) -> Tensor[]",
)

for _schema in SCHEMAS:
    _name, _, _signature = _schema.partition("(")
    torch.library.define(f"gaudi::{_name}", f"({_signature}")

NOTHING, STATISTICS, PROBABILITIES = range(3)
"""What attention keeps for its gradient."""


@torch.library.register_fake("gaudi::sdpa")
def sdpa_results(query, key, value, mask, valid_lengths, dropout_mask, seed, scale, is_causal,
                 is_left_padded, mask_value, dropout, is_fast, saves):
    """Tensors of the types and sizes of the results."""
    def row(last: int, dtype: torch.dtype) -> Tensor:
        return query.new_empty([*query.shape[:-1], last], dtype=dtype)
    results = [row(value.shape[-1], query.dtype)]
    if saves == STATISTICS:
        is_narrow = is_fast and query.dtype is torch.bfloat16
        results += [row(1, query.dtype), row(1, query.dtype if is_narrow else torch.float32)]
    elif saves == PROBABILITIES:
        results += [row(key.shape[-2], query.dtype)]
        if dropout > 0:
            results += [row(key.shape[-2], torch.int8)]
    return results


@torch.library.register_fake("gaudi::fp8_sdpa")
def fp8_sdpa_results(query, key, value, mask, valid_lengths, dropout_mask, seed, scale, is_causal,
                     is_left_padded, mask_value, dropout, is_fast, saves, d_scale_q, d_scale_k,
                     d_scale_v, q_scale_s, q_scale_o, d_scale_s, amax_s, amax_o):
    """The same of eight bits: what those do not hold is bfloat16."""
    results = sdpa_results(query, key, value, mask, valid_lengths, dropout_mask, seed, scale,
                           is_causal, is_left_padded, mask_value, dropout, is_fast, saves)
    if q_scale_o is None:
        results[0] = results[0].to(torch.bfloat16)
    if saves == STATISTICS:
        results[1:] = [each.to(torch.bfloat16) for each in results[1:]]
    return results + [query.new_empty([], dtype=torch.float32) for _ in range(amax_s + amax_o)]


@torch.library.register_fake("gaudi::sdpa_grad")
def _sdpa_grad(grad, query, key, value, *_):
    return [each.new_empty(each.shape) for each in (query, key, value)]


@torch.library.register_fake("gaudi::round_to")
def _rounded_type(self, words, dtype, limit, flush):
    return torch.empty_like(self, dtype=dtype)


@torch.library.impl("gaudi::round_to", "CPU")
def _rounded(self, words, dtype, limit, flush):
    """To nearest even, or to the neighbour away from zero if the word, without a sign, is below the
    fraction in units of 2^-32; what is larger than `limit` to that. With `flush` what is then below
    the smallest normal number is zero."""
    info = torch.finfo(dtype)
    exact = self.clamp(-limit, limit).double()
    rounded = _at_random(exact, words, info) if words is not None else exact.to(dtype).double()
    if flush:
        rounded = torch.where(rounded.abs() < info.smallest_normal, rounded * 0, rounded)
    return rounded.to(dtype)


def _at_random(exact, words, info):
    _, exponent = torch.frexp(exact)
    step = torch.ldexp(torch.full_like(exact, info.eps / 2), exponent)
    step = step.clamp(min=info.smallest_normal * info.eps)
    steps = exact.abs() / step
    below = steps.floor()
    up = (words.long() & 0xFFFFFFFF) < ((steps - below) * 2.0 ** 32).floor()
    return torch.copysign((below + up) * step, exact)


def _like(*lists: list[Tensor]) -> list[Tensor]:
    return [each.new_empty(each.shape) for tensors in lists for each in tensors]


@torch.library.register_fake("gaudi::fused_adamw")
def _adamw(gradients, parameters, exp_avgs, exp_avg_sqs, *_):
    return _like(parameters, exp_avgs, exp_avg_sqs)


@torch.library.register_fake("gaudi::fused_lamb")
def _lamb(gradients, parameters, exp_avgs, exp_avg_sqs, *_):
    return _like(parameters, exp_avgs, exp_avg_sqs)


@torch.library.register_fake("gaudi::fused_sgd")
@torch.library.register_fake("gaudi::fused_adagrad")
def _two_states(gradients, parameters, states, *_):
    return _like(parameters, states)


@torch.library.register_fake("gaudi::fused_ema")
def _ema(averages, values, decay):
    return _like(averages)


@torch.library.register_fake("gaudi::fused_clip_norm")
def _clip_norm(gradients, max_norm, eps):
    return _like(gradients, [max_norm, max_norm])
