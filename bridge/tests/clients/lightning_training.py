# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trainer of lightning-habana: precisions, checkpoints, HPU graphs, a profiler. Usage: FOLDER.
Prints an object of JSON for each scenario."""
import glob
import json
import os
import sys
import time

import lightning_habana  # noqa: F401: before lightning, for its profiler
import torch
import torch.nn.functional as F
from habana_frameworks.torch.hpu import ModuleCacher
from lightning.pytorch import LightningModule, Trainer, seed_everything
from lightning_habana import (HPUAccelerator, HPUPrecisionPlugin, HPUProfiler, SingleHPUStrategy)
from torch.utils.data import DataLoader, TensorDataset

folder = sys.argv[1]


class Classifier(LightningModule):
    def __init__(self) -> None:
        super().__init__()
        seed_everything(1, verbose=False)
        self.network = torch.nn.Sequential(
            torch.nn.Conv2d(1, 4, 3), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(),
            torch.nn.Linear(4 * 7 * 7, 32), torch.nn.LayerNorm(32), torch.nn.Linear(32, 4))
        self.losses: list[torch.Tensor] = []
        self.types: set[str] = set()

    def forward(self, x):
        return self.network(x)

    def training_step(self, batch, _):
        x, label = batch
        logits = self(x)
        self.types.add(str(logits.dtype))
        loss = F.cross_entropy(logits, label)
        self.log("loss", loss)
        self.losses.append(loss.detach())
        return loss

    def validation_step(self, batch, _):
        self.log("val_loss", F.cross_entropy(self(batch[0]), batch[1]), on_epoch=True)

    test_step = validation_step

    def predict_step(self, batch, _):
        return self(batch[0]).argmax(1)

    def configure_optimizers(self):
        optimizer = torch.optim.AdamW(self.parameters(), lr=3e-3)
        return [optimizer], [torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)]


def batches(count: int = 48):
    generator = torch.Generator().manual_seed(2)
    label = torch.arange(count) % 4
    images = 0.1 * torch.randn(count, 1, 16, 16, generator=generator)
    for image, each in zip(images, label):
        image[0, :, 4 * each:4 * each + 4] += 1
    return DataLoader(TensorDataset(images, label), batch_size=8)


def trainer(on_hpu: bool, epochs: int = 2, precision: str = "32-true", **options):
    where = {"accelerator": HPUAccelerator(), "strategy": SingleHPUStrategy(
                 precision_plugin=HPUPrecisionPlugin(precision=precision))} if on_hpu else \
        {"accelerator": "cpu"}
    return Trainer(devices=1, max_epochs=epochs, logger=False, enable_progress_bar=False,
                   enable_model_summary=False, num_sanity_val_steps=0, **where,
                   **{"enable_checkpointing": False, **options})


def fitted(on_hpu: bool, change=None, **options):
    model = Classifier()
    if change:
        change(model)
    made = trainer(on_hpu, **options)
    made.fit(model, batches(), batches(16))
    return model, made


def result(scenario: str, **values) -> None:
    global start
    print("RESULT", json.dumps({"scenario": scenario, **values,
                                "seconds": time.perf_counter() - start}), flush=True)
    start = time.perf_counter()


def losses(model) -> list[float]:
    return [loss.item() for loss in model.losses]


start = time.perf_counter()
judge, on_cpu = fitted(False)
expected = losses(judge)
predicted = torch.cat(on_cpu.predict(judge, batches(16))).tolist()
tested = on_cpu.test(judge, batches(16), verbose=False)[0]["val_loss"]

model, made = fitted(True)
assert isinstance(made.strategy, SingleHPUStrategy) and made.strategy.root_device.type == "hpu"
result("float32", losses=losses(model), cpu=expected,
       tested=made.test(model, batches(16), verbose=False)[0]["val_loss"], cpu_tested=tested,
       predicted=torch.cat(made.predict(model, batches(16))).tolist(), cpu_predicted=predicted)

model, _ = fitted(True, precision="bf16-mixed")
result("bf16-mixed", losses=losses(model), cpu=expected, types=sorted(model.types))


def with_graphs(model) -> None:
    ModuleCacher()(model=model.network, inplace=True)


model, _ = fitted(True, with_graphs)
result("graphs", losses=losses(model), cpu=expected)

# Half of the epochs, a checkpoint, and the other half by what it holds.
model, made = fitted(True, epochs=1)
path = os.path.join(folder, "half.ckpt")
made.save_checkpoint(path)
stored = torch.load(path, weights_only=False)["state_dict"]
assert {weight.device.type for weight in stored.values()} == {"cpu"}
second = Classifier()
trainer(True).fit(second, batches(), batches(16), ckpt_path=path)
result("checkpoint", losses=losses(model) + losses(second), cpu=expected)

# wait, warmup, active: five steps.
profiler = HPUProfiler(dirpath=folder, filename="profile")
fitted(True, epochs=1, profiler=profiler)
names: set[str] = set()
for trace in glob.glob(os.path.join(folder, "**", "*.json"), recursive=True):
    with open(trace, encoding="utf-8") as file:
        names |= {each.get("cat") for each in json.load(file)["traceEvents"]}
result("profiler", kinds=sorted(name for name in names
                                if name == "kernel" or name and "hpu" in name))
