"""Writes a model as it is and with single defects. Usage: planted.py MODEL FOLDER"""
import pathlib
import sys

text = pathlib.Path(sys.argv[1]).read_text()
defects = {
    "same": ("", ""),
    "constant": ("dense<0.1>", "dense<0.1002>"),
    "rounding": ('%step = "stablehlo.multiply"(%whole, %tenth) : (tensor<16x32xf16>, tensor<16x32xf16>)'
                 " -> tensor<16x32xf16>",
                 '%step0 = "stablehlo.multiply"(%whole, %tenth) : (tensor<16x32xf16>, tensor<16x32xf16>)'
                 " -> tensor<16x32xf16>\n"
                 '  %step1 = "stablehlo.convert"(%step0) : (tensor<16x32xf16>) -> tensor<16x32xbf16>\n'
                 '  %step = "stablehlo.convert"(%step1) : (tensor<16x32xbf16>) -> tensor<16x32xf16>'),
    "clamp": ("dense<24.0>", "dense<6.0e4>"),
}
for name, (old, new) in defects.items():
    if name != "same" and old not in text:
        sys.exit(f"{old} is not in the model")
    pathlib.Path(sys.argv[2], name + ".mlir").write_text(text.replace(old, new))
