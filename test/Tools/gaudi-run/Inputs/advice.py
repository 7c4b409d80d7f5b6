"""Follows advice of `gaudi-run --predict` and compares the promised gain.

Each model is predicted; the change that an entry of its advice asks for is made
in the model; the changed model is compiled and predicted on its own.
"""

import json
import subprocess
import sys


def product(name, a, b, rows, columns, inner, type):
    result = f"tensor<{rows}x{columns}x{type}>"
    return f"""
  %e{name} = tensor.empty() : {result}
  %f{name} = linalg.fill ins(%zero : {type}) outs(%e{name} : {result}) -> {result}
  %{name} = linalg.matmul
      ins({a}, {b} : tensor<{rows}x{inner}x{type}>, tensor<{inner}x{columns}x{type}>)
      outs(%f{name} : {result}) -> {result}"""


def model(rows, inner, hidden, columns, type):
    """Two products with exp between them."""
    middle = f"tensor<{rows}x{hidden}x{type}>"
    return f"""
func.func @main(%x: tensor<{rows}x{inner}x{type}>, %w: tensor<{inner}x{hidden}x{type}>,
                %v: tensor<{hidden}x{columns}x{type}>) -> tensor<{rows}x{columns}x{type}> {{
  %zero = arith.constant 0.0 : {type}
  {product("a", "%x", "%w", rows, hidden, inner, type)}
  %g = linalg.exp ins(%a : {middle}) outs(%ea : {middle}) -> {middle}
  {product("b", "%g", "%v", rows, columns, hidden, type)}
  return %b : tensor<{rows}x{columns}x{type}>
}}"""


def pair(rows, columns, inner, type):
    """A batch of two products."""
    result = f"tensor<2x{rows}x{columns}x{type}>"
    a, b = f"tensor<2x{rows}x{inner}x{type}>", f"tensor<2x{inner}x{columns}x{type}>"
    return f"""
func.func @main(%x: {a}, %w: {b}) -> {result} {{
  %zero = arith.constant 0.0 : {type}
  %e = tensor.empty() : {result}
  %f = linalg.fill ins(%zero : {type}) outs(%e : {result}) -> {result}
  %a = linalg.batch_matmul ins(%x, %w : {a}, {b}) outs(%f : {result}) -> {result}
  return %a : {result}
}}"""


def left(columns, constant):
    """Weights times x."""
    weights, x = "tensor<4096x4096xf32>", f"tensor<4096x{columns}xf32>"
    return f"""
func.func @main(%{"unused" if constant else "w"}: {weights}, %x: {x}) -> {x} {{
  {constant}
  %zero = arith.constant 0.0 : f32
  {product("a", "%w", "%x", 4096, columns, 4096, "f32")}
  return %a : {x}
}}"""


def independent(isLast):
    """A chain of exp and two products, and a long tanh that it does not need."""
    small, large = "tensor<2048x2048xf32>", "tensor<4096x4096xf32>"
    tanh = f"""
  %el = tensor.empty() : {large}
  %l = linalg.tanh ins(%c : {large}) outs(%el : {large}) -> {large}"""
    return f"""
func.func @main(%a: {small}, %b: {small}, %c: {large}) -> ({small}, {large}) {{
  %zero = arith.constant 0.0 : f32
  {"" if isLast else tanh}
  %es = tensor.empty() : {small}
  %s = linalg.exp ins(%a : {small}) outs(%es : {small}) -> {small}
  {product("m", "%s", "%b", 2048, 2048, 2048, "f32")}
  {product("p", "%m", "%b", 2048, 2048, 2048, "f32")}
  {tanh if isLast else ""}
  return %p, %l : {small}, {large}
}}"""


def predict(folder, device, text):
    path = f"{folder}/model.mlir"
    with open(path, "w") as file:
        file.write(text)
    run = ["gaudi-run", path, f"--device={device}", "--predict", "--report=json"]
    result = subprocess.run(run, check=True, capture_output=True, text=True)
    return json.loads(result.stdout)["predictions"][0]


def gain_of(prediction, kind, title):
    for entry in prediction["advice"]:
        if entry["kind"] == kind and entry["title"].startswith(title):
            return entry["gain_us"], entry["title"]
    sys.exit(f"no {kind} advice {title!r} in {prediction['advice']}")


def compare(what, promised, actual):
    print(f"{what}: promised {promised:.3f} us, predicted {actual:.3f} us")
    if abs(promised - actual) > 0.02 * abs(actual):
        sys.exit(f"{what}: the advice is off by more than 2 %")


def main():
    folder = sys.argv[1]
    for device in ["gaudi", "gaudi2", "gaudi3"]:
        now = predict(folder, device, model(512, 1024, 4096, 1024, "f32"))
        then = predict(folder, device, model(512, 1024, 4096, 1024, "bf16"))
        gain, _ = gain_of(now, "precision", "Compute in bf16")
        compare(f"{device} bf16", gain, now["time_us"] - then["time_us"])

        now = predict(folder, device, model(64, 1024, 4096, 1024, "bf16"))
        gain, title = gain_of(now, "batch", "Use a ")
        factor = int(title.split()[2].rstrip("x"))
        then = predict(folder, device, model(64 * factor, 1024, 4096, 1024, "bf16"))
        compare(f"{device} batch", gain, now["time_us"] - then["time_us"] / factor)

    # Arguments, and weights that are constant on the left.
    weights = "%w = arith.constant dense<0.5> : tensor<4096x4096xf32>"
    for name, constant in [("left", ""), ("constant", weights)]:
        now = predict(folder, "gaudi2", left(8, constant))
        gain, title = gain_of(now, "batch", "Use a ")
        factor = int(title.split()[2].rstrip("x"))
        then = predict(folder, "gaudi2", left(8 * factor, constant))
        compare(f"gaudi2 {name}", gain, now["time_us"] - then["time_us"] / factor)

    now = predict(folder, "gaudi3", pair(200, 1000, 4000, "f32"))
    gain, _ = gain_of(now, "pad", "Pad n of 1 product from 1000 to 1024")
    then = predict(folder, "gaudi3", pair(200, 1024, 4000, "f32"))
    compare("gaudi3 pad", gain, now["time_us"] - then["time_us"])

    now = predict(folder, "gaudi2", independent(isLast=False))
    gain, _ = gain_of(now, "order", "Start ")
    then = predict(folder, "gaudi2", independent(isLast=True))
    compare("gaudi2 order", gain, now["time_us"] - then["time_us"])

    now = predict(folder, "gaudi2", model(8192, 8192, 8192, 8192, "bf16"))
    print("well-shaped:", [entry["title"] for entry in now["advice"]])


main()
