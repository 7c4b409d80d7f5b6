# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Places of the lines of modules that other projects print, and of files."""
import pathlib

import gaudi_mlir
from gaudi_mlir import _places, weights

_DEBUG = """\
#loc1 = loc("/home/me/train.py":7:3 to :9)
#loc2 = loc("/lib/nn.py":20:1)
#loc3 = loc("layer"(#loc2))
#loc4 = loc(callsite(#loc3 at #loc1))
#loc5 = loc("jit(step)/jvp(encoder)/layer0/dot_general"(#loc4))
#loc6 = loc("jit(step)/transpose(jvp(encoder))/layer0/mul"(#loc1))
#loc7 = loc("/encoder/layer.1/dense/MatMul")
#loc8 = loc(fused[#loc, #loc7])
#loc9 = loc("jit(step)"(#loc1))
#loc = loc(unknown)
module {
  %0 = "a.b"() : () -> i1 loc(#loc5)
  %1 = "a.loop"() ({
    "a.c"() : () -> () loc(#loc6)
  }) : () -> i1 loc(#loc7)
  %2 = "a.d"() : () -> i1 loc(#loc8)
  %3 = "a.e"() : () -> i1 loc(#loc9)
  %4 = "a.f"() : () -> i1 loc(#loc1)
} loc(#loc)
"""


def test_places_of_printed_modules() -> None:
    places = _places.of_text(_DEBUG, 10)
    assert places == ["", "encoder.layer0 at nn.py:20:1",
                      "encoder.layer.1.dense at <module>:3:1",
                      "encoder.layer0 backward at train.py:7:3", "",
                      "encoder.layer.1.dense at <module>:6:1", "", "train.py:7:3", "", ""]
    assert _places.of_text(_DEBUG, 11) == []


_TEXT = """\
func.func @main(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
%0 = tosa.exp %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
%1 = tosa.tanh %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
return %1 : tensor<4x8xf32>
}
"""


def test_files_have_the_places_of_lines(tmp_path: pathlib.Path) -> None:
    text = weights.Text(_TEXT, {}, ["", "net.first at net.py:3:1", "net.second at <module>:3:1"])
    text.save(tmp_path / "net.mlir")
    saved = (tmp_path / "net.mlir").read_text()
    assert '-> tensor<4x8xf32> loc("net.first"("net.py":3:1))\n' in saved
    assert '-> tensor<4x8xf32> loc("net.second"("net.mlir":3:1))\n' in saved
    for recipe in (text.compile(), gaudi_mlir.compile(tmp_path / "net.mlir")):
        names = {each.name for each in recipe.predict().modules}
        assert "net.second" in names  # both are one kernel
