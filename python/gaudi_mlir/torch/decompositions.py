# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which decompositions a graph is traced with."""
import functools
from collections.abc import Callable

import torch
from torch._subclasses.fake_tensor import DynamicOutputShapeException
from torch.fx.experimental.symbolic_shapes import GuardOnDataDependentSymNode

from . import draws, flags, foreach, formulas, fused, histograms, operands, sizes, writer

aten = torch.ops.aten


def _tanh_gelu(x, *, approximate="none"):
    del approximate
    return 0.5 * x * (1 + torch.tanh(0.7978845608028654 * (x + 0.044715 * (x * x * x))))


@functools.cache
def _of_pytorch(programs: bool) -> dict:
    """To core ATen ops, of some that PyTorch takes for core ones, and the formulas it lacks.
    `programs` of torch.export also have ops that torch.compile takes apart before, of which making
    the list takes 0.1 s."""
    further = (aten.native_group_norm, aten.upsample_bilinear2d.vec, aten.native_layer_norm,
               aten.addmm, aten._native_batch_norm_legit_functional,
               aten._native_batch_norm_legit_no_training, aten._native_batch_norm_legit,
               aten.squeeze.dims, aten._euclidean_dist, aten._adaptive_avg_pool2d,
               aten.full, aten.logsumexp, aten._log_softmax,
               aten._to_copy, aten.diag, aten._scaled_dot_product_flash_attention_for_cpu,
               aten.scaled_dot_product_attention)
    core = torch._decomp.core_aten_decompositions if programs else \
        torch._decomp._core_aten_decompositions_post_autograd
    # What writes into its operands is made functional instead, and what lifts a literal gets a
    # tensor of the host, which no other op may see. An op that only has another name in prims keeps
    # the name that users know.
    prims = frozenset(torch._prims.__all__)
    other = {op: function for op, function in torch._decomp.decomposition_table.items()
             if isinstance(op, torch._ops.OpOverload) and not op._schema.is_mutable and
             op not in (aten.lift.default, aten.lift_fresh.default) and
             op.overloadpacket.__name__ not in prims}
    return {**other, **core(),
            **torch._decomp.get_decompositions(further), **foreach.table(), **formulas.TABLE,
            **fused.TABLE}


def _deferred(function: Callable) -> Callable:
    """The same, but not where it asks for a size that depends on values, which is known when the
    graph is compiled for a call, or makes one where the graph has none: the op stays."""
    def decompose(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except (GuardOnDataDependentSymNode, DynamicOutputShapeException):
            return NotImplemented
    return decompose


@functools.cache
def _unknown(programs: bool) -> dict:
    """Decompositions of ops that the front end does not lower and that are not drawn as a whole,
    and of those whose sizes or errors depend on values."""
    known = writer.known()
    table = {op: function for op, function in _of_pytorch(programs).items()
             if not isinstance(op, torch._ops.OpOverload) or
             (writer.name_of(op) not in known and op not in draws.WHOLE)}
    checked = {**sizes.TABLE, aten.histc.default: histograms.checked}
    return {op: _deferred(function) for op, function in {**table, **checked}.items()}


def table(*, programs: bool = False) -> dict[torch._ops.OpOverload, Callable]:
    """The decompositions that PT_HPU_COMPILE_DECOMPOSITION_MODE asks for: of ops that the front end
    lowers itself none. `programs`: of torch.export."""
    mode = flags.text("PT_HPU_COMPILE_DECOMPOSITION_MODE", "habana")
    if mode == "none":
        return {}
    if mode == "core_aten":
        return dict(torch._decomp.core_aten_decompositions())
    if mode != "habana":
        raise ValueError(f"PT_HPU_COMPILE_DECOMPOSITION_MODE is {mode!r}; "
                         "expected habana, core_aten or none")
    result = dict(_unknown(programs))
    for name, rewrite in formulas.FOREIGN.items():
        namespace, op = name.split("::")
        op, _, overload = op.partition(".")
        packet = getattr(getattr(torch.ops, namespace), op, None)
        if packet is not None:
            result[getattr(packet, overload or "default")] = _deferred(rewrite)
    if not programs:
        for op, function in operands.table().items():
            result.setdefault(op, function)
    if flags.enabled("PT_HPU_FORCE_TANH_FOR_GELU"):
        result[aten.gelu.default] = _tanh_gelu
    return result
