# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a card: what a step has, what a full card says, and what is recorded."""
import pathlib
import pickle
import subprocess
import sys

import pytest
import torch
import torch.nn.functional as F
from test_scripts import _resnet18
from torch import nn
from torch.cuda import _memory_viz

_ALIGNMENT = 128  # bytes, of a gaudi2
_EMPTY = 768 * 1024 + _ALIGNMENT  # the region of small blocks, docs/device.md


@pytest.fixture
def record():
    yield torch.hpu.memory._record_memory_history
    torch.hpu.memory._record_memory_history(None)


def _planned_workspace() -> int:
    """Bytes of the largest workspace of the launches so far."""
    blocks = [block for segment in torch.hpu.memory._snapshot()["segments"]
              for block in segment["blocks"] if block["state"] == "active_allocated"]
    return max(blocks, key=lambda block: block["address"])["requested_size"]


class _Text(nn.Module):
    def __init__(self, words=8192, width=128):
        super().__init__()
        self.words = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, 2, 4 * width, dropout=0.0, batch_first=True)
        self.layers, self.head = nn.TransformerEncoder(layer, 2), nn.Linear(width, words)

    def forward(self, tokens):
        return self.head(self.layers(self.words(tokens))).flatten(0, 1)


NETWORKS = {
    "resnet18": lambda: (_resnet18(1000), torch.randn(8, 3, 64, 64), torch.randint(0, 1000, (8,))),
    "bert-tiny": lambda: (_Text(), torch.randint(0, 8192, (4, 32)),
                          torch.randint(0, 8192, (128,))),
}


@pytest.mark.slow
@pytest.mark.parametrize("network", NETWORKS)
def test_a_step_has_its_tensors_and_its_workspace(network):
    # On a card that nothing else has been on.
    subprocess.run([sys.executable, __file__, network], check=True)


def _step_has_its_tensors_and_its_workspace(network):
    torch.manual_seed(0)
    model, x, labels = NETWORKS[network]()
    model, x, labels = model.to("hpu"), x.to("hpu"), labels.to("hpu")
    call = torch.compile(model, backend="hpu_backend")
    optimizer = torch.optim.SGD(model.parameters(), 1e-3, momentum=0.9)
    for _ in range(2):
        optimizer.zero_grad()
        loss = F.cross_entropy(call(x), labels)
        loss.backward()
        optimizer.step()
    del loss
    torch.hpu.synchronize()
    states = [each for state in optimizer.state.values() for each in state.values()]
    tensors = [*model.parameters(), *model.buffers(), *(each.grad for each in model.parameters()),
               *states, x, labels]
    expected = sum(-(-each.nbytes // _ALIGNMENT) * _ALIGNMENT for each in tensors)
    expected += _planned_workspace() + _EMPTY
    assert torch.hpu.memory_allocated() == pytest.approx(expected, rel=0.01)
    assert torch.hpu.max_memory_allocated() >= torch.hpu.memory_allocated()


def _full():
    kept = []
    try:
        while True:
            kept.append(torch.empty(1 << 30, 2, device="hpu"))
    finally:
        kept.clear()  # which the error's traceback would hold


def test_a_full_card_says_who_has_it():
    with pytest.raises(torch.OutOfMemoryError) as raised:
        _full()
    words = str(raised.value)
    assert "Allocation failed for size::8589934592 (8192.00)MB" in words
    assert "blocks: 'aten::empty' 1073741824x2xf32\n" in words
    assert "to free memory: free" in words
    assert words.endswith("torch.hpu.memory._record_memory_history() before")
    assert torch.ones(3, device="hpu").sum().item() == 3  # there is room again


def test_recorded_memory_has_its_line(record):
    record()
    with pytest.raises(torch.OutOfMemoryError) as raised:
        _full()
    line = _full.__code__.co_firstlineno + 4
    assert f"'aten::empty' 1073741824x2xf32 (allocated at {__file__}:{line})" in str(raised.value)
    assert "_record_memory_history" not in str(raised.value)
    events = torch.hpu.memory._snapshot()["device_traces"][torch.hpu.current_device()]
    full = [each for each in events if each["action"] == "oom"]
    assert len(full) == 1
    assert full[0]["size"] == 8 << 30
    assert 0 < full[0]["device_free"] < 8 << 30


def test_snapshots_are_those_of_pytorch(record, tmp_path):
    record(max_entries=1000)
    x = torch.ones(300, 300, device="hpu", requires_grad=True)
    line = sys._getframe().f_lineno + 1
    y = x @ x
    y.sum().backward()
    gone = x + 1
    del gone
    path = tmp_path / "snapshot.pickle"
    torch.hpu.memory._dump_snapshot(str(path))
    snapshot = pickle.loads(path.read_bytes())
    blocks = [block for segment in snapshot["segments"] for block in segment["blocks"]]
    made = [each for each in blocks
            if any(frame["filename"] == __file__ and frame["line"] == line
                   for frame in each["frames"])]
    assert [each["requested_size"] for each in made] == [360000]
    assert made[0]["frames"][0]["name"] == "aten::mm 300x300xf32"
    # The autograd engine works for the line that called backward().
    assert any(frame["line"] == line + 1 for block in blocks for frame in block["frames"]
               if frame["filename"] == __file__)
    for segment in snapshot["segments"]:
        end = segment["address"]
        for block in segment["blocks"]:
            assert block["address"] == end
            end += block["size"]
        assert end == segment["address"] + segment["total_size"]
    assert sum(each["total_size"] for each in snapshot["segments"]
               if each["device"] == 0) == torch.hpu.mem_get_info()[1]
    trace = snapshot["device_traces"][0]
    assert {each["action"] for each in trace} == {"alloc", "free_requested", "free_completed"}
    # What PyTorch's own viewers read.
    assert "# free completed for" in _memory_viz.trace(snapshot)
    assert f"segments: {len(snapshot['segments'])}" in _memory_viz.segsum(snapshot)
    assert "<html>" in _memory_viz.trace_plot(snapshot)
    assert "<html>" in _memory_viz.segment_plot(snapshot)


def test_recording_keeps_what_it_is_told(record):
    record(max_entries=3)
    kept = [torch.empty(1000, device="hpu") for _ in range(5)]
    events = torch.hpu.memory._snapshot()["device_traces"][0]
    assert [each["action"] for each in events] == ["alloc"] * 3
    assert kept
    record("state", clear_history=True)
    torch.empty(1000, device="hpu")
    assert torch.hpu.memory._snapshot()["device_traces"][0] == []
    record(None)
    torch.empty(1000, device="hpu")
    assert torch.hpu.memory._snapshot()["device_traces"][0] == []
    with pytest.raises(ValueError, match="enabled is None, 'state' or 'all'"):
        record("some")
    with pytest.raises(ValueError, match="context is None, 'state', 'alloc' or 'all'"):
        record(context="some")
    with pytest.raises(ValueError, match="stacks is 'python' or 'all'"):
        record(stacks="some")
    with pytest.raises(NotImplementedError, match="skip_actions"):
        record(skip_actions=["alloc"])
    with pytest.raises(NotImplementedError, match="augment_with_fx_traces"):
        torch.hpu.memory._snapshot(augment_with_fx_traces=True)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["eager", "compile"])
def test_many_steps_grow_nothing(mode, run_python):
    """A short form of what has been run for 10,000."""
    soak = pathlib.Path(__file__).parents[2] / "benchmarks/hpu/soak.py"
    code, out, errors = run_python(
        f"import runpy, sys; sys.argv[1:] = ['--steps', '400', '--mode', '{mode}']; "
        f"runpy.run_path({str(soak)!r}, run_name='__main__')")
    assert code == 0, errors
    assert out.splitlines()[-1] == "nothing grows"


if __name__ == "__main__":
    _step_has_its_tensors_and_its_workspace(sys.argv[1])
