# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands of the wheel that are not in Python."""
import pathlib
import subprocess
import sys

import pytest

_BUILT = pathlib.Path(__file__).parents[2] / "build" / "release" / "bin"


def run(folder: pathlib.Path, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """As the command of the wheel does, whose package is `folder`."""
    script = ("import sys, gaudi_programs as programs; programs._folder = lambda: sys.argv.pop(1); "
              f"sys.exit(programs.{command}())")
    return subprocess.run([sys.executable, "-c", script, str(folder), *arguments],
                          capture_output=True, text=True, check=False)


@pytest.mark.skipif(not (_BUILT / "plan-buckets").exists(), reason="the programs are not built")
def test_programs_replace_python(tmp_path: pathlib.Path) -> None:
    (tmp_path / "bin").symlink_to(_BUILT)
    done = run(tmp_path, "plan_buckets", "--help")
    assert done.returncode == 0 and "plan-buckets" in done.stdout
    assert run(tmp_path, "plan_buckets", "--nonsense").returncode == 2


@pytest.mark.parametrize("command", ["gaudi_run", "gaudi_opt", "gaudi_smi", "plan_buffers"])
def test_what_is_not_there(tmp_path: pathlib.Path, command: str) -> None:
    done = run(tmp_path, command)
    name = command.replace("_", "-")
    assert done.returncode == 2
    assert done.stderr.startswith(f"{name}: error: cannot run '{tmp_path}/")
    assert done.stderr.endswith("; install the wheel gaudi-mlir again\n")
