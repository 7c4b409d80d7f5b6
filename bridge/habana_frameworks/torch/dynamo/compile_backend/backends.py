# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="hpu_backend"): graphs as launches on tensors of the card."""
import torch


def hpu_backend(gm, example_inputs, *, options: dict | None = None, mode: str | None = None, **_):
    """What torch.compile calls for each graph."""
    from gaudi_mlir.torch import aot, report
    from gaudi_mlir.torch.compiler import Target

    from ... import _buckets, _eager, _environment
    from ..._cards import CardCompiler, kind
    from . import config
    if _eager.ops_on_cpu():
        return gm.forward
    _environment.warn_of_changes()
    aot.check_mode(mode, "hpu_backend")
    values = [*example_inputs, *(node.meta.get("example_value") for node in gm.graph.nodes)]
    if {each.device.type for each in values if isinstance(each, torch.Tensor)} == {"cpu"}:
        report.warn_once("tensors of the CPU", "backend hpu_backend compiles nothing of a graph whose "
                         'tensors are on the CPU: move the model and its inputs, .to("hpu")')
    with config.patch(options or {}):
        target = Target(kind(), compiler=CardCompiler, dynamic=_buckets.function)
        return aot.compile_for(target, gm, example_inputs)
