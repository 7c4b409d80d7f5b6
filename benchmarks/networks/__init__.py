"""Networks of the benchmarks: seeded weights, graphs for us, the same for peers."""
