# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
""" "cuda" as a device: of tensors, modules, files, and compiled functions."""
import functools

import torch

from .. import _C
from .._device import _restore, _when_imported
from . import _notes
from ._names import Name, device_name, is_for_script
from ._rules import SAME, Rule

_DEVICE = Rule(SAME, 'the device "hpu"')
_HPU, _HPU_NAME = torch.device("hpu"), Name("hpu", "cuda")


def device_of(device):
    """A device, or what is one of CUDA's, as one of hpu; other values as they are."""
    if isinstance(device, str):
        return torch.device("hpu" + device[4:]) \
            if device == "cuda" or device.startswith("cuda:") else device
    if isinstance(device, torch.device) and _type(device) == "cuda":  # made by PyTorch
        return torch.device("hpu", device.index) if device.index is not None else _HPU
    return device


_type = torch.device.type.__get__


def _type_of_device(device) -> str:
    kind = _type(device)
    return _HPU_NAME if kind == "hpu" and is_for_script() else kind


def _text_of_device(text: str) -> str:
    return device_name(text) if is_for_script() else text


def _converted(what: str) -> None:
    _notes.add('device="cuda"' if what.startswith("aten::") else 'torch.device("cuda")', _DEVICE)


def _with_device(function, name: str, place: int = 0, key: str = "device"):
    """A function whose argument at `place`, or of the name, may be a device of CUDA."""
    @functools.wraps(function)
    def call(*args, **named):
        given = args[place] if len(args) > place else named.get(key)
        device = device_of(given)
        if device is not given:
            _notes.add(f'{name}("cuda")', _DEVICE)
            if len(args) > place:
                args = (*args[:place], device, *args[place + 1:])
            else:
                named[key] = device
        return function(*args, **named)
    return call


def install() -> None:
    _C.migrate(_converted, {"type": property(_type_of_device)}, _text_of_device)
    _install_tensors()
    torch._C._nn._parse_to = _with_device(torch._C._nn._parse_to, "Module.to")
    torch.serialization.register_package(8, lambda storage: None, _restore_cuda)
    torch.serialization._get_restore_location = _with_aliases(
        torch.serialization._get_restore_location)
    torch.jit.load = _with_device(torch.jit.load, "torch.jit.load", 1, "map_location")
    _when_imported("torch._subclasses.fake_tensor", _install_fakes)
    _when_imported("torch._dynamo.variables.tensor", _install_dynamo)
    _when_imported("torch._dynamo.trace_rules", _allow_in_graphs)


# --- tensors -----------------------------------------------------------------------------------

_to = torch.Tensor.to
_is_cuda, _type_of = torch.Tensor.is_cuda.__get__, torch.Tensor.type


def _tensor_to(self, *args, **named):
    # As short as can be: all moves of tensors come by here.
    if args:
        if type(args[0]) is str:
            device = device_of(args[0])
            if device is not args[0]:
                _notes.add('Tensor.to("cuda")', _DEVICE)
                args = (device, *args[1:])
    elif type(named.get("device")) is str:
        named["device"] = device_of(named["device"])
    return _to(self, *args, **named)


def _index_of(device) -> torch.device:
    device = device_of(device)
    if isinstance(device, int):
        return torch.device("hpu", device)
    if device is None:
        return torch.device("hpu", _C.current_device())
    return torch.device(device)


def _tensor_cuda(self, device=None, non_blocking: bool = False,
                 memory_format=torch.preserve_format):
    """A copy on the card; the tensor itself if it is there."""
    _notes.add("Tensor.cuda", _CUDA)
    return _to(self, _index_of(device), non_blocking=non_blocking, memory_format=memory_format)


_CUDA = Rule(SAME, 'to("hpu")')


def _storage_cuda(self, device=None, non_blocking: bool = False):
    _notes.add("Storage.cuda", _CUDA)
    return self.to(device=_index_of(device), non_blocking=non_blocking)


def _tensor_is_cuda(self) -> bool:
    return _is_cuda(self) or (_type(self.device) == "hpu" and is_for_script())


def _tensor_type(self, dtype=None, non_blocking: bool = False, **named):
    from ._types import Legacy, type_named
    if dtype is None:
        name = _type_of(self)
        return Name(name, name.replace("torch.hpu", "torch.cuda")) \
            if _type(self.device) == "hpu" and is_for_script() else name
    wanted = type_named(dtype) if isinstance(dtype, str) else dtype
    if isinstance(wanted, Legacy):
        _notes.add(f"torch.cuda.{wanted.__name__}")
        device = self.device if _type(self.device) == "hpu" else _HPU
        return _to(self, device=device, dtype=wanted.dtype, non_blocking=non_blocking)
    return _type_of(self, dtype, non_blocking, **named)


def _install_tensors() -> None:
    torch.Tensor.to, torch.Tensor.cuda = _tensor_to, _tensor_cuda
    torch.Tensor.is_cuda = property(_tensor_is_cuda)
    torch.Tensor.type = _tensor_type
    torch.Tensor.pin_memory = _with_device(torch.Tensor.pin_memory, "Tensor.pin_memory", 1)
    torch.UntypedStorage.cuda = torch.TypedStorage.cuda = _storage_cuda


# --- files -------------------------------------------------------------------------------------


def _restore_cuda(storage, location: str):
    """A storage of a file that was written on a GPU, or that torch.load puts there."""
    if location != "cuda" and not location.startswith("cuda:"):
        return None
    _notes.add(f'torch.load to "{location}"', _DEVICE)
    name = location.replace("cuda", "hpu")
    index = int(name.partition(":")[2] or 0)
    return _restore(storage, name if index < _C.device_count() else "hpu:0")


def _with_aliases(function):
    """A map of locations that names CUDA's is also one of hpu's, which files have that were written
    here."""
    def call(map_location):
        if isinstance(map_location, dict):
            aliases = {key.replace("cuda", "hpu"): value for key, value in map_location.items()
                       if isinstance(key, str) and key.startswith("cuda")}
            map_location = {**aliases, **map_location}
        return function(map_location)
    return call


# --- compiled functions ------------------------------------------------------------------------


def _install_fakes() -> None:
    """What PyTorch traces with: devices that ops are given come as they are."""
    from torch._subclasses.fake_tensor import FakeTensor
    new = FakeTensor.__new__

    def make(cls, fake_mode, elem, device, *args, **named):
        return new(cls, fake_mode, elem, device_of(device), *args, **named)

    FakeTensor.__new__ = staticmethod(make)


def _install_dynamo() -> None:
    from torch._dynamo.variables.constant import ConstantVariable
    from torch._dynamo.variables.misc import GetAttrVariable
    from torch._dynamo.variables.tensor import TensorVariable

    def method_attr_is_cuda(self, tx):
        if self.device is not None:
            return ConstantVariable.create(self.device.type in ("cuda", "hpu"))

    TensorVariable.method_attr_is_cuda = method_attr_is_cuda
    # Methods that are functions of Python here are as opaque as PyTorch's own.
    for name in _METHODS:
        setattr(TensorVariable, f"method_attr_{name}",
                lambda self, tx, name=name: GetAttrVariable(self, name))


_METHODS = "to", "cuda", "type", "pin_memory"


def _allow_in_graphs() -> None:
    """The same where a mode of functions, as that of a default device, meets the methods."""
    from torch._dynamo import trace_rules
    for name in _METHODS:
        trace_rules._allowed_callable_ids.add(id(getattr(torch.Tensor, name)))
