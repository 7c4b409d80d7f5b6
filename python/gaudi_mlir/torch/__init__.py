# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch on the emulated Gaudi.

    compiled = torch.compile(model, backend="gaudi")     # inference and training
    print(gaudi_mlir.torch.explain())                    # graphs, graph breaks, recompiles, times
    exported = gaudi_mlir.torch.export(model, (x,))      # .mlir, .recipe()
"""
from . import requirements

requirements.check()

import torch as _torch  # noqa: E402
from torch._dynamo.backends import registry as _registry  # noqa: E402

from . import cache as _cache, fallback as _fallback  # noqa: E402
from . import report as _report, segment as _segment  # noqa: E402
from .backend import backend  # noqa: E402
from .export import Exported, export  # noqa: E402
from .report import Report, explain  # noqa: E402

__all__ = ["Exported", "Report", "backend", "explain", "export", "fallback_stats",
           "fallback_table", "reset"]

fallback_stats = _fallback.stats
fallback_table = _fallback.table


def reset() -> None:
    """Forgets all graphs, recipes, counts and reports, those of torch.compile, too."""
    _torch._dynamo.reset()
    _cache.reset()
    _fallback.reset()
    _report.reset()
    _segment.reset()


# Where the package is installed, its entry point registers it; registering it twice is an error.
if "gaudi" not in _registry.list_backends(exclude_tags=()):
    _registry.register_backend(backend, name="gaudi")

# Without it torch.compile leaves nn.LSTM and nn.GRU to eager PyTorch.
_torch._dynamo.config.allow_rnn = True
