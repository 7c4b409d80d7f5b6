# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Intel's package has and this one has not is said, not left to a bare AttributeError."""
import difflib
import importlib.abc
import sys
import types

import torch
from gaudi_mlir import _messages, _text

PREFIX = "habana_frameworks."

_PAGE = "docs/hpu.md lists what there is"

_MODULES = {
    "torch.internal.synrec_helper": "torch.profiler records what a card does",
    "torch.media_pyt_bridge": "load data with torch.utils.data.DataLoader",
    "torch.core.quantize_pt2e": "torchao.quantization.pt2e quantizes graphs of torch.export",
    "torch.core.quantizer": "torchao.quantization.pt2e quantizes graphs of torch.export",
}
"""What to use instead of modules."""

_OPS = {
    "batched_nms": "torchvision.ops.batched_nms takes boxes of the CPU",
    "bounds_check_indices": "hpex.kernels.fbgemm.bounds_check_indices does it",
    "deform_conv2d": "torchvision.ops.deform_conv2d takes operands of the CPU",
    "embedding_bag_sum": "torch.nn.functional.embedding_bag(mode='sum') is one launch",
    "habana_nms": "torchvision.ops.nms takes boxes of the CPU",
    "habana_seed_generator": "torch.randint draws by the card's generator",
    "masked_batch_gemm": "torch.matmul and masks that are added are one graph",
    "permute_1D_sparse_data": "hpex.kernels.fbgemm.permute_1D_sparse_data does it",
    "permute_2D_sparse_data": "hpex.kernels.fbgemm.permute_2D_sparse_data does it",
    "roi_align": "torchvision.ops.roi_align takes operands of the CPU",
    "split_permute_cat": "torch.split and torch.cat are one graph",
    **dict.fromkeys((
        "as_strided_lazy_", "constant_pad_nd_ds", "control_edge_", "fake_quantize_fp4",
        "fused_norm_", "fused_norm_lazy", "habanaOptimizerSparseAdagrad",
        "habanaOptimizerSparseSgd", "mm_t", "quad_tree", "reshape", "slice_ds", "slice_insert",
        "strided_insert", "strided_view", "weight_permutation"), ""),
}
"""Ops of the real card, where they are not registered, and what to use instead."""


def _say(what: str, instead: str) -> str:
    return f"gaudi-mlir does not emulate {what} of Intel's package; {instead or _PAGE}"


def _is_its_own(value) -> bool:
    """Whether a value is of this project, and not what a module imports for itself."""
    if isinstance(value, types.ModuleType):
        return value.__name__.startswith(PREFIX)
    home = getattr(value, "__module__", None)  # numbers and text have none
    return not isinstance(home, str) or home.startswith((PREFIX, "gaudi_mlir."))


def elsewhere(name: str) -> str:
    """ "it is habana_frameworks.torch.core.mark_step", of a name that another public module has."""
    homes = [each for each, module in list(sys.modules.items())
             if each.startswith(PREFIX) and "._" not in each and name in vars(module)
             and _is_its_own(vars(module)[name])]
    if not homes:
        return ""
    home = min(homes, key=lambda each: (each.count("."), each))
    return f"it is {home}.{name}: from {home} import {name}"


def of(module: str, known=()):
    """A module's __getattr__. The names in `known`, a dict from names to what to use instead or
    names alone, are parts of Intel's module: to use one raises NotImplementedError; any other name
    raises AttributeError, so that a program may ask."""
    instead = known if isinstance(known, dict) else dict.fromkeys(known, "")

    def lookup(name: str):
        if name in instead:
            raise NotImplementedError(_say(f"{module}.{name}", instead[name]))
        path = f"{module}.{name}".removeprefix(PREFIX)
        if path in _MODULES:
            raise NotImplementedError(_say(f"the module {PREFIX}{path}", _MODULES[path]))
        text = f"module {module!r} has no attribute {name!r}"
        if not name.startswith("__"):
            there = [each for each in vars(sys.modules.get(module, torch)) if each[0] != "_"]
            text += f"; {elsewhere(name) or _text.meant(name, there) or _PAGE}"
        raise (ImportError if _messages.is_imported(2) else AttributeError)(text)
    return lookup


class _Finder(importlib.abc.MetaPathFinder):
    """The last one that is asked for a module."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith(PREFIX):
            raise ModuleNotFoundError(
                _say(f"the module {name}", _MODULES.get(name.removeprefix(PREFIX), "")), name=name)
        return None


class MissingOp(NotImplementedError, AttributeError):
    """hasattr() is false of such an op, and a program may define one of its name."""


class _Ops(type(torch.ops.aten)):
    """torch.ops.hpu: dir() has all ops, and errors say what an op would be."""

    def __dir__(self):
        names = torch._C._dispatch_get_all_op_names()
        return sorted({*super().__dir__(), *(each.removeprefix("hpu::").partition(".")[0]
                                             for each in names if each.startswith("hpu::"))})

    def __getattr__(self, name: str):
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name.startswith("__"):
                raise
        if name in _OPS:
            raise MissingOp(_say(f"the op torch.ops.hpu.{name}", _OPS[name]))
        close = difflib.get_close_matches(name, dir(self), 3)
        raise AttributeError(
            f"gaudi-mlir has no op torch.ops.hpu.{name}; "
            + (f"similar: {', '.join(close)}; " if close else "")
            + "dir(torch.ops.hpu) lists its ops, and docs/custom-ops.md says how to add one",
            name=name, obj=self)


def install() -> None:
    if not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.append(_Finder())


def install_ops() -> None:
    """Before an op is taken from torch.ops.hpu."""
    torch.ops.hpu.__class__ = _Ops
