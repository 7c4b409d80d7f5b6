"""Checks predictions of product.mlir for gaudi3: check_predict.py MODEL.json RECIPE.json."""
import json
import math
import sys

model, recipe = (json.load(open(name)) for name in sys.argv[1:])
assert model["host_ms"]["compile"] > 0 and recipe["host_ms"]["compile"] == 0
assert model["host_ms"]["predict"] > 0 and recipe["host_ms"]["read"] > 0
# A recipe gives the numbers of its model.
assert model["predictions"] == recipe["predictions"]
(p,) = recipe["predictions"]
assert p["device"] == "gaudi3" and p["entry"] == "main" and p["notes"] == []
time = p["time_us"]
assert time > p["launch_us"] > 0
assert p["flops"] == sum(c["flops"] for c in p["commands"])
assert p["hbm_bytes"] == sum(c["hbm_bytes"] for c in p["commands"])
assert math.isclose(p["flops_per_byte"], p["flops"] / p["hbm_bytes"])
for name, engine in p["engines"].items():
    assert engine["commands"] == sum(c["engine"] == name for c in p["commands"])
    assert math.isclose(engine["share"], engine["busy_us"] / time)
    assert engine["exposed_us"] <= engine["busy_us"]
    total = engine["busy_us"] + sum(engine["idle_us_for"].values()) + p["launch_us"]
    assert math.isclose(total, time)
assert p["engines"]["MME"]["commands"] == 1 and p["engines"]["TPC"]["engines"] == 64
# 64 x 256 x 128 multiply-adds of f32, an eighth of the rate of bf16.
peak = 524288 / 8 * 1600e6
assert math.isclose(p["mme_utilization"], 64 * 256 * 128 / peak / (time * 1e-6))
memory = p["memory"]
assert memory["needed"] == memory["persistent"] + memory["const"] + memory["workspace"]
assert memory["capacity"] == 128 << 30 and memory["fits"]
assert all(a[0] < b[0] for a, b in zip(memory["in_use"], memory["in_use"][1:]))
assert memory["in_use"][-1][1] == 0
assert max(used for _, used in memory["in_use"]) <= memory["workspace"]
for buffer in memory["buffers"]:
    assert buffer["from_us"] <= buffer["to_us"] <= time
    assert buffer["offset"] + buffer["bytes"] <= memory["workspace"]
product, kernel = p["commands"]
assert product["engine"] == "MME" and kernel["dependencies"] == [0]
assert kernel["end_us"] == max(c["end_us"] for c in p["commands"]) == time
# The path ends with the last command and holds those that are marked.
assert p["critical_path"][-1] == 1
assert p["critical_path"] == [i for i, c in enumerate(p["commands"]) if c["critical"]]
assert all("product.mlir:" in c["location"] for c in p["commands"])
(pipeline,) = p["pipelines"]
assert pipeline["first"] == 0 and ("refused" in pipeline) != (pipeline.get("slices", 1) > 1)
# Alone a command takes no longer than among others.
for command in p["commands"]:
    assert 0 < command["alone_us"] <= command["end_us"] - command["start_us"] + 1e-6 or "slices" in command
    assert p["works"][command["work"]].strip()
groups = p["most_expensive"]
assert sorted(c for group in groups for c in group["commands"]) == [0, 1]
assert all(group["time_us"] > 0 for group in groups)
