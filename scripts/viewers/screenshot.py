#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes a picture of a page of gaudi-run in headless Chromium: screenshot.py PAGE PICTURE.png [WIDTH HEIGHT]."""
import pathlib
import sys

from browser import Page


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    width, height = map(int, sys.argv[3:] or (1180, 1560))
    with Page(width, height) as page:
        page.open(pathlib.Path(sys.argv[1]).resolve().as_uri())
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.screenshot(sys.argv[2])


if __name__ == "__main__":
    main()
