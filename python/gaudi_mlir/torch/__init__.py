# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch on the emulated Gaudi.

    compiled = torch.compile(model, backend="gaudi")     # inference and training
    print(gaudi_mlir.torch.explain())                    # graphs, graph breaks, recompiles, times
    exported = gaudi_mlir.torch.export(model, (x,))      # .mlir, .recipe()

Importing the package imports little: torch.compile and what is behind the functions above come
with their first use.
"""
import functools
import importlib
import inspect
import pkgutil
import sys
from typing import Any

from . import requirements

requirements.check()

import torch as _torch  # noqa: E402

from .. import _calls, _messages  # noqa: E402
from . import registration as _registration  # noqa: E402

__all__ = ["Exported", "Report", "backend", "check_finite", "dump_values", "explain", "export",
           "fallback_stats", "fallback_table", "record_lines", "reset", "side_by_side"]

_HOMES = {"Exported": "exported", "export": "exported", "dump_values": "golden",
          "Report": "report", "explain": "report", "record_lines": "report",
          "fallback_stats": "fallback", "fallback_table": "fallback",
          "check_finite": "observing", "side_by_side": "observing"}


@_calls.plain
def backend(gm: "_torch.fx.GraphModule", example_inputs, *, options: dict | None = None,
            mode: str | None = None):
    """What `torch.compile(model, backend="gaudi")` calls for each graph.

    Options: `device`, "gaudi", "gaudi2" (the default) or "gaudi3"; `random`, where random numbers
    are drawn: "device" (the default), or "host", the numbers that PyTorch draws without it;
    `buckets`, of graphs whose sizes vary: True, or the sizes up to which they are padded
    ([64, 128, 256]), instead of a recipe for each combination of sizes.
    `mode` means nothing here, which a warning says.
    """
    from . import aot
    return aot.compile_graph(gm, example_inputs, options, mode)


def reset() -> None:
    """Forgets all graphs, recipes, counts and reports, those of torch.compile, too."""
    if "torch._dynamo" in sys.modules:
        _torch._dynamo.reset()
    for name in ("cache", "fallback", "report", "segment"):
        module = sys.modules.get(f"{__name__}.{name}")
        if module is not None:
            module.reset()


@functools.cache
def _modules() -> frozenset[str]:
    return frozenset(each.name for each in pkgutil.iter_modules(__path__))


@_calls.plain
def __getattr__(name: str) -> Any:
    # An import asks for each module before it is there: what else may be meant takes long to find.
    if name in _modules() and name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _HOMES:
        raise _messages.no_attribute(__name__, name, __dir__())
    home = importlib.import_module(f".{_HOMES[name]}", __name__)
    value = getattr(home, name.removeprefix("fallback_"))
    if inspect.isfunction(value):
        value = _calls.named(value, f"{__name__}.{name}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])


_registration.register(backend)
