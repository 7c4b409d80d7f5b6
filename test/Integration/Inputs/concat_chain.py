"""A tensor that grows by concatenation N times: chain.py N AXIS first|last."""
import sys

n, axis, place = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]


def of(parts):
    return f"tensor<{parts}x4xf32>" if axis == 0 else f"tensor<4x{parts}xf32>"


print(f"func.func @main(%c0: {of(1)}) -> {of(n + 1)} {{")
for i in range(n):
    # One of two values, so that each of them is read all along.
    print(f"  %t{i} = tosa.{('tanh', 'exp')[i % 2]} %c0 : ({of(1)}) -> {of(1)}")
    parts = f"%c{i}, %t{i}" if place == "last" else f"%t{i}, %c{i}"
    types = f"{of(i + 1)}, {of(1)}" if place == "last" else f"{of(1)}, {of(i + 1)}"
    print(f"  %c{i + 1} = tosa.concat {parts} {{axis = {axis} : i32}} : ({types}) -> {of(i + 2)}")
print(f"  return %c{n} : {of(n + 1)}\n}}")
