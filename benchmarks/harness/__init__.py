"""Runs the benchmarks: ours and the peers side by side."""
