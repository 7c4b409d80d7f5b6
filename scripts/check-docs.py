#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the pages: spelling, line width, links.

Spelling (codespell) covers all text of the tree; words of our own are in
scripts/spelling.txt. Prose of docs/*.md and the pages in the root is at most
100 columns wide; tables, code blocks and generated pages are not prose. A link
to a file of the tree must lead to one. Prints file:line per finding and exits
with 1 if there is one.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WIDTH = 100
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def pages():
    return sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def check_page(path):
    name, in_code, measured = path.relative_to(ROOT), False, False
    generated = "reference" in path.parts
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        if line.startswith("<!-- benchmarks:"):
            measured = "begin" in line  # written by benchmarks/run.sh
        prose = not (in_code or line.startswith("|") or generated or measured)
        if prose and len(line) > WIDTH and " " in line[:WIDTH].strip():
            yield f"{name}:{number}: {len(line)} columns; prose has at most {WIDTH}"
        for link in LINK.findall(line) if not in_code else ():
            if "://" not in link and not (path.parent / link).exists():
                yield f"{name}:{number}: no file '{link}'"


def spelling():
    if not shutil.which("codespell"):
        return ["codespell is missing; scripts/install-deps.sh installs it"]
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                           check=True).stdout.split()
    files = [file for file in files
             if not file.startswith(("test/models/", "LICENSE")) and (ROOT / file).exists()
             and file.endswith((".md", ".h", ".cpp", ".td", ".py", ".sh", ".fbs", ".mlir", ".test"))]
    done = subprocess.run(["codespell", "--ignore-words", "scripts/spelling.txt", *files], cwd=ROOT,
                          capture_output=True, text=True)
    return done.stdout.splitlines()


def main():
    findings = spelling() + [finding for path in pages() for finding in check_page(path)]
    print("\n".join(findings) if findings else f"{len(pages())} pages: spelling, width and links are right")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
