"""Models whose aliases double, or nest, in each line."""
import sys

kind = sys.argv[1]
if kind == "deep":
    print("!t0 = tuple<f32>")
    for i in range(100000):
        print(f"!t{i + 1} = tuple<!t{i}>")
    print("func.func private @f(!t100000)")
elif kind == "types":
    print("!t0 = tuple<f32, f32>")
    for i in range(40):
        print(f"!t{i + 1} = tuple<!t{i}, !t{i}>")
    print("func.func private @f(!t40)")
elif kind == "attributes":
    print("#a0 = 1 : i32")
    for i in range(40):
        print(f"#a{i + 1} = [#a{i}, #a{i}]")
    print("func.func private @f() attributes {a = #a40}")
else:
    print('#l0 = loc("a")')
    for i in range(40):
        print(f"#l{i + 1} = loc(callsite(#l{i} at #l{i}))")
    print("func.func private @f() loc(#l40)")
