# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu.sdpa_*: attention, and its gradient, as the one op of the card."""
import math

import torch
from gaudi_mlir.torch import device_ops
from gaudi_mlir.torch.device_ops import NOTHING, PROBABILITIES, STATISTICS

from ._ops import differentiable, op

_HIDDEN = {torch.float16: -3e4, torch.bfloat16: -998244352.0,
           torch.float8_e4m3fn: -998244352.0, torch.float8_e5m2: -998244352.0}
"""What a score becomes that a mask of booleans hides, -1e9 in float32: less than any other, and a
number of the type, as the maximum of a row is kept in it: a row of which nothing is visible is a
mean of all values, in the gradients as well."""


class Operands:
    """Query, key and value in the ranks that the card's op takes: [N, H, L, D] or [N, L, D]. Groups
    of heads, [N, H, G, L, D], are one dimension, as all that come before are."""

    def __init__(self, query, key, value) -> None:
        self.rank = rank = query.dim()
        if not rank == key.dim() == value.dim() or rank < 2:
            raise ValueError(f"query, key and value have {query.dim()}, {key.dim()} and "
                             f"{value.dim()} dimensions; expected equally many, at least 2")
        self.given = query.shape, key.shape, value.shape
        if query.shape[-1] != key.shape[-1] or key.shape[-2] != value.shape[-2]:
            sizes = ", ".join(str(list(each)) for each in self.given)
            raise ValueError(f"query, key and value of sizes {sizes} do not fit: queries and keys "
                             "have one depth, keys and values one number")
        if not query.dtype is key.dtype is value.dtype:
            raise TypeError(f"query, key and value have types {query.dtype}, {key.dtype} and "
                            f"{value.dtype}; give all three one type")
        # Heads of keys and values are fewer than those of queries where groups share them.
        self.grouped = rank == 5 and key.shape[2] == value.shape[2] == 1 and \
            key.shape[:2] == value.shape[:2] and query.shape[1] == key.shape[1]
        kept = int(self.grouped or rank == 4 and key.shape[1] == value.shape[1] and
                   query.shape[1] % key.shape[1] == 0)
        whole = [query.shape[:-2], *(each.shape[:rank - 2 - kept] for each in (key, value))]
        if kept:
            whole[1:] = [[*each, 1] for each in whole[1:]]
        self.batch = list(torch.broadcast_shapes(*whole))
        self.query = self._merged(self._expanded(query, 0))
        self.key, self.value = (self._merged(self._expanded(each, kept)) for each in (key, value))

    @property
    def is_empty(self) -> bool:
        return any(size == 0 for shape in self.given for size in shape)

    def _expanded(self, x, kept: int):
        """Of all batches, but for the `kept` dimensions before the matrix; what all images share
        stays one."""
        count = len(self.batch) - kept
        wanted = [*self.batch[:count], *x.shape[count:]]
        is_shared = kept and x.dim() == 4 and x.shape[0] == 1
        return x if is_shared or list(x.shape) == wanted else x.expand(wanted)

    def _merged(self, x):
        if self.rank == 2:
            return x.unsqueeze(0)
        if self.rank <= 4:
            return x
        if self.rank == 5:
            return x.flatten(1, 2)
        return x.flatten(0, self.rank - 4)

    def of_queries(self, x):
        """A tensor with all dimensions of the scores but the last, as the card's op takes it."""
        return x if x is None else self._merged(x)

    def mask(self, x):
        if x is None:
            return None
        scores = [*self.batch, self.given[0][-2], self.given[1][-2]]
        sizes = list(x.shape)
        if len(sizes) > len(scores) or any(
                each not in (1, other) for each, other in zip(reversed(sizes), reversed(scores))):
            per_image = len(sizes) == 3 and len(scores) == 4 and \
                all(each in (1, other) for each, other in zip(sizes, [scores[0], *scores[2:]]))
            raise ValueError(f"attn_mask of shape {sizes} does not broadcast to {scores}, [batch, heads, "
                             "lengths of query and key]; " +
                             ("give it a dimension of heads: attn_mask.unsqueeze(1)" if per_image else
                              "give it these sizes, or 1 where they repeat"))
        if x.dtype not in (torch.bool, torch.float32, torch.bfloat16, torch.float16):
            x = x.float()
        if self.rank <= 4:
            return x.unsqueeze(0) if self.rank == 2 else x
        x = x.reshape([1] * (self.rank - x.dim()) + list(x.shape))
        return self._merged(x.expand([*self.batch, *x.shape[-2:]]))

    def back(self, x):
        """A result of the card's op with the dimensions of the batch."""
        return x.reshape([*self.batch, *x.shape[-2:]])

    def gradients(self, results):
        for x, shape in zip(results, self.given):
            if self.rank == 2:
                x = x.squeeze(0)
            elif self.rank > 4:
                heads = shape[:-2] if self.grouped else self.batch
                x = x.reshape([*heads, *shape[-2:]])
            yield x if list(x.shape) == list(shape) else x.sum_to_size(shape)


def _nothing(*given):
    """Attention of no queries, or of no keys, which the card's op does not take."""
    results = device_ops.fp8_sdpa_results if len(given) > 14 else device_ops.sdpa_results
    return [torch.zeros_like(each) for each in results(*given)]


def attention(query, key, value, mask, p, scale, is_causal, softmax_mode, valid_seq_len,
              seq_padding_type, seed, saves, *scales):
    """The results of the card's op; `scales`: what that of eight bits has besides."""
    given = Operands(query, key, value)
    lengths, side = valid_seq_len, seq_padding_type.lower()
    if side not in ("left", "right") and (lengths is not None or side != "none"):
        raise ValueError(f"seq_padding_type is {seq_padding_type!r}; expected 'left' or 'right'")
    if lengths is not None:
        lengths = lengths.reshape(-1).to(torch.int32)
    op = torch.ops.gaudi.fp8_sdpa if scales else torch.ops.gaudi.sdpa
    results = (_nothing if given.is_empty else op)(
        given.query, given.key, given.value, given.mask(mask), lengths, None, seed, scale,
        is_causal, side == "left", _HIDDEN.get(query.dtype, -1e9), p,
        softmax_mode.lower() == "fast", saves, *scales)
    return [given.back(each) if each.dim() else each for each in results]


def _gradient(grad, query, key, value, mask, dropout_mask, seed, m, linv, probabilities,
              is_causal, p, scale, softmax_mode):
    given = Operands(query, key, value)
    if dropout_mask is not None:
        dropout_mask = given.of_queries(dropout_mask)
    if given.is_empty:
        return tuple(torch.zeros_like(each) for each in (query, key, value))
    results = torch.ops.gaudi.sdpa_grad(
        given.of_queries(grad), given.query, given.key, given.value, None, given.mask(mask), None,
        dropout_mask, seed, *map(given.of_queries, (m, linv, probabilities)), scale, is_causal,
        False, _HIDDEN.get(query.dtype, -1e9), p, softmax_mode.lower() == "fast")
    return tuple(given.gradients(results))


def check_seed(p: float, seed) -> None:
    if not 0 <= p < 1:
        raise ValueError(f"the probability of dropout is {p}; expected 0 or more, and less than 1")
    if p > 0 and seed is None:
        raise ValueError("dropout needs a seed: call the op whose name ends in _dropout_seed")


def seed_of(query):
    return torch.randint(0, 2**31 - 1, (1,), dtype=torch.int32, device=query.device)


def placeholder(query, dtype):
    return query.new_zeros([1], dtype=dtype)


def _kept(query, key, value, mask, p, scale, is_causal, softmax_mode, valid_seq_len,
          seq_padding_type, seed=None):
    check_seed(p, seed)
    made = attention(query, key, value, mask, p, scale, is_causal, softmax_mode, valid_seq_len,
                     seq_padding_type, seed if p > 0 else None, PROBABILITIES)
    return (*made[:2], made[2] if p > 0 else placeholder(query, torch.int8))


def _recomputed(query, key, value, mask, p, scale, is_causal, requires_backward, softmax_mode,
                valid_seq_len, seq_padding_type, seed=None):
    check_seed(p, seed)
    made = attention(query, key, value, mask, p, scale, is_causal, softmax_mode, valid_seq_len,
                     seq_padding_type, seed if p > 0 else None,
                     STATISTICS if requires_backward else NOTHING)
    if not requires_backward:
        is_narrow = softmax_mode.lower() == "fast" and query.dtype is torch.bfloat16
        made += [placeholder(query, query.dtype),
                 placeholder(query, query.dtype if is_narrow else torch.float32)]
    return (*made, seed.clone() if p > 0 and requires_backward else
            placeholder(query, torch.int32))


# Before and after the softmax's mode are other operands.
_FORWARD = ("Tensor q, Tensor k, Tensor v, Tensor? attention_mask, float p, float scale, "
            "bool is_causal, {}str softmax_mode, {}Tensor? valid_seq_len, str seq_padding_type")


def define(name: str, function, results: int, before: str, after: str = "",
           overload: str = "") -> None:
    """An op, and those of its name for dropout or none, where the seed comes first or is drawn."""
    operands = _FORWARD.format(before, after)
    outputs = ", ".join(["Tensor"] * results)

    @op(f"{name}_dropout_seed{overload}(Tensor seed, {operands}) -> ({outputs})")
    def seeded(seed, *given):
        return function(*given, seed)

    @op(f"{name}_non_dropout{overload}({operands}) -> ({outputs})")
    def without(*given):
        return function(*given)

    def drawing(query, *given):
        p = given[3]
        return function(query, *given, seed_of(query) if p > 0 else None)
    for each in (name, f"{name}_dropout"):
        op(f"{each}{overload}({operands}) -> ({outputs})")(drawing)


define("sdpa_fwd", _kept, 3, "")
define("sdpa_recomp_fwd", _recomputed, 4, "bool requires_backward, ")


@op("sdpa_bwd(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor P, Tensor? dm, bool is_causal, "
    "float p, float scale, Tensor fwd_out) -> (Tensor, Tensor, Tensor)")
def sdpa_bwd(grad, q, k, v, P, dm, is_causal, dropout_p, scale, fwd_out):
    del fwd_out  # from P the sums are exact
    return _gradient(grad, q, k, v, None, dm if dropout_p > 0 else None, None, None, None, P,
                     is_causal, dropout_p, scale, "none")


@op("sdpa_recomp_bwd(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor? attention_mask, Tensor m, "
    "Tensor linv, Tensor? seed, bool is_causal, float p, float scale, str softmax_mode, "
    "Tensor fwd_out) -> (Tensor, Tensor, Tensor)")
def sdpa_recomp_bwd(grad, q, k, v, attention_mask, m, linv, seed, is_causal, dropout_p, scale,
                    softmax_mode, fwd_out):
    del fwd_out
    check_seed(dropout_p, seed)
    return _gradient(grad, q, k, v, attention_mask, None, seed if dropout_p > 0 else None, m, linv,
                     None, is_causal, dropout_p, scale, softmax_mode)


# --- gradients ------------------------------------------------------------------------------------


def _keep(ctx, inputs, output) -> None:
    if inputs[0].dim() < 2:  # a seed
        ctx.first, inputs = 1, inputs[1:]
    else:
        ctx.first = 0
    q, k, v, mask, ctx.p, ctx.scale, ctx.is_causal, *rest = inputs
    ctx.is_recomputed = len(rest) == 4
    if ctx.is_recomputed and rest[-2] is not None:
        raise ValueError("sdpa_recomp_fwd takes valid_seq_len in inference only: sdpa_recomp_bwd "
                         "has no lengths; train with attn_mask instead")
    out, *saved = output
    ctx.softmax_mode, ctx.count = rest[-3], len(inputs)
    ctx.save_for_backward(q, k, v, mask if ctx.is_recomputed else None, *saved, out)


def _attention_gradient(ctx, grad, *_):
    q, k, v, mask, *saved, out = ctx.saved_tensors
    if ctx.is_recomputed:
        m, linv, seed = saved
        made = torch.ops.hpu.sdpa_recomp_bwd(
            grad, q, k, v, mask, m, linv, seed if ctx.p > 0 else None, ctx.is_causal, ctx.p,
            ctx.scale, ctx.softmax_mode, out)
    else:
        shares, kept = saved
        made = torch.ops.hpu.sdpa_bwd(grad, q, k, v, shares, kept if ctx.p > 0 else None,
                                      ctx.is_causal, ctx.p, ctx.scale, out)
    return *[None] * ctx.first, *made, *[None] * (ctx.count - 3)


for _name in ("sdpa_fwd", "sdpa_recomp_fwd"):
    for _suffix in ("", "_dropout", "_non_dropout", "_dropout_seed"):
        differentiable(_name + _suffix, _attention_gradient, _keep)


def default_scale(query) -> float:
    return 1 / math.sqrt(query.shape[-1])
