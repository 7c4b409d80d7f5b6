# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bound of the common norm of gradients, by one launch."""
import torch

from ..optimizers._steps import mark_step


class FusedClipNorm:
    """`parameters` say where the bound is to be; clip_norm() takes those to be clipped."""

    def __init__(self, parameters, max_norm) -> None:
        self.max_norm = float(max_norm)
        self.norm_type = 2.0
        self._bounds: dict = {}

    @torch.no_grad()
    def clip_norm(self, parameters):
        """Scales all gradients so that their norm is at most max_norm, and gives the norm that they
        had."""
        if isinstance(parameters, torch.Tensor):
            parameters = [parameters]
        gradients = [each.grad for each in dict.fromkeys(parameters)
                     if each.grad is not None and each.grad.numel()]
        if not gradients:
            return torch.tensor(0.0)
        first = gradients[0]
        key = first.device, first.dtype
        if key not in self._bounds:
            self._bounds[key] = torch.tensor(self.max_norm).to(first.device)
        total = torch.zeros(1, dtype=first.dtype, device=first.device)
        mark_step()
        torch.ops.hpu.fused_clip_norm([*gradients, total], self._bounds[key], self.norm_type)
        mark_step()
        return total
