#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# From a bare Debian 12 to a PyTorch model's numbers: installs the packages that
# the build needs, builds the compiler and the runtime, makes the Python environment
# build/venv with gaudi_mlir, PyTorch and its device hpu, and runs a model.
# Options: --no-install (Debian's packages are there); --clients (also the programs
# for hpu of docs/clients.md, and what they look for, which is never published).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh

install=1 clients=
for option; do
  case $option in
    --no-install) install= ;;
    --clients) clients=1 ;;
    *) wrong_option "$option" "scripts/setup-python.sh [--no-install] [--clients]" ;;
  esac
done
[ -z "$install" ] || ./scripts/install-deps.sh --build
environment=build/venv
python=$environment/bin/python
[ -x "$python" ] || new_environment "$environment"
# PyTorch comes while the compiler is at work.
"$python" -m pip install --quiet --disable-pip-version-check torch==2.13.0 \
  >build/setup-python.log 2>&1 &
download=$!
./scripts/build.sh GaudiMLIR gaudi-smi
wait "$download" || {
  cat build/setup-python.log >&2
  fail "pip cannot install torch==2.13.0; it needs the network, or an index of your own: PIP_INDEX_URL=URL $0"
}
# The build tree is a CMake package, too; the libraries are copied. The machine may
# have no compiler but the one of the build.
CC=clang-22 CXX=clang++-22 GaudiMLIR_DIR=$PWD/build/release \
  pip_install "$python" ./python
pip_install "$python" scikit-build-core==1.1.2
CC=clang-22 CXX=clang++-22 GaudiMLIR_DIR=$PWD/build/release \
  pip_install "$python" --no-build-isolation ./bridge
if [ -n "$clients" ]; then
  pip_install "$python" --no-build-isolation ./bridge/clients
  # Versions that fit together; without them pip tries many.
  pip_install "$python" \
    optimum-habana==1.21.2 transformers==4.55.4 accelerate==1.10.1 diffusers==0.35.1 \
    optimum==2.0.0 sentence-transformers==3.3.1 'huggingface-hub<1' \
    lightning-habana==1.6.0 lightning==2.5.1 pytorch-lightning==2.5.1 pytest==9.2.0
  # From source, which finds the PyTorch that is there.
  pip_install "$python" wheel setuptools==80.9.0
  DS_BUILD_OPS=0 "$python" -m pip install --quiet --disable-pip-version-check \
    --no-build-isolation deepspeed==0.19.8
  # Clients import names of torchvision, whose wheel needs a PyTorch with CUDA.
  if ! "$python" -c 'import torchvision' 2>/dev/null; then
    "$python" -m pip uninstall --quiet --yes torchvision 2>/dev/null
    cp -r bridge/clients/stand-ins/torchvision "$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
  fi
fi
"$python" docs/examples/pytorch.py
"$python" -c 'import torch; print("hpu:", (torch.ones(3, device="hpu") + 1).cpu())'
echo "the environment is $environment"
