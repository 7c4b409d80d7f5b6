#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures our engines beside their peers; docs/performance.md says what the
# rows mean. Usage: benchmarks/run.sh [--only=KEY,...] [--json=FILE]
# [--cpu-time] [--threads=N] [--quick] [--profile] [--markdown]; --no-build and
# --no-install take tools and peers as they are, --both-clocks measures wall time
# and then CPU time. --help lists the rest.
set -euo pipefail
cd "$(dirname "$0")/.."

build=1 install=1 both=0 asks=0 single= options=()
for option in "$@"; do
  case $option in
    --no-build) build=0 ;;
    --no-install) install=0 ;;
    --both-clocks) both=1 ;;
    --help | -h | --list) asks=1 options+=("$option") ;;
    --json* | --cpu-time) single=${option%%=*} options+=("$option") ;;
    *) options+=("$option") ;;
  esac
done
if [ $both -eq 1 ] && [ -n "$single" ]; then
  echo "error: $single is for one clock; drop it or --both-clocks" >&2
  exit 2
fi

# Help and the list of rows are the same for both clocks and measure nothing.
[ $asks -eq 0 ] || build=0 install=0 both=0

venv=build/benchmarks/venv
python=python3
[ ! -x /usr/bin/python3 ] || python=/usr/bin/python3
if [ $install -eq 1 ]; then
  [ -x $venv/bin/python ] || "$python" -m venv $venv ||
    { echo "error: no Python environment in $venv; Debian's package is python3-venv" >&2; exit 2; }
  want() { # want MODULE REQUIREMENT...: installs what cannot be imported
    $venv/bin/python -c "import $1" 2>/dev/null && return
    shift
    echo "installing $*" >&2
    $venv/bin/python -m pip install --quiet --disable-pip-version-check "$@" >&2
  }
  want numpy numpy || { echo "error: numpy cannot be installed in $venv" >&2; exit 2; }
  # A peer that cannot be had is absent from the tables.
  want torch "torch==2.13.0" || echo "PyTorch is absent" >&2
  want "onnx, onnxruntime" onnx onnxruntime || echo "ONNX Runtime is absent" >&2
  # Quantized networks come of ONNX files.
  want torch_mlir torch-mlir==20261001 || echo "torch-mlir is absent" >&2
  want jax jax==0.10.2 jaxlib==0.10.2 || echo "JAX is absent" >&2
  want openvino openvino==2026.4.1 || echo "OpenVINO is absent" >&2
  want "iree.compiler, iree.runtime" iree-base-compiler==3.13.0 iree-base-runtime==3.13.0 ||
    echo "IREE is absent" >&2
fi
[ ! -x $venv/bin/python ] || python=$venv/bin/python
export PYTHONPATH=benchmarks
if [ $build -eq 1 ]; then
  # A wrong option ends the script before the build.
  "$python" -m harness.main --list ${options[@]+"${options[@]}"} >/dev/null
  ./scripts/build.sh gaudi-run GaudiCompiler >&2
  { ./scripts/test-python.sh --install && ./scripts/build.sh GaudiPython; } >&2 ||
    echo "no Python package, so no quantized networks: scripts/test-python.sh says why" >&2
fi

status=0
if [ $both -eq 1 ]; then
  "$python" -m harness.main ${options[@]+"${options[@]}"} || status=$?
  [ $status -le 1 ] || exit $status
  options+=(--cpu-time)
fi
"$python" -m harness.main ${options[@]+"${options[@]}"} || status=$?
exit $status
