# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of PyTorch's own suites on "hpu" (scripts/bridge-suites.py): all right, most without the CPU."""
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "bridge-suites.py"
SUITES = ["op_db float32", "op_db float32 in place", "op_db float32 out", "op_db float32 views",
          "op_db float32 backward", "op_db bfloat16", "op_db int64", "module_db float32 backward"]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    state = tmp_path_factory.mktemp("suites") / "state.jsonl"
    return subprocess.run([sys.executable, SCRIPT, "--state", state, "--limit", "8", "--samples", "1", "--budget", "6",
                           "--seconds", "60", "--jobs", "2", "--least", "85", *SUITES], capture_output=True, text=True)


def test_a_sample_is_right(judged):
    assert judged.returncode == 0, judged.stdout + judged.stderr
    rows = [line.split("|")[1:-1] for line in judged.stdout.splitlines() if line.startswith("| ")][1:]
    assert {row[0].strip() for row in rows} == set(SUITES)
    assert sum(int(row[2]) for row in rows) >= 20, judged.stdout
