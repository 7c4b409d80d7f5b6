# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers whose step is few launches: all parameters by ops of lists."""
import torch

from ... import _missing


class FusedSGD(torch.optim.SGD):
    """The step of torch.optim.SGD. Nesterov's needs a momentum and no dampening."""

    def __init__(self, params, lr, momentum=0, weight_decay=0, dampening=0, nesterov=False) -> None:
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=weight_decay,
                         dampening=dampening, nesterov=nesterov, foreach=True)


__getattr__ = _missing.of(__name__, (
    "FusedAdagrad", "FusedAdamW", "FusedLamb", "FusedLars", "FusedResourceApplyMomentum"))
