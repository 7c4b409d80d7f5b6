# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a model's modules, and the module that is another one."""
import numpy
import torch

import gaudi_mlir
import gaudi_mlir.torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up = torch.nn.Linear(8, 16)
        self.act = torch.nn.GELU()
        self.down = torch.nn.Linear(16, 4)

    def forward(self, x):
        return self.down(self.act(self.up(x)))


def test_the_module_that_differs(tmp_path):
    torch.manual_seed(0)
    model, x = Net().eval(), torch.randn(5, 8)
    exported = gaudi_mlir.torch.export(model, (x,))
    names = gaudi_mlir.torch.dump_values(model, (x,), tmp_path, exported=exported)
    assert names == ["up", "act", "down"]
    golden = {name: numpy.load(tmp_path / f"{name}.npy") for name in names}
    numpy.testing.assert_array_equal(numpy.load(tmp_path / "inputs" / "0.npy"), x.numpy())
    places = (tmp_path / "places.txt").read_text().splitlines()
    inputs = [numpy.load(tmp_path / "inputs" / "0.npy")]
    options = {"inputs": inputs, "places": places, "resources": exported.text.resources or None}
    found = gaudi_mlir.bisect_model(exported.mlir, golden=golden, **options)
    assert found["kind"] == "none" and found["within"] == 3, found
    # Another approximation of the same function.
    model.act = torch.nn.GELU(approximate="tanh")
    gaudi_mlir.torch.dump_values(model, (x,), tmp_path)
    golden = {name: numpy.load(tmp_path / f"{name}.npy") for name in names}
    found = gaudi_mlir.bisect_model(exported.mlir, golden=golden, **options)
    assert found["kind"] == "golden" and found["op"]["name"] == "act", found


def test_modules_that_run_twice_are_left_out(tmp_path):
    block = torch.nn.Linear(4, 4)
    assert gaudi_mlir.torch.dump_values(torch.nn.Sequential(block, block), torch.ones(2, 4), tmp_path) == []
    assert not (tmp_path / "0.npy").exists()
