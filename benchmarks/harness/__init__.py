# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmarks: ours and the peers in turns."""
