# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares models compiled for the emulated Gaudi with PyTorch without torch.compile, whose random
numbers they get."""
import copy

import torch
from torch.utils._pytree import tree_leaves

import gaudi_mlir.torch
from gaudi_mlir.torch.sidebyside import excess

SAME_NUMBERS = {"random": "host"}


def tensors(outputs) -> list[torch.Tensor]:
    if hasattr(outputs, "to_tuple"):
        outputs = dict(outputs)
    return [each for each in tree_leaves(outputs) if isinstance(each, torch.Tensor)]


def call(model, inputs):
    return model(**inputs) if isinstance(inputs, dict) else model(*inputs)


def inference(model, inputs) -> float:
    """The largest error of an output, as a multiple of what docs/numerics.md allows."""
    model.eval()
    with torch.no_grad():
        torch.manual_seed(1)
        expected = tensors(call(model, inputs))
        torch.manual_seed(1)
        compiled = torch.compile(model, backend="gaudi", options=SAME_NUMBERS)
        actual = tensors(call(compiled, inputs))
    assert len(actual) == len(expected)
    return max(excess(a, b) for a, b in zip(actual, expected))


def loss_of(outputs) -> torch.Tensor:
    floats = [each for each in tensors(outputs) if each.requires_grad]
    return sum(each.float().square().mean() for each in floats)


def gradients(model, inputs) -> float:
    """The same of the gradients of all parameters, in training mode, and of the buffers after."""
    model.train()
    other = copy.deepcopy(model)
    results = []
    compiled = torch.compile(model, backend="gaudi", options=SAME_NUMBERS)
    for each, function in ((other, other), (model, compiled)):
        torch.manual_seed(1)
        loss = loss_of(call(function, inputs))
        loss.backward()
        results.append([loss.detach(), *(p.grad for p in each.parameters() if p.grad is not None),
                        *each.buffers()])
    assert len(results[0]) == len(results[1])
    # A gradient that cancels to zero is the rounding error of the others.
    largest = max(float(each.abs().max()) for each in results[0] if each.is_floating_point())
    return max(excess(actual, expected, 1e-6 * largest) for expected, actual in zip(*results))


def losses(model, inputs, optimizer, steps: int = 20) -> tuple[list[float], list[float]]:
    """The losses of a few steps, without and with the backend."""
    model.train()
    other = copy.deepcopy(model)
    results = []
    compiled = torch.compile(model, backend="gaudi", options=SAME_NUMBERS)
    for each, function in ((other, other), (model, compiled)):
        torch.manual_seed(1)
        stepper = optimizer(each.parameters())
        values = []
        for _ in range(steps):
            stepper.zero_grad()
            loss = loss_of(call(function, inputs))
            loss.backward()
            stepper.step()
            values.append(loss.item())
        results.append(values)
    return results[0], results[1]
