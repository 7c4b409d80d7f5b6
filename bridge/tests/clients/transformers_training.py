# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transformers' own Trainer and accelerate on hpu, one rank. Usage: FOLDER KIND... Prints an object
of JSON for each kind."""
import json
import os
import subprocess
import sys
import time

import accelerate
import habana_frameworks.torch.core as htcore
import torch
import transformers
from models import TRAINING, Log, Samples, network, on_cpu

folder, *kinds = sys.argv[1:]
device = os.environ.get("CLIENT_DEVICE", "hpu")
transformers.logging.set_verbosity_error()


def by_trainer(kind: str) -> tuple[list[float], float]:
    log = Log()
    trainer = transformers.Trainer(
        model=network(kind), train_dataset=Samples(kind, 80), eval_dataset=Samples(kind, 16),
        args=transformers.TrainingArguments(folder, **TRAINING), callbacks=[log])
    assert trainer.args.device.type == "hpu", trainer.args.device
    trainer.train()
    return log.values("loss"), trainer.evaluate()["eval_loss"]


def by_accelerate(kind: str) -> tuple[list[float], float]:
    accelerator = accelerate.Accelerator(cpu=device == "cpu")
    assert accelerator.device.type == device, accelerator.device
    collate = transformers.default_data_collator
    loader = torch.utils.data.DataLoader(Samples(kind, 80), 8, collate_fn=collate)
    model = network(kind).train()
    optimizer = torch.optim.AdamW(model.parameters(), TRAINING["learning_rate"])
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    losses = []
    for batch in loader:
        loss = model(**batch).loss
        accelerator.backward(loss)
        htcore.mark_step()
        accelerator.clip_grad_norm_(model.parameters(), TRAINING["max_grad_norm"])
        optimizer.step()
        optimizer.zero_grad()
        htcore.mark_step()
        losses.append(accelerator.gather(loss.detach().reshape(1)).mean().item())
    model.eval()
    with torch.no_grad():
        loader = accelerator.prepare(torch.utils.data.DataLoader(Samples(kind, 16), 8,
                                                                 collate_fn=collate))
        return losses, sum(model(**batch).loss.item() for batch in loader) / 2


if device == "cpu":
    print(json.dumps({kind: by_accelerate(kind) for kind in kinds}))
    sys.exit()

assert transformers.utils.is_torch_hpu_available()
assert accelerate.utils.is_hpu_available()
judged = on_cpu("train", kinds)
accelerated = json.loads(subprocess.run(
    [sys.executable, *sys.argv], env={**os.environ, "CLIENT_DEVICE": "cpu"}, check=True,
    stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1])
for kind in kinds:
    losses, loss = accelerated[kind]
    for name, call, cpu in (
            ("Trainer", by_trainer, judged[kind]),
            ("accelerate", by_accelerate, {"losses": losses, "loss": loss})):
        start = time.perf_counter()
        losses, loss = call(kind)
        print("RESULT", json.dumps({
            "kind": f"{kind} {name}", "losses": losses, "loss": loss, "cpu": cpu,
            "seconds": time.perf_counter() - start, "evaluation": 0}), flush=True)
