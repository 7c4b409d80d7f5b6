"""Compares a sweep of batches with the search for the largest, and its page with both.

usage: check_sweep.py SWEEP.json LARGEST.json SWEEP.html
"""
import json
import sys

sweep, largest = (json.load(open(path))["batch"] for path in sys.argv[1:3])
assert sweep["largest"] == largest["largest"], (sweep["largest"], largest["largest"])
needed = {each["batch"]: each["needed"] for each in largest["planned"]}
points = sweep["planned"]
assert [each["batch"] for each in points] == sorted({each["batch"] for each in points})
powers = [1 << bit for bit in range(30) if 1 << bit <= sweep["largest"]]
assert {*powers, sweep["size"], sweep["largest"]} <= {each["batch"] for each in points}
for each in points:
    assert needed.get(each["batch"], each["needed"]) == each["needed"]
    assert abs(each["time_per_sample_us"] * each["batch"] - each["time_us"]) < 1e-6 * each["time_us"]
fits = [each for each in points if each["needed"] <= sweep["limit"]]
best = min(fits, key=lambda each: each["time_per_sample_us"])
assert sweep["fastest"] == best["batch"]
page = open(sys.argv[3]).read()
assert page.count("<circle ") == 2 * len(fits) and page.count("<tr") == 1 + len(fits)
assert f"<tr class=\"best\"><td>{best['batch']}</td>" in page
assert "http://" not in page and "<script" not in page
