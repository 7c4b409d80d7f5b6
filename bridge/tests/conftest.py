# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device type is there once PyTorch is imported; here the import says so itself."""
import json
import os
import pathlib
import subprocess
import sys

os.environ.setdefault("PT_HPU_LAZY_MODE", "0")

import habana_frameworks.torch  # noqa: E402, F401
import pytest  # noqa: E402


@pytest.fixture
def run_python():
    """Runs a program in a process of its own: (exit code, output, errors)."""
    def run(program: str, seconds: int = 240, **variables):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              timeout=seconds, env={**os.environ, **variables})
        return done.returncode, done.stdout, done.stderr
    return run


@pytest.fixture
def validate(tmp_path):
    """Checks a document by a schema of docs/schema, by a Python that has jsonschema, as Debian's of
    install-deps.sh."""
    pythons = [each for each in (sys.executable, "/usr/bin/python3") if subprocess.run(
        [each, "-c", "import jsonschema"], capture_output=True).returncode == 0]
    if not pythons:
        pytest.skip("no Python has jsonschema")

    def check(name: str, document) -> None:
        schema = pathlib.Path(__file__).parents[2] / "docs/schema" / f"{name}.schema.json"
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(document))
        done = subprocess.run(
            [pythons[0], "-c", "import json, jsonschema, sys\n"
             "jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))"
             ".validate(json.load(open(sys.argv[2])))", schema, path],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return check


@pytest.fixture
def lazily():
    """Ops wait for cuts, as with PT_HPU_LAZY_MODE=1; gives the cuts of the test."""
    from habana_frameworks.torch import _C
    before = _C.lazy_mode()
    _C.cut_all("before the test")
    _C.take_cuts()
    _C.set_lazy_mode(1)
    yield _C.take_cuts
    _C.cut_all("after the test")
    _C.set_lazy_mode(before)


@pytest.fixture(params=["eager", "compile", "lazy"])
def call(request):
    """Calls a function on the card, in each mode."""
    import torch
    from habana_frameworks.torch import _C
    before = _C.lazy_mode()
    if request.param == "lazy":
        _C.cut_all("before the test")
        _C.set_lazy_mode(1)
    elif request.param == "compile":
        torch._dynamo.reset()

    def run(function, *args):
        if request.param == "compile":
            return torch.compile(lambda *given: function(*given), backend="hpu_backend")(*args)
        return function(*args)
    run.mode = request.param
    yield run
    _C.cut_all("after the test")
    _C.set_lazy_mode(before)
