"""Runs the benchmarks: ours and the peers in turns."""
