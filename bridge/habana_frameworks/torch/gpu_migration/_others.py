# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What else of PyTorch has CUDA in it: torch.distributed, torch.compile, profiles, flags."""
import functools
import sys

import torch
import torch.distributed as dist
from torch.profiler import ProfilerActivity
from torch.utils._pytree import tree_map

from ..hpu._utils import _get_device_index
from . import _notes
from ._names import Name, is_for_script
from ._rules import CHANGED, SAME, Rule

_NCCL = Rule(SAME, '"hccl"')
_INDUCTOR = Rule(SAME, 'torch.compile(backend="hpu_backend")')
_MODES = Rule(CHANGED, 'torch.compile(backend="hpu_backend")',
              "mode and options are Inductor's, and are ignored")
_PROFILE = Rule(SAME, "ProfilerActivity.HPU")


# --- torch.distributed -------------------------------------------------------------------------


def _backend(given):
    """ "nccl" as hccl; "cpu:gloo,cuda:nccl" for the devices that there are."""
    if not isinstance(given, str):
        return given
    name = given.lower().replace("cuda:", "hpu:").replace("nccl", "hccl")
    if name == given.lower():
        return given
    _notes.add(f'"{given}"', _NCCL)
    return name


def _with_backend(function, place: int):
    @functools.wraps(function)
    def call(*args, **named):
        if len(args) > place:
            args = (*args[:place], _backend(args[place]), *args[place + 1:])
        elif "backend" in named:
            named["backend"] = _backend(named["backend"])
        return function(*args, **named)
    return call


def _install_distributed() -> None:
    if not dist.is_available():
        return
    from torch.distributed import distributed_c10d

    from ..distributed import hccl  # noqa: F401
    made = {"init_process_group": _with_backend(dist.init_process_group, 0),
            "new_group": _with_backend(dist.new_group, 2),
            "is_backend_available": _with_backend(dist.is_backend_available, 0),
            "is_nccl_available": _is_nccl_available}
    get = dist.get_backend

    @functools.wraps(get)
    def get_backend(group=None):
        name = get(group)
        return Name(name, "nccl") if name == "hccl" and is_for_script() else name

    made["get_backend"] = get_backend
    for name, each in made.items():
        setattr(dist, name, each)
        setattr(distributed_c10d, name, each)


def _is_nccl_available() -> bool:
    _notes.add("torch.distributed.is_nccl_available", walks=False)
    return True


def _install_parallel() -> None:
    parallel = torch.nn.DataParallel
    init = parallel.__init__

    @functools.wraps(init)
    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        _notes.add("torch.nn.DataParallel")
        init(self, module, [_get_device_index(device_ids[0] if device_ids else None, True)], None,
             dim)

    # The name in torch.nn.parallel is a function.
    sys.modules["torch.nn.parallel.data_parallel"]._get_available_device_type = lambda: "hpu"
    parallel.__init__ = __init__
    parallel.scatter = _scatter


def _scatter(self, inputs, kwargs, device_ids):
    def moved(each):
        return each.to(self.src_device_obj) if isinstance(each, torch.Tensor) else each
    return (tree_map(moved, tuple(inputs)),), (tree_map(moved, kwargs),)


# --- torch.compile -----------------------------------------------------------------------------


def _install_compile() -> None:
    own = torch.compile

    @functools.wraps(own)
    def compile(model=None, *, backend="inductor", mode=None, options=None, **named):
        if backend == "inductor":
            _notes.add("torch.compile", _MODES if mode or options else _INDUCTOR)
            backend, mode, options = "hpu_backend", None, None
        return own(model, backend=backend, mode=mode, options=options, **named)

    torch.compile = compile


# --- profiles ----------------------------------------------------------------------------------


def _activities(given):
    if given is None:
        return None
    found = []
    for each in given:
        if each == ProfilerActivity.CUDA:
            _notes.add("ProfilerActivity.CUDA", _PROFILE)
            each = ProfilerActivity.HPU
        found.append(each)
    return found


def _install_profiler() -> None:
    profiler = torch.profiler.profiler
    for each in (profiler._KinetoProfile, profiler.profile):
        init = each.__init__

        def __init__(self, *args, activities=None, use_cuda=None, _init=init, **named):
            if use_cuda:
                activities = [*(activities or [ProfilerActivity.CPU]), ProfilerActivity.CUDA]
            _init(self, *args, activities=_activities(activities), **named)

        each.__init__ = functools.wraps(init)(__init__)
    old = torch.autograd.profiler.profile
    init_old = old.__init__

    @functools.wraps(init_old)
    def __init__(self, enabled=True, *, use_cuda=False, use_device=None, **named):
        if use_cuda or use_device == "cuda":
            _notes.add("torch.autograd.profiler.profile(use_cuda)", _PROFILE)
            use_device = "hpu"
            named["use_kineto"] = True
        init_old(self, enabled, use_device=use_device, **named)

    old.__init__ = __init__


# --- flags -------------------------------------------------------------------------------------


def _install_flags() -> None:
    """Flags of cuDNN and cuBLAS keep what they are set to."""
    from torch.backends import ContextProp
    cudnn = type(torch.backends.cudnn)
    for name, flag in list(vars(cudnn).items()):
        if isinstance(flag, ContextProp):
            flag.setter = _noting(flag.setter, "torch.backends.cudnn", walks=True)
    matmul = type(torch.backends.cuda.matmul)
    put = matmul.__setattr__

    def __setattr__(self, name, value):
        _notes.add("torch.backends.cuda")
        return put(self, name, value)

    matmul.__setattr__ = __setattr__
    for name in ("enable_flash_sdp", "enable_mem_efficient_sdp", "enable_math_sdp",
                 "enable_cudnn_sdp", "sdp_kernel"):
        setattr(torch.backends.cuda, name, _noting(getattr(torch.backends.cuda, name),
                                                   "torch.backends.cuda"))


def _noting(function, name: str, walks: bool = False):
    @functools.wraps(function)
    def call(*args, **named):
        _notes.add(name, walks=walks)
        return function(*args, **named)
    return call


# --- steps -------------------------------------------------------------------------------------


def _install_steps() -> None:
    """In lazy mode a graph ends where a port would write mark_step()."""
    from torch.optim.optimizer import (
        register_optimizer_step_post_hook, register_optimizer_step_pre_hook)

    from ..core.step_closure import _mark_step_if_lazy
    register_optimizer_step_pre_hook(lambda *_: _mark_step_if_lazy())
    register_optimizer_step_post_hook(lambda *_: _mark_step_if_lazy())


def install() -> None:
    _install_distributed()
    _install_parallel()
    _install_compile()
    _install_profiler()
    _install_flags()
    _install_steps()
