"""The state in which models are traced."""
import contextlib
from collections.abc import Iterator

import torch

from . import decompositions


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Keeps PyTorch from tracing kernels that only its CPU has."""
    onednn = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        with decompositions.tracing():
            yield
    finally:
        torch._C._set_mkldnn_enabled(onednn)
