# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of PyTorch that Intel's package replaces: PyTorch's own know hpu, none is replaced."""
from .. import _missing, _modules
from ..internal import bridge_config


_name_stack = _modules.names()


def _is_inference() -> bool:
    """Whether the program has said that it trains nothing (hpu.enable_inference_mode)."""
    return bridge_config._read("PT_HPU_INFERENCE_MODE")


def overwrite_torch_functions() -> None:
    """PyTorch's functions take tensors of hpu as they are: nothing changes."""


__getattr__ = _missing.of(__name__, {
    "HpuMarker": "graphs of torch.compile have the boundaries that hpu_backend chooses",
    "NativeFunctions": "PyTorch's functions are not replaced",
    "overwrite_capture_pre_autograd_graph": "torch.export.export takes modules of hpu",
    "overwrite_native_pt2e_quantization_interface": "torchao.quantization.pt2e is not replaced"})
