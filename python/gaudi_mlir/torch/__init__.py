"""PyTorch on the emulated Gaudi: torch.compile(model, backend="gaudi"), and export."""
from . import requirements

requirements.check()

from .backend import backend  # noqa: E402

from torch._dynamo import register_backend as _register  # noqa: E402

_register(backend, name="gaudi")

# nn.LSTM and nn.GRU are traced only with this; without it torch.compile leaves them alone.
import torch  # noqa: E402

torch._dynamo.config.allow_rnn = True
