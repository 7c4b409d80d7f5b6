# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where modules compute in eight bits: nowhere."""
import contextlib

_REASON = "gaudi-mlir does not emulate fp8 of hpex.experimental.transformer_engine"


def is_fp8_available() -> tuple[bool, str]:
    """Whether it is, and why not."""
    return False, _REASON


@contextlib.contextmanager
def fp8_autocast(enabled: bool = False, force_measurement: bool | None = None, fp8_recipe=None,
                 fp8_group=None):
    """A `with` block whose modules compute in eight bits if it is enabled, which raises."""
    if enabled or force_measurement:
        raise NotImplementedError(f"{_REASON}: fp8_autocast(enabled=False), or bfloat16 by "
                                  "torch.autocast, runs")
    yield


class FP8GlobalStateManager:
    """What modules ask."""

    @staticmethod
    def is_fp8_enabled() -> bool:
        return False

    @staticmethod
    def is_fp8_available() -> tuple[bool, str]:
        return is_fp8_available()
