"""Models with one long chain of N ops: long.py KIND N."""
import sys

kind, n = sys.argv[1], int(sys.argv[2])
GENERIC = 'indexing_maps = [{}], iterator_types = ["{}"]'
ID, ONE = "affine_map<(d0) -> (d0)>", "affine_map<(d0) -> ()>"


def lines(text):
    for i in range(n):
        print(text.replace("NEXT", f"v{i + 1}").replace("LAST", f"v{i}").replace("INDEX", str(i)))


if kind == "body":
    print("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %e = tensor.empty() : tensor<4xf32>")
    print(f"  %r = linalg.generic {{{GENERIC.format(f'{ID}, {ID}', 'parallel')}}}"
          " ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {\n  ^bb0(%v0: f32, %o: f32):")
    lines("    %NEXT = math.sin %LAST : f32")
    print(f"    linalg.yield %v{n} : f32\n  }} -> tensor<4xf32>\n  return %r : tensor<4xf32>\n}}")
elif kind == "doubling":
    print("func.func @main(%x: tensor<4xf32>, %e: tensor<f32>) -> tensor<f32> {")
    print(f"  %r = linalg.generic {{{GENERIC.format(f'{ID}, {ONE}', 'reduction')}}}"
          " ins(%x : tensor<4xf32>) outs(%e : tensor<f32>) {\n  ^bb0(%v0: f32, %o: f32):")
    lines("    %NEXT = arith.addf %LAST, %LAST : f32")
    print(f"    %s = arith.addf %v{n}, %o : f32\n    linalg.yield %s : f32\n  }} -> tensor<f32>")
    print("  return %r : tensor<f32>\n}")
elif kind == "indices":
    print("func.func @main(%x: tensor<4xindex>) -> tensor<4xindex> {\n  %c = arith.constant 0 : index")
    print("  %v0 = tensor.extract %x[%c] : tensor<4xindex>")
    lines("  %NEXT = tensor.extract %x[%LAST] : tensor<4xindex>")
    print(f"  %r = tensor.splat %v{n} : tensor<4xindex>\n  return %r : tensor<4xindex>\n}}")
elif kind == "insertions":
    print(f"func.func @main(%x: tensor<1xf32>) -> tensor<{n}xf32> {{\n  %v0 = tensor.empty() : tensor<{n}xf32>")
    lines(f"  %NEXT = tensor.insert_slice %x into %LAST[INDEX] [1] [1] : tensor<1xf32> into tensor<{n}xf32>")
    print(f"  return %v{n} : tensor<{n}xf32>\n}}")
else:
    S = "!tosa.shape<1>"
    print("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {")
    print(f"  %v0 = tosa.const_shape {{values = dense<0> : tensor<1xindex>}} : () -> {S}")
    print(f"  %k = tosa.const_shape {{values = dense<4> : tensor<1xindex>}} : () -> {S}")
    lines(f"  %NEXT = tosa.add_shape %LAST, %LAST : ({S}, {S}) -> {S}")
    print(f"  %r = tosa.slice %x, %v{n}, %k : (tensor<4xf32>, {S}, {S}) -> tensor<4xf32>")
    print("  return %r : tensor<4xf32>\n}")
