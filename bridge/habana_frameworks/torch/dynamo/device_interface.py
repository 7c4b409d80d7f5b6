# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device type "hpu" as TorchDynamo asks for it."""
import torch
from torch._dynamo.device_interface import DeviceInterface, register_interface_for_device

from .. import _C


DeviceInterfaceMeta = type(DeviceInterface)


class HpuInterface(DeviceInterface):
    device = torch.hpu.device
    Event = torch.hpu.Event
    Stream = torch.hpu.Stream

    class Worker:
        """Nothing is compiled in other processes: these ask the cards of this one."""
        @staticmethod
        def set_device(device: int) -> None:
            torch.hpu.set_device(device)

        @staticmethod
        def current_device() -> int:
            return torch.hpu.current_device()

        @staticmethod
        def get_device_properties(device=None):
            return torch.hpu.get_device_properties(device)

    current_device = staticmethod(torch.hpu.current_device)
    set_device = staticmethod(torch.hpu.set_device)
    device_count = staticmethod(torch.hpu.device_count)
    is_available = staticmethod(torch.hpu.is_available)
    stream = staticmethod(torch.hpu.stream)
    current_stream = staticmethod(torch.hpu.current_stream)
    set_stream = staticmethod(torch.hpu.set_stream)
    synchronize = staticmethod(torch.hpu.synchronize)
    memory_allocated = staticmethod(torch.hpu.memory_allocated)
    exchange_device = staticmethod(torch.hpu._exchange_device)
    maybe_exchange_device = staticmethod(torch.hpu._maybe_exchange_device)

    @staticmethod
    def _set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
        torch.hpu.set_stream(torch.hpu.Stream(stream_id=stream_id, device_index=device_index,
                                              device_type=device_type))

    @staticmethod
    def get_raw_stream(device_idx: int) -> int:
        return _C.current_stream(device_idx)

    @staticmethod
    def get_compute_capability(device=None) -> int:
        return torch.hpu.get_device_capability(device)[0]

    @staticmethod
    def is_bf16_supported(including_emulation: bool = False) -> bool:
        return True


def register() -> None:
    register_interface_for_device("hpu", HpuInterface)
    for index in range(torch.hpu.device_count()):
        register_interface_for_device(f"hpu:{index}", HpuInterface)
