# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention as JAX programs get them, for the cases of jax_cases.py."""
import jax
import jax.numpy as jnp
from jax import nn

from jax_cases import SELF, K, Q, V, bf16, case, f32


def pulled_back(attention, count=3):
    """The function that gives the output and, from its gradient (the last argument), those of the first arguments."""
    def both(*args):
        *inputs, output_grad = args
        def forward(*leading):
            return attention(*leading, *inputs[count:])
        output, pull = jax.vjp(forward, *inputs[:count])
        return output, *pull(output_grad)
    both.__name__ = attention.__name__
    return both


def training(what, *inputs, output, count=3, attentions=1, gradients=1):
    def register(build):
        case(what, *inputs, output, attentions=attentions, gradients=gradients)(pulled_back(build, count))
        return build
    return register


def attend(q, k, v, change=lambda s: s, weigh=lambda p: p):
    p = weigh(nn.softmax(change(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5)))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@training("gradients of jax.nn.dot_product_attention", Q, K, V, output=Q)
def grad_plain(q, k, v):
    return nn.dot_product_attention(q, k, v)


@training("gradients, causal", *SELF, output=SELF[0])
def grad_causal(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


@training("gradients with a mask of booleans that selects -1e9", Q, K, V, ((2, 1, 5, 7), "i1"), output=Q)
def grad_mask(q, k, v, mask):
    return attend(q, k, v, lambda s: jnp.where(mask, s, -1e9))


@training("not fused: the gradient of JAX's logsumexp is not proven", Q, K, V, output=Q, attentions=0, gradients=0)
def grad_logsumexp(q, k, v):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
    return jnp.einsum("nhqk,nkhd->nqhd", jnp.exp(scores - nn.logsumexp(scores, -1, keepdims=True)), v)


@training("not fused: the gradient of JAX's logsumexp is not proven", *SELF, output=SELF[0], attentions=0, gradients=0)
def grad_logsumexp_causal(q, k, v):
    scores = jnp.where(jnp.tril(jnp.ones((6, 6), bool)), jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -jnp.inf)
    return jnp.einsum("nhqk,nkhd->nqhd", jnp.exp(scores - nn.logsumexp(scores, -1, keepdims=True)), v)


@training("gradients of the original GPT-2's mask, a constant", *SELF, output=SELF[0])
def grad_gpt2(q, k, v):
    visible = jnp.tril(jnp.ones((6, 6), q.dtype))
    return attend(q, k, v, lambda s: s * visible - 1e10 * (1 - visible))


@training("gradients where keys are hidden before and after the exponential; rows without keys are zeros", *SELF,
          ((2, 1, 6, 6), "i1"), output=SELF[0])
def grad_hidden_twice(q, k, v, mask):
    scores = jnp.where(mask, jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -1e30)
    e = jnp.where(mask, jnp.exp(scores - jax.lax.stop_gradient(scores.max(-1, keepdims=True))), 0)
    total = e.sum(-1, keepdims=True)
    return jnp.einsum("nhqk,nkhd->nqhd", e / jnp.where(total == 0, 1, total), v)


@training("gradients of a softmax whose rows without keys are made zeros, as PyTorch's", Q, K, V, ((2, 1, 1, 7), "i1"),
          output=Q)
def grad_safe_softmax(q, k, v, mask):
    scores = jnp.where(mask, jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5, -jnp.inf)
    p = jnp.where((scores == -jnp.inf).all(-1, keepdims=True), 0, nn.softmax(scores))
    return jnp.einsum("nhqk,nkhd->nqhd", p, v)


@training("gradients with an additive mask that is no parameter", Q, K, V, f32(2, 1, 5, 7), output=Q)
def grad_added_mask(q, k, v, mask):
    return attend(q, k, v, lambda s: s + mask)


@training("gradients of grouped heads, jax.nn.dot_product_attention", f32(2, 5, 4, 4), f32(2, 7, 2, 4), f32(2, 7, 2, 4),
          output=f32(2, 5, 4, 4))
def grad_gqa(q, k, v):
    return nn.dot_product_attention(q, k, v)


@training("gradients of grouped heads by repeated keys and values", f32(2, 5, 4, 4), f32(2, 7, 2, 4), f32(2, 7, 2, 4),
          output=f32(2, 5, 4, 4))
def grad_repeated(q, k, v):
    return attend(q, jnp.repeat(k, 2, 2), jnp.repeat(v, 2, 2))


@training("gradients of one key head, without a dimension for it", f32(2, 5, 3, 4), f32(2, 7, 4), f32(2, 7, 4),
          output=f32(2, 5, 3, 4))
def grad_mqa(q, k, v):
    p = nn.softmax(jnp.einsum("nqhd,nkd->nhqk", q, k) * 0.5)
    return jnp.einsum("nhqk,nkd->nqhd", p, v)


@training("gradients with dropout by a mask that is an argument", Q, K, V, ((2, 3, 5, 7), "i1"), output=Q)
def grad_dropout(q, k, v, keep):
    return attend(q, k, v, weigh=lambda p: jnp.where(keep, p / 0.75, 0.0))


@training("gradients in bf16, causal", bf16(2, 6, 3, 4), bf16(2, 6, 3, 4), bf16(2, 6, 3, 4), output=bf16(2, 6, 3, 4))
def grad_bf16(q, k, v):
    return nn.dot_product_attention(q, k, v, is_causal=True)


@training("gradients in bf16, softmax in f32", bf16(2, 5, 3, 4), bf16(2, 7, 3, 4), bf16(2, 7, 3, 4),
          output=bf16(2, 5, 3, 4))
def grad_bf16_upcast(q, k, v):
    scores = jnp.einsum("nqhd,nkhd->nhqk", q, k).astype(jnp.float32) * 0.5
    return jnp.einsum("nhqk,nkhd->nqhd", nn.softmax(scores).astype(jnp.bfloat16), v)


@training("gradients by vmap over batch and heads", f32(2, 3, 5, 4), f32(2, 3, 7, 4), f32(2, 3, 7, 6),
          output=f32(2, 3, 5, 6))
def grad_vmapped(q, k, v):
    def one(q, k, v):
        return nn.softmax(q @ k.T / jnp.sqrt(4.0), axis=-1) @ v
    return jax.vmap(jax.vmap(one))(q, k, v)


@training("gradients, the scale on the query", f32(4, 4, 4, 4), f32(4, 4, 4, 4), f32(4, 4, 4, 4),
          output=f32(4, 4, 4, 4))
def grad_scaled_query(q, k, v):
    p = nn.softmax(jnp.einsum("nhqd,nhkd->nhqk", q * 0.5, k))
    return jnp.einsum("nhqk,nhkd->nhqd", p, v)


@training("gradients by a rule of its own: weights from scores and their log-sum-exp, D from the output", Q, K, V,
          output=Q)
def grad_own_rule(q, k, v):
    @jax.custom_vjp
    def attention(q, k, v):
        return forward(q, k, v)[0]

    def forward(q, k, v):
        s = jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5
        m = s.max(-1, keepdims=True)
        e = jnp.exp(s - m)
        total = e.sum(-1, keepdims=True)
        o = jnp.einsum("nhqk,nkhd->nqhd", e / total, v)
        return o, (q, k, v, o, m + jnp.log(total))

    def backward(saved, do):
        q, k, v, o, lse = saved
        p = jnp.exp(jnp.einsum("nqhd,nkhd->nhqk", q, k) * 0.5 - lse)
        dp = jnp.einsum("nqhd,nkhd->nhqk", do, v)
        ds = p * (dp - jnp.moveaxis((do * o).sum(-1, keepdims=True), 1, 2)) * 0.5
        return (jnp.einsum("nhqk,nkhd->nqhd", ds, k), jnp.einsum("nhqk,nqhd->nkhd", ds, q),
                jnp.einsum("nhqk,nqhd->nkhd", p, do))

    attention.defvjp(forward, backward)
    return attention(q, k, v)


@training("gradients computed again in the backward pass (jax.checkpoint)", Q, K, V, output=Q)
def grad_checkpoint(q, k, v):
    return jax.checkpoint(attend)(q, k, v)


@training("not fused: a learned bias, whose gradient reads those of the scores", Q, K, V, f32(3, 5, 7), output=Q,
          count=4, attentions=0, gradients=0)
def grad_learned_bias(q, k, v, bias):
    return attend(q, k, v, lambda s: s + bias)


def normed(x, scale, offset):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * scale + offset


def block(x, p):
    """A pre-norm layer: causal attention of three heads, then an MLP."""
    y = normed(x, p["scale1"], p["offset1"])
    q, k, v = (t.reshape(2, 6, 3, 4) for t in jnp.split(y @ p["qkv"] + p["qkv_bias"], 3, -1))
    x = x + nn.dot_product_attention(q, k, v, is_causal=True).reshape(2, 6, 12) @ p["out"]
    y = normed(x, p["scale2"], p["offset2"])
    return x + nn.gelu(y @ p["up"]) @ p["down"]


SHAPES = {"scale1": (12,), "offset1": (12,), "qkv": (12, 36), "qkv_bias": (36,), "out": (12, 12), "scale2": (12,),
          "offset2": (12,), "up": (12, 24), "down": (24, 12)}


@case("a training step: two layers, squared error, AdamW of optax", f32(2, 6, 12), f32(2, 6, 12),
      *[f32(*shape) for _ in range(2) for shape in SHAPES.values()], attentions=2, gradients=2)
def training_step(x, target, *flat):
    import optax
    names = list(SHAPES)
    params = [dict(zip(names, flat[i * len(names):])) for i in range(2)]
    optimizer = optax.adamw(1e-2, eps=1e-3)

    def loss(params):
        y = x
        for p in params:
            y = block(y, p)
        return ((y - target) ** 2).mean()

    value, grads = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(grads, optimizer.init(params), params)
    return value, optax.apply_updates(params, updates), state[0].nu
