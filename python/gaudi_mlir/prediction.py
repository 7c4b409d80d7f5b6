# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one launch would take on the card."""

from __future__ import annotations

import json as json_module
from dataclasses import dataclass
from typing import Any

from ._text import bytes_text, digits, plural, table, time_text


@dataclass(frozen=True)
class EngineShare:
    """How one kind of engine spends the launch."""

    name: str
    engines: int
    commands: int
    busy_us: float
    share: float
    """The part of the launch in which it works, from 0 to 1."""
    exposed_us: float
    """The time in which no other engine works."""


@dataclass(frozen=True)
class Advice:
    """What would make the launch faster."""

    title: str
    text: str
    gain_us: float
    locations: tuple[str, ...]


@dataclass(frozen=True)
class ModuleCost:
    """What a module of the model, or its backward, takes of a launch."""

    name: str
    """"encoder.layers.3", "encoder.layers.3 backward"; "" for what no module has."""
    time_us: float
    """Of its commands, which may overlap with others."""
    commands: int
    peak_bytes: int
    """Of its intermediate tensors, at the moment when those of the launch take most."""


def _modules(location: str) -> list[str]:
    """Of "encoder.layers.3 at model.py:7:1, model.py:8:1": "encoder.layers.3" and ""."""
    return list(dict.fromkeys(name if found else "" for name, found, _ in
                              (place.partition(" at ") for place in location.split(", "))))


class Prediction:
    """What one launch would take on the card, by the time model (docs/device-time.md).

    `json` has everything, with the keys of docs/gaudi-run.md.
    """

    def __init__(self, json: str | dict[str, Any]) -> None:
        self.json: dict[str, Any] = json_module.loads(json) if isinstance(json, str) else json
        self.device: str = self.json["device"]
        self.entry: str = self.json["entry"]
        self.time_us: float = self.json["time_us"]
        self.launch_us: float = self.json["launch_us"]
        """What of the time is before the first command."""
        self.flops: int = self.json["flops"]
        self.hbm_bytes: int = self.json["hbm_bytes"]
        self.mme_utilization: float = self.json["mme_utilization"]

    @property
    def engines(self) -> dict[str, EngineShare]:
        return {name: EngineShare(name, engine["engines"], engine["commands"], engine["busy_us"],
                                  engine["share"], engine["exposed_us"])
                for name, engine in self.json["engines"].items()}

    @property
    def memory(self) -> Any:
        return self.json["memory"]

    @property
    def modules(self) -> tuple[ModuleCost, ...]:
        """By the names that locations begin with, the longest time first; a command of several
        modules counts in equal shares."""
        times: dict[str, float] = {}
        counts: dict[str, int] = {}
        peaks: dict[str, int] = {}
        for command in self.json["commands"]:
            names = _modules(command["location"])
            for name in names:
                times[name] = times.get(name, 0.0) + \
                    (command["end_us"] - command["start_us"]) / len(names)
                counts[name] = counts.get(name, 0) + 1
        moment = max(self.memory["in_use"], key=lambda each: each[1], default=(0, 0))[0]
        for buffer in self.memory["buffers"]:
            if buffer["from_us"] <= moment < buffer["to_us"]:
                names = _modules(buffer["location"])
                for name in names:
                    peaks[name] = peaks.get(name, 0) + buffer["bytes"] // len(names)
        return tuple(ModuleCost(name, times.get(name, 0.0), counts.get(name, 0),
                                peaks.get(name, 0))
                     for name in sorted(times.keys() | peaks.keys(),
                                        key=lambda name: -times.get(name, 0.0)))

    @property
    def advice(self) -> tuple[Advice, ...]:
        """The largest gain first."""
        return tuple(Advice(advice["title"], advice["text"], advice["gain_us"],
                            tuple(advice["locations"])) for advice in self.json["advice"])

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers leave out."""
        return tuple(self.json["notes"])

    def _bucket(self) -> str:
        """Of dynamic sizes: " of batch 8, seq 4096"."""
        buckets = self.json.get("buckets") or {"symbols": [], "rows": []}
        sizes = next((row["sizes"] for row in buckets["rows"] if row["predicted"]), [])
        named = ", ".join(f"{name} {size}" for name, size in zip(buckets["symbols"], sizes))
        return f" of {named}" if named else ""

    def __repr__(self) -> str:
        lines = [f"predicted for {self.device}, entry '{self.entry}'{self._bucket()}: "
                 f"{time_text(self.time_us)} per launch, of which {time_text(self.launch_us)} before "
                 "the first command",
                 f"  MME utilisation {digits(100 * self.mme_utilization)} %, "
                 f"{bytes_text(self.hbm_bytes)} of HBM traffic"]
        rows = [(engine.name, plural(engine.commands, "command"),
                 f"{digits(100 * engine.share)} %", f"busy {time_text(engine.busy_us)}")
                for engine in self.engines.values() if engine.commands]
        if rows:
            lines += ["engines (share of the launch in which they work)",
                      table(rows, right=(1, 2))]
        memory = self.memory
        fits = "fits" if memory["fits"] else "does not fit"
        lines.append(f"memory: needs {bytes_text(memory['needed'])} of "
                     f"{bytes_text(memory['capacity'])}: {fits}")
        lines += [f"note: {note}" for note in self.notes]
        lines += [f"advice: {advice.title}: saves {time_text(advice.gain_us)}"
                  for advice in self.advice[:3]]
        return "\n".join(lines)
