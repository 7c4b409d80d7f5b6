# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a model in PyTorch, as gaudi-run --bisect=golden:DIR reads them."""
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import torch

from .. import _messages
from .exported import Exported


def dump_values(model: torch.nn.Module, args: Sequence[Any], folder: str | os.PathLike,
                kwargs: Mapping[str, Any] | None = None,
                exported: Exported | None = None) -> list[str]:
    """Runs the model and writes what its modules give: FOLDER/encoder.layer.0.npy. Returns the
    names.

    A module that gives several tensors has the first one; one that is called again is left out,
    since its name means several values. Inputs go to FOLDER/inputs/0.npy. `exported`: what
    `gaudi_mlir.torch.export` made of the model, to write which line is of which module.
    """
    if isinstance(args, torch.Tensor):
        args = (args,)
    folder = pathlib.Path(folder)
    try:
        (folder / "inputs").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _messages.unmade("folder", folder, error) from None
    values: dict[str, torch.Tensor | None] = {}

    def hook_of(name: str):
        def hook(module, given, result):
            if isinstance(result, (tuple, list)) and result:
                result = result[0]
            if isinstance(result, torch.Tensor):
                values[name] = None if name in values else result.detach().clone()
        return hook

    hooks = [module.register_forward_hook(hook_of(name))
             for name, module in model.named_modules() if name]
    try:
        with torch.no_grad():
            model(*args, **dict(kwargs or {}))
    finally:
        for hook in hooks:
            hook.remove()
    tensors = [each for each in [*args, *dict(kwargs or {}).values()] if isinstance(each, torch.Tensor)]
    for index, tensor in enumerate(tensors):
        numpy.save(folder / "inputs" / f"{index}.npy", _array(tensor))
    for name, value in values.items():
        if value is not None:
            numpy.save(folder / f"{name}.npy", _array(value))
    if exported is not None:
        (folder / "places.txt").write_text("".join(f"{place}\n" for place in exported.text.places))
    return [name for name, value in values.items() if value is not None]


def _array(tensor: torch.Tensor) -> numpy.ndarray:
    """Types that numpy has not as f32, which holds them."""
    tensor = tensor.detach().cpu().contiguous()
    if tensor.dtype.is_floating_point and tensor.dtype not in (torch.float32, torch.float16,
                                                               torch.float64):
        tensor = tensor.float()
    return tensor.numpy()
