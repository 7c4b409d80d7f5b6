# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention as PyTorch's autograd writes them in ATen ops, for the cases of torch_cases.py."""
import math

import torch
import torch.nn.functional as F

from torch_cases import Q, K, V, case, f32


def training(what, *inputs, output, attentions=1, gradients=1, forms=("linalg",)):
    """Registers the graph of the output and of the gradients of the first three inputs; the last input is the
    output's gradient."""
    def register(attention):
        def both(*args):
            *inputs, output_grad = args
            value, pull = torch.func.vjp(lambda *leading: attention(*leading, *inputs[3:]), *inputs[:3])
            return value, *pull(output_grad)
        both.__name__ = attention.__name__
        case(what, *inputs, output, attentions=attentions, gradients=gradients, forms=forms)(both)
        return attention
    return register


@training("gradients of matmul, softmax, matmul", Q, K, V, output=f32(2, 3, 5, 6))
def grad_plain(q, k, v):
    return F.softmax(q @ k.transpose(-2, -1) / math.sqrt(4), -1) @ v


@training("gradients of exponentials of scores less their logsumexp", Q, K, V, output=f32(2, 3, 5, 6))
def grad_logsumexp(q, k, v):
    scores = q @ k.transpose(-2, -1) * 0.5
    return torch.exp(scores - torch.logsumexp(scores, -1, keepdim=True)) @ v


@training("gradients with a causal mask of -inf, the scale on q, heads merged by reshape", f32(2, 5, 12), f32(2, 5, 12),
          f32(2, 5, 12), output=f32(2, 5, 12))
def grad_causal(q, k, v):
    q, k, v = (t.view(2, 5, 3, 4).transpose(1, 2) for t in (q * 0.5, k, v))
    scores = q @ k.transpose(-2, -1) + torch.full((5, 5), float("-inf")).triu(1)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(2, 5, 12)


@training("gradients of baddbmm and bmm with a mask, as nn.MultiheadAttention had them", f32(6, 5, 4), f32(6, 7, 4),
          f32(6, 7, 4), f32(6, 1, 7), output=f32(6, 5, 4))
def grad_bmm(q, k, v, mask):
    scores = torch.baddbmm(mask.expand(6, 5, 7), q / 2.0, k.transpose(-2, -1))
    return torch.bmm(F.softmax(scores, -1), v)


@training("gradients of grouped heads by expand and reshape", f32(2, 4, 5, 4), f32(2, 2, 7, 4), f32(2, 2, 7, 4),
          output=f32(2, 4, 5, 4))
def grad_gqa(q, k, v):
    k, v = (t[:, :, None].expand(2, 2, 2, 7, 4).reshape(2, 4, 7, 4) for t in (k, v))
    return F.softmax(q @ k.transpose(-2, -1) * 0.5, -1) @ v


@training("gradients with dropout by a mask that is an argument", Q, K, V, ((2, 3, 5, 7), "i1"),
          output=f32(2, 3, 5, 6))
def grad_dropout(q, k, v, keep):
    p = F.softmax(q @ k.transpose(-2, -1) * 0.5, -1)
    return (p * keep.float() * (1 / 0.75)) @ v


@training("gradients with masked_fill of finfo.min", Q, K, V, ((2, 1, 1, 7), "i1"), output=f32(2, 3, 5, 6))
def grad_masked_fill(q, k, v, hidden):
    scores = (q @ k.transpose(-2, -1) * 0.5).masked_fill(hidden & (torch.arange(7) > 0), torch.finfo(q.dtype).min)
    return F.softmax(scores, -1) @ v
