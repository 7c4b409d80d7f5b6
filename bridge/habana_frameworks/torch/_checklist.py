# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The checklist of the optimization of models, answered for a script that has run: each point with
evidence, and with what following it would gain.

Gains are of one step. Where they concern the card or the calls of the host, the calls of the steps
are replayed with the change (_observed.replay); compilation and loaders are measured on this host.
"""
import dataclasses

import torch

from gaudi_mlir._text import bytes_text, digits, plural, table, time_text

from . import _C
from ._observed import Observation
from ._points import POINTS, Answer, Finding, Run


@dataclasses.dataclass
class Report:
    """Its text is for people, as_dict() for programs."""
    script: str
    mode: str
    device: str
    loops: list[dict]
    ended_loops: dict[str, int]
    stopped_at: str
    error: str
    peak_memory: int
    capacity: int
    findings: list[Finding]
    points: list[Answer]

    def as_dict(self) -> dict:
        return {"schema": "gaudi-check/1", **dataclasses.asdict(self)}

    def __str__(self) -> str:
        lines = [f"gaudi-check of {self.script}: {self.mode} mode on {self.device}, "
                 f"{bytes_text(self.peak_memory)} of {bytes_text(self.capacity)} of memory"
                 if self.device else f"gaudi-check of {self.script}: it has not used the card; "
                 "move the model and its inputs there: .to(\"hpu\")"]
        for each in self.loops:
            text = f"{each['kind']} at {each['where']}: {plural(each['steps'], 'step')}"
            if each["step_us"] is not None:
                text += f", predicted {time_text(each['step_us'])} a step: the card works " \
                    f"{time_text(each['card_us'])}, the host calls it for " \
                    f"{time_text(each['host_us'])} ({digits(each['launches_per_step'])} launches)"
            lines.append(text)
        lines += [f"the loop at {place} was ended after {plural(steps, 'step')}"
                  for place, steps in self.ended_loops.items()]
        if self.stopped_at:
            lines.append(f"the script was stopped at {self.stopped_at}: what comes after it is not "
                         "in the report")
        if self.error:
            lines.append(f"the script has raised {self.error}")
        lines.append(f"to change: {len(self.findings)}")
        for number, each in enumerate(self.findings, 1):
            lines.append(f"  {number}. {each}")
            lines.append(f"     {each.evidence}" +
                         (f" (see {', '.join(each.also)})" if each.also else ""))
            lines.append(f"     next: {each.next}")
        for status, head in (("note", "to know"), ("fine", "fine"),
                             ("not applicable", "not asked here")):
            found = [each for each in self.points if each.status == status]
            if found:
                lines.append(f"{head}: {len(found)}")
                lines.append(table([[each.name, each.text] for each in found]))
        return "\n".join(lines)


def _answers(run: Run) -> tuple[list[Finding], list[Answer]]:
    """Of all points; what gains most comes first."""
    points = [point(run) for point in POINTS]
    for each in points:
        each.ask()
    findings = sorted((one for each in points for one in each.findings),
                      key=lambda each: -each.gain_us)
    answers = []
    for each in points:
        faults = [str(one) for one in findings if one.point == each.key]
        if faults:
            answers.append(Answer(each.key, each.name, "fault", "; ".join(faults)))
        elif each.answer:
            answers.append(each.answer)
    return findings, answers


def check(seen: Observation, script: str, ended: dict[str, int], stopped_at: str,
          error: str) -> Report:
    """What the script has been seen to do, by the points of the list."""
    is_open = _C.is_open(-1)
    run = Run(seen)
    findings, answers = _answers(run) if is_open else ([], [])
    loops = []
    for loop in run.loops:
        launches = sum(call.name in ("Launch", "GraphReplay") for call in loop.calls)
        loops.append({
            "kind": loop.kind, "where": loop.where, "steps": len(loop.steps),
            "step_us": loop.step_us(), "card_us": loop.card_us(), "host_us": loop.host_us(),
            "launches_per_step": launches / loop.timed if loop.timed else 0.0,
            "samples": max((step.samples for step in loop.steps), default=0)})
    return Report(
        script, run.mode(), _C.kind(-1) if is_open else "", loops, ended, stopped_at, error,
        torch.hpu.max_memory_allocated() if is_open else 0,
        torch.hpu.mem_get_info()[1] if is_open else 0, findings, answers)
