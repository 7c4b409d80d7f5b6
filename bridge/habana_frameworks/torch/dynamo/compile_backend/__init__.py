# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The backend "hpu_backend" of torch.compile."""
