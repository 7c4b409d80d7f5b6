# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DeepSpeed's engine on the accelerator that DS_ACCELERATOR names, one rank. Usage: FOLDER, then
STAGE:TYPE of ZeRO for each scenario. Prints an object of JSON for each."""
import json
import os
import sys

os.environ.update(RANK="0", LOCAL_RANK="0", WORLD_SIZE="1", MASTER_ADDR="127.0.0.1")
os.environ.setdefault("MASTER_PORT", "29533")

import deepspeed  # noqa: E402
import torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
from torch import nn  # noqa: E402

folder = sys.argv[1]
for scenario in sys.argv[2:]:
    stage, _, kind = scenario.partition(":")
    torch.manual_seed(0)
    network = nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.LayerNorm(64), nn.Linear(64, 4))
    engine, *_ = deepspeed.initialize(
        model=network, model_parameters=network.parameters(), config={
            "train_micro_batch_size_per_gpu": 8, "gradient_accumulation_steps": 2,
            "gradient_clipping": 1.0, "bf16": {"enabled": kind == "bf16"},
            "zero_optimization": {"stage": int(stage)},
            "optimizer": {"type": "AdamW", "params": {"lr": 1e-2, "torch_adam": True}}})
    losses = []
    generator = torch.Generator().manual_seed(1)

    def steps(count: int) -> None:
        for _ in range(count):
            x = torch.randn(8, 32, generator=generator).to(engine.device)
            label = torch.randint(0, 4, (8,), generator=generator).to(engine.device)
            made = engine(x.bfloat16() if kind == "bf16" else x)
            loss = F.cross_entropy(made.float(), label)
            engine.backward(loss)
            engine.step()
            losses.append(loss.item())

    steps(8)
    engine.save_checkpoint(os.path.join(folder, scenario))
    steps(2)
    state = generator.get_state()
    engine.load_checkpoint(os.path.join(folder, scenario))
    generator.manual_seed(2)
    steps(2)
    generator.set_state(state)
    print("RESULT", json.dumps({"scenario": scenario, "device": str(engine.device),
                                "losses": losses}))
    engine.destroy()
