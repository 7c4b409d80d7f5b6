#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the diagnostics of lib/ and tools/ that no test mentions.

A diagnostic is a string literal in a call that reports one (emitError,
emitOpError, error, fail, reject, add, ...) together with the literals streamed
or added to it. It counts as tested when its longest literal piece (or the
pieces of one call in one file) occurs in a file under test/. The match is by
text, so it proves that a test names the message, not that the message comes out:
the tests themselves do that. A literal of fmt or formatv is cut at its
placeholders.

Prints file:line and the message per miss, then a count per room. With --check
the misses of scripts/untested-diagnostics.txt (a file and a piece of the message
per line, with the reason as a comment) are allowed; exit code 1 when there is
another, or when a line of that list is no miss any more.
"""

import argparse
import pathlib
import re
import sys
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parent.parent
CALL = re.compile(r"\b(?:emitOpError|emitError|emitWarning|error|fail|failure|"
                  r"reject|unsupported|warn|usage|bad|invalid)\s*\(")
# Where a refusal ends in an error; elsewhere it is the reason of a remark.
REFUSAL = re.compile(CALL.pattern.replace("reject", r"reject|refuse|report\.add"))
REFUSING = {"lib/Conversion/StablehloToGaudi", "lib/Conversion/TorchToGaudi", "lib/Conversion/TosaToGaudi"}
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
PLACEHOLDER = re.compile(r"\{[0-9]*(?::[^{}]*)?\}")
ALLOWED = ROOT / "scripts" / "untested-diagnostics.txt"
TEST_SUFFIXES = {".mlir", ".test", ".cpp", ".py", ".txt", ".recipe", ".sh", ".h", ".td"}


def unescape(text):
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def statement(text, start):
    """The source from `start` to the `;` that ends the statement."""
    depth, i = 0, start
    while i < len(text):
        c = text[i]
        if c == '"':
            i = LITERAL.match(text, i).end() if LITERAL.match(text, i) else i + 1
            continue
        if c == "'" and i + 2 < len(text):
            i += 4 if text[i + 1] == "\\" else 3
            continue
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if depth < 0 or (depth == 0 and c == ";"):
            break
        i += 1
    return text[start:i]


def without_comments(text):
    keep = lambda m: m[0] if m[0].startswith('"') else " " * len(m[0])
    return re.sub(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*', keep, text)


def diagnostics(path):
    text = without_comments(path.read_text(errors="replace"))
    position = 0
    call = REFUSAL if str(path.parent.relative_to(ROOT)) in REFUSING else CALL
    for match in call.finditer(text):
        if match.start() < position:
            continue
        body = statement(text, match.start())
        position = match.start() + len(body)
        # Adjacent literals are one.
        joined = re.sub(r'"\s*\n\s*"', "", body)
        pieces = [piece for m in LITERAL.finditer(joined)
                  for piece in PLACEHOLDER.split(unescape(m[1]))]
        pieces = [piece.replace("{{", "{").replace("}}", "}") for piece in pieces]
        pieces = [p for p in pieces if len(re.sub(r"[^A-Za-z]", "", p)) >= 3]
        if pieces:
            yield text.count("\n", 0, match.start()) + 1, pieces


def allowed_misses():
    """Yields (file, piece of the message) of the allow-list."""
    if not ALLOWED.exists():
        return
    for line in ALLOWED.read_text().splitlines():
        line = line.split("#")[0].strip()
        if line:
            path, text = line.split(": ", 1)
            yield path, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true",
                        help="exit with 1 when a diagnostic is untested")
    parser.add_argument("room", nargs="*", default=["lib", "tools"],
                        help="folders to look at (default: lib tools)")
    args = parser.parse_args()
    tests = [p.read_text(errors="replace") for p in sorted((ROOT / "test").rglob("*"))
             if p.is_file() and p.suffix in TEST_SUFFIXES and "models" not in p.parts]
    # C++ tests break long literals as the sources do.
    tests = (
        [unescape(re.sub(r'"[ \t]*\n\s*"', "", t)) for t in tests]
        + [re.sub(r"\s*\n\s*", " ", t) for t in tests]
        + tests
    )
    misses, total = Counter(), Counter()
    allowed = set(allowed_misses()) if args.check else set()
    unused = set(allowed)
    for folder in args.room:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".cpp", ".h"):
                continue
            room = str(path.parent.relative_to(ROOT))
            for line, pieces in diagnostics(path):
                total[room] += 1
                longest = max(pieces, key=len).strip()
                if any(longest in test for test in tests):
                    continue
                name = str(path.relative_to(ROOT))
                match = [a for a in allowed if a[0] == name and a[1] in " ... ".join(pieces)]
                if match:
                    unused.difference_update(match)
                    continue
                misses[room] += 1
                print(f"{path.relative_to(ROOT)}:{line}: {' ... '.join(pieces)}")
    for path, text in sorted(unused):
        print(f"{ALLOWED.relative_to(ROOT)}: '{path}: {text}' is tested or gone; remove the line")
    print()
    for room in total:
        print(f"{misses[room]:4} of {total[room]:4} untested  {room}")
    print(f"{sum(misses.values()):4} of {sum(total.values()):4} untested")
    return 1 if args.check and (misses or unused) else 0


if __name__ == "__main__":
    sys.exit(main())
