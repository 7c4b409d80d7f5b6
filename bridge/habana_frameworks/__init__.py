# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Intel's package for PyTorch on Gaudi, here on an emulated card."""
