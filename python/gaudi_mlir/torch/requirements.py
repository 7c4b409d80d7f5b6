# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gaudi_mlir.torch needs besides gaudi_mlir."""

TORCH = "torch==2.13.0"


def check() -> None:
    """Raises ImportError, one line that names the package to install, unless PyTorch is there."""
    try:
        __import__("torch")
    except ImportError as error:
        raise ImportError(
            f"gaudi_mlir.torch needs torch ({error}); run: pip install {TORCH}") from None
