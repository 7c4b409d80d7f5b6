# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of docs/python.md, and the stubs of the extension module."""

from __future__ import annotations

import ast
import os
import pathlib
import re
import subprocess
import sys

import gaudi_mlir
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("page, needed", [
    ("python.md", []),
    ("device.md", ["docs/examples/card.py"]),
])
def test_page(tmp_path: pathlib.Path, page: str, needed: list[str]) -> None:
    package = pathlib.Path(gaudi_mlir.__file__).parents[1]
    environment = {
        **os.environ,
        "PATH": f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(package.absolute()),
        # Cards of this test, whatever other processes of the user have.
        "XDG_RUNTIME_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, ROOT / "test/Docs/Inputs/run_page.py", ROOT / "docs" / page,
         tmp_path / "page", *needed],
        cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout


def test_page_has_the_table_of_host_times() -> None:
    times = (ROOT / "include/Gaudi/Runtime/Device/HostTimes.def").read_text()
    entries = re.findall(r'^GAUDI_HOST_TIME\((\w+), (\d+), (\w+), "(.*)"\)$', times, re.M)
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*) \((\w+)\) \|$",
                      (ROOT / "docs/device.md").read_text(), re.M)
    assert len(entries) > 10
    assert rows == [(name, time, source, certainty.lower())
                    for name, time, certainty, source in entries]


def members(tree: ast.AST) -> set[str]:
    return {node.name for node in ast.iter_child_nodes(tree)
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def test_stubs_name_what_the_extension_has() -> None:
    core = gaudi_mlir._core
    tree = ast.parse((pathlib.Path(gaudi_mlir.__file__).parent / "_core.pyi").read_text())
    assert members(tree) == {name for name in dir(core) if not name.startswith("__")}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            kind = getattr(core, node.name)
            own = {name for name in vars(kind) if not name.startswith("__")}
            assert members(node) - {"__init__"} == own, node.name
