"""Checks the JSON report of product.mlir: check_report.py FILE."""
import json
import sys

report = json.load(open(sys.argv[1]))
assert report["entry"] == "main" and report["model"].endswith("product.mlir")
assert report["recipe"]["target"] == "gaudi2" and report["recipe"]["bytes"] > 0
assert report["threads"] == 1
engines = report["engines"]
assert engines["MME"]["commands"] == 1 and engines["MME"]["flops"] == 2 * 64 * 128 * 256
assert engines["TPC"]["commands"] >= 1 and engines["NIC"]["commands"] == 0
memory = report["memory"]
assert memory["planned_peak"] == memory["persistent"] + memory["const"] + memory["workspace"]
assert memory["planned_peak"] == memory["measured_peak"] <= memory["host_limit"]
assert memory["capacity"] == 96 << 30 and memory["fits"]
predicted = report["predicted"]
assert predicted["device"] == "gaudi2" and predicted["time_us"] > predicted["launch_us"] > 0
assert predicted["memory"]["needed"] == memory["planned_peak"]
assert predicted["engines"]["MME"]["busy_us"] > 0 and "commands" not in predicted["memory"]
peak = memory["peak"]
assert peak["workspace"] == memory["workspace"] and peak["op"] and "product.mlir" in peak["location"]
largest = peak["buffers"]
assert len(largest) == peak["buffers_in_all"] and {b["class"] for b in largest} == {"input", "output", "workspace"}
assert next(b for b in largest if b["class"] == "workspace")["op"] == "mme.gemm"
assert [b["bytes"] for b in largest] == sorted((b["bytes"] for b in largest), reverse=True)
assert largest[0]["bytes"] == 128 * 256 * 4 and largest[0]["class"] == "input"
times = report["host_ms"]
assert times["read"] > 0 and times["parse"] > 0 and times["compile"] > 0
assert times["load"] > 0 and times["reference"] > 0
assert times["run"]["profiled"] == 1
assert all(c["predicted_us"] > 0 for c in report["commands"])
assert all(c["host_ms"] >= 0 for c in report["commands"])
assert times["run"]["count"] == len(times["run"]["launches"]) == 1
(output,) = report["outputs"]
assert output["shape"] == [64, 256] and output["type"] == "f32" and len(output["first"]) == 16
(comparison,) = report["comparisons"]
assert comparison["passed"] and comparison["against"] == "the reference"
assert comparison["worst"]["error"] <= comparison["worst"]["allowed"]
assert len(report["commands"]) == sum(e["commands"] for e in engines.values())
assert all(c["implementation"] for c in report["commands"])
