# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The log of torch.compile."""
import functools

from ...utils.debug.logger import Logger


@functools.cache
def get_compile_backend_logger() -> Logger:
    return Logger("COMPILE")
