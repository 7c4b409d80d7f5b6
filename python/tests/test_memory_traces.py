# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/memory-traces.py: records of training steps, and playing them on a card."""

from __future__ import annotations

import importlib.util
import json
import pathlib
import sys
from typing import Any

import pytest

SCRIPT = pathlib.Path(__file__).parents[2] / "scripts/memory-traces.py"
spec = importlib.util.spec_from_file_location("memory_traces", SCRIPT)
traces = sys.modules["memory_traces"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(traces)

MIB = 1 << 20
HEADER = 128
IDLE = 4 * MIB + HEADER + 6 * 1024 * 128 + HEADER  # workspace and small region


@pytest.fixture(autouse=True)
def own_cards(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of this test, whatever other processes of the user have."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.delenv("HABANA_VISIBLE_MODULES", raising=False)


def phase(name: str) -> dict[str, Any]:
    return {"kind": "phase", "name": name}


def alloc(number: int, mib: int, stream: str = "compute") -> dict[str, Any]:
    return {"kind": "alloc", "id": number, "bytes": mib * MIB, "name": f"t{number}",
            "shape": f"{mib}x1048576xu8", "where": f"train.py:{number}", "stream": stream}


def free(number: int) -> dict[str, Any]:
    return {"kind": "free", "id": number}


def op(reads: list[int], writes: list[int]) -> dict[str, Any]:
    return {"kind": "op", "reads": reads, "writes": writes}


def copy(kind: str, number: int) -> dict[str, Any]:
    return {"kind": kind, "id": number}


STEP = [phase("parameters"), alloc(0, 2), op([], [0]),
        phase("1 forward"), alloc(1, 8, "up"), copy("up", 1), alloc(2, 4), op([0, 1], [2]),
        copy("down", 2),
        phase("1 backward"), free(1), alloc(3, 2), op([2], [3]), free(2),
        phase("1 optimizer"), op([3], [0]), free(3)]
# Six blocks, and room for 10 MiB only if the rest moves.
HOLES = [phase("parameters"), *(alloc(i, 4) for i in range(6)), free(1), free(3), alloc(6, 10)]
# What a copy still reads is freed, and wanted by the other stream.
PENDING = [phase("1 forward"), alloc(0, 16, "up"), copy("up", 0), free(0), alloc(1, 16)]


def test_rows_of_phases() -> None:
    play = traces.Play(STEP, 64 * MIB)
    assert play.error is None and play.runs(climbs=False)
    assert [(row.phase, row.in_use - IDLE, row.max_in_use - IDLE, row.blocks)
            for row in play.rows] == [
        ("parameters", 2 * MIB + HEADER, 2 * MIB + HEADER, 1),
        ("1 forward", 14 * MIB + 3 * HEADER, 14 * MIB + 3 * HEADER, 3),
        ("1 backward", 4 * MIB + 2 * HEADER, 14 * MIB + 3 * HEADER, 2),
        ("1 optimizer", 2 * MIB + HEADER, 4 * MIB + 2 * HEADER, 1)]
    last = play.rows[-1]
    assert last.largest_run == 64 * MIB - last.in_use and last.fragmentation == 0
    assert play.rows[2].worst >= play.rows[2].fragmentation >= 0 and play.rows[2].worst > 0
    assert traces.peak_of(STEP) == 14 * MIB


def test_defragments() -> None:
    play = traces.Play(HOLES, 32 * MIB)
    assert play.error is None and [(row.moved, row.waits) for row in play.rows] == [(1, 0)]
    assert play.runs(climbs=True) and not play.runs(climbs=False)
    assert traces.Play(HOLES, 64 * MIB).runs(climbs=False)


def test_waits() -> None:
    play = traces.Play(PENDING, 28 * MIB)
    assert play.error is None and [(row.moved, row.waits) for row in play.rows] == [(0, 1)]
    assert traces.Play(PENDING, 64 * MIB).runs(climbs=False)


def test_full_card_names_holders() -> None:
    play = traces.Play(HOLES, 24 * MIB)
    assert not play.runs(climbs=True)
    assert play.error.startswith("out of device memory: Allocation failed for size::4194304 ")
    assert "4.00 MiB in 1 block: 't0' 4x1048576xu8 (allocated at train.py:0)" in play.error


def test_least_capacity_is_where_it_changes() -> None:
    assert traces.least(lambda size: size >= 5 * MIB, 0, 8 * MIB) == 5 * MIB
    assert traces.least(lambda size: size >= 50 * MIB, 0, 8 * MIB) == 50 * MIB


def test_output(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, page = tmp_path / "record.jsonl", tmp_path / "page.md"
    record.write_text("".join(json.dumps(event) + "\n" for event in HOLES))
    page.write_text("before\n<!-- traces: begin -->\nold\n<!-- traces: end -->\nafter\n")
    assert traces.main(["--play", str(record), "--update-docs", str(page)]) == 0
    printed = capsys.readouterr().out
    assert "7 allocations of 34.00 MiB; 26.00 MiB live at most at once" in printed
    assert "MiB of memory, the least that it runs in" in printed
    assert printed.count("out of device memory: ") == 1
    text = page.read_text()
    assert text.startswith("before\n<!-- traces: begin -->\n```text\n") and "old" not in text
    assert text.endswith("```\n<!-- traces: end -->\nafter\n") and printed.strip() in text


def test_steps_that_repeat_are_one_line() -> None:
    events = [phase("parameters"), alloc(0, 2)]
    for step in range(1, 4):
        for part in ("forward", "backward", "optimizer"):
            events += [phase(f"{step} {part}"), alloc(10, 4), op([0], [10]), free(10)]
    lines = traces.table_of(traces.Play(events, 64 * MIB)).splitlines()
    assert [line.strip().split("  ")[0] for line in lines] == [
        "phase", "parameters", "1 forward", "1 backward", "1 optimizer", "2 as 1", "3 as 2"]


@pytest.mark.parametrize("events, message", [
    (["{"], "line 1: no JSON"),
    ([[]], "line 1: kind None is none of phase, alloc"),
    ([alloc(0, 1)], "line 1: the first event begins a phase"),
    ([phase("p"), {"kind": "free"}], "line 2: 'free' needs 'id' of int"),
    ([phase("p"), alloc(0, 1), alloc(0, 1)], "line 3: storage 0 is allocated already"),
    ([phase("p"), alloc(0, 0)], "line 2: storage 0 has 0 bytes"),
    ([phase("p"), alloc(0, 1, "left")], "line 2: no stream 'left'"),
    ([phase("p"), free(0)], "line 2: storage 0 is not allocated"),
    ([phase("p"), alloc(0, 1), op([0], [])], "line 3: an op writes something"),
    ([phase("p"), alloc(0, 1), free(0), op([], [0])], "line 4: storage 0 is not allocated"),
])
def test_damaged_records(tmp_path: pathlib.Path, events: list[Any], message: str) -> None:
    record = tmp_path / "record.jsonl"
    record.write_text("".join((event if isinstance(event, str) else json.dumps(event)) + "\n"
                              for event in events))
    with pytest.raises(SystemExit, match=message):
        traces.main(["--play", str(record)])


def test_records_steps_of_pytorch() -> None:
    pytest.importorskip("torch")

    def make(torch: Any) -> Any:
        model = torch.nn.Sequential()
        model.add_module("fc", torch.nn.Linear(1024, 1024, bias=False))
        model.add_module("act", torch.nn.Tanh())
        return (model, lambda parameters: torch.optim.SGD(parameters, 0.1, momentum=0.9),
                lambda: (torch.ones(256, 1024),), lambda model, x: model(x).sum(), True)

    events = traces.record(make)
    assert traces.parse([json.dumps(event) for event in events]) == events
    allocs = {event["id"]: event for event in events if event["kind"] == "alloc"}
    names = [event["name"] for event in allocs.values()]
    assert names[0] == "fc.weight" and allocs[1]["shape"] == "1024x1024xf32"
    assert all(event["where"].startswith(("test_memory_traces.py:", "memory-traces.py:"))
               for event in allocs.values())
    for name in ("fc.weight.grad", "fc mm", "act tanh", "batch[0]"):
        assert names.count(name) == traces.STEPS, name
    assert names.count("fc.weight.momentum_buffer") == 1
    # tanh needs its result, fc its input: both are 1 MiB, and on the host meanwhile.
    assert names.count("act tanh, from the host") == traces.STEPS
    assert sum(event["kind"] == "down" for event in events) == 2 * traces.STEPS
    # The weight and its momentum stay.
    left = set(allocs) - {event["id"] for event in events if event["kind"] == "free"}
    assert {allocs[each]["name"] for each in left} == {"fc.weight", "fc.weight.momentum_buffer"}
