"""Prints a function of as many sums as named, of random transposes of others."""
import random
import sys

TENSOR = "tensor<4x4x4x4xf32>"
random.seed(3)
count = int(sys.argv[1])
print(f"func.func @main(%v0: {TENSOR}) -> {TENSOR} {{")
for i in range(1, count + 1):
    order = random.sample(range(4), 4)
    other = random.randrange(max(0, i - 20), i)
    print(f"  %t{i} = gaudi.transpose %v{i - 1} permutation {order} : {TENSOR} -> {TENSOR}")
    print(f"  %v{i} = gaudi.tpc.add %t{i}, %v{other} : {TENSOR}, {TENSOR} -> {TENSOR}")
print(f"  return %v{count} : {TENSOR}\n}}")
