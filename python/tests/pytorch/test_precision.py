# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Precision of exported models: the example of docs/precision.md, and layers that are bad on purpose."""
import contextlib
import io
import pathlib
import re

import gaudi_mlir.torch
import pytest
import torch

PAGE = pathlib.Path(__file__).parents[3] / "docs/precision.md"


def test_the_example_of_the_page():
    text = PAGE.read_text()
    code = re.search(r"```python file=compare.py\n(.*?)```", text, re.DOTALL)
    shown = re.search(r"```text\n(.*?)```", text[code.end():], re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code[1], "compare.py", "exec"), {"__name__": "compare"})  # modules find their lines
    assert printed.getvalue() == shown[1]


class Block(torch.nn.Module):
    """A residual layer; `kind` makes it bad for bf16."""

    def __init__(self, kind=None):
        super().__init__()
        self.kind = kind
        self.up, self.down = torch.nn.Linear(32, 64), torch.nn.Linear(64, 32)

    def forward(self, x):
        y = self.down(torch.nn.functional.gelu(self.up(x)))
        if self.kind == "cancellation":
            y = (y + 3000) - 3000
        if self.kind == "long sum":
            total = y * 1.0
            for _ in range(60):
                total = total + 0.01
            y = total - 0.6
        if self.kind == "large scores":
            y = torch.softmax(self.up(x)[..., :32] * 60, -1)
        return x + y


@pytest.mark.parametrize("kind", ["cancellation", "long sum", "large scores"])
@pytest.mark.parametrize("bad", [0, 3])
def test_a_bad_layer_is_first(kind, bad):
    torch.manual_seed(bad)
    model = torch.nn.Sequential(*(Block(kind if index == bad else None) for index in range(4))).eval()
    x = torch.randn(8, 32)
    found = gaudi_mlir.torch.export(model, (x,)).compare_precision("bf16", inputs=[x])
    shares = {}
    for layer in found["layers"]:
        number = re.match(r"Sequential\.(\d+)|(\d+)", layer["name"])
        assert number, layer["name"]
        block = int(number[1] or number[2])
        shares[block] = shares.get(block, 0) + layer["share"]
    assert max(shares, key=shares.get) == bad, shares
