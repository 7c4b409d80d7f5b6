# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tiny Llama of optimum-habana, trained on the card, then quantized to eight bits by Intel's
neural_compressor: MEASURE, then QUANTIZE, or QUANTIZE alone if that is dynamic. Usage: FOLDER STEPS CASE..., where a case is a scale
method, which may end in options of FP8Config: "maxabs_hw:scale_format=const". Prints an object of
JSON for each: how the logits compare with those of bfloat16 and with the same quantization in
float64."""
import json
import pathlib
import sys

import habana_frameworks.torch.core as htcore
import torch
import transformers
from neural_compressor.torch.quantization import (
    FP8Config, convert, finalize_calibration, prepare)
from optimum.habana.transformers.modeling_utils import adapt_transformers_to_gaudi

WORDS, LENGTH = 64, 32
folder, steps, cases = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]


def texts(count: int, seed: int) -> torch.Tensor:
    """Each word has few that may follow it."""
    table = torch.rand(WORDS, WORDS, generator=torch.Generator().manual_seed(7)).pow(150)
    generator = torch.Generator().manual_seed(seed)
    words = torch.randint(0, WORDS, (count, 1), generator=generator)
    for _ in range(LENGTH - 1):
        words = torch.cat((words, torch.multinomial(table[words[:, -1]], 1, generator=generator)),
                          1)
    return words


def network():
    torch.manual_seed(0)
    return transformers.LlamaForCausalLM(transformers.LlamaConfig(
        vocab_size=WORDS, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=2 * LENGTH,
        bos_token_id=1, eos_token_id=2))


def train(model, steps: int) -> float:
    model.to("hpu").train()
    optimizer = torch.optim.AdamW(model.parameters(), 2e-3)
    words = texts(64 * 16, 1).to("hpu").split(16)
    for step in range(steps):
        given = words[step % len(words)]
        loss = model(input_ids=given, labels=given, use_cache=False).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        htcore.mark_step()
    return loss.item()


# --- the same in float64 --------------------------------------------------------------------------


def quantized(x, scale, axis: int = -1):
    """x as numbers of E4M3 times a scale: those of Gaudi 2, which end at 240. Without one it is
    that of dynamic quantization, for each row or column the power of two that leaves half of the
    range."""
    if scale is None:
        scale = torch.exp2(torch.ceil(torch.log2(x.abs().amax(axis, keepdim=True) / 120)))
    scaled = (x / scale).clamp(-240, 240)
    return scaled.float().to(torch.float8_e4m3fn).double() * scale


def number(scale):
    """A scale: a number, or one for each row of a weight; None if it follows the operand."""
    if scale is None:
        return None
    return scale.detach().cpu().double() if isinstance(scale, torch.Tensor) else float(scale)


def scales(layer, names, modules):
    """Of the operands of a product that neural_compressor has changed, or None. With use_qdq they
    are those of the modules that it calls."""
    if hasattr(layer, names[0]):
        return [number(getattr(layer, name)) for name in names]
    if hasattr(layer, modules[-1]):
        return [number(getattr(layer, name).scale) for name in modules]
    return None


class Wide:
    """The forward pass of a Llama in float64, by the weights and scales of a model: of one that
    neural_compressor has changed, or of one as it was. Results of ops may be rounded to
    bfloat16, as the card keeps them."""

    def __init__(self, model, is_rounded: bool = False) -> None:
        self.model = model
        self.modules = dict(model.named_modules())
        self.kept = (lambda x: x.bfloat16().double()) if is_rounded else lambda x: x

    def linear(self, name: str, x):
        layer = self.modules[name]
        found = scales(layer, ("scale_input", "scale_weight"), ("quant_input", "dequant_weights"))
        if found:
            weight = layer.weight.detach().cpu().double() * found[1]  # transposed
            return self.kept(quantized(x, found[0]) @ weight)
        return self.kept(x @ layer.weight.detach().cpu().double().t())

    def product(self, name: str, x, y):
        layer = self.modules[name]
        found = scales(layer, ("scale_input", "scale_other"), ("quant_input_0", "quant_input_1"))
        if found:
            x, y = quantized(x, found[0]), quantized(y, found[1], -2)
        return self.kept(x @ y)

    def norm(self, name: str, x):
        layer = self.modules[name]
        x = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + layer.variance_epsilon)
        return self.kept(x * layer.weight.detach().cpu().double())

    def attention(self, name: str, x):
        config = self.model.config
        heads, groups = config.num_attention_heads, config.num_key_value_heads
        size, length = config.hidden_size // heads, x.shape[1]
        q, k, v = (self.linear(f"{name}.{each}_proj", x).unflatten(-1, (-1, size)).transpose(1, 2)
                   for each in "qkv")
        rates = config.rope_theta ** (-torch.arange(0, size, 2).double() / size)
        angles = (torch.arange(length).double()[:, None] * rates).repeat(1, 2)

        def turned(x):
            a, b = x.chunk(2, -1)
            return self.kept(x * angles.cos() + torch.cat((-b, a), -1) * angles.sin())
        q, k = turned(q), turned(k).repeat_interleave(heads // groups, 1)
        v = v.repeat_interleave(heads // groups, 1)
        scores = self.product(f"{name}.matmul_qk", q, k.transpose(-2, -1)) * size ** -0.5
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
        shares = self.kept(self.kept(scores).masked_fill(hidden, -torch.inf).softmax(-1))
        made = self.product(f"{name}.matmul_av", shares, v)
        return self.linear(f"{name}.o_proj", made.transpose(1, 2).flatten(2))

    def __call__(self, words):
        x = self.modules["model.embed_tokens"].weight.detach().cpu().double()[words]
        for index in range(self.model.config.num_hidden_layers):
            name = f"model.layers.{index}"
            y = self.attention(f"{name}.self_attn", self.norm(f"{name}.input_layernorm", x))
            x = self.kept(x + y)
            y = self.norm(f"{name}.post_attention_layernorm", x)
            gate = self.kept(torch.nn.functional.silu(self.linear(f"{name}.mlp.gate_proj", y)))
            gate = self.kept(gate * self.linear(f"{name}.mlp.up_proj", y))
            x = self.kept(x + self.linear(f"{name}.mlp.down_proj", gate))
        return self.linear("lm_head", self.norm("model.norm", x))


# --- cases ----------------------------------------------------------------------------------------


def error(x, y) -> float:
    return ((x - y).norm() / y.norm()).item()


def agreement(x, y) -> float:
    return (x.argmax(-1) == y.argmax(-1)).double().mean().item()


def option(text: str) -> tuple:
    name, _, value = text.partition("=")
    return name, json.loads(value) if value[:1].isdigit() or value in ("true", "false") else value


transformers.logging.set_verbosity_error()
adapt_transformers_to_gaudi()
model = network()
loss = train(model, steps)
state = {name: tensor.cpu().bfloat16() for name, tensor in model.state_dict().items()}


def loaded():
    model = network()
    model.load_state_dict(state)
    return model.bfloat16().eval().to("hpu")


htcore.hpu_set_env()
measured, judged = texts(16, 2).to("hpu"), texts(32, 3)
given = judged.to("hpu")
with torch.no_grad():
    plain = loaded()
    wide = plain(input_ids=given, use_cache=False).logits.cpu().double()
    exact = Wide(plain)(judged)
    for case in cases:
        method, *options = case.split(":")
        (folder / case).mkdir(parents=True)
        configured = {"scale_method": method, "observer": "maxabs",
                      "dump_stats_path": str(folder / case / "stats"),
                      **dict(map(option, options))}

        def config(mode: str) -> FP8Config:
            file = folder / case / f"{mode}.json"
            file.write_text(json.dumps({**configured, "mode": mode}))
            return FP8Config.from_json_file(str(file))

        if not configured.get("dynamic_quantization"):
            model = prepare(loaded(), config("MEASURE"))
            for each in measured.split(4):
                model(input_ids=each, use_cache=False)
                htcore.mark_step()
            finalize_calibration(model)
        model = convert(loaded(), config("QUANTIZE"))
        htcore.hpu_initialize(model)
        narrow = model(input_ids=given, use_cache=False).logits.cpu().double()
        layers = [each for each in model.modules() if any(hasattr(each, name) for name in (
            "scale_input", "dequant_weights", "quant_input_1"))]
        same = Wide(model)(judged)
        print("RESULT", json.dumps({
            "case": case, "loss": loss, "layers": len(layers),
            "agreement": agreement(narrow, wide),
            # Results are rounded to bfloat16, which moves some numbers to the neighbour in eight
            # bits: `noise` is what that does to the float64 evaluation itself.
            "error": error(narrow, same), "noise": error(Wide(model, True)(judged), same),
            "quantization": error(same, exact)}), flush=True)
