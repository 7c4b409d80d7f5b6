"""A recipe as a function of tensors."""
import collections
import dataclasses
import threading
from collections.abc import Sequence

import torch

import gaudi_mlir

from . import flags

# Sets of parameters that one recipe keeps loaded; layers that share a graph have one each. With
# more, parameters are copied in each launch, as other inputs are.
MAX_LOADED = 32


@dataclasses.dataclass(frozen=True)
class TensorSpec:
    """A tensor that a launch reads or writes; `static`: it stays where it is."""
    name: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: torch.dtype
    static: bool = False

    @staticmethod
    def of(node: torch.fx.Node, static: bool = False) -> "TensorSpec":
        value = node.meta["val"]
        shape = tuple(int(size) for size in value.shape)
        return TensorSpec(node.name, shape, _dense(shape, value.stride()), value.dtype, static)


def _dense(shape: tuple[int, ...], strides: Sequence[int]) -> tuple[int, ...]:
    """Strides of a tensor without gaps whose dimensions are in the order of `strides`."""
    order = sorted(range(len(shape)), key=lambda dim: (-int(strides[dim]), dim))
    result, step = [0] * len(shape), 1
    for dim in reversed(order):
        result[dim] = step
        step *= max(shape[dim], 1)
    return tuple(result)


class Launch:
    """Calls a recipe. Static inputs are bound when it is loaded, which happens at the first call
    and again when one of them has moved."""

    def __init__(self, recipe: "gaudi_mlir.Recipe", inputs: list[TensorSpec],
                 outputs: list[TensorSpec], cache_dir: str | None = None) -> None:
        self.recipe = recipe
        self.inputs = inputs
        self.outputs = outputs
        self.loads = 0
        self.launches = 0
        self._cache_dir = cache_dir
        self._static = [index for index, each in enumerate(inputs) if each.static]
        self._dynamic = [index for index, each in enumerate(inputs) if not each.static]
        self._shapes = [(each.shape, each.strides, each.dtype) for each in outputs]
        self._loaded: collections.OrderedDict = collections.OrderedDict()
        self._where: list[int] | None = None
        self._run = None
        self._lock = threading.Lock()
        self._compile_only = flags.enabled("PT_COMPILE_ONLY_MODE")

    def __call__(self, args: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        where = [args[index].data_ptr() for index in self._static]
        run = self._run
        if run is None or where != self._where:
            run = self._load(args, where)
        empty = torch.empty_strided
        outputs = [empty(shape, strides, dtype=dtype) for shape, strides, dtype in self._shapes]
        self.launches += 1
        run(args, outputs)
        return outputs

    def _load(self, args: Sequence[torch.Tensor], where: list[int]):
        with self._lock:
            key = tuple(where)
            run = self._loaded.get(key)
            if run is None:
                run = self._loaded[key] = self._bind(args)
                if len(self._loaded) > MAX_LOADED:
                    self._static, self._dynamic = [], list(range(len(self.inputs)))
                    self._loaded.clear()
                    where, run = [], self._bind(args)
            self._loaded.move_to_end(tuple(where)) if tuple(where) in self._loaded else None
            self._where, self._run = where, run
            return run

    def _bind(self, args: Sequence[torch.Tensor]):
        """Loads the recipe with the parameters of `args` bound."""
        if self._compile_only:
            return lambda args, outputs: None
        bindings = {}
        for index in self._static:
            tensor = args[index].detach()
            if tensor.is_contiguous() and tensor.data_ptr() % gaudi_mlir.binding_alignment() == 0 \
                    and tensor.numel():
                bindings[index] = tensor
        self.loads += 1
        executable = self.recipe.executable(bindings=bindings, cache_dir=self._cache_dir)
        return executable.run
