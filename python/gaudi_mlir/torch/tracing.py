# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The state in which models are traced."""
import contextlib
from collections.abc import Iterator

import torch
from torch._dynamo.convert_frame import compile_lock
from torch.fx import Graph
from torch.fx.experimental.proxy_tensor import PythonKeyTracer
from torch.nn.attention import SDPBackend, sdpa_kernel

from .losses import multilabel_margin_loss

# What traces or compiles holds it: tracing changes switches of the process. It is the one that
# torch.compile holds around a backend, as a second could be taken in another order.
LOCK = compile_lock


_AUTOGRAD = torch._C.DispatchKey.Autograd


@contextlib.contextmanager
def _formulas_of_this_package() -> Iterator[None]:
    """In place of those that PyTorch takes of an op before a table of decompositions is asked, and
    that differ from its kernels: what is behind the first -1 counts as class 0 in the loss of
    several labels, whose type has a dimension too many for a vector."""
    op = torch.ops.aten.multilabel_margin_loss_forward.default
    of_pytorch = op.py_kernels[_AUTOGRAD]

    def loss(*args):
        losses = multilabel_margin_loss(*args)
        return of_pytorch(*args) if losses is NotImplemented else losses

    try:
        op.py_kernels[_AUTOGRAD] = loss
        op._dispatch_cache.clear()
        yield
    finally:
        op.py_kernels[_AUTOGRAD] = of_pytorch
        op._dispatch_cache.clear()


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
            with sdpa_kernel(SDPBackend.MATH), _formulas_of_this_package():
                yield
        finally:
            torch.backends.mha.set_fastpath_enabled(fastpath)
            torch._C._set_mkldnn_enabled(onednn)


# --- traces of tensors, while other threads run -------------------------------------------------

_trace_of_pytorch = PythonKeyTracer.trace


def _trace(self, root, concrete_args=None) -> Graph:
    """Records what a function does with tensors. PyTorch also exchanges methods of
    torch.nn.Module, and says that there is a trace, for all threads of the process: a function
    that torch.compile has made then raises in any of them. Only traces with proxies in place of
    tensors need that; of those of programs' own nothing changes."""
    if type(self) is not PythonKeyTracer or isinstance(root, torch.nn.Module) or \
            not LOCK._is_owned():
        return _trace_of_pytorch(self, root, concrete_args)
    self.root, self.tensor_attrs = torch.nn.Module(), {}
    self.graph = Graph(tracer_cls=type(self))
    function, args = self.create_args_for_root(root, False, concrete_args)
    self.create_node("output", "output", (self.create_arg(function(*args)),), {})
    self.submodule_paths = None
    return self.graph


PythonKeyTracer.trace = _trace
