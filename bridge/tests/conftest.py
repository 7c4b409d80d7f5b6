# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device type is there once PyTorch is imported; here the import says so itself."""
import os
import subprocess
import sys

os.environ.setdefault("PT_HPU_LAZY_MODE", "0")

import habana_frameworks.torch  # noqa: E402, F401
import pytest  # noqa: E402


@pytest.fixture
def run_python():
    """Runs a program in a process of its own, which must end in time; (exit code, output, errors)."""
    def run(program: str, seconds: int = 240, **variables):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=seconds, env={**os.environ, **variables})
        return done.returncode, done.stdout, done.stderr
    return run
