#!/usr/bin/env python3
"""Opens a page with a comparison of precisions or of losses in headless Chromium, and compares it with the JSON.

Usage: check_precision.py PAGE COMPARISON.json
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "scripts" / "viewers"))
from browser import Page  # noqa: E402 (the path is set above)


def rows_of(page, table):
    return page.evaluate(f"[...document.querySelectorAll('#{table} tbody tr')].map(row => "
                         "[...row.cells].map(cell => cell.textContent))")


def same(what, got, expected):
    if got != expected:
        sys.exit(f"{what}: the page has {got!r}, expected {expected!r}")


def main():
    html, comparison = map(pathlib.Path, sys.argv[1:])
    found = json.loads(comparison.read_text())
    with Page() as page:
        page.open(html.resolve().as_uri())
        if "steps" in found:
            points = page.evaluate("[...document.querySelectorAll('#precision polyline')].map(line => "
                                   "[line.dataset.side, line.points.length])")
            same("losses", points, [["before", len(found["steps"])], ["after", len(found["steps"])]])
        else:
            ranked = [found["ops"][index] for index in found["ranking"]]
            ops = rows_of(page, "precision-ops")
            same("ops", [[name, at] for name, *_, at in ops[:len(ranked)]],
                 [[op["name"], op["location"]] for op in ranked])
            left = sum(output["not_finite_before"] for output in found["outputs"])
            text = page.evaluate("document.querySelector('#precision').textContent")
            same("elements left out", f"{left} elements of outputs are not finite" in text, left > 0)
            same("an error that is not finite", "of the outputs' norm" in text, found["error"] is not None)
            same("number of ops", len(ops), len(found["ops"]))
            same("layers", [row[0] for row in rows_of(page, "precision-layers")],
                 [layer["name"] for layer in found["layers"]])
        same("console", page.errors, [])
    print("the page has what the JSON has")


main()
