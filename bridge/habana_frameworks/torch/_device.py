# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What makes "hpu" a device like PyTorch's own: methods, files, fork, the log of the import."""
import functools
import importlib.abc
import importlib.util
import os
import sys
import warnings

import torch

from . import _C
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
    if not torch.backends.cuda.is_built():
        _say_instead_of_cuda()
    try:
        _read_variables()
    except ValueError as error:
        # Of an error while it loads a backend, PyTorch says last that the backend cannot be loaded.
        global _problem
        _problem = str(error)
        warnings.warn(_problem, RuntimeWarning)  # for those who make no tensor


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


_problem = ""


def raise_problem() -> None:
    """What a variable of the environment has that means nothing."""
    if _problem:
        raise ValueError(_problem)


def _read_variables() -> None:
    for name in ("PT_HPU_MAX_COMPOUND_OP_SIZE", "PT_HPU_MAX_ACCUM_SIZE"):
        if not (os.environ.get(name, "").strip() or "0").isdecimal():
            raise ValueError(f"{name} is {os.environ[name]!r}; expected how many ops a graph has "
                             "at most, a whole number")
    mode = os.environ.get("PT_HPU_LAZY_MODE", "").strip() or "1"
    if mode not in ("0", "1", "2", "3"):
        raise ValueError(f"PT_HPU_LAZY_MODE is {mode!r}; expected 1 (lazy), 0 (eager and "
                         "compiled), 2 or 3")
    _C.set_lazy_mode(int(mode))


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
