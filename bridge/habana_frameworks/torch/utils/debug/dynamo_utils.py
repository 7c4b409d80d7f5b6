# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the ops of graphs that are compiled."""
import dataclasses

import torch

from ...dynamo.compile_backend import graphs


@dataclasses.dataclass
class OpCount:
    graph_count: int = 0
    """Calls in launches."""
    eager_count: int = 0
    """Calls beside them."""


def _is_on_card(node: torch.fx.Node) -> bool:
    value = node.meta.get("val")
    values = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(each, torch.Tensor) and each.device.type == "hpu" for each in values)


class FxGraphAnalyzer:
    """What hpu_backend compiles in the `with` block: for each graph the calls of each op, and how many
    launches the graphs have. `reset_dynamo` forgets first what was compiled before;
    `capture_non_hpu_output` also counts ops whose result is no tensor of the card."""

    def __init__(self, reset_dynamo: bool = False, capture_non_hpu_output: bool = False) -> None:
        self._reset = reset_dynamo
        self._all = capture_non_hpu_output
        self._summaries: list[dict[str, OpCount]] = []
        self._launches = 0

    def __enter__(self):
        if self._reset:
            torch._dynamo.reset()
        graphs.listeners.append(self._add)
        return self

    def __exit__(self, *_) -> None:
        graphs.listeners.remove(self._add)

    def _add(self, ops: list[graphs.Op], launches: int) -> None:
        self._launches += launches
        counts: dict[str, OpCount] = {}
        for op in ops:
            if not self._all and not _is_on_card(op.node):
                continue
            count = counts.setdefault(f"torch.ops.{op.node.target}", OpCount())
            if op.is_compiled:
                count.graph_count += 1
            else:
                count.eager_count += 1
        self._summaries.append(counts)

    def get_ops_summary(self) -> list[dict[str, OpCount]]:
        """For each graph "torch.ops.aten.add.Tensor" and so on."""
        return self._summaries

    def get_partition_num(self) -> int:
        """Launches of all graphs."""
        return self._launches
