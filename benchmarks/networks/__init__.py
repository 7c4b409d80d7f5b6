# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks of the benchmarks: seeded weights, graphs for us, the same for peers."""
