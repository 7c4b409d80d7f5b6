"""Writes a function with loops whose condition depends on data: loops.py nested|sequence COUNT"""
import sys

kind, count = sys.argv[1], int(sys.argv[2])


def head(number, value):
    return f"""%l{number} = scf.while (%a{number} = {value}) : (tensor<f32>) -> tensor<f32> {{
  %s{number} = tensor.extract %a{number}[] : tensor<f32>
  %c{number} = arith.cmpf olt, %s{number}, %n : f32
  scf.condition(%c{number}) %a{number} : tensor<f32>
}} do {{
^bb0(%b{number}: tensor<f32>):"""


def tail(number, value):
    return f"  scf.yield {value} : tensor<f32>\n}}"


print("func.func @main(%x: tensor<f32>, %n: f32) -> tensor<f32> {")
if kind == "nested":
    for i in range(count):
        print(head(i, f"%b{i - 1}" if i else "%x"))
    print(f"  %r = arith.addf %b{count - 1}, %b{count - 1} : tensor<f32>")
    for i in reversed(range(count)):
        print(tail(i, f"%l{i + 1}" if i + 1 < count else "%r"))
    print("return %l0 : tensor<f32>\n}")
else:
    for i in range(count):
        print(head(i, f"%l{i - 1}" if i else "%x"))
        print(f"  %r{i} = arith.addf %b{i}, %b{i} : tensor<f32>")
        print(tail(i, f"%r{i}"))
    print(f"return %l{count - 1} : tensor<f32>\n}}")
