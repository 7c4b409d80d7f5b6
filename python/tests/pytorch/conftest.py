# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of gaudi_mlir.torch. They need torch, torch-mlir and transformers, and are left out where
these are missing; scripts/test-frameworks.sh installs them."""
import importlib.util
import os

import pytest

os.environ.setdefault("HF_HUB_OFFLINE", "1")

_MISSING = [name for name in ("torch", "transformers")
            if importlib.util.find_spec(name) is None]
collect_ignore_glob = ["*.py"] if _MISSING else []


@pytest.fixture(autouse=True)
def fresh(monkeypatch):
    """Each test begins without compiled graphs and with the same random numbers."""
    import torch

    import gaudi_mlir.torch
    for name in list(os.environ):
        if name.startswith("PT_"):
            monkeypatch.delenv(name)
    gaudi_mlir.torch.reset()
    torch.manual_seed(0)
    yield
    gaudi_mlir.torch.reset()
