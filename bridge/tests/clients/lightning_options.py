# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of lightning-habana: devices by name, strategies, precisions, statistics, seeds, clipped
gradients, checkpoints of callbacks, Fabric. Usage: FOLDER. Prints an object of JSON for each
scenario."""
import json
import os
import sys

import lightning_habana  # noqa: F401: before lightning
import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from lightning.pytorch import Trainer, seed_everything
from lightning.pytorch.callbacks import DeviceStatsMonitor, ModelCheckpoint
from lightning.pytorch.demos.boring_classes import BoringModel
from lightning.pytorch.loggers import CSVLogger
from lightning_habana import HPUAccelerator, HPUPrecisionPlugin, SingleHPUStrategy
from lightning_habana.fabric.accelerator import HPUAccelerator as FabricAccelerator
from lightning_habana.fabric.strategies.single import SingleHPUStrategy as FabricStrategy
from lightning_habana.pytorch.plugins import HPUDeepSpeedPrecisionPlugin
from lightning_habana.pytorch.strategies import HPUDDPStrategy

folder = sys.argv[1]


def trainer(on_hpu: bool = True, precision: str = "32-true", **options):
    where = {"accelerator": HPUAccelerator(), "strategy": SingleHPUStrategy(
                 precision_plugin=HPUPrecisionPlugin(precision=precision))} if on_hpu else \
        {"accelerator": "cpu"}
    return Trainer(**{"devices": 1, "max_epochs": 1, "limit_train_batches": 4,
                      "limit_val_batches": 1, "logger": False, "enable_progress_bar": False,
                      "enable_model_summary": False, "enable_checkpointing": False, **where,
                      **options})


class Model(BoringModel):
    """Which keeps the type of its results, and what it has drawn."""

    def __init__(self) -> None:
        seed_everything(1, verbose=False)
        super().__init__()
        self.types: set[str] = set()
        self.drawn: list[list[float]] = []

    def training_step(self, batch, index):
        self.types.add(str(self(batch).dtype))
        self.drawn.append(torch.rand(2, device=self.device).tolist())
        return super().training_step(F.dropout(batch, 0.5), index)


def result(scenario: str, found) -> None:
    print("RESULT", json.dumps({"scenario": scenario, "found": found}), flush=True)


def name_of_error(make) -> str:
    try:
        make()
    except Exception as error:
        return type(error).__name__
    return ""


by_name = [trainer(accelerator="hpu", strategy="hpu_single"),
           trainer(devices="auto", strategy=SingleHPUStrategy())]
for each in by_name:
    each.fit(BoringModel())
result("accelerator", [HPUAccelerator.get_device_name(), HPUAccelerator.auto_device_count(),
                       HPUAccelerator.is_lazy(), *(type(each.strategy).__name__
                                                   for each in by_name)])

trainer(callbacks=[DeviceStatsMonitor()], logger=CSVLogger(folder, name="csv", version=0),
        log_every_n_steps=1).fit(BoringModel())
with open(os.path.join(folder, "csv", "version_0", "metrics.csv"), encoding="utf-8") as file:
    names = file.readline()
result("statistics", all(f"on_train_batch_end/{each}" in names for each in (
    "Limit", "InUse", "MaxInUse", "NumAllocs", "NumFrees", "ActiveAllocs", "MaxAllocSize",
    "TotalSystemAllocs", "TotalSystemFrees", "TotalActiveAllocs")))

types = {}
for precision in ("32-true", "bf16-mixed", "16-mixed"):
    model = Model()
    trainer(precision=precision).fit(model)
    [types[precision]] = model.types
result("precisions", {**types, "64": name_of_error(lambda: HPUPrecisionPlugin(precision="64"))})
result("deepspeed", name_of_error(HPUDeepSpeedPrecisionPlugin))  # wants another DeepSpeed

runs = []
for _ in range(2):
    model = Model()
    trainer(deterministic=True).fit(model)
    runs.append((model.drawn, model.layer.weight.tolist()))
result("seeds", runs[0] == runs[1])

clipped = []
for on_hpu in (True, False):
    seed_everything(1, verbose=False)
    model = BoringModel()
    trainer(on_hpu, gradient_clip_val=0.05, accumulate_grad_batches=2).fit(model)
    clipped.append(model.layer.weight.flatten().tolist())
result("clipped", clipped[0])
result("clipped on the CPU", clipped[1])

kept = ModelCheckpoint(os.path.join(folder, "kept"), save_last=True, every_n_train_steps=1)
trainer(callbacks=[kept], enable_checkpointing=True).fit(model := BoringModel())
state = torch.load(kept.last_model_path, weights_only=False)["state_dict"]
assert all(each.device.type == "cpu" for each in state.values())
assert torch.equal(state["layer.weight"], model.layer.weight.detach().cpu())
again = trainer(max_epochs=2)
again.fit(BoringModel(), ckpt_path=kept.last_model_path)
result("checkpoint", again.current_epoch)

fabric = Fabric(accelerator=FabricAccelerator(), devices=1, strategy=FabricStrategy())
fabric.launch()
layer = torch.nn.Linear(4, 2)
layer, optimizer = fabric.setup(layer, torch.optim.SGD(layer.parameters(), lr=0.1))
fabric.backward(layer(torch.ones(2, 4, device=fabric.device)).sum())
before = layer.weight.detach().clone()
optimizer.step()
result("fabric", [fabric.device.type, torch.allclose(before - 0.2, layer.weight)])

parallel = trainer(strategy=HPUDDPStrategy())
parallel.fit(BoringModel())
result("parallel", [parallel.strategy.reduce(torch.tensor([1.0, 2.0])).tolist(),
                    parallel.strategy.broadcast({"a": 1}), torch.distributed.get_backend()])
torch.distributed.destroy_process_group()
