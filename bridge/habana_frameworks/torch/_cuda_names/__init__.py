# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What names of CUDA are on hpu, and a reader of scripts that have them. Unlike gpu_migration, which
uses the same rules, an import changes nothing."""
