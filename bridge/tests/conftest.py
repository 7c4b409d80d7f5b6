# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The card of the tests."""
import habana_frameworks.torch  # noqa: F401: it makes the device
