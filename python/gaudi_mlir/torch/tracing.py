# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state in which models are traced."""
import contextlib
from collections.abc import Iterator

import torch
from torch._dynamo.convert_frame import compile_lock
from torch.nn.attention import SDPBackend, sdpa_kernel

# What traces or compiles holds it: tracing changes switches of the process. It is the one that
# torch.compile holds around a backend, as a second could be taken in another order.
LOCK = compile_lock


@contextlib.contextmanager
def tracing() -> Iterator[None]:
    """Keeps PyTorch from choosing kernels of its CPU while a model is traced: attention becomes
    products and a softmax, a layer of an encoder or of an LSTM its ops."""
    with LOCK:
        onednn = torch._C._get_mkldnn_enabled()
        fastpath = torch.backends.mha.get_fastpath_enabled()
        torch._C._set_mkldnn_enabled(False)
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            with sdpa_kernel(SDPBackend.MATH):
                yield
        finally:
            torch.backends.mha.set_fastpath_enabled(fastpath)
            torch._C._set_mkldnn_enabled(onednn)
