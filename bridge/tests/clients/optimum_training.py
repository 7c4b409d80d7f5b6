# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GaudiTrainer of optimum-habana. Usage: MODE FOLDER KIND..., where a kind may end in ":bf16".
Prints an object of JSON for each kind."""
import json
import sys
import time

import torch
import transformers
from models import TRAINING, Log, Samples, network, on_cpu
from optimum.habana import GaudiConfig, GaudiTrainer, GaudiTrainingArguments
from optimum.habana.transformers.modeling_utils import adapt_transformers_to_gaudi

mode, folder, *kinds = sys.argv[1:]
MODES = {"lazy": {"use_lazy_mode": True, "use_hpu_graphs_for_inference": True},
         "eager": {"use_lazy_mode": False},
         "compile": {"use_lazy_mode": False, "torch_compile": True,
                     "torch_compile_backend": "hpu_backend"}}
judged = on_cpu("train", {each.split(":")[0] for each in kinds})
transformers.logging.set_verbosity_error()
adapt_transformers_to_gaudi()
for each in kinds:
    kind, _, dtype = each.partition(":")
    start = time.perf_counter()
    model, log = network(kind), Log()
    trainer = GaudiTrainer(
        model=model, train_dataset=Samples(kind, 80), eval_dataset=Samples(kind, 16),
        gaudi_config=GaudiConfig(use_fused_adam=True, use_fused_clip_norm=True,
                                 use_torch_autocast=dtype == "bf16"),
        args=GaudiTrainingArguments(folder, use_habana=True, bf16=dtype == "bf16",
                                    throughput_warmup_steps=2, **MODES[mode], **TRAINING),
        callbacks=[log])
    done = trainer.train()
    trained = time.perf_counter() - start
    loss = trainer.evaluate()["eval_loss"]
    assert next(model.parameters()).device.type == "hpu"
    assert torch.hpu.max_memory_allocated() > 0
    print("RESULT", json.dumps({
        "kind": each, "losses": log.values("loss"), "loss": loss, "cpu": judged[kind],
        "metrics": done.metrics, "log": log.lines[0], "seconds": trained,
        "evaluation": time.perf_counter() - start - trained}), flush=True)
