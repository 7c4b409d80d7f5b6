# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What batches of a model take on the card."""

from __future__ import annotations

import json as json_module
from typing import Any, NamedTuple

from ._text import bytes_text, table, time_text


class BatchPoint(NamedTuple):
    """A batch that was planned."""

    batch: int
    needed: int
    """Bytes of device memory."""
    time_us: float
    """Of a launch, predicted."""

    @property
    def time_per_sample_us(self) -> float:
        return self.time_us / self.batch


class BatchSweep:
    """Memory and predicted time of batches up to the largest that fits.

    `json` has everything, with the keys of `gaudi-run --batch-sweep`.
    """

    def __init__(self, json: str | dict[str, Any]) -> None:
        self.json: dict[str, Any] = json_module.loads(json) if isinstance(json, str) else json
        batch = self.json["batch"]
        self.device: str = self.json["device"]
        self.limit: int = batch["limit"]
        """Bytes of device memory."""
        self.points: tuple[BatchPoint, ...] = tuple(
            BatchPoint(each["batch"], each["needed"], each["time_us"])
            for each in batch["planned"] if each["needed"] <= self.limit and "time_us" in each)
        self.largest: int | None = batch["largest"]
        """That fits; None: none does."""
        self.fastest: int | None = batch.get("fastest")
        """That with the least time for each sample."""

    def __repr__(self) -> str:
        batch = self.json["batch"]
        inputs = ", ".join(f"'{each['name']}'" for each in batch["inputs"])
        lines = [f"batches of {inputs} on {self.device} ({bytes_text(self.limit)})"]
        rows = [("batch", "memory", "launch", "per sample")]
        rows += [(str(each.batch), bytes_text(each.needed), time_text(each.time_us),
                  time_text(each.time_per_sample_us)) for each in self.points]
        lines.append(table(rows, right=range(4)))
        smallest = min(batch["planned"], key=lambda each: each["batch"], default=None)
        lines.append(f"no batch fits: {smallest['batch']} needs {bytes_text(smallest['needed'])}"
                     if self.largest is None and smallest else
                     f"largest batch that fits: {self.largest}" +
                     (f" (the next one: {batch['refused']})" if "refused" in batch else ""))
        if self.fastest is not None:
            lines.append(f"least time per sample: a batch of {self.fastest}")
        return "\n".join(lines)
