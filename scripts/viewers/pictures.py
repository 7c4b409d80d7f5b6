#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the pictures of docs/images: pages of three models of test/models, light, dark and narrow.

pictures.py [FOLDER]: docs/images, or another folder. Each picture is what Chromium shows of the page that gaudi-run
writes now; one whose page has an error in the console is none.
"""
import pathlib
import subprocess
import sys
import tempfile

from browser import Page

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = {"resnet18": ["tosa-resnet18-buddy/lifted.mlir", "--devices=gaudi2,gaudi,gaudi3"],
          "bert": ["linalg-bert-buddy/lifted.mlir"],
          "llama": ["stablehlo-llama-68m-trtinc/generic.mlir", "--lift-elided"]}
VIEWS = {"light": (1180, 1000, False, "summary"), "dark": (1180, 1000, True, "timeline"), "narrow": (420, 900, False, "summary")}


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/images"
    with tempfile.TemporaryDirectory() as pages:
        for name, (model, *options) in MODELS.items():
            page = pathlib.Path(pages) / f"{name}.html"
            subprocess.run([ROOT / "build/release/bin/gaudi-run", ROOT / "test/models" / model, "--predict", f"--html={page}", *options],
                           check=True, stdout=subprocess.DEVNULL)
            for view, (width, height, dark, section) in VIEWS.items():
                picture = folder / f"{name}-{view}.webp"
                with Page(width, height, dark=dark) as browser:
                    browser.open(page.as_uri())
                    if section != "summary":
                        browser.evaluate(f"document.getElementById('{section}').scrollIntoView()")
                    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    if browser.errors:
                        sys.exit(f"{name}: {browser.errors[0]}")
                    browser.screenshot(picture)
                print(f"{picture.name}: {picture.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
