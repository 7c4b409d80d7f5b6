# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes backends known to torch.compile, which is imported with its first use: that takes
seconds."""
import importlib.util
import sys
from collections.abc import Callable
from typing import Any

_REGISTRY = "torch._dynamo.backends.registry"


def register(backend: Callable, name: str = "gaudi") -> None:
    """Registers the backend, now or as soon as torch.compile is imported."""
    registry = sys.modules.get(_REGISTRY)
    if registry is None:
        sys.meta_path.insert(0, _AfterImport(backend, name))
    elif name in registry.list_backends(exclude_tags=()):
        _prepare()  # the entry point of the package, once it is loaded, is the registration
    else:
        _add(registry, backend, name)


def _add(registry: Any, backend: Callable, name: str) -> None:
    registry.register_backend(backend, name=name)
    _prepare()


def _prepare() -> None:
    from . import fakes
    fakes.register()
    # Without it torch.compile leaves nn.LSTM and nn.GRU to eager PyTorch.
    importlib.import_module("torch._dynamo.config").allow_rnn = True


class _AfterImport:
    """Finds the module of the registry as without it, and adds the backend when it is loaded."""

    def __init__(self, backend: Callable, name: str) -> None:
        self._backend, self._name = backend, name

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != _REGISTRY:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)  # there may be one more that waits for it
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_add(module: Any) -> None:
            load(module)
            _add(module, self._backend, self._name)
        spec.loader.exec_module = load_and_add
        return spec
