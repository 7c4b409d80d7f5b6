# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""transformers' own Trainer and accelerate on hpu, one rank. Usage: FOLDER KIND... Prints an object
of JSON for each kind."""
import json
import sys
import time

import accelerate
import habana_frameworks.torch.core as htcore
import torch
import transformers
from models import TRAINING, Log, Samples, network, on_cpu

folder, *kinds = sys.argv[1:]
judged = on_cpu("train", kinds)
assert transformers.utils.is_torch_hpu_available()
assert accelerate.utils.is_hpu_available()
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
    """The loop of Trainer, in the order of its samples."""
    accelerator = accelerate.Accelerator()
    assert accelerator.device.type == "hpu", accelerator.device
    accelerate.utils.set_seed(TRAINING["seed"])
    samples = Samples(kind, 80)
    order = torch.utils.data.RandomSampler(samples, generator=torch.Generator().manual_seed(
        int(torch.empty((), dtype=torch.int64).random_().item())))
    collate = transformers.default_data_collator
    loader = torch.utils.data.DataLoader(samples, 8, sampler=order, collate_fn=collate)
    model = network(kind).train()
    optimizer = torch.optim.AdamW(model.parameters(), TRAINING["learning_rate"],
                                  eps=TRAINING["adam_epsilon"], weight_decay=0)
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


for kind in kinds:
    for name, call in (("Trainer", by_trainer), ("accelerate", by_accelerate)):
        start = time.perf_counter()
        losses, loss = call(kind)
        print("RESULT", json.dumps({
            "kind": f"{kind} {name}", "losses": losses, "loss": loss, "cpu": judged[kind],
            "seconds": time.perf_counter() - start, "evaluation": 0}), flush=True)
