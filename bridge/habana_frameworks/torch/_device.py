# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What makes "hpu" a device like PyTorch's own: methods, files, fork, the log of the import."""
import functools
import importlib.abc
import importlib.util
import inspect
import os
import sys
import warnings

import torch
from gaudi_mlir import _callers

from . import _C, _environment, _hints
from .hpu import _utils

# Elements of these types are stored in half their size.
STORED = {torch.float64: torch.float32, torch.complex128: torch.complex64}

# Folders whose lines are not the script's.
INTERNAL = tuple(os.path.dirname(each.__file__) + os.sep
                 for each in (torch, sys.modules["gaudi_mlir"], sys.modules[__package__]))


def install() -> None:
    _C.set_internal(list(INTERNAL))
    torch.Tensor.hpu = _tensor_to_hpu
    torch.nn.Module.hpu = _module_to_hpu
    _seed_with_others()
    _install_serialization()
    _when_imported("torch._dynamo.device_interface", _register_interface)
    _when_imported("torch._inductor.compile_fx", _refuse_inductor)
    _when_imported("torch._dynamo.exc", _name_the_backend)
    if not torch.backends.cuda.is_built():
        _say_instead_of_cuda()
    _hints.install()
    _environment.check()
    mode = os.environ.get("PT_HPU_LAZY_MODE", "").strip()
    _C.set_lazy_mode(int(mode) if mode in ("0", "1", "2", "3") else 1)


def _say_instead_of_cuda() -> None:
    """What a script for CUDA meets first gets the next step. Migration replaces it."""
    plain = torch.cuda._lazy_init

    @functools.wraps(plain)
    def lazy_init():
        try:
            plain()
        except AssertionError as error:
            raise AssertionError(f"{error}; PT_HPU_GPU_MIGRATION=1 runs a script for CUDA on hpu "
                                 '(docs/migration.md), and here it is .to("hpu")') from None
    torch.cuda._lazy_init = lazy_init
    autocast = torch.amp.autocast_mode.autocast
    plain_init = autocast.__init__
    signature = inspect.signature(plain_init)

    @functools.wraps(plain_init)
    def __init__(self, device_type, *args, **named):
        if device_type != "cuda" or not _C.is_open(-1):
            return plain_init(self, device_type, *args, **named)
        with warnings.catch_warnings():  # what follows says more
            warnings.filterwarnings("ignore", "CUDA is not available")
            plain_init(self, device_type, *args, **named)
        if signature.bind(self, device_type, *args, **named).arguments.get("enabled", True):
            _callers.warn('autocast("cuda") does nothing for tensors of hpu; write torch.autocast("hpu", '
                          "dtype=torch.bfloat16), or run the script with PT_HPU_GPU_MIGRATION=1")
    autocast.__init__ = __init__


def _tensor_to_hpu(self, device=None, non_blocking: bool = False,
                   memory_format=torch.preserve_format):
    """A copy on the card; the tensor itself if it is there."""
    index = _utils._get_device_index(device, optional=True)
    return self.to(torch.device("hpu", index), non_blocking=non_blocking,
                   memory_format=memory_format)


def _module_to_hpu(self, device=None):
    """Moves parameters and buffers to the card."""
    index = _utils._get_device_index(device, optional=True)
    return self._apply(lambda each: each.hpu(index))


def _seed_with_others() -> None:
    """torch.manual_seed and torch.seed are of all devices."""
    others = torch.random._seed_custom_device

    def seed(value) -> None:
        others(value)
        if not torch.hpu._is_in_bad_fork():
            torch.hpu.manual_seed_all(value)

    torch.random._seed_custom_device = seed


def _register_interface() -> None:
    from .dynamo import device_interface
    device_interface.register()


def _refuse_inductor() -> None:
    """torch.compile without a backend takes PyTorch's own, which knows no hpu and says so by a
    KeyError."""
    home = sys.modules["torch._inductor.compile_fx"]
    plain = home.compile_fx

    @functools.wraps(plain)
    def compile_fx(model, example_inputs, *args, **named):
        if any(isinstance(each, torch.Tensor) and each.device.type == "hpu"
               for each in example_inputs):
            raise RuntimeError("the backend 'inductor', which torch.compile takes if none is given, has "
                               'no code for hpu; write torch.compile(model, backend="hpu_backend")')
        return plain(model, example_inputs, *args, **named)
    home.compile_fx = compile_fx


def _name_the_backend() -> None:
    """A misspelt backend of torch.compile gets the name of the one for hpu."""
    unknown = sys.modules["torch._dynamo.exc"].InvalidBackend
    plain = unknown.__init__

    @functools.wraps(plain)
    def __init__(self, name):
        plain(self, name)
        self.args = (f'{self} For hpu, write torch.compile(model, backend="hpu_backend"); for '
                     'tensors of the CPU, backend="gaudi", options={"device": "gaudi2"}.',)
    unknown.__init__ = __init__


def _when_imported(name: str, call) -> None:
    """Calls when the module has been imported, which may be much later: it takes seconds."""
    if name in sys.modules:
        call()
        return

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, wanted, path=None, target=None):
            if wanted != name:
                return None
            sys.meta_path.remove(self)
            spec = importlib.util.find_spec(wanted)
            run = spec.loader.exec_module

            def then(module) -> None:
                run(module)
                call()

            spec.loader.exec_module = then
            return spec

    sys.meta_path.insert(0, Finder())


# --- files -------------------------------------------------------------------------------------
#
# A card stores doubles as floats, and a storage has no type: its bytes are not those of a file. So
# a tensor of doubles is saved as one of the host, and a storage that was read from a file stays raw
# until a tensor says what it holds.


def _install_serialization() -> None:
    reduce = torch.Tensor._reduce_ex_internal

    def reduce_tensor(self, proto):
        if self.device.type != "hpu" or self.dtype not in STORED:
            return reduce(self, proto)
        return (torch._utils._rebuild_device_tensor_from_cpu_tensor,
                (self.detach().cpu(), self.dtype, str(self.device), self.requires_grad))

    torch.Tensor._reduce_ex_internal = reduce_tensor
    rebuild = torch._utils._rebuild_tensor

    def rebuild_tensor(storage, storage_offset, size, stride):
        untyped = storage._untyped_storage
        if untyped.device.type == "hpu" and storage.dtype in STORED:
            _store(untyped, storage.dtype)
        return rebuild(storage, storage_offset, size, stride)

    torch._utils._rebuild_tensor = rebuild_tensor
    # Asked before PyTorch's own, which copies bytes as well.
    torch.serialization.register_package(9, _tag, _restore)


def _tag(storage):
    return None  # PyTorch's own says "hpu:0"


def _restore(storage, location: str):
    """A storage of a file on the card."""
    if location != "hpu" and not location.startswith("hpu:"):
        return None
    device = torch.serialization._validate_device(location, "hpu")
    moved = storage.to(device=device)
    if storage.device.type == "cpu":
        moved._is_of_host = True
    return moved


def _store(untyped, dtype: torch.dtype) -> None:
    """Makes floats of a storage's doubles, once."""
    if not getattr(untyped, "_is_of_host", False):
        return
    untyped._is_of_host = False
    host = torch.empty(0, dtype=dtype).set_(untyped.cpu())
    torch.empty(0, dtype=dtype, device=untyped.device).set_(untyped).copy_(host)
