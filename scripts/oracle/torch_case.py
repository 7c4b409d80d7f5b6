# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a network of PyTorch becomes a case: name -> builder of (module, inputs)."""
import torch

NETWORKS = {}


def network(*inputs):
    """Registers a module class, called without arguments, with makers of its inputs."""
    def register(cls):
        NETWORKS[cls.__name__] = lambda: (cls(), tuple(make() for make in inputs))
        return cls
    return register


def floats(*shape):
    return lambda: torch.randn(shape)


def tokens(high, *shape):
    return lambda: torch.randint(0, high, shape)


def lengths(rows, columns):
    """True for the tokens of each row that are there."""
    return lambda: torch.arange(columns)[None] < torch.randint(2, columns + 1, (rows, 1))


def sequential(name, *inputs):
    def register(build):
        NETWORKS[name] = lambda: (build(), tuple(make() for make in inputs))
        return build
    return register
