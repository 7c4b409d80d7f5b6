# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a PyTorch model on the emulated gaudi2 and compares it with eager PyTorch."""
import sys

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(
    torch.nn.Conv2d(3, 8, 3, padding=1),
    torch.nn.BatchNorm2d(8),
    torch.nn.ReLU(),
    torch.nn.MaxPool2d(2),
    torch.nn.Flatten(),
    torch.nn.Linear(8 * 8 * 8, 32),
    torch.nn.GELU(),
    torch.nn.LayerNorm(32),
    torch.nn.Linear(32, 10),
).eval()
images = torch.randn(4, 3, 16, 16)
with torch.no_grad():
    eager = model(images)
    gaudi = torch.compile(model, backend="gaudi")(images)
print(gaudi[0])
worst = (gaudi - eager).abs().max().item()
print(f"largest difference from eager PyTorch: {worst:.1e}")
sys.exit(0 if worst < 1e-5 else 1)
