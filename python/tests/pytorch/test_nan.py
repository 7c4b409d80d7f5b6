# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NaN and infinity pass through limits and comparisons as they do without torch.compile."""
import pytest

torch = pytest.importorskip("torch")
import torch.nn.functional as F  # noqa: E402

import gaudi_mlir.torch  # noqa: E402,F401

NAN, INF = float("nan"), float("inf")
LIMITS = {
    "comparisons": lambda x, y: (x == x, x != x, x.isfinite(), torch.where(x == x, x, y)),
    "clamp": lambda x, y: (x.clamp(0, 1), x.clamp(min=0), x.clamp(max=1), x.clamp(2, 1)),
    "tensors": lambda x, y: (x.clamp(y, y + 1), x.clamp(min=y), x.clamp(max=y),
                             torch.maximum(x, y), torch.minimum(x, y)),
    "layers": lambda x, y: (F.relu6(x), F.hardtanh(x), F.hardsigmoid(x), F.hardswish(x), x.relu()),
    "pool": lambda x, y: (x.relu(), F.max_pool1d(x[:1], 2, 1), F.max_pool2d(x[None], 2, 1)),
    "truth": lambda x, y: (x.any(1), x.all(1), (x * 0.25).bool()),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("name", LIMITS)
def test_agrees_with_eager(name, dtype):
    x = torch.tensor([[1, NAN, -2, INF, -INF, 0.25], [7, 0.5, -3, 2, NAN, 1]], dtype=dtype)
    y = torch.tensor([[NAN, 1, 0, -INF, INF, 1], [2, 3, NAN, NAN, -1, 1]], dtype=dtype)
    function = LIMITS[name]
    for got, wanted in zip(torch.compile(function, backend="gaudi")(x, y), function(x, y)):
        torch.testing.assert_close(got, wanted, equal_nan=True)
