# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the lines of a module are from: scopes of JAX, nodes of ONNX, lines of Python."""
import os
import re

MODULE = "<module>"
"""The file that a text is called as long as it is in none."""

_ALIAS = re.compile(r"^(#loc\d*) = loc\((.*)\)$", re.M)
_NAMED = re.compile(r'"((?:[^"\\]|\\.)*)"(?:\((.*)\))?')
_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)(?: to .*)?')
_AT_END = re.compile(r" loc\((.*)\)$")
_JIT = re.compile(r"p?jit\(.*\)")
# What JAX wraps scopes in; the gradient of one is transpose(jvp(scope)).
_WRAPPED = re.compile(r"(?:jvp|transpose|vmap|remat|checkpoint|rematted_computation)\((.*)\)")


def of_text(debug: str, count: int) -> list[str]:
    """The place of each line of a module that is printed without locations in `count` lines, given
    the text with them: "encoder.layer0 backward at train.py:7:5"; none if the lines do not agree."""
    aliases = dict(_ALIAS.findall(debug))
    lines = [line for line in debug.split("\n") if not line.startswith("#loc")]
    if len(lines) != count:
        return []
    places = [""] * count
    known: dict[str, tuple[str, str]] = {}
    begun: list[int] = []  # ops with regions say theirs at the end
    for index, line in enumerate(lines):
        found = _AT_END.search(line)
        text = line[:found.start()].rstrip() if found else line.rstrip()
        owner = index
        if text.lstrip().startswith("}") and begun:
            owner = begun.pop()
        if text.endswith("{"):
            begun.append(index)
        if found:
            if found[1] not in known:
                name, where = _resolved(found[1], aliases)
                # Constants of a whole function of JAX are nobody's.
                known[found[1]] = ("", "") if _JIT.fullmatch(name) else (_module(name), where)
            name, where = known[found[1]]
            if name and not where:
                where = f"{MODULE}:{owner + 1}:1"
            places[owner] = " at ".join(filter(None, [name, where]))
    return places


def _resolved(body: str, aliases: dict[str, str], depth: int = 0) -> tuple[str, str]:
    """The outermost name and the innermost place of a location."""
    if depth > 50:
        return "", ""
    if body in aliases:
        return _resolved(aliases[body], aliases, depth + 1)
    if found := _FILE.fullmatch(body):
        return "", f"{os.path.basename(found[1])}:{found[2]}:{found[3]}"
    if body.startswith("callsite("):
        return _resolved(body[len("callsite("):].split(" at ")[0], aliases, depth + 1)
    if body.startswith("fused"):
        inside = body[body.find("[") + 1:body.rfind("]")]
        parts = [_resolved(each.strip(), aliases, depth + 1) for each in inside.split(", ")]
        return next((part for part in parts if any(part)), ("", ""))
    if found := _NAMED.fullmatch(body):
        child = _resolved(found[2], aliases, depth + 1) if found[2] else ("", "")
        return found[1], child[1]
    return "", ""


def _module(name: str) -> str:
    """ "encoder.layer0 backward" of "jit(f)/transpose(jvp(encoder))/layer0/dot_general"; a name
    without a path is one."""
    *scopes, last = name.split("/")
    if not scopes:
        return "" if name.startswith("<") else last
    parts = []
    for scope in scopes:
        if _JIT.fullmatch(scope) or scope in ("shard_map", "while", "body", "cond", "scan"):
            continue
        while found := _WRAPPED.fullmatch(scope):
            scope = found[1]
        parts.append(scope)
    path = ".".join(filter(None, parts))
    return path + " backward" if path and "transpose(" in name else path
