# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.compile(backend="hpu_backend"): graphs as launches on tensors of the card."""


def hpu_backend(gm, example_inputs, *, options: dict | None = None, **_):
    """What torch.compile calls for each graph."""
    from gaudi_mlir.torch import aot
    from gaudi_mlir.torch.compiler import Target

    from ... import _buckets, _eager
    from ..._cards import CardCompiler, kind
    from . import config
    if _eager.ops_on_cpu():
        return gm.forward
    with config.patch(options or {}):
        target = Target(kind(), compiler=CardCompiler, dynamic=_buckets.function)
        return aot.compile_for(target, gm, example_inputs)
