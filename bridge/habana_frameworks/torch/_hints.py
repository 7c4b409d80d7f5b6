# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The next step for errors of PyTorch's own that end a script for hpu, as a note under them."""
import os
import re
import sys

import torch
from gaudi_mlir import _callers

from . import _C

_HINTS = (
    (r"at start of device string: (HPU|Hpu|gaudi|habana|hl|accelerator|gpu)\w*",
     'the device is called hpu: write "hpu", or "hpu:1" for the second card'),
    (r"doesn't have NCCL built in|Distributed package doesn't have (UCC|MPI|XCCL)",
     'the backend of torch.distributed for hpu is "hccl": '
     'torch.distributed.init_process_group("hccl")'),
    (r"environment variable (RANK|WORLD_SIZE|LOCAL_RANK|MASTER_ADDR|MASTER_PORT) expected, but not set",
     "start the script by torchrun --nproc-per-node=1 SCRIPT, which sets RANK, WORLD_SIZE, "
     "MASTER_ADDR and MASTER_PORT"),
    (r"No activities specified for the profiler",
     "for hpu write activities=[ProfilerActivity.CPU, ProfilerActivity.HPU]"),
    (r"Cannot get CUDA generator",
     'for hpu write torch.Generator(device="hpu"), or run the script with PT_HPU_GPU_MIGRATION=1'),
    (r"deserialize object on a CUDA device",
     'for hpu write torch.load(..., map_location="hpu")'),
    (r"torch.cuda.\w+ requires CUDA support",
     "for hpu write torch.hpu.Stream or torch.hpu.Event, or run the script with "
     "PT_HPU_GPU_MIGRATION=1"),
)
# Of a script that has opened a card: they may happen on any device.
_HINTS_OF_LAYERS = (
    (r"mat1 and mat2 (shapes cannot be multiplied|must have the same dtype)|"
     r"expected m1 and m2 to have the same dtype",
     "print the shapes and the dtypes of both operands of the last line of the script: the last "
     "dimension of the first (the input of a layer) must be the first of the second (its in_features), "
     "and their dtypes equal"),
    (r"Input and parameter tensors are not at the same device",
     'move the input to the card: x.to("hpu")'),
    (r"Given groups=\d+, weight of size .* expected input.* to have",
     "images are [batch, channels, height, width]: of channels last, x.permute(0, 3, 1, 2)"),
    (r"Input type \(.*\) and (bias|weight) type \(.*\) should be the same",
     "give input and layer one type, such as x.to(layer.weight.dtype)"),
    (r"does not require grad and does not have a grad_fn",
     "the loss was computed under torch.no_grad() or inference_mode(), of a detach()ed tensor, of "
     "parameters without requires_grad, or by a module of wrap_in_hpu_graph, which is for inference "
     "(torch.hpu.make_graphed_callables trains)"),
)
_OPTIMIZER = re.compile(
    r"(\w+)\.__init__\(\) got an unexpected keyword argument "
    r"'(learning_rate|beta1|betas1|weightdecay|decay)'")
_TORCH = os.path.dirname(torch.__file__) + os.sep


def of(error: BaseException, trace=None) -> str:
    """What helps; empty if the error says so itself, or is none of PyTorch's."""
    text = str(error)
    if found := _OPTIMIZER.search(text):
        return "optimizers take lr=, betas=(0.9, 0.999), eps=, weight_decay=" \
            if _C.is_open(-1) and hasattr(torch.optim, found[1]) else ""
    # Those of C++ have no frame of their own.
    if not isinstance(error, RuntimeError) and not _innermost(trace).startswith(_TORCH):
        return ""
    hints = _HINTS + (_HINTS_OF_LAYERS if _C.is_open(-1) else ())
    return next((hint for pattern, hint in hints if re.search(pattern, text)), "")


def _innermost(trace) -> str:
    """The file of the line that raised."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename if trace else ""


def install() -> None:
    before = sys.excepthook
    _callers.add_own(os.path.dirname(os.path.dirname(__file__)))

    def hook(kind, error, trace) -> None:
        try:
            hint = of(error, trace)
        except Exception:  # of a __str__ that fails
            hint = ""
        if error.__traceback__ is trace:
            trace = _callers.shorten(error).__traceback__
        noted = hint and hasattr(error, "add_note")  # since Python 3.11
        if noted:
            error.add_note(f"hpu: {hint}")
        before(kind, error, trace)
        if hint and not noted:
            print(f"hpu: {hint}", file=sys.stderr)
    sys.excepthook = hook
