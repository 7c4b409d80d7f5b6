# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Momentum of gradients that have been scaled by the rate, as FusedLars does."""
import torch

from ._steps import FusedOptimizer, check


def resource_apply_momentum(params_momentum_buffer_list, d_p_list, *, momentum: float, lr: float,
                            nesterov: bool) -> None:
    """Of parameters and buffers in turn: each buffer becomes itself times the momentum minus the
    gradient, and is added to its parameter. lr and nesterov change nothing."""
    torch.ops.hpu.optimizer_resource_apply_momentum(params_momentum_buffer_list, d_p_list,
                                                    float(momentum))


class FusedResourceApplyMomentum(FusedOptimizer):
    """The first gradient is the buffer, which is added."""

    def __init__(self, params, lr, momentum=0, weight_decay=0, nesterov=False) -> None:
        check("FusedResourceApplyMomentum", params, lr=lr, momentum=momentum,
              weight_decay=weight_decay)
        if nesterov and momentum <= 0:
            raise ValueError(f"FusedResourceApplyMomentum: Nesterov momentum requires a momentum; it "
                             f"is {momentum}")
        super().__init__(params, dict(lr=lr, momentum=momentum, weight_decay=weight_decay,
                                      nesterov=nesterov))

    def _launch(self, group: dict, params, grads) -> None:
        pairs, later = [], []
        for param, grad in zip(params, grads):
            state = self.state[param]
            if not group["momentum"]:
                param.add_(grad)
            elif state.get("momentum_buffer") is None:
                state["momentum_buffer"] = grad.detach().clone()
                param.add_(grad)
            else:
                pairs += [param, state["momentum_buffer"]]
                later.append(grad)
        if later:
            resource_apply_momentum(pairs, later, momentum=group["momentum"], lr=group["lr"],
                                    nesterov=group["nesterov"])
