# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.ops.hpu.fp8_sdpa_*: attention in eight bits, and its gradient; or, of wider operands, with
the largest magnitudes from which scales are chosen.

A scale d_scale_* multiplies what is read, q_scale_* what is written: the query, key and value, the
probabilities s before the product with the values, and the output o.
"""
import torch
from gaudi_mlir.torch.device_ops import NOTHING, PROBABILITIES, STATISTICS

from ._attention import attention, check_seed, define, placeholder
from ._fp8 import EIGHT_BITS, amax, gradients, narrowed
from ._ops import op

SCALES = "d_scale_q", "d_scale_k", "d_scale_v", "q_scale_s", "q_scale_o", "d_scale_s"


def _tensors(scales, like) -> list:
    """Scales as tensors of one element, which 0.0 is none of."""
    made = []
    for name, each in zip(SCALES, scales):
        if isinstance(each, float):
            each = torch.full([1], each, dtype=torch.float32, device=like.device) if each else None
        elif each is not None:
            if each.numel() != 1:
                raise ValueError(f"{name} has shape {list(each.shape)}; expected one element")
            each = each.reshape([1]).float()
        made.append(each)
    *rest, q_scale_s, _, d_scale_s = made
    if d_scale_s is None and q_scale_s is not None:
        made[-1] = q_scale_s.reciprocal()  # what was multiplied is divided by again
    return made


def check_scales(query, scales) -> None:
    """What is wider than eight bits has no scales: as a number, 0 is none."""
    used = [name for name, each in zip(SCALES, scales) if each is not None and
            not (isinstance(each, (int, float)) and each == 0)]
    if used and query.dtype not in EIGHT_BITS:
        raise TypeError(f"query has type {query.dtype}, and {used[0]} is given: only float8_e4m3fn "
                        "and float8_e5m2 have scales")


def _results(given, scales, softmax_mode, valid_seq_len, seq_padding_type, seed, saves, is_amax_s,
             is_amax_o):
    """What the card's op gives, and both magnitudes."""
    query, p = given[0], given[4]
    check_seed(p, seed)
    check_scales(query, scales)
    options = softmax_mode, valid_seq_len, seq_padding_type, seed if p > 0 else None
    if query.dtype in EIGHT_BITS:
        made = attention(*given, *options, saves, *_tensors(scales, query), is_amax_s, is_amax_o)
        left = iter(made[len(made) - is_amax_s - is_amax_o:])
        made = made[:len(made) - is_amax_s - is_amax_o]
        return made, [next(left) if asked else amax(query, False)
                      for asked in (is_amax_s, is_amax_o)]
    made = attention(*given, *options, saves)
    shares = query
    if is_amax_s:
        shares = made[1] if saves == PROBABILITIES else attention(*given, *options,
                                                                  PROBABILITIES)[1]
    return made, [amax(shares, is_amax_s), amax(made[0], is_amax_o)]


def _measured(*operands):
    """Scales come behind the mode of the softmax."""
    given, softmax_mode, scales = operands[:7], operands[7], operands[8:14]
    is_amax_s, is_amax_o, valid_seq_len, seq_padding_type, *seed = operands[14:]
    made, magnitudes = _results(given, scales, softmax_mode, valid_seq_len, seq_padding_type,
                                seed[0] if seed else None, PROBABILITIES, is_amax_s, is_amax_o)
    query, p = given[0], given[4]
    return (*made[:2], made[2] if p > 0 else placeholder(query, torch.int8), *magnitudes)


def _kept(*operands):
    return _measured(*operands[:15], False, *operands[15:])[:4]


def _recomputed(*operands):
    given, requires_backward, softmax_mode = operands[:7], operands[7], operands[8]
    scales = operands[9:15]
    is_amax_s, is_amax_o, valid_seq_len, seq_padding_type, *seed = operands[15:]
    seed = seed[0] if seed else None
    made, magnitudes = _results(given, scales, softmax_mode, valid_seq_len, seq_padding_type, seed,
                                STATISTICS if requires_backward else NOTHING, is_amax_s, is_amax_o)
    query, p = given[0], given[4]
    if not requires_backward:
        is_narrow = query.dtype in EIGHT_BITS
        is_short = is_narrow or softmax_mode.lower() == "fast" and query.dtype is torch.bfloat16
        made += [placeholder(query, torch.bfloat16 if is_narrow else query.dtype),
                 placeholder(query, torch.bfloat16 if is_short else torch.float32)]
    kept = seed.clone() if p > 0 and requires_backward else placeholder(query, torch.int32)
    return (*made, kept, *magnitudes)


def _operands(kind: str) -> str:
    return "".join(f"{kind} {name}, " for name in SCALES) + "bool is_amax_s, "


define("fp8_sdpa_fwd", _kept, 4, "", _operands("Tensor?"))
define("fp8_sdpa_fwd", _measured, 5, "", _operands("Tensor?") + "bool is_amax_o, ", ".amax_o")
for _overload, _kind in (("", "Tensor?"), (".scalar", "float")):
    define("fp8_sdpa_recomp_fwd", _recomputed, 6, "bool requires_backward, ",
           _operands(_kind) + "bool is_amax_o, ", _overload)
for _name, _overload in (("fwd", ""), ("fwd", ".amax_o"), ("recomp_fwd", ""),
                         ("recomp_fwd", ".scalar")):
    for _suffix in ("", "_dropout", "_non_dropout", "_dropout_seed"):
        gradients(f"fp8_sdpa_{_name}{_suffix}{_overload}",
                  "transformer_engine.FusedAttention trains in eight bits, hpex.kernels.FusedSDPA "
                  "in wider types")


def _times(x, *scales):
    for each in scales:
        if each is not None:
            x = x * each.float().reshape([])
    return x


@op("fp8_sdpa_bwd(Tensor grad, Tensor q, Tensor k, Tensor v, Tensor P, Tensor? dm, bool is_causal, "
    "float p, float scale, Tensor? d_scale_q, Tensor? d_scale_k, Tensor? d_scale_v, "
    "Tensor? d_scale_s, Tensor? d_scale_do, Tensor? d_scale_ds, Tensor? q_scale_s, "
    "Tensor? q_scale_ds, bool is_amax_ds, Tensor fwd_out) -> (Tensor, Tensor, Tensor, Tensor)")
def fp8_sdpa_bwd(grad, q, k, v, P, dm, is_causal, dropout_p, scale, d_scale_q, d_scale_k,
                 d_scale_v, d_scale_s, d_scale_do, d_scale_ds, q_scale_s, q_scale_ds, is_amax_ds,
                 fwd_out):
    """Products of what the operands have, sums in float32. The gradient ds of the scores is rounded
    to the type of `grad` for the products with the key and the query, and returned by its
    magnitude."""
    del is_causal, fwd_out  # P has it; from P the sums are exact
    shares, kept = _times(P.float(), d_scale_s), 1.0
    if dropout_p > 0:
        kept = dm.float() / (1 - dropout_p)
        dropped = narrowed(_times(shares * kept, q_scale_s), P.dtype)
        value_grad = _times(dropped.float().transpose(-2, -1) @ grad.float(), d_scale_do,
                            None if q_scale_s is None else q_scale_s.reciprocal())
    else:
        value_grad = _times(P.float().transpose(-2, -1) @ grad.float(), d_scale_do, d_scale_s)
    shares_grad = kept * _times(grad.float() @ v.float().transpose(-2, -1), d_scale_do, d_scale_v)
    scores_grad = shares * (shares_grad - (shares_grad * shares).sum(-1, keepdim=True))
    most = amax(scores_grad, is_amax_ds)
    rounded = narrowed(_times(scores_grad, q_scale_ds), grad.dtype).float()
    if d_scale_ds is None and q_scale_ds is not None:
        d_scale_ds = q_scale_ds.reciprocal()
    query_grad = _times(rounded @ k.float(), d_scale_ds, d_scale_k) * scale
    key_grad = _times(rounded.transpose(-2, -1) @ q.float(), d_scale_ds, d_scale_q) * scale
    grads = [each.sum_to_size(like.shape).to(torch.bfloat16 if like.dtype in EIGHT_BITS else
                                             like.dtype)
             for each, like in ((query_grad, q), (key_grad, k), (value_grad, v))]
    return *grads, most
