"""30 functions, each of which calls the next twice."""
T = "tensor<4xf32>"
for i in range(30):
    print(f"func.func {'private ' if i else ''}@f{i}(%a: {T}) -> {T} {{")
    print(f"  %0 = func.call @f{i + 1}(%a) : ({T}) -> {T}")
    print(f"  %1 = func.call @f{i + 1}(%0) : ({T}) -> {T}")
    print(f"  return %1 : {T}\n}}")
print(f"func.func private @f30(%a: {T}) -> {T} {{ return %a : {T} }}")
