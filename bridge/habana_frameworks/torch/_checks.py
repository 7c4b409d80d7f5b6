# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold before the extension module is loaded: an error that says what to do is better
than what a loader says."""
import importlib.metadata
import importlib.util
import pathlib

import torch

try:
    from ._built import TORCH
except ImportError:  # not made by the build
    TORCH = None


def check() -> None:
    if importlib.util.find_spec("gaudi_mlir") is None:
        raise ImportError("gaudi-mlir-bridge needs the package gaudi-mlir of the same version, which "
                          "is not installed: install its wheel (docs/install.md), or run "
                          "scripts/setup-python.sh, which makes build/venv with both")
    _check_version(TORCH, torch.__version__)
    _check_alone(_intels_files(), torch._C._dispatch_has_kernel_for_dispatch_key(
        "aten::empty.memory_format", "HPU"))


def _public(version: str) -> str:
    """Without the local part: the builds for CPU and for GPU have one interface."""
    return version.partition("+")[0]


def _check_version(built: str | None, running: str) -> None:
    if built is None:
        raise ImportError("habana_frameworks.torch has no extension module: it is not built; run "
                          "scripts/setup-python.sh, or install what pip wheel ./bridge makes")
    if _public(built) != _public(running):
        raise ImportError(f"gaudi-mlir-bridge is built for PyTorch {_public(built)}, and this is "
                          f"{running}: install torch=={_public(built)}, or build the bridge for "
                          "this one (pip wheel ./bridge)")


def _intels_files() -> str | None:
    """Where Intel's plugin is, whose package has the same name."""
    here = pathlib.Path(__file__).resolve().parent
    if (here / "lib" / "libhabana_pytorch_plugin.so").exists():
        return str(here / "lib")
    try:
        plugin = importlib.metadata.distribution("habana-torch-plugin")
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in plugin.files or []:
        if file.name.startswith("libhabana_pytorch"):
            return str(plugin.locate_file(file))
    return None


def _check_alone(where: str | None, is_registered: bool) -> None:
    if where:
        raise ImportError(f"Intel's package habana-torch-plugin is installed ({where}), and both "
                          "are the package habana_frameworks: uninstall one of them (pip uninstall "
                          "habana-torch-plugin, or gaudi-mlir-bridge)")
    if is_registered:
        raise ImportError("another library of this process has registered kernels for the device "
                          "hpu: there can be one; uninstall the other one (pip list shows it)")
