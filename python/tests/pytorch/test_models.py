# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models compiled by torch.compile(backend="gaudi") agree with PyTorch without it."""
import pytest
import torch

import gaudi_mlir.torch

from . import check, zoo_plain, zoo_transformers

MODELS = {**zoo_plain.MODELS, **zoo_transformers.MODELS}

# What docs/getting-started-pytorch.md names as run by the CPU.
ON_CPU: dict[str, set[str]] = {
    "deepseek_v2": {"aten::mul", "aten::polar", "aten::unsqueeze", "aten::view_as_complex",
                    "aten::view_as_real"},  # positions as complex numbers
}


@pytest.mark.parametrize("name", MODELS)
def test_inference(name):
    model, inputs = MODELS[name]()
    assert check.inference(model, inputs) <= 1
    assert gaudi_mlir.torch.fallback_stats().keys() <= ON_CPU.get(name, set())
    assert gaudi_mlir.torch.explain().graphs


@pytest.mark.parametrize("name", [*zoo_plain.MODELS, "bert", "gpt2", "llama", "t5", "vit",
                                  "mixtral", "convnext"])
def test_gradients(name):
    model, inputs = MODELS[name]()
    assert check.gradients(model, inputs) <= 1
    assert gaudi_mlir.torch.fallback_stats().keys() <= ON_CPU.get(name, set())


@pytest.mark.parametrize("name, optimizer", [
    ("ResNet", lambda parameters: torch.optim.SGD(parameters, lr=0.05, momentum=0.9)),
    ("Encoder", lambda parameters: torch.optim.Adam(parameters, lr=1e-3)),
    ("llama", lambda parameters: torch.optim.Adam(parameters, lr=1e-3)),
])
def test_training(name, optimizer):
    model, inputs = MODELS[name]()
    expected, actual = check.losses(model, inputs, optimizer)
    assert actual == pytest.approx(expected, rel=1e-4)
    assert expected[-1] < expected[0]
    assert not gaudi_mlir.torch.fallback_stats()
