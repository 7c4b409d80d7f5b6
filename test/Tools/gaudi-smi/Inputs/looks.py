"""Tells how busy the MME was in the first two lines that gaudi-smi --json --loop wrote."""

import json
import sys

parts = [json.loads(line)["cards"][0]["utilization"]["MME"] for line in sys.stdin]
print(f"looks: MME {parts[0]:.0%}, then {parts[1]:.0%}")
