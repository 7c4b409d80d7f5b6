# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaled dot-product attention as one op of the card, with its gradients as another one."""
import torch

from ... import _attention
from ...hpu._switches import recompute_sdp_enabled


def is_gqa(q, k) -> bool:
    """Whether heads of keys serve groups of queries' heads. One head serves all by broadcasting."""
    return q.dim() == 4 and q.shape[1] != k.shape[1] and k.shape[1] != 1


def gqa_input_reshape_fwd(q, k, v, attention_mask):
    """The groups as a dimension of their own: [N, Hk, G, L, D] and [N, Hk, 1, S, D]."""
    heads, groups = k.shape[1], q.shape[1] // k.shape[1]
    mask = attention_mask
    if mask is not None:
        mask = mask.reshape([1] * (4 - mask.dim()) + list(mask.shape))
        if mask.shape[1] == q.shape[1]:
            mask = mask.reshape(mask.shape[0], heads, groups, *mask.shape[2:])
        else:
            mask = mask.unsqueeze(1)
    return (q.reshape(q.shape[0], heads, groups, *q.shape[2:]), k.unsqueeze(2), v.unsqueeze(2),
            mask)


def gqa_input_reshape_bwd(q, v, grad_in):
    """A gradient of the output, as the output was computed for such a query and value."""
    return grad_in.reshape(*q.shape[:4], v.shape[-1])


def gqa_output_reshape(tensor):
    """Heads and groups as one dimension."""
    return tensor.flatten(1, 2)


def _expect(condition: bool, words: str) -> None:
    if not condition:
        raise ValueError(f"FusedSDPA {words}")


def _check(q, k, v, attn_mask, is_causal, softmax_mode, recompute, valid_seq_len, is_training,
           return_dropout_mask, return_attn_probs) -> None:
    on_card = [each.device.type != "cpu" for each in (q, k, v)]
    for name, each in (("query", q), ("key", k), ("value", v)):
        _expect(each.device.type != "cpu" or not any(on_card), f"has a {name} ({list(each.shape)}) on {each.device}, and "
                'runs on the card: move it, .to("hpu"), or call '
                "torch.nn.functional.scaled_dot_product_attention")
    _expect(not is_gqa(q, k) or q.shape[1] % k.shape[1] == 0 and k.shape[1] == v.shape[1],
            f"has a query of {q.shape[1]} heads ({list(q.shape)}), a key of {k.shape[1]} and a value "
            f"of {v.shape[1]}: dimension 1 of [batch, heads, length, depth]; give key and value "
            "equally many heads, and the query a multiple of them (swap dimensions 1 and 2 if "
            "yours has them the other way round: .transpose(1, 2))")
    _expect(not (return_attn_probs and is_training), "returns probabilities in inference only: call "
            "it under torch.no_grad(), or leave return_attn_probs out")
    _expect(is_causal or not (recompute and is_training and softmax_mode == "fast"),
            "with recomputation and softmax_mode 'fast' trains only with is_causal=True; leave "
            "softmax_mode out")
    if valid_seq_len is not None:
        _expect(is_causal, "takes valid_seq_len only with is_causal=True")
        _expect(not is_training, "takes valid_seq_len in inference only; train with attn_mask")
        _expect(attn_mask is None, "takes either valid_seq_len or attn_mask")
    if recompute:
        _expect(not return_dropout_mask, "with recomputation has no mask of dropout to return; call "
                "torch.hpu.enable_recompute_sdp(False)")
        _expect(q.dim() <= 2 or q.shape[0] == k.shape[0] == v.shape[0],
                "with recomputation does not broadcast batches: they are "
                f"{q.shape[0]}, {k.shape[0]} and {v.shape[0]}; expand them, or call "
                "torch.hpu.enable_recompute_sdp(False)")


_ORDER = "FusedSDPA.apply(query, key, value, attn_mask, dropout_p, is_causal, scale, ...)"


def _is_number(value) -> bool:
    return hasattr(value, "__float__") and not (isinstance(value, torch.Tensor) and value.dim())


def _check_types(query, key, value, attn_mask, dropout_p, is_causal, scale) -> None:
    """That each argument stands in its place: autograd functions take none by name."""
    for name, each, is_fit, wanted in (
            ("query", query, isinstance(query, torch.Tensor), "a tensor"),
            ("key", key, isinstance(key, torch.Tensor), "a tensor"),
            ("value", value, isinstance(value, torch.Tensor), "a tensor"),
            ("attn_mask", attn_mask, attn_mask is None or isinstance(attn_mask, torch.Tensor),
             "a tensor or None"),
            ("dropout_p", dropout_p, _is_number(dropout_p), "a number"),
            ("is_causal", is_causal, not isinstance(is_causal, torch.Tensor), "True or False"),
            ("scale", scale, scale is None or _is_number(scale), "a number or None")):
        if not is_fit:
            given = f"a tensor of {list(each.shape)}" if isinstance(each, torch.Tensor) else repr(each)
            hint = "; for a causal mask write FusedSDPA.apply(q, k, v, None, 0.0, True)" \
                if name == "attn_mask" and each is True else ""
            raise TypeError(f"FusedSDPA: {name} is {given}; it takes {wanted}: {_ORDER}{hint}")


def sdpa_fwd_wrapper(ctx, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                     softmax_mode="None", recompute_mode=None, valid_seq_len=None,
                     seq_padding_type="left", return_dropout_mask=False, return_attn_probs=False):
    _check_types(q, k, v, attn_mask, dropout_p, is_causal, scale)
    softmax_mode, seq_padding_type = softmax_mode.lower(), seq_padding_type.lower()
    is_training = q.requires_grad or k.requires_grad or v.requires_grad
    recompute = recompute_sdp_enabled() if recompute_mode is None else bool(recompute_mode)
    recompute = recompute and not return_attn_probs
    _check(q, k, v, attn_mask, is_causal, softmax_mode, recompute, valid_seq_len, is_training,
           return_dropout_mask, return_attn_probs)
    scale = _attention.default_scale(q) if scale is None else float(scale)
    gqa = is_gqa(q, k)
    if gqa:
        q, k, v, attn_mask = gqa_input_reshape_fwd(q, k, v, attn_mask)
    ops, dropout_p = torch.ops.hpu, float(dropout_p)
    if recompute:
        op = ops.sdpa_recomp_fwd_dropout if dropout_p > 0 else ops.sdpa_recomp_fwd_non_dropout
        out, *saved = op(q, k, v, attn_mask, dropout_p, scale, is_causal, is_training,
                         softmax_mode, valid_seq_len, seq_padding_type)
        mask = attn_mask
    else:
        op = ops.sdpa_fwd_dropout if dropout_p > 0 else ops.sdpa_fwd_non_dropout
        out, *saved = op(q, k, v, attn_mask, dropout_p, scale, is_causal, softmax_mode,
                         valid_seq_len, seq_padding_type)
        mask = None
    if is_training:
        ctx.save_for_backward(q, k, v, mask, *saved, out)
    ctx.options = recompute, gqa, dropout_p, scale, is_causal, softmax_mode
    results = [out]
    if not recompute:
        results += [each for each, is_wanted in zip(saved, (return_attn_probs, return_dropout_mask))
                    if is_wanted]
    if gqa:
        results = [gqa_output_reshape(each) if each.dim() > 1 else each for each in results]
    if len(results) == 1:
        return results[0]
    ctx.mark_non_differentiable(*results[1:])
    return tuple(results)


def sdpa_bwd_wrapper(ctx, grad_out, *args):
    recompute, gqa, dropout_p, scale, is_causal, softmax_mode = ctx.options
    q, k, v, mask, *saved, out = ctx.saved_tensors
    if gqa:
        grad_out = gqa_input_reshape_bwd(q, v, grad_out)
    if recompute:
        m, linv, seed = saved
        gradients = torch.ops.hpu.sdpa_recomp_bwd(
            grad_out, q, k, v, mask, m, linv, seed if dropout_p > 0 else None, is_causal, dropout_p,
            scale, softmax_mode, out)
    else:
        probabilities, dropout_mask = saved
        gradients = torch.ops.hpu.sdpa_bwd(
            grad_out, q, k, v, probabilities, dropout_mask if dropout_p > 0 else None, is_causal,
            dropout_p, scale, out)
    if gqa:
        gradients = map(gqa_output_reshape, gradients)
    return (*gradients, *[None] * 10)


class FusedSDPA(torch.autograd.Function):
    """Attention of q [N, .., L, D], k [N, .., S, D] and v [N, .., S, Dv]; groups of queries' heads
    may share heads of keys and values. With recomputation, the default (torch.hpu.sdp_kernel), the
    backward pass computes the probabilities again; without, they are kept. A mask of booleans hides
    where it is false, one of floats is added; both broadcast to [N, .., L, S]."""

    @staticmethod
    def forward(ctx, q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                softmax_mode="None", recompute_mode=None, valid_seq_len=None,
                seq_padding_type="left", return_dropout_mask=False, return_attn_probs=False):
        return sdpa_fwd_wrapper(ctx, q, k, v, attn_mask, dropout_p, is_causal, scale, softmax_mode,
                                recompute_mode, valid_seq_len, seq_padding_type,
                                return_dropout_mask, return_attn_probs)

    @staticmethod
    def backward(ctx, grad_out, *args):
        return sdpa_bwd_wrapper(ctx, grad_out, *args)
