# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graph breaks and recompiles of torch.compile, with what would avoid them."""
import dataclasses
import re

import torch._dynamo.utils as dynamo

_last_metric = None  # before those that count: PyTorch keeps the newest 64 only
_first_break = 0


@dataclasses.dataclass
class GraphBreak:
    """Where torch.compile could not go on, so that a graph ends."""
    location: str
    reason: str
    hint: str

    def __str__(self) -> str:
        return f"{self.location}: {self.reason}" + (f"; {self.hint}" if self.hint else "")


@dataclasses.dataclass
class Recompile:
    """A function that was compiled again."""
    location: str
    function: str
    reason: str
    avoided_by: str

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        return f"{place}{self.function}: {self.reason}; avoided by: {self.avoided_by}"


# What a failed guard says, and what avoids it (the bridge recompiles for the same causes).
_REMEDIES = (
    (r"size mismatch", "padding that dimension to a few sizes (buckets), or "
     "torch._dynamo.mark_dynamic, which keeps the trace and compiles a recipe per size"),
    (r"stride mismatch", "inputs of one order in memory (.contiguous())"),
    (r"rank mismatch", "inputs of the same rank (unsqueeze or flatten before the call)"),
    (r"dtype mismatch", "inputs of one type (.to(dtype) before the call)"),
    (r"requires_grad mismatch", "calls of one kind: all with gradients, or all under no_grad"),
    (r"dispatch key set mismatch", "one mode for all calls (inference_mode, no_grad, autocast)"),
    (r"grad_mode|GLOBAL_STATE|autocast", "one global state for all calls (no_grad, autocast, "
     "default type)"),
    (r"\.training\b|training ==", "separate compiled functions for .train() and .eval()"),
    (r"___check_obj_id|___check_type_id|ID_MATCH|TYPE_MATCH", "passing the same object at each "
     "call"),
    (r"len\(|___dict_contains|list_len|DICT", "containers of one length and the same keys"),
    (r"==", "passing the number as a tensor: Python numbers are constants of the recipe until they "
     "change once, and with dynamic=False always"),
)


# Breaks of which PyTorch's own hint does not help.
_HINTS = (
    (r"don't trace into fused optimizer", "give the optimizer fused=False: torch.compile traces no "
     "fused step, and a traced one is a graph for the device, with fused kernels of its own"),
    (r"aten\._ctc_loss", "set torch._dynamo.config.capture_dynamic_output_shape_ops = True and give "
     "the lengths as tensors"),
)


def remedy(reason: str) -> str:
    for pattern, text in _REMEDIES:
        if re.search(pattern, reason):
            return text
    return "keeping what this guard names the same at each call"


def _metrics() -> list:
    metrics = dynamo.get_compilation_metrics()
    before = [index for index, metric in enumerate(metrics) if metric is _last_metric]
    return metrics[before[0] + 1:] if before else metrics


def recompiles() -> list[Recompile]:
    result = []
    for metric in _metrics():
        if metric.recompile_reason:
            reason = metric.recompile_reason.split("\n")[0].split("  #")[0].strip()
            reason = re.sub(r"^\d+/\d+: ", "", reason)
            result.append(Recompile(f"{metric.co_filename}:{metric.co_firstlineno}",
                                    metric.co_name or "", reason,
                                    remedy(metric.recompile_reason.split("  #")[0])))
    return result


def graph_breaks() -> list[GraphBreak]:
    result = []
    for each in dynamo.graph_break_reasons[_first_break:]:
        frame = each.user_stack[-1] if each.user_stack else None
        location = f"{frame.filename}:{frame.lineno}" if frame else "unknown"
        lines = [line.strip() for line in each.reason.splitlines() if line.strip()]
        explanation = next((line.removeprefix("Explanation: ") for line in lines
                            if line.startswith("Explanation:")), lines[0] if lines else "")
        hint = next((line.removeprefix("Hint: ") for line in lines if line.startswith("Hint:")), "")
        hint = next((text for pattern, text in _HINTS if re.search(pattern, explanation)), hint)
        entry = GraphBreak(location, explanation.rstrip("."), hint.rstrip("."))
        if entry not in result:
            result.append(entry)
    return result


def reset() -> None:
    """Leaves out what has happened so far."""
    global _last_metric, _first_break
    metrics = dynamo.get_compilation_metrics()
    _last_metric = metrics[-1] if metrics else None
    _first_break = len(dynamo.graph_break_reasons)
