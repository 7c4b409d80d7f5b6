# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LAMB, whose step is one launch for each group."""
import torch

from ._steps import check, evaluated, gradients_of, mark_step, number


class FusedLamb(torch.optim.Optimizer):
    """The norm of all gradients is bounded first; weight decay is part of the step, which is scaled
    by the ratio of the norms of weight and step, without weight decay only if use_lamb is set."""

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-6,
                 weight_decay=0.01, amsgrad=False, adam_w_mode=True, grad_averaging=True,
                 set_grad_none=True, max_grad_norm=1.0, use_lamb=False, fused=False,
                 dtype=None) -> None:
        if amsgrad:
            raise RuntimeError("FusedLamb does not support the AMSGrad variant; leave amsgrad out")
        if not adam_w_mode:
            raise ValueError("FusedLamb has weight decay as a part of the step only, which is "
                             "adam_w_mode=True")
        check("FusedLamb", params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
        super().__init__(params, dict(lr=lr, bias_correction=bias_correction, betas=betas, eps=eps,
                                      weight_decay=weight_decay, grad_averaging=grad_averaging,
                                      max_grad_norm=max_grad_norm))
        self.adam_w_mode, self.set_grad_none = int(adam_w_mode), set_grad_none
        self.use_lamb, self.fused, self.dtype = use_lamb, fused, dtype

    def zero_grad(self, set_to_none: bool | None = None) -> None:
        super().zero_grad(self.set_grad_none if set_to_none is None else set_to_none)

    @torch.no_grad()
    def step(self, closure=None):
        loss = evaluated(closure)
        rows = [(group, *gradients_of(group, "FusedLamb")) for group in self.param_groups]
        rows = [row for row in rows if row[1]]
        most, clip = self.defaults["max_grad_norm"], None
        mark_step()
        if len(rows) > 1 and most is not None:  # the norm is that of all groups
            clip = torch.ops.hpu.optimizer_lamb_fused_norm(
                [each for _, _, grads in rows for each in grads], float(most))
        bound = None if most is None or clip is not None or not rows else \
            number(float(most), rows[0][1][0])
        for group, params, grads in rows:
            self._launch(group, params, grads, clip, bound)
            mark_step()
        return loss

    def _launch(self, group: dict, params, grads, clip, bound) -> None:
        group["step"] = group.get("step", 0) + 1
        corrections = [1 - beta ** group["step"] if group["bias_correction"] else 1.0
                       for beta in group["betas"]]
        states = [self.state[each] for each in params]
        for param, state in zip(params, states):
            for name in ("exp_avg", "exp_avg_sq"):
                if name not in state:
                    state[name] = torch.zeros_like(param)
        torch.ops.hpu.optimizer_lamb(
            grads, params, [each["exp_avg"] for each in states],
            [each["exp_avg_sq"] for each in states], clip, bound,
            number(float(group["lr"]), params[0]),
            *(number(each, params[0]) for each in corrections), bool(group["grad_averaging"]),
            *group["betas"], group["eps"], group["weight_decay"], self.use_lamb)
