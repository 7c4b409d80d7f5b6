# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""generate() of optimum-habana with a static cache and HPU graphs. Usage: KIND..., where a kind may
end in options: "llama:flash,reuse". Prints an object of JSON for each."""
import copy
import json
import sys
import time

import habana_frameworks.torch as ht
import torch
import transformers
from models import NEW_WORDS, decided, on_cpu, prompts
from optimum.habana.transformers.modeling_utils import adapt_transformers_to_gaudi

cases = sys.argv[1:]
judged = on_cpu("generate", {case.split(":")[0] for case in cases})

transformers.logging.set_verbosity_error()
adapt_transformers_to_gaudi()
for case in cases:
    kind, _, options = case.partition(":")
    options = options.split(",") if options else []
    start = time.perf_counter()
    model = decided(kind).to("hpu")
    if "eager" not in options:
        model = ht.hpu.wrap_in_hpu_graph(model)
    config = copy.deepcopy(model.generation_config)
    config.max_new_tokens, config.do_sample, config.use_cache = NEW_WORDS, False, True
    config.static_shapes = True
    config.use_flash_attention = "flash" in options
    config.flash_attention_recompute = "recompute" in options
    config.flash_attention_causal_mask = "causal" in options
    config.reuse_cache = "reuse" in options
    config.trim_logits = "trim" in options
    config.bucket_size = 8 if "bucket" in options else -1
    config.bucket_internal = "bucket" in options
    config.ignore_eos = False
    config.max_length = None
    with torch.no_grad():
        given = {name: tensor.to("hpu") for name, tensor in prompts(kind).items()}
        seconds = []
        for _ in range(2):
            start = time.perf_counter()
            found = model.generate(**given, generation_config=config, lazy_mode=True,
                                   hpu_graphs="eager" not in options).cpu().tolist()
            seconds.append(time.perf_counter() - start)
    # With the causal mask optimum passes no other one, also of texts that are padded.
    texts = 1 if "causal" in options else len(found)
    print("RESULT", json.dumps({"kind": case, "tokens": found[:texts],
                                "cpu": judged[kind][:texts], "seconds": seconds}), flush=True)
