# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gaudi_mlir.torch needs besides gaudi_mlir."""

TORCH = "torch==2.13.0"
TORCH_MLIR = "torch-mlir==20261001"


def check() -> None:
    """Raises ImportError, one line that names the package to install, unless PyTorch is there."""
    _import("torch", TORCH)


def check_torch_mlir() -> None:
    """The same of torch-mlir, which few models need."""
    _import("torch_mlir", TORCH_MLIR)


def _import(module: str, package: str) -> None:
    try:
        __import__(module)
    except ImportError as error:
        raise ImportError(
            f"gaudi_mlir.torch needs {module} ({error}); run: pip install {package}") from None
