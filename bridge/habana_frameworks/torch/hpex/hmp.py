# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Habana mixed precision: what older programs have instead of torch.autocast("hpu").

The defaults are no list of Intel's source, which is not public: those of O1 are the lists that
Intel's example of BERT passes, those of O2 what its documentation says in words."""
import functools
import os
import sys

import torch
from gaudi_mlir import _callers, _text

from .. import _C

BF16_OPS = ("add", "addmm", "bmm", "div", "dropout", "gelu", "iadd", "layer_norm", "linear",
            "matmul", "mm", "rsub", "softmax", "truediv")
FP32_OPS = ("embedding", "log_softmax", "nll_loss")
WIDEST_OPS = ("add", "addcdiv", "addcmul", "cat", "div", "iadd", "mul", "pow", "stack", "sub",
              "truediv")
"""Ops whose operands are cast to the widest of their types, unless they are in a list."""
PRODUCTS = ("addbmm", "addmm", "addmv", "addr", "baddbmm", "bilinear", "bmm", "conv1d", "conv2d",
            "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "convolution",
            "dot", "linear", "matmul", "mm", "mv", "vdot")

_OF_ATEN = {
    "binary_cross_entropy_with_logits": ("binary_cross_entropy_with_logits",),
    "cross_entropy": ("cross_entropy_loss",), "dropout": ("dropout", "native_dropout"),
    "embedding_bag": ("embedding_bag", "_embedding_bag"),
    "gelu": ("gelu",), "layer_norm": ("layer_norm", "native_layer_norm"),
    "log_softmax": ("log_softmax", "_log_softmax"), "softmax": ("softmax", "_softmax"),
    "true_divide": ("div", "true_divide"), "truediv": ("div", "true_divide")}
"""ATen's ops of functions with other names."""
_IN_PLACE = {"iadd": "__iadd__", "isub": "__isub__", "imul": "__imul__", "itruediv": "__itruediv__"}
"""Operators in place, which have names of their own beside those of PyTorch's ops in place."""

_originals: dict = {}


def _listed(path: str | None, defaults) -> tuple[str, ...]:
    if not path:
        return defaults
    try:
        with open(os.fspath(path), encoding="utf-8") as file:
            return tuple(filter(None, map(str.strip, file)))
    except OSError as error:
        raise ValueError(f"hmp.convert: {_text.unreadable(os.fspath(path), error)}; it is a list of "
                         "ops, with a name on each line") from None


def _type_of(rule: str, *tensors) -> torch.dtype:
    if rule == "widest":
        return functools.reduce(torch.promote_types, (each.dtype for each in tensors))
    return torch.bfloat16 if rule == "lower" else torch.float32


def _operator(name: str, rule: str):
    """An operator in place, of an operand in the rule's type. The result is in the memory of the
    tensor, which others may look at, and so in its type."""
    original = _originals.setdefault(name, getattr(torch.Tensor, name))

    @functools.wraps(original)
    def run(self, other):
        if isinstance(other, torch.Tensor) and other.is_floating_point() and \
                self.device.type == other.device.type == "hpu" and self.is_floating_point() and \
                torch.is_autocast_enabled("hpu"):
            other = other.to(_type_of(rule, self, other))
        return original(self, other)
    setattr(torch.Tensor, name, run)


def _forget_rules() -> None:
    """Ends the rules; what torch.compile made by them is made anew."""
    _C.clear_cast_rules()
    for name, original in _originals.items():
        setattr(torch.Tensor, name, original)
    if "torch._dynamo" in sys.modules:
        torch._dynamo.reset()


def convert(opt_level: str = "O1", bf16_file_path: str | None = "",
            fp32_file_path: str | None = "", isVerbose: bool = False) -> None:
    """From now on this thread computes on hpu in mixed precision: ops of the first list in
    bfloat16, those of the second in float32, others of several tensors in the widest of their types (add,
    cat, ...) or in the type of the first. The files have the names of functions of PyTorch, one on
    each line. With opt_level "O2" products and convolutions are in bfloat16, all else in float32;
    lists are those of "O1". isVerbose says each cast on standard error.

    An operator in place (iadd: `x += y`) casts y, and writes to x in the type of x. Other threads
    that enable torch.autocast("hpu") have the same rules. Functions of torch.compile are compiled
    again."""
    if opt_level not in ("O1", "O2"):
        raise ValueError(f"hmp.convert: opt_level is {opt_level!r}; expected 'O1' or 'O2'")
    if opt_level == "O2":
        if bf16_file_path or fp32_file_path:
            _callers.warn("hmp.convert(opt_level='O2') has no lists: products and convolutions are "
                          "in bfloat16, all else in float32")
        lists = ((PRODUCTS, "lower"),)
    else:
        lists = ((_listed(bf16_file_path, BF16_OPS), "lower"),
                 (_listed(fp32_file_path, FP32_OPS), "float"), (WIDEST_OPS, "widest"))
    rules: dict[str, str] = {}
    in_place = dict.fromkeys(_IN_PLACE.values(), "float") if opt_level == "O2" else {}
    unknown = []
    for names, rule in lists:
        for name in names:  # what comes first holds
            if name in _IN_PLACE:
                in_place.setdefault(_IN_PLACE[name], rule)
                continue
            found = [each for each in _OF_ATEN.get(name, (name,)) if _C.is_op_name(each)]
            unknown += [] if found else [name]
            for each in found:
                rules.setdefault(each, rule)
    if unknown:
        _callers.warn(f"hmp.convert: PyTorch has no op {', '.join(unknown)}; it has no effect in a "
                      "list")
    _forget_rules()
    _C.set_cast_rules(rules, "float" if opt_level == "O2" else "first", bool(isVerbose))
    for name, rule in in_place.items():
        _operator(name, rule)
    torch.set_autocast_dtype("hpu", torch.bfloat16)
    torch.set_autocast_enabled("hpu", True)


def disable_casts() -> torch.autocast:
    """A `with` block, or a decorator, without casts: optimizers, for one."""
    return torch.autocast("hpu", enabled=False)
