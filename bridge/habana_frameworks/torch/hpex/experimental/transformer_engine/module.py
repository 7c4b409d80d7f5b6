# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers by the names of the real package's."""
import torch


class Linear(torch.nn.Linear):
    """torch.nn.Linear. minimize_memory says how weights of eight bits would be kept."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True,
                 skip_weight_param_allocation: bool = False, minimize_memory: bool = False,
                 params_dtype: torch.dtype | None = None, **options) -> None:
        if options:
            raise NotImplementedError("gaudi-mlir does not emulate these options of "
                                      f"transformer_engine.Linear: {', '.join(options)}")
        if skip_weight_param_allocation:  # it gets those of another layer
            torch.nn.Module.__init__(self)
            self.in_features, self.out_features = in_features, out_features
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        else:
            super().__init__(in_features, out_features, bias, dtype=params_dtype)
        self.minimize_memory = minimize_memory

    def forward(self, x, is_first_microbatch: bool | None = None):
        return super().forward(x)
