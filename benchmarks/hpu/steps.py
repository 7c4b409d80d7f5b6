# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps on hpu beside PyTorch's own on the CPU, in one process, by turns: medians of wall
times, and their ratio.

Usage: steps.py [--rounds N] [NETWORK...]
"""
import argparse
import copy
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

import habana_frameworks.torch  # noqa: F401
from habana_frameworks.torch import _C


class _Block(nn.Module):
    def __init__(self, before, after, stride):
        super().__init__()
        self.first = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.second = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norms = nn.ModuleList([nn.BatchNorm2d(after), nn.BatchNorm2d(after)])
        self.shortcut = nn.Identity() if stride == 1 and before == after else nn.Sequential(
            nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x):
        y = F.relu(self.norms[0](self.first(x)))
        return F.relu(self.norms[1](self.second(y)) + self.shortcut(x))


def _resnet18():
    """Of K. He et al., "Deep residual learning for image recognition", 2015, with 8 images."""
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
              nn.MaxPool2d(3, 2, 1)]
    before = 64
    for after in (64, 128, 256, 512):
        layers += [_Block(before, after, 1 if after == 64 else 2), _Block(after, after, 1)]
        before = after
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 1000)]
    return nn.Sequential(*layers), torch.randn(8, 3, 224, 224), torch.randint(0, 1000, (8,))


class _Layer(nn.Module):
    """Of a transformer, with the normalization first."""

    def __init__(self, width, heads, causal):
        super().__init__()
        self.heads, self.causal = heads, causal
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (each.view(batch, length, self.heads, -1).transpose(1, 2)
                   for each in self.qkv(self.norms[0](x)).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=self.causal)
        x = x + self.out(y.transpose(1, 2).reshape(batch, length, width))
        return x + self.down(F.gelu(self.up(self.norms[1](x)), approximate="tanh"))


class _Text(nn.Module):
    def __init__(self, words, width, layers, heads, causal):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(512, width)
        self.layers = nn.Sequential(*(_Layer(width, heads, causal) for _ in range(layers)))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, words)

    def forward(self, tokens):
        x = self.words(tokens) + self.places(torch.arange(tokens.shape[1], device=tokens.device))
        return self.head(self.norm(self.layers(x))).flatten(0, 1)


def _text(words, width, layers, heads, causal, batch, length):
    return (_Text(words, width, layers, heads, causal), torch.randint(0, words, (batch, length)),
            torch.randint(0, words, (batch * length,)))


NETWORKS = {
    "resnet18-b8": _resnet18,
    "bert-tiny": lambda: _text(8192, 128, 2, 2, False, 8, 128),
    "gpt2-small-layer": lambda: _text(1024, 768, 1, 12, True, 4, 256),
}


def _step(model, call, device, x, labels):
    optimizer = torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9)
    x, labels = x.to(device), labels.to(device)

    def run():
        optimizer.zero_grad()
        loss = F.cross_entropy(call(x), labels)
        loss.backward()
        optimizer.step()
        return loss.item()
    return run


def _lazily(step):
    def run():
        _C.set_lazy_mode(1)
        try:
            return step()  # the read of the loss cuts the graph
        finally:
            _C.set_lazy_mode(0)
    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    options = parser.parse_args()
    _C.set_lazy_mode(0)
    for name in options.networks:
        torch.manual_seed(0)
        model, x, labels = NETWORKS[name]()
        on_card = copy.deepcopy(model).to("hpu")
        lazy = copy.deepcopy(model).to("hpu")
        compiled = torch.compile(copy.deepcopy(model).to("hpu"), backend="hpu_backend")
        steps = {"PyTorch on the CPU": _step(model, model, "cpu", x, labels),
                 "hpu, op by op": _step(on_card, on_card, "hpu", x, labels),
                 "hpu, lazy": _lazily(_step(lazy, lazy, "hpu", x, labels)),
                 "hpu, compiled": _step(compiled, compiled, "hpu", x, labels)}
        losses = {key: [step() for _ in range(3)] for key, step in steps.items()}
        times = {key: [] for key in steps}
        for _ in range(options.rounds):
            for key, step in steps.items():
                begin = time.perf_counter()
                step()
                times[key].append(time.perf_counter() - begin)
        base = statistics.median(times["PyTorch on the CPU"])
        for key, each in times.items():
            middle = statistics.median(each)
            print(f"{name:18} {key:20} {middle * 1e3:9.1f} ms  {base / middle:5.2f}x  "
                  f"losses {' '.join(f'{loss:.5f}' for loss in losses[key])}")


if __name__ == "__main__":
    main()
