#!/usr/bin/env bash
# Runs every command of docs/getting-started.md and docs/porting.md, and the tests of the importers,
# in an environment of its own (build/porting; about 2 GB of downloads the first time). Needs gaudi-run
# and the Python package in build/release. Not part of check.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

environment=$PWD/build/porting
[ -x build/release/bin/gaudi-run ] || {
  echo "error: build/release/bin/gaudi-run is missing; scripts/build.sh makes it" >&2
  exit 1
}
[ -d build/release/python/gaudi_mlir ] || {
  echo "error: build/release/python is missing; scripts/build.sh GaudiPython makes it" >&2
  exit 1
}
[ -d "$environment" ] || python3 -m venv "$environment"
# The packages and versions are those of the page.
mapfile -t packages < <(sed -n 's/^pip install \([^#]*\).*/\1/p' docs/porting.md | tr ' ' '\n' | sed '/^$/d')
"$environment/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" \
  onnxruntime==1.32.0 pytest==9.2.0
# What the wheel installs as a program.
printf '#!/bin/sh\nexec "%s" -m gaudi_import "$@"\n' "$environment/bin/python" \
  >"$environment/bin/gaudi-import"
chmod +x "$environment/bin/gaudi-import"
export PATH=$PWD/build/release/bin:$environment/bin:$PATH PYTHONPATH=$PWD/build/release/python
for page in getting-started porting; do
  "$environment/bin/python" test/Docs/Inputs/run_page.py "docs/$page.md" "build/$page-files"
done
"$environment/bin/python" -m pytest python/tests/importers
