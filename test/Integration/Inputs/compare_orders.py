"""Compiles a model with and without the order for memory and compares the recipes.

Usage: compare_orders.py MODEL DEVICE... --work PREFIX
"""
import argparse
import json
import re
import subprocess

REMARK = re.compile(r"peak of (\d+) bytes instead of (\d+) \(lower bound (\d+)\), (saving|adding) ([\d.]+) us")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("devices", nargs="+")
    parser.add_argument("--work", required=True)
    args = parser.parse_args()
    for device in args.devices:
        times, workspaces, remark = {}, {}, None
        for order in ("true", "false"):
            recipe = f"{args.work}.{device}.{order}.recipe"
            text = subprocess.run(
                ["gaudi-opt", args.model, f"--gaudi-compile=device={device} memory-order={order}",
                 f"--gaudi-emit-recipe=output={recipe}", "--remarks-filter=gaudi-schedule-ops",
                 "--remark-policy=all", "-o", "/dev/null"], check=True, capture_output=True, text=True).stderr
            remark = remark or REMARK.search(text)
            report = subprocess.run(["gaudi-run", recipe, "--predict", "--report=json"], check=True,
                                    capture_output=True, text=True).stdout
            prediction = json.loads(report)["predictions"][0]
            times[order] = prediction["time_us"]
            workspaces[order] = prediction["memory"]["workspace"]
        words = []
        if remark:
            peak, _, bound, sign, saved = remark.groups()
            words.append("lowest peak" if peak == bound else f"peak {peak} above the bound {bound}")
            saved = float(saved) if sign == "saving" else -float(saved)
        else:
            words.append("no order")
            saved = 0
        smaller = workspaces["true"] < workspaces["false"]
        words.append("smaller workspace" if smaller else "workspace {true} and {false}".format(**workspaces))
        played = times["false"] - times["true"]
        words.append("remark agrees" if abs(played - saved) <= 0.005 * abs(played) else f"remark says {saved}, played {played}")
        words.append("not slower" if times["true"] <= 1.001 * times["false"] else "{true} us and {false} us".format(**times))
        print(f"{device}: {', '.join(words)}")


main()
