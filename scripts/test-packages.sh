#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the Debian packages and the wheel where nothing else is, an empty
# Debian 12 made by debootstrap in build/chroot, runs a model with them, and
# removes them. Needs root, debootstrap and the network.
# Usage: scripts/test-packages.sh [--deb | --wheel]   (default: both)
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
case ${1:-} in
  "" | --deb | --wheel) ;;
  *) wrong_option "$1" "scripts/test-packages.sh [--deb | --wheel]" ;;
esac
[ "$(id -u)" -eq 0 ] || fail "chroot needs root; run: sudo $0 $*"
command -v debootstrap >/dev/null || fail "there is no debootstrap; run: apt-get install debootstrap"
. scripts/chroot.sh

test_deb() {
  ./scripts/make-deb.sh
  fresh_root
  mkdir "$root/packages" "$root/program"
  cp build/deb/*.deb "$root/packages/"
  cp test/Install/Inputs/* "$root/program/"
  in_root 'apt-get install -qq gcc libc6-dev pkgconf >/dev/null'
  files >build/chroot/before
  echo "-- apt-get install, run, compile against it"
  in_root 'apt-get install -qq /packages/*.deb >/dev/null'
  in_root 'cd /program && gaudi-run layer.mlir --seed-inputs=1 --check && gaudi-opt --version'
  in_root 'cd /program && gaudi-run layer.mlir --seed-inputs=1 -q --save-replay=/tmp/r.zip && gaudi-run /tmp/r.zip -q'
  in_root 'gzip -t /usr/share/man/man1/gaudi-run.1.gz && ls /usr/share/bash-completion/completions/gaudi-run'
  in_root 'cd /program && cc compile.c -o compile $(pkg-config --cflags --libs gaudi-mlir) -lm &&
    ./compile layer.mlir /tmp/layer.recipe'
  echo "-- apt-get purge leaves nothing"
  in_root '{ apt-get purge -qq gaudi-mlir gaudi-mlir-dev && apt-get autoremove --purge -qq; } >/dev/null
    rm -rf /tmp/layer.recipe /tmp/r.zip /root/.cache'
  files >build/chroot/after
  diff build/chroot/before build/chroot/after
}

test_wheel() {
  ./scripts/make-wheel.sh
  fresh_root
  mkdir "$root/packages"
  cp build/wheel/*.whl test/Install/Inputs/wheel.py test/Install/Inputs/layer.mlir "$root/packages/"
  # What the wheel requires; the chroot needs no package index.
  build/wheel/venv/bin/python -m pip download --quiet --disable-pip-version-check \
    --dest "$root/packages" build/wheel/*.whl
  in_root 'apt-get install -qq python3-venv >/dev/null'
  echo "-- pip install, compile, run"
  in_root 'python3 -m venv /venv && /venv/bin/pip install -q --no-index --find-links /packages gaudi-mlir'
  in_root '[ -z "$(ls -d /usr/lib/llvm-* /usr/lib/x86_64-linux-gnu/lib{LLVM,fmt}* 2>/dev/null)" ]'
  in_root 'cd /packages && /venv/bin/python wheel.py layer.mlir && GAUDI_MME=vector128 /venv/bin/python wheel.py layer.mlir'
  in_root '/venv/bin/gaudi-import --help >/dev/null && /venv/bin/plan-buckets --help >/dev/null &&
    /venv/bin/plan-buffers --help >/dev/null && /venv/bin/gaudi-smi >/dev/null'
  echo "-- page, trace, memory plan, batch sweep and passes"
  in_root 'cd /tmp && PATH=/venv/bin:$PATH && gaudi-run /packages/layer.mlir --seed-inputs=1 --check &&
    gaudi-run /packages/layer.mlir --predict --html=page.html --trace=trace.json >/dev/null &&
    gaudi-run /packages/layer.mlir --plan-memory && gaudi-run /packages/layer.mlir --batch-sweep \
      --device-memory=1MiB --html=sweep.html &&
    gaudi-run /packages/layer.mlir --seed-inputs=1 -q --save-replay=r.zip && gaudi-run r.zip -q &&
    gaudi-opt /packages/layer.mlir --gaudi-compile=stop-after=import >/dev/null && test -s page.html -a -s sweep.html'
  in_root 'du -sh /venv/lib/python3*/site-packages/gaudi_mlir*'
}

# What packages own; dpkg's and ldconfig's own records change.
files() {
  (cd "$root" && find etc home opt root srv usr var -not -path 'var/cache/*' -not -path 'var/log/*' \
    -not -path 'var/lib/dpkg/*' -not -path 'var/lib/apt/*' -not -name ld.so.cache | sort)
}

case ${1:-} in
  "") test_deb; test_wheel ;;
  --deb) test_deb ;;
  --wheel) test_wheel ;;
esac
echo "packages: installed, ran and removed in an empty Debian 12"
