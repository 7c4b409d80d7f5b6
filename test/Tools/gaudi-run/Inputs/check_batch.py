"""Checks the JSON of --find-max-batch: check_batch.py BATCH.json [...].

--model=FILE --out=FILE writes the model's first function with the largest batch in place of its
own; --plan=FILE compares the plan of that with what the search found.
"""
import argparse
import json

parser = argparse.ArgumentParser()
parser.add_argument("batch")
parser.add_argument("--model")
parser.add_argument("--out")
parser.add_argument("--plan")
options = parser.parse_args()
batch = json.load(open(options.batch))["batch"]
planned = {entry["batch"]: entry["needed"] for entry in batch["planned"]}
largest, size, limit = batch["largest"], batch["size"], batch["limit"]
assert planned[largest] <= limit < planned[largest + batch["step"]], batch
assert len(planned) <= 12, planned
if options.model:
    text = open(options.model).read().split("\n\n")[0]  # the first function
    open(options.out, "w").write(text.replace(f"tensor<{size}x", f"tensor<{largest}x"))
if options.plan:
    memory = json.load(open(options.plan))["memory"]
    assert memory["fits"] and memory["needed"] == planned[largest], (memory["needed"], planned)
