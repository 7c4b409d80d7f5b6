# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recipe as a function of tensors."""
import dataclasses
import logging
import math
import re
import threading
import weakref
from collections.abc import Sequence
from typing import Any

import torch

import gaudi_mlir
from gaudi_mlir.arrays import ALIGNMENT

from . import flags

log = logging.getLogger("gaudi_mlir.torch")

# How often one recipe is loaded for parameters at another place; layers that share a graph have one
# each. Beyond that, parameters are copied in each launch, as other inputs are.
MAX_LOADED = 32


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """A tensor that a launch reads or writes; `static`: it stays where it is."""
    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: torch.dtype
    static: bool = False
    is_complex: bool = False
    """The tensor has complex numbers with the caller; shape, strides and type are those of
    pairs."""

    @staticmethod
    def of(node: torch.fx.Node, static: bool = False) -> "TensorSpec":
        value = node.meta["val"]
        shape = tuple(int(size) for size in value.shape)
        strides = _dense(shape, value.stride())
        if not value.dtype.is_complex:
            return TensorSpec(node.name, shape, strides, value.dtype, static)
        # Pairs are made for each launch, so that they are never bound.
        return TensorSpec(node.name, (*shape, 2), (*(2 * each for each in strides), 1),
                          value.dtype.to_real(), is_complex=True)

    def is_dense(self) -> bool:
        """Whether the elements are in row-major order."""
        return self.strides == _dense(self.shape, range(len(self.shape), 0, -1))


def order_of(strides: Sequence[int]) -> list[int]:
    """The dimensions as they are in memory, the outermost first."""
    return sorted(range(len(strides)), key=lambda dim: (-int(strides[dim]), dim))


def _dense(shape: tuple[int, ...], strides: Sequence[int]) -> tuple[int, ...]:
    """Strides of a tensor without gaps whose dimensions are in the order of `strides`."""
    result, step = [0] * len(shape), 1
    for dim in reversed(order_of(strides)):
        result[dim] = step
        step *= max(shape[dim], 1)
    return tuple(result)


_OF_LINE = re.compile(r'command \d+ "[^"]*" \(<module>:(\d+):\d+\): (.*)', re.S)


@dataclasses.dataclass(frozen=True)
class _Loaded:
    """A loaded recipe: addresses of its static inputs, and the inputs that are not bound."""
    where: list[int] | None
    executable: "gaudi_mlir.Executable | None"
    copied: list[int]
    owners: list[weakref.ref]

    def has_moved(self) -> bool:
        """Whether a tensor whose memory is bound has other memory by now (`p.data = ...`)."""
        tensors = [owner() for owner in self.owners]
        return any(tensor is not None and tensor.data_ptr() != address
                   for tensor, address in zip(tensors, self.where or ()))


class Launch:
    """Calls a recipe. Static inputs are bound when it is loaded, which happens at the first call
    and again when one of them has moved. `numbers`: the inputs that are float64 with the caller."""

    def __init__(self, recipe: "gaudi_mlir.Recipe", inputs: list[TensorSpec],
                 outputs: list[TensorSpec], numbers: Sequence[int] = ()) -> None:
        self.recipe = recipe
        self.inputs = inputs
        self.outputs = outputs
        self.loads = 0
        self.compiled: Any = None  # how the recipe was made
        self.count = [0]  # of launches; reports keep it
        self._numbers = numbers
        self._pairs = [index for index, each in enumerate(inputs) if each.is_complex]
        self._complex = [index for index, each in enumerate(outputs) if each.is_complex]
        self._static = [index for index, each in enumerate(inputs) if each.static]
        self._results = [(each.shape, each.strides, each.dtype) for each in outputs]
        self._dense = all(each.is_dense() for each in outputs)
        self._addresses = [0] * len(inputs)
        self._loaded: dict[tuple[int, ...], _Loaded] = {}
        self._current = _Loaded(None, None, [], [])
        self._lock = threading.Lock()
        self._compile_only = flags.enabled("PT_COMPILE_ONLY_MODE")

    def bound(self) -> dict[int, int]:
        """Bytes of the static inputs that it has now, by their addresses."""
        return {place: math.prod(self.inputs[index].shape) * self.inputs[index].dtype.itemsize
                for index, place in zip(self._static, self._current.where or ())}

    def __call__(self, args: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        if self._numbers or self._pairs:
            args = list(args)
            for index in self._numbers:  # of Python, float64 in a graph
                args[index] = args[index].float()
            for index in self._pairs:
                args[index] = torch.view_as_real(args[index].resolve_conj().resolve_neg())
        try:
            outputs = self._launch(args)
        except gaudi_mlir.LaunchError as error:
            raise self._placed(error) from None
        for index in self._complex:
            outputs[index] = torch.view_as_complex(outputs[index])
        return outputs

    def _placed(self, error: "gaudi_mlir.LaunchError") -> "gaudi_mlir.LaunchError":
        """The error with the line of the program in the place of that of the text, and shapes in
        the place of names that a graph gives."""
        found = _OF_LINE.match(error.message)
        places = self.compiled.places if self.compiled else []
        if not found or not 0 < int(found[1]) <= len(places):
            return error
        text = found[2]
        for each in self.inputs:
            text = text.replace(f'"{each.name}"', f"a tensor of {list(each.shape)}")
        if size := re.search(r"^index .* out of bounds .*\(size (\d+)\)$", text):
            text += f"; give indices from 0 to {int(size[1]) - 1}"
        module, _, where = places[int(found[1]) - 1].partition(" at ")
        parts = [where, f"module '{module}'" if module else "", text]
        return gaudi_mlir.LaunchError(": ".join(filter(None, parts)))

    def _launch(self, args: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        current = self._current
        where = [args[index].data_ptr() for index in self._static]
        if where != current.where:
            current = self._load(args, where)
        self.count[0] += 1
        empty = torch.empty_strided
        outputs = [empty(shape, strides, dtype=dtype) for shape, strides, dtype in self._results]
        if current.executable is None:  # PT_COMPILE_ONLY_MODE
            return outputs
        addresses = self._addresses.copy()
        for index in current.copied:
            tensor = args[index]
            if not tensor.is_contiguous() or tensor.is_neg():
                break
            addresses[index] = tensor.data_ptr()
        else:
            if self._dense:
                current.executable.run_addresses(addresses, [each.data_ptr() for each in outputs])
                return outputs
        inputs = [None] * len(self.inputs)
        for index in current.copied:
            inputs[index] = args[index].resolve_neg()
        current.executable.run(inputs, outputs)
        return outputs

    def _load(self, args: Sequence[torch.Tensor], where: list[int]) -> "_Loaded":
        """Chooses, or loads, what is bound to these parameters."""
        with self._lock:
            for key in [key for key, each in self._loaded.items() if each.has_moved()]:
                del self._loaded[key]
            if self._static and self.loads >= MAX_LOADED and tuple(where) not in self._loaded:
                log.warning("parameters of a graph of %d inputs were at %d places; they are "
                            "copied in each launch from now on", len(self.inputs), self.loads)
                self._static, where = [], []
                self._loaded.clear()
            key = tuple(where)
            if key not in self._loaded:
                self._loaded[key] = self._bind(args, where)
            self._current = self._loaded[key]
            return self._current

    def _bind(self, args: Sequence[torch.Tensor], where: list[int]) -> "_Loaded":
        """Loads the recipe with the parameters of `args` bound."""
        if self._compile_only:
            return _Loaded(where, None, [], [])
        bindings = {}
        for index in self._static:
            tensor = args[index].detach()
            if tensor.is_contiguous() and not tensor.is_neg() and tensor.numel() and \
                    tensor.data_ptr() % ALIGNMENT == 0:
                bindings[index] = tensor
        self.loads += 1
        copied = [index for index in range(len(self.inputs)) if index not in bindings]
        owners = [weakref.ref(args[index]) for index in self._static]
        return _Loaded(where, self.recipe.executable(bindings=bindings), copied, owners)
