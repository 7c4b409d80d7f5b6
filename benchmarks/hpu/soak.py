# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many training steps on hpu: what grows. Prints memory of the host and of the card and sizes of
caches as it goes, and fails if one is larger at the end than after the first tenth.

Usage: soak.py [--steps N] [--mode eager|compile|lazy] [--slack MIB]
"""
import argparse
import gc
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

import habana_frameworks.torch.core as htcore
from habana_frameworks.torch import _C


class _Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm = nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4)
        self.drop, self.fc = nn.Dropout(0.1), nn.Linear(4 * 6 * 6, 10)

    def forward(self, x):
        return self.fc(self.drop(torch.flatten(F.relu(self.norm(self.conv(x))), 1)))


def _resident() -> int:
    """Bytes of this process in the host's memory."""
    with open("/proc/self/status", encoding="ascii") as file:
        line = next(each for each in file if each.startswith("VmRSS:"))
    return int(line.split()[1]) * 1024


def _sizes() -> dict[str, int]:
    """What may not grow; "recipes" are those of ops and of graphs."""
    gc.collect()
    torch.hpu.synchronize()
    stats = _C.memory_stats(-1)
    return {"host": _resident(), "card": stats["InUse"], "blocks": stats["TotalActiveAllocs"],
            "recipes": _C.eager_counts()[1] + _C.lazy_counts()["misses"], "objects": len(gc.get_objects())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--mode", choices=["eager", "compile", "lazy"], default="eager")
    parser.add_argument("--slack", type=float, default=8, help="MiB of the host that do not count")
    options = parser.parse_args()
    _C.set_lazy_mode(int(options.mode == "lazy"))
    torch.manual_seed(0)
    model = _Net().to("hpu")
    call = torch.compile(model, backend="hpu_backend") if options.mode == "compile" else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, options.steps)
    seen, begin = [], time.monotonic()
    for step in range(options.steps + 1):
        if step % max(options.steps // 10, 1) == 0:
            seen.append(_sizes())
            print(step, f"{time.monotonic() - begin:.1f} s",
                  *(f"{key} {value}" for key, value in seen[-1].items()), flush=True)
        x, labels = torch.randn(4, 1, 8, 8).to("hpu"), torch.randint(0, 10, (4,)).to("hpu")
        optimizer.zero_grad()
        loss = F.cross_entropy(call(x), labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        htcore.mark_step()
        if step % 10 == 0:
            loss.item()
    slack = {"host": options.slack * 2**20, "objects": 500}
    grown = [f"{key} has grown from {seen[1][key]} to {seen[-1][key]}" for key in seen[1]
             if seen[-1][key] > seen[1][key] + slack.get(key, 0)]
    if grown:
        sys.exit("; ".join(grown))
    print("nothing grows")


if __name__ == "__main__":
    main()
