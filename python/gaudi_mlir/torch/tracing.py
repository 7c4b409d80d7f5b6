# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state in which models are traced."""
import contextlib
from collections.abc import Iterator

import torch
from torch._dynamo.convert_frame import compile_lock

from . import decompositions

# What traces or compiles holds it: tracing changes switches of the process. It is the one that
# torch.compile holds around a backend, as a second could be taken in another order.
LOCK = compile_lock


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Keeps PyTorch from tracing kernels that only its CPU has."""
    with LOCK:
        onednn = torch._C._get_mkldnn_enabled()
        torch._C._set_mkldnn_enabled(False)
        try:
            with decompositions.tracing():
                yield
        finally:
            torch._C._set_mkldnn_enabled(onednn)
