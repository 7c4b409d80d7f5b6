# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gaudi_mlir.torch needs besides gaudi_mlir."""

TORCH = "torch==2.13.0"
TORCH_MLIR = "torch-mlir==20261001"


def check() -> None:
    """Raises ImportError, one line that names the package to install, unless all are there."""
    for module, package in (("torch", TORCH), ("torch_mlir", TORCH_MLIR)):
        try:
            __import__(module)
        except ImportError as error:
            raise ImportError(
                f"gaudi_mlir.torch needs {module} ({error}); run: pip install {package}"
            ) from None
