# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu: rotary embeddings, norms, forms of softmax, experts, and other kernels."""
import torch

from ._ops import differentiable, op

aten = torch.ops.aten
BLOCKWISE, PAIRWISE = 0, 1


def _common(*tensors) -> torch.dtype:
    """float32 where one of them is, else the type of the first."""
    return torch.float32 if any(each.dtype is torch.float32 for each in tensors) else \
        tensors[0].dtype


# --- rotary embeddings ----------------------------------------------------------------------------


def _turned(x, mode: int, back: bool):
    """Each pair (a, b) as (-b, a), or `back` as (b, -a). Pairs are the halves, or neighbours."""
    if mode == PAIRWISE:
        pairs = x.unflatten(-1, (-1, 2))
        a, b = pairs[..., 0], pairs[..., 1]
        return torch.stack((b, -a) if back else (-b, a), -1).flatten(-2)
    a, b = x.chunk(2, -1)
    return torch.cat((b, -a) if back else (-b, a), -1)


def _angles(x, table, position_ids, offset: int):
    """The rows of a table of sines or cosines that belong to x."""
    if position_ids is not None:
        if all(size == 1 for size in table.shape[:-2]):
            table = table.reshape(table.shape[-2:])[position_ids]
            heads = 1 if x.shape[-2] == position_ids.shape[-1] else 2
            if x.dim() == table.dim() + 1:
                table = table.unsqueeze(heads)
        else:
            rows = position_ids[:, None, :, None]
            rows = rows.expand(-1, table.shape[1], -1, table.shape[3])
            table = table.expand(rows.shape[0], -1, -1, -1).gather(2, rows)
    size = x.shape[-1]
    if table.shape[-1] < offset + size:
        raise ValueError(f"sin and cos of sizes {list(table.shape)} have {table.shape[-1]} angles a "
                         f"position, and the last dimension of the input, {list(x.shape)}, is {size}; "
                         "give one for each of these: torch.cat((angles, angles), -1)")
    return table if table.shape[-1] == size and offset == 0 else table[..., offset:offset + size]


def _rotated(x, sin, cos, position_ids, offset, mode, back):
    if mode not in (BLOCKWISE, PAIRWISE):
        raise ValueError(f"rotary embeddings have modes 0 (halves) and 1 (pairs), not {mode}")
    if x.shape[-1] % 2:
        raise ValueError(f"rotary embeddings turn pairs; the last size of {list(x.shape)} is odd")
    dtype = _common(x, sin, cos)
    sin, cos = (_angles(x, each, position_ids, offset).to(dtype).float() for each in (sin, cos))
    wide = x.float()
    # The gradient goes the other way: what was turned is turned back after the product.
    turned = _turned(wide * sin, mode, True) if back else _turned(wide, mode, False) * sin
    return (wide * cos + turned).to(dtype)


@op("rotary_pos_embedding(Tensor input, Tensor sin, Tensor cos, Tensor? position_ids, int offset, "
    "int mode) -> Tensor")
def rotary_pos_embedding(input, sin, cos, position_ids, offset, mode):
    return _rotated(input, sin, cos, position_ids, offset, mode, False)


@op("rotary_pos_embedding_backward(Tensor grad_in, Tensor sin, Tensor cos, Tensor? position_ids, "
    "int offset, int mode) -> Tensor")
def rotary_pos_embedding_backward(grad_in, sin, cos, position_ids, offset, mode):
    return _rotated(grad_in, sin, cos, position_ids, offset, mode, True)


def _keep_rotation(ctx, inputs, output) -> None:
    _, sin, cos, position_ids, *ctx.options = inputs
    ctx.save_for_backward(sin, cos, position_ids)
    ctx.dtype = inputs[0].dtype


def _rotation_gradient(name: str):
    def gradient(ctx, grad):
        made = getattr(torch.ops.hpu, name)(grad, *ctx.saved_tensors, *ctx.options)
        return made.to(ctx.dtype), None, None, None, None, None
    return gradient


differentiable("rotary_pos_embedding", _rotation_gradient("rotary_pos_embedding_backward"),
               _keep_rotation)
differentiable("rotary_pos_embedding_backward", _rotation_gradient("rotary_pos_embedding"),
               _keep_rotation)

# --- norms ----------------------------------------------------------------------------------------


def _rms_norm(data_in, gamma, epsilon):
    if gamma.shape[-1:] not in (data_in.shape[-1:], torch.Size([1]), torch.Size([])):
        raise ValueError(f"gamma has the sizes {list(gamma.shape)}, and the last dimension of the "
                         f"input is {data_in.shape[-1]}; expected one number for each of those")
    dtype = data_in.dtype if data_in.dtype is gamma.dtype else torch.float32
    wide = data_in.float()
    inverse = torch.rsqrt(wide.square().mean(-1, keepdim=True) + epsilon)
    return (wide * inverse * gamma.float()).to(dtype), inverse


def _rms_norm_backward(grad_in, data_in, gamma, inverse_rms):
    grad, wide, inverse = grad_in.float(), data_in.float(), inverse_rms.float()
    normal, scaled = wide * inverse, grad * gamma.float()
    along = (scaled * normal).mean(-1, keepdim=True)
    data_grad = (inverse * (scaled - normal * along)).to(data_in.dtype)
    gamma_grad = (grad * normal).reshape(-1, gamma.shape[-1]).sum(0)
    return data_grad, gamma_grad.reshape(gamma.shape).to(gamma.dtype)


for _name in ("rms_norm", "rms_norm_fast"):
    op(f"{_name}(Tensor data_in, Tensor gamma, float epsilon) -> (Tensor, Tensor)")(_rms_norm)


@op("rms_norm_backward(Tensor grad_in, Tensor data_in, Tensor gamma, Tensor inverse_rms, "
    "bool use_stages, int bwd_mode) -> (Tensor, Tensor)")
def rms_norm_backward(grad_in, data_in, gamma, inverse_rms, use_stages, bwd_mode):
    del use_stages, bwd_mode  # ways of the real card to divide the work
    return _rms_norm_backward(grad_in, data_in, gamma, inverse_rms)


op("rms_norm_fast_backward(Tensor grad_in, Tensor data_in, Tensor gamma, Tensor inverse_rms) "
   "-> (Tensor, Tensor)")(_rms_norm_backward)


def _keep_norm(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs[:2], output[1])


def _norm_gradient(ctx, grad, inverse_grad):
    del inverse_grad  # nobody computes with the inverse but this
    return *torch.ops.hpu.rms_norm_backward(grad, *ctx.saved_tensors, True, 0), None


for _name in ("rms_norm", "rms_norm_fast"):
    differentiable(_name, _norm_gradient, _keep_norm)


@op("instance_norm(Tensor input, Tensor? weight, Tensor? bias, float eps) "
    "-> (Tensor, Tensor, Tensor)")
def instance_norm(input, weight, bias, eps):
    wide = input.float()
    dims = list(range(2, input.dim()))
    variance, mean = torch.var_mean(wide, dims, correction=0, keepdim=True)
    inverse = torch.rsqrt(variance + eps)
    result = (wide - mean) * inverse
    for values, combine in ((weight, torch.mul), (bias, torch.add)):
        if values is not None:
            result = combine(result, values.float().reshape([-1] + [1] * len(dims)))
    return result.to(input.dtype), mean.reshape(input.shape[:2]), inverse.reshape(input.shape[:2])


# --- softmax --------------------------------------------------------------------------------------


@op("custom_softmax(Tensor input, int flavor) -> Tensor")
def custom_softmax(input, flavor):
    """Along the last dimension. The approximation of flavor 1 has the numbers of flavor 0."""
    if flavor not in (0, 1):
        raise ValueError(f"custom_softmax has flavors 0 and 1, not {flavor}")
    return torch.softmax(input, -1)


@op("custom_softmax_backward(Tensor grad, Tensor output, int flavor) -> Tensor")
def custom_softmax_backward(grad, output, flavor):
    return aten._softmax_backward_data(grad, output, -1, output.dtype)


def _keep_softmax(ctx, inputs, output) -> None:
    ctx.save_for_backward(output)
    ctx.flavor = inputs[1]


differentiable("custom_softmax", lambda ctx, grad: (
    torch.ops.hpu.custom_softmax_backward(grad, *ctx.saved_tensors, ctx.flavor), None),
    _keep_softmax)


def _visible_softmax(scores, visible, dtype=torch.float32):
    """Of the visible scores; where none of a row is, the row is 0. `dtype` is what the maximum is
    rounded to before it is used."""
    hidden = torch.where(visible, scores, -torch.inf)
    largest = hidden.amax(-1, keepdim=True).to(dtype).float()
    largest = torch.where(largest == -torch.inf, 0.0, largest)
    shares = torch.where(visible, torch.exp(scores - largest), 0.0)
    total = shares.sum(-1, keepdim=True)
    reciprocal = torch.where(total > 0, 1 / total, 0.0)
    return shares * reciprocal, reciprocal, largest


@op("ragged_softmax(Tensor self, int dim, bool half_to_float, Tensor valid_count) -> Tensor")
def ragged_softmax(self, dim, half_to_float, valid_count):
    """Over the first `valid_count` entries of each row; the others are 0."""
    moved = self.movedim(dim, -1)
    counts = valid_count.reshape([*valid_count.shape, *[1] * (valid_count.dim() == 0)])
    if counts.dim() == moved.dim() and counts.shape[-1] == 1:
        counts = counts.squeeze(-1)
    places = torch.arange(moved.shape[-1], device=self.device, dtype=torch.int32)
    visible = (places < counts.to(torch.int32).unsqueeze(-1)).expand(moved.shape)
    result = _visible_softmax(moved.float(), visible)[0].movedim(-1, dim)
    return result if half_to_float else result.to(self.dtype)


@op("ragged_softmax_backward(Tensor grad, Tensor output, int dim) -> Tensor")
def ragged_softmax_backward(grad, output, dim):
    wide = output.float()
    product = grad.float() * wide
    return (product - wide * product.sum(dim, keepdim=True)).to(grad.dtype)


def _keep_ragged(ctx, inputs, output) -> None:
    ctx.save_for_backward(output)
    ctx.dim, ctx.dtype = inputs[1], inputs[0].dtype


def _ragged_gradient(ctx, grad):
    made = torch.ops.hpu.ragged_softmax_backward(grad, *ctx.saved_tensors, ctx.dim)
    return made.to(ctx.dtype), None, None, None


differentiable("ragged_softmax", _ragged_gradient, _keep_ragged)


@op("scaled_masked_softmax(Tensor input, Tensor mask, float scale) -> Tensor")
def scaled_masked_softmax(input, mask, scale):
    return torch.softmax(input.float() * scale + mask.float(), -1).to(input.dtype)


def _triangle(x):
    rows, columns = (torch.arange(size, device=x.device) for size in x.shape[-2:])
    return (columns <= rows.unsqueeze(-1)).expand(x.shape)


def _triangular(self, inv_scale_attn, exp_sum_recpr=None, max=None):
    scores, visible = self.float() * inv_scale_attn, _triangle(self)
    # A scaled score of float16 may be beyond its range.
    dtype = torch.float32 if self.dtype is torch.float16 else self.dtype
    if max is None:
        result, exp_sum_recpr, max = _visible_softmax(scores, visible, dtype)
    else:
        result = torch.where(visible, torch.exp(scores - max.float()), 0.0) * exp_sum_recpr.float()
    return result.to(self.dtype), exp_sum_recpr, max.to(dtype)


def _check_square(self) -> None:
    if self.dim() != 3 or self.shape[1] != self.shape[2]:
        raise ValueError(f"a triangular softmax takes [N, L, L], not {list(self.shape)}")


@op("scaled_triangular_softmax(Tensor self, float inv_scale_attn, Tensor? exp_sum_recpr=None, "
    "Tensor? max=None) -> Tensor")
def scaled_triangular_softmax(self, inv_scale_attn, exp_sum_recpr=None, max=None):
    _check_square(self)
    if (exp_sum_recpr is None) != (max is None):
        raise ValueError("scaled_triangular_softmax takes exp_sum_recpr and max together")
    return _triangular(self, inv_scale_attn, exp_sum_recpr, max)[0]


@op("scaled_triangular_softmax_retain(Tensor self, float inv_scale_attn) "
    "-> (Tensor, Tensor, Tensor)")
def scaled_triangular_softmax_retain(self, inv_scale_attn):
    """Also what gives the same again: the reciprocal of the sum of each row, and its maximum."""
    _check_square(self)
    return _triangular(self, inv_scale_attn)


@op("scaled_masked_triangular_softmax(Tensor self, Tensor start_end, float inv_scale_attn, "
    "int grouped_batch_size, bool use_max, int mode, ScalarType? out_dtype=None) -> Tensor")
def scaled_masked_triangular_softmax(self, start_end, inv_scale_attn, grouped_batch_size, use_max,
                                     mode, out_dtype=None):
    """As scaled_triangular_softmax, of the columns from `start` up to `end` of each group of
    matrices; a single row sees all of them."""
    del mode  # ways of the real card to compute exponentials
    if self.dim() != 3 or self.shape[1] not in (1, self.shape[2]) or \
            self.shape[0] % grouped_batch_size:
        raise ValueError("scaled_masked_triangular_softmax takes [N, L, L] or [N, 1, L], N a "
                         f"multiple of grouped_batch_size, not {list(self.shape)} and "
                         f"{grouped_batch_size}")
    bounds = start_end.reshape(-1, 1, 2).repeat_interleave(
        self.shape[0] // start_end.reshape(-1, 2).shape[0], 0)
    columns = torch.arange(self.shape[2], device=self.device)
    visible = (columns >= bounds[..., 0:1]) & (columns < bounds[..., 1:2])
    visible = visible.expand(self.shape)
    if self.shape[1] > 1:
        visible = visible & _triangle(self)
    scores = self.float() * inv_scale_attn
    if use_max:
        result = _visible_softmax(scores, visible)[0]
    else:
        shares = torch.where(visible, torch.exp(scores), 0.0)
        total = shares.sum(-1, keepdim=True)
        result = shares * torch.where(total > 0, 1 / total, 0.0)
    return result.to(out_dtype or self.dtype)


# --- losses, experts ------------------------------------------------------------------------------

_REDUCTIONS = {0: "none", 1: "mean", 2: "sum"}


@op("ctc_loss_custom(Tensor log_probs, Tensor targets, Tensor input_lengths, "
    "Tensor target_lengths, int blank, int reduction, bool zero_infinity) -> (Tensor, Tensor)")
def ctc_loss_custom(log_probs, targets, input_lengths, target_lengths, blank, reduction,
                    zero_infinity):
    losses, alpha = aten._ctc_loss.Tensor(log_probs.float(), targets, input_lengths,
                                          target_lengths, blank, zero_infinity)
    if zero_infinity:
        losses = torch.where(losses == torch.inf, 0.0, losses)
    return _reduced(losses, target_lengths, reduction).to(log_probs.dtype), alpha.movedim(0, 1)


def _reduced(losses, target_lengths, reduction):
    if reduction == 2:
        return losses.sum()
    if reduction == 1:
        return (losses / target_lengths.to(losses.device).clamp(min=1).to(losses.dtype)).mean()
    return losses


@op("ctc_loss_custom_backward(Tensor grad, Tensor log_probs, Tensor targets, "
    "Tensor input_lengths, Tensor target_lengths, Tensor log_alpha, int blank, int reduction, "
    "bool zero_infinity) -> Tensor")
def ctc_loss_custom_backward(grad, log_probs, targets, input_lengths, target_lengths, log_alpha,
                             blank, reduction, zero_infinity):
    wide = log_probs.float()
    losses, alpha = aten._ctc_loss.Tensor(wide, targets, input_lengths, target_lengths, blank,
                                          zero_infinity)
    grad = grad.float().expand(losses.shape)
    if reduction == 1:
        lengths = target_lengths.clamp(min=1).to(grad.dtype)
        grad = grad / lengths / losses.shape[0]
    made = aten._ctc_loss_backward.Tensor(grad, wide, targets, input_lengths, target_lengths,
                                          losses, alpha, blank, zero_infinity)
    return made.to(log_probs.dtype)


_ACTIVATIONS = {"gelu": torch.nn.functional.gelu, "relu": torch.relu,
                "silu": torch.nn.functional.silu}


def activation_of(name: str):
    if name not in _ACTIVATIONS:
        raise ValueError(f"mixture_of_experts has activations {', '.join(_ACTIVATIONS)}, not "
                         f"{name!r}")
    return _ACTIVATIONS[name]


def _experts(hidden, table, weights, w1, w2, w3, permuted, activation, first, last, measures):
    """The sum over the experts: of a token each counts as often, and as much, as the table says."""
    activate = activation_of(activation)
    if not len(w1) == len(w2) == len(w3) == last - first + 1:
        raise ValueError(f"mixture_of_experts has {len(w1)}, {len(w2)} and {len(w3)} weights for "
                         f"experts {first} to {last}; give each list one for each expert")
    flat = hidden.reshape(-1, hidden.shape[-1])
    table, weights = (each.reshape(flat.shape[0], -1) for each in (table, weights))
    total, largest = torch.zeros_like(flat, dtype=torch.float32), []

    def times(x, w):
        return x @ (w.t() if permuted else w)
    for expert, (a, b, c) in enumerate(zip(w1, w2, w3), first):
        gated = activate(times(flat, a)) * times(flat, b)
        if measures:
            largest.append(gated.amax())
        share = torch.where(table == expert, weights.float(), 0.0).sum(-1, keepdim=True)
        total = total + share * times(gated, c).float()
    result = total.to(hidden.dtype).reshape(hidden.shape)
    return (result, torch.stack(largest).float()) if measures else result


def halves(w12, permuted):
    """Two weights as one, concatenated along the features."""
    parts = [each.chunk(2, 0 if permuted else 1) for each in w12]
    return [a for a, _ in parts], [b for _, b in parts]


EXPERTS = "Tensor hidden_states, Tensor expert_routing_table, Tensor router_weights, "
OPTIONS = "bool permuted_weights, str activation, int experts_min, int experts_max"


@op(f"mixture_of_experts({EXPERTS}Tensor[] w1, Tensor[] w2, Tensor[] w3, {OPTIONS}) -> Tensor")
def mixture_of_experts(hidden_states, expert_routing_table, router_weights, w1, w2, w3,
                       permuted_weights, activation, experts_min, experts_max):
    return _experts(hidden_states, expert_routing_table, router_weights, w1, w2, w3,
                    permuted_weights, activation, experts_min, experts_max, False)


@op(f"mixture_of_experts.fused_weights({EXPERTS}Tensor[] w12, Tensor[] w3, {OPTIONS}) -> Tensor")
def mixture_of_experts_fused(hidden_states, expert_routing_table, router_weights, w12, w3,
                             permuted_weights, activation, experts_min, experts_max):
    return _experts(hidden_states, expert_routing_table, router_weights,
                    *halves(w12, permuted_weights), w3, permuted_weights, activation,
                    experts_min, experts_max, False)


_GRADIENTS = {"gelu": aten.gelu_backward.default, "silu": aten.silu_backward.default,
              "relu": lambda grad, x: aten.threshold_backward.default(grad, x, 0)}


@op(f"mixture_of_experts_backward(Tensor grad, {EXPERTS}Tensor[] w1, Tensor[] w2, Tensor[] w3, "
    f"{OPTIONS}) -> Tensor[]")
def mixture_of_experts_backward(grad, hidden_states, expert_routing_table, router_weights, w1, w2,
                                w3, permuted_weights, activation, experts_min, experts_max):
    """Gradients of the tokens, of the router's weights, and of all weights of experts."""
    x = hidden_states.reshape(-1, hidden_states.shape[-1])
    grad = grad.reshape(x.shape)
    table, weights = (each.reshape(x.shape[0], -1) for each in (expert_routing_table,
                                                                router_weights))
    x_grad = torch.zeros_like(x, dtype=torch.float32)
    weights_grad = torch.zeros_like(weights, dtype=torch.float32)
    grads = [], [], []

    def laid(w):
        return w.t() if permuted_weights else w
    for expert, (a, b, c) in enumerate(zip(w1, w2, w3), experts_min):
        chosen = table == expert
        share = torch.where(chosen, weights.float(), 0.0).sum(-1, keepdim=True).to(x.dtype)
        first, second = x @ laid(a), x @ laid(b)
        active = _ACTIVATIONS[activation](first)
        out_grad = share * grad
        inner = out_grad @ laid(c).t()
        second_grad = inner * active
        first_grad = _GRADIENTS[activation](inner * second, first)
        share_grad = (grad * ((active * second) @ laid(c))).float().sum(-1, keepdim=True)
        weights_grad = weights_grad + torch.where(chosen, share_grad, 0.0)
        x_grad = x_grad + (first_grad @ laid(a).t() + second_grad @ laid(b).t()).float()
        for column, each in zip(grads, (x.t() @ first_grad, x.t() @ second_grad,
                                        (active * second).t() @ out_grad)):
            column.append(laid(each))
    return [x_grad.to(x.dtype).reshape(hidden_states.shape),
            weights_grad.to(weights.dtype).reshape(router_weights.shape),
            *(each.contiguous() for column in grads for each in column)]


def _keep(ctx, inputs, output) -> None:
    *tensors, permuted, activation, first, last = inputs
    ctx.counts = [len(each) for each in tensors[3:]]
    ctx.save_for_backward(*tensors[:3], *(each for list_ in tensors[3:] for each in list_))
    ctx.options = permuted, activation, first, last


def _experts_gradient(ctx, grad):
    hidden, table, weights, *rest = ctx.saved_tensors
    lists = []
    for count in ctx.counts:
        lists.append(rest[:count])
        rest = rest[count:]
    permuted = ctx.options[0]
    given = lists if len(lists) == 3 else [*halves(lists[0], permuted), lists[1]]
    given = [[each.contiguous() for each in list_] for list_ in given]
    x_grad, weights_grad, *made = torch.ops.hpu.mixture_of_experts_backward(
        grad, hidden, table, weights, *given, *ctx.options)
    count = len(given[0])
    made = [made[count * place:count * (place + 1)] for place in range(3)]
    if len(lists) == 2:
        both = [torch.cat(pair, 0 if permuted else 1) for pair in zip(*made[:2])]
        made = [both, made[2]]
    return x_grad, None, weights_grad, *made, None, None, None, None


for _name in ("mixture_of_experts", "mixture_of_experts.fused_weights"):
    differentiable(_name, _experts_gradient, _keep)


@op(f"mixture_of_experts.fp8_measurement({EXPERTS}Tensor[] w1, Tensor[] w2, Tensor[] w3, "
    f"{OPTIONS}, bool measurement_mode) -> (Tensor, Tensor)")
def mixture_of_experts_measured(hidden_states, expert_routing_table, router_weights, w1, w2, w3,
                                permuted_weights, activation, experts_min, experts_max,
                                measurement_mode):
    """Also the largest number that each expert multiplies with its last weight."""
    return _experts(hidden_states, expert_routing_table, router_weights, w1, w2, w3,
                    permuted_weights, activation, experts_min, experts_max, True)


@op(f"mixture_of_experts.fp8_measurement_fused_weights({EXPERTS}Tensor[] w12, Tensor[] w3, "
    f"{OPTIONS}, bool measurement_mode) -> (Tensor, Tensor)")
def mixture_of_experts_fused_measured(hidden_states, expert_routing_table, router_weights, w12,
                                      w3, permuted_weights, activation, experts_min, experts_max,
                                      measurement_mode):
    return _experts(hidden_states, expert_routing_table, router_weights,
                    *halves(w12, permuted_weights), w3, permuted_weights, activation,
                    experts_min, experts_max, True)


# --- others ---------------------------------------------------------------------------------------


@op("in_place_interleave(Tensor self) -> Tensor")
def in_place_interleave(self):
    """Each row of the first quarter four times."""
    if self.shape[0] % 4:
        raise ValueError(f"in_place_interleave takes a multiple of 4 rows, not {self.shape[0]}")
    return self[:self.shape[0] // 4].repeat_interleave(4, 0)


@op("in_place_interleave_(Tensor(a!) self) -> Tensor(a!)")
def in_place_interleave_(self):
    return self.copy_(torch.ops.hpu.in_place_interleave(self))


for _name in ("exp", "sqrt", "rsqrt"):
    op(f"{_name}_fast_math(Tensor self) -> Tensor")(getattr(torch, _name))


@op("expand_into_jagged_permute(Tensor permute, Tensor input_offset, Tensor output_offset, "
    "SymInt output_size) -> Tensor")
def expand_into_jagged_permute(permute, input_offset, output_offset, output_size):
    """Where each element of permuted segments comes from."""
    places = torch.arange(output_size, device=permute.device, dtype=output_offset.dtype)
    segments = torch.searchsorted(output_offset, places, right=True) - 1
    segments = segments.clamp(0, permute.shape[0] - 1)
    begins = input_offset[permute[segments].long()]
    return (begins + places - output_offset[segments]).to(permute.dtype)


@op("random_seed(Tensor seed) -> Tensor")
def random_seed(seed):
    """A seed for each seed: its bits, mixed."""
    mixed = seed.to(torch.int64) & 0xFFFFFFFF
    for factor in (0x45D9F3B, 0x45D9F3B):
        mixed = ((mixed ^ (mixed >> 16)) * factor) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 16)) & 0x7FFFFFFF).to(torch.int32)
