# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The runner of Intel's tests tells why a case skips itself from the test's text."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/oracle"))
bridge_skips = pytest.importorskip("bridge_skips", reason="the scripts are not beside the tests")

TEXT = '''import pytest
import torch
from helpers import is_gaudi1, is_pytest_mode_eager

ONE = [pytest.param(1, marks=[pytest.mark.skip(reason="in a list")])]
FEW = ONE + [2]
SMALL = [torch.int8]
SOME = [torch.int8]
if not is_gaudi1():
    SOME += [torch.half]


@pytest.mark.skipif(is_pytest_mode_eager() and True, reason="a constant beside the mode")
@pytest.mark.skipif(is_pytest_mode_eager(), reason="not in this mode")
@pytest.mark.skipif(is_gaudi1(), reason="not on this card")
@pytest.mark.parametrize("dtype, size", [(torch.half, 1)])
def test_marks(dtype, size, device):
    if pytest.mode == "eager":
        pytest.skip("mode")
    if is_pytest_mode_eager():
        if dtype in SMALL and size > 2:
            pytest.skip("parameters")
        if dtype in SOME:
            pytest.skip("types of the card")
    elif is_gaudi1():
        pytest.skip("card")
    if device == "hpu":
        pytest.skip("a fixture")
    few, more = size, [size]
    if few > 1 and more:
        pytest.skip("of a parameter")
    few += device.index
    if few:
        pytest.skip("of a fixture as well")
    size = device.size
    if size:
        pytest.skip("no parameter any more")
    try:
        torch.ones(1)
    except RuntimeError:
        pytest.skip("it went wrong")


@pytest.fixture
def fixture():
    pytest.skip("no test")


@pytest.mark.skip(reason="never")
class TestAll:
    @pytest.mark.parametrize("one", FEW)
    def test_list(self, one):
        pass

    @pytest.mark.parametrize("one", [pytest.param(1, marks=[pytest.mark.skip(reason="this one")])])
    def test_method(self, one):
        pass
'''


def test_skips_are_judged_by_their_conditions(tmp_path):
    path = tmp_path / "test_text.py"
    path.write_text(TEXT)

    def cause(reason):
        called = [number for number, line in enumerate(TEXT.splitlines(), 1)
                  if f'pytest.skip("{reason}")' in line]
        inside = {"in a list": "def test_list", "never": "def test_method",
                  "this one": "def test_method"}.get(reason, "def test_marks")
        marked = [number for number, line in enumerate(TEXT.splitlines(), 1) if inside in line]
        return bridge_skips.cause(str(path), (called or marked)[0], f"Skipped: {reason}")

    assert cause("not in this mode") == "mode"
    assert cause("mode") == "mode"
    assert cause("a constant beside the mode") == "parameters"
    assert cause("parameters") == "parameters"
    assert cause("of a parameter") == "parameters"
    assert cause("never") == "parameters"
    assert cause("this one") == "parameters"
    assert cause("in a list") == "parameters"
    for reason in ("not on this card", "types of the card", "card", "a fixture",
                   "no parameter any more", "of a fixture as well", "it went wrong", "no test", "unknown"):
        assert cause(reason) == "card", reason
    assert bridge_skips.cause("", 0, "Skipped: elsewhere") == "card"
