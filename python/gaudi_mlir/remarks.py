# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes of the compiler did and did not do."""

from __future__ import annotations

from collections import Counter
from typing import Callable, Iterable, NamedTuple, Sequence, overload

from . import _messages
from ._text import plural, table

KINDS = ("missed", "failed", "passed", "analysis")
"""The kinds of remarks, in the order in which they are shown."""


class Remark(NamedTuple):
    """One thing that a pass did, or why it did not do it."""

    pass_name: str
    """ "gaudi-fuse-tpc" """
    kind: str
    """ "passed", "missed", "failed" or "analysis" """
    location: str
    """ "file:line:column" of the model, or "" """
    text: str
    name: str = ""
    """What of the pass it is about: "keep-apart"."""
    lost_us: float | None = None
    """Of a missed one, the time on the device that was lost at most, where that is known."""
    lost_bytes: int | None = None
    """The same in bytes of device memory."""

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        return f"{place}{self.kind}: {self.text} [{self.pass_name}]"


class Remarks(Sequence[Remark]):
    """A list of remarks that can be filtered; prints counts, and what was missed, by its cost."""

    _SHOWN = 10

    def __init__(self, remarks: Iterable[Remark] = ()) -> None:
        self._remarks = tuple(remarks)

    @overload
    def __getitem__(self, index: int) -> Remark: ...

    @overload
    def __getitem__(self, index: slice) -> Remarks: ...

    def __getitem__(self, index: int | slice) -> Remark | Remarks:
        if isinstance(index, slice):
            return Remarks(self._remarks[index])
        return self._remarks[index]

    def __len__(self) -> int:
        return len(self._remarks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remarks) and self._remarks == other._remarks

    def __hash__(self) -> int:
        return hash(self._remarks)

    def where(self, *, kind: str | None = None, pass_name: str | None = None,
              test: Callable[[Remark], bool] | None = None) -> Remarks:
        """Those of the kind, of the pass, and for which the test holds."""
        if kind is not None and kind not in KINDS:
            raise _messages.not_a_choice("kind", kind, KINDS)
        return Remarks(remark for remark in self._remarks
                       if kind in (None, remark.kind) and pass_name in (None, remark.pass_name)
                       and (test is None or test(remark)))

    @property
    def missed(self) -> Remarks:
        """What a pass looked at and did not do, with the reason."""
        return self.where(kind="missed")

    @property
    def passed(self) -> Remarks:
        return self.where(kind="passed")

    @property
    def analysis(self) -> Remarks:
        return self.where(kind="analysis")

    def by_kind(self) -> dict[str, int]:
        """Numbers of remarks, what was missed first."""
        counts = Counter(remark.kind for remark in self._remarks)
        kinds = [*KINDS, *sorted(set(counts) - set(KINDS))]
        return {kind: counts[kind] for kind in kinds if counts[kind]}

    def by_pass(self) -> dict[str, dict[str, int]]:
        """Numbers of remarks by kind of each pass, in the order of their first remarks."""
        passes = dict.fromkeys(remark.pass_name for remark in self._remarks)
        return {name: self.where(pass_name=name).by_kind() for name in passes}

    def __repr__(self) -> str:
        if not self._remarks:
            return "no remarks"
        kinds = list(self.by_kind())
        rows = [("pass", *kinds)]
        rows += [(name, *(str(counts.get(kind, "-")) for kind in kinds))
                 for name, counts in self.by_pass().items()]
        lines = [plural(len(self), "remark"), table(rows, right=range(1, len(kinds) + 1))]
        for kind in kinds:
            some = self.where(kind=kind)
            if kind not in ("missed", "failed") and len(kinds) > 1:
                continue
            lines.append(f"{kind}:")
            costly = sorted(some, key=lambda remark: (-(remark.lost_us or 0),
                                                      -(remark.lost_bytes or 0)))
            lines += [f"  {remark.location or '-'}: {remark.text} [{remark.pass_name}]"
                      for remark in costly[:self._SHOWN]]
            if len(some) > self._SHOWN:
                lines.append(f"  ... and {len(some) - self._SHOWN} more: .where(kind={kind!r})")
        return "\n".join(lines)
