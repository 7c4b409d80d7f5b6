#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds for aarch64 Linux on an x86-64 host, and prepares running the result
# under emulation. Usage: scripts/cross-aarch64.sh [--check | TARGET...]
# --check: builds all, then runs unit tests, the lit suite and a tenth of the
# models under emulation; their recipes must be those of build/release.
#
# The libraries of Debian 12 for arm64 go to build/aarch64-sysroot, unpacked and
# not installed: the host's packages, its apt and root are left alone. Every step
# is skipped where its result is there, so an interrupted run is just repeated.
# Then: scripts/build.sh --preset aarch64, and build/aarch64-sysroot/run PROGRAM.
set -euo pipefail
cd "$(dirname "$0")/.."
check=
if [ "${1:-}" = --check ]; then
  check=1
  shift
fi

[ "$(uname -m)" = x86_64 ] || {
  echo "error: this cross build wants an x86-64 host; on $(uname -m) use scripts/build.sh" >&2
  exit 1
}
# What scripts/install-deps.sh installs for building, but for another
# architecture and without programs that run on the host.
packages=(
  libc6-dev libstdc++-12-dev libmlir-22-dev mlir-22-tools llvm-22-dev
  libflatbuffers-dev libxxhash-dev libminizip-dev zlib1g-dev libcli11-dev nlohmann-json3-dev
  libexpected-dev libmimalloc-dev libfmt-dev libspdlog-dev libboost-dev libgtest-dev libgmock-dev
)
emulator=qemu-user-static:amd64
base=$PWD/build/aarch64-sysroot
apt=$base/apt

# An apt of its own: its state, no package installed, both architectures.
export APT_CONFIG=$apt/config
fetch() {
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts"
  : >"$apt/status"
  for suite in "debian bookworm" "debian bookworm-updates" "debian-security bookworm-security"; do
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/$suite main"
  done >"$apt/sources.list"
  cat >"$APT_CONFIG" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; "amd64"; };
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
Debug::NoLocking "true";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::State::lists "$apt/lists";
Dir::Cache "$apt/cache";
Dir::Etc::sourcelist "$apt/sources.list";
Dir::Etc::sourceparts "$apt/parts";
Dir::Etc::preferencesparts "$apt/parts";
END
  apt-get update -q
  apt-get install -q -y --download-only "${packages[@]}"
  (cd "$apt/cache/archives" && apt-get download -q "$emulator")
}

unpack() {
  local root=$base/root.new package link target
  rm -rf "$root" "$base/host"
  mkdir -p "$root/usr/lib" "$root/usr/bin" "$root/usr/sbin" "$base/host"
  # Debian 12 has one /usr; packages still name the older folders.
  ln -s usr/lib "$root/lib"
  ln -s usr/bin "$root/bin"
  ln -s usr/sbin "$root/sbin"
  for package in "$apt"/cache/archives/*.deb; do
    case $package in
      *_amd64.deb) dpkg-deb -x "$package" "$base/host" ;;
      *) dpkg-deb -x "$package" "$root" ;;
    esac
  done
  # Links to absolute paths would lead to the host's files.
  find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    target=$(readlink "$link")
    ln -sfn --relative "$root$target" "$link"
  done
  mv "$root" "$base/root"
}

log=$base/log
mkdir -p "$base"
if [ ! -d "$base/root" ]; then
  echo "aarch64: fetching Debian's packages for arm64 (260 MB)"
  # Before ||, a command that fails would not end the functions.
  set +e
  (set -e; fetch; unpack) >"$log" 2>&1
  fetched=$?
  set -e
  [ $fetched -eq 0 ] || {
    tail -n 20 "$log" >&2
    echo "error: the packages of Debian 12 for arm64 could not be fetched (log: $log)" >&2
    exit 1
  }
fi
# Runs a command: aarch64 programs in it, and those that they start, are emulated.
# The system learns of the emulator in a namespace of this command alone (Linux
# 6.7). An older one, or one that forbids such namespaces, emulates the command
# itself, which must be an aarch64 program then.
cat >"$base/run" <<END
#!/bin/sh
emulator=$base/host/usr/bin/qemu-aarch64-static
export QEMU_LD_PREFIX=$base/root
END
cat >>"$base/run" <<'END'
# EM_AARCH64 (b7) in the headers of programs and shared libraries; F: opened now,
# for processes with other roots as well.
format=':aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
know='mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&
  printf "%s\n" "$1" >/proc/sys/fs/binfmt_misc/register'
rule=$format:$emulator:F
if unshare --user --map-root-user --mount sh -c "$know" "$0" "$rule" 2>/dev/null; then
  exec unshare --user --map-root-user --mount sh -c "$know"' && shift && exec "$@"' "$0" "$rule" "$@"
fi
exec "$emulator" "$@"
END
chmod +x "$base/run"
echo "aarch64: libraries in $base/root, programs run by $base/run"
scripts/build.sh --preset aarch64 "$@"
[ -n "$check" ] || exit 0

# A program of tests is one emulated process: ctest would start one for each test.
build=build/aarch64
status=0
export GAUDI_CACHE_DIR=$PWD/$build/check-cache
for tests in "$build"/bin/*Tests; do
  echo "== ${tests##*/}"
  "$base/run" "$tests" --gtest_brief=1 || { echo "FAILED  $tests"; status=1; }
done
echo "== lit"
"$base/run" /usr/lib/llvm-22/bin/lit -sv -j "$(nproc)" "$build/test" || status=1
echo "== recipes"
rm -rf "$build/recipes"
"$base/run" scripts/recipes.py write "$build/recipes/aarch64" --build "$build" --every 10
scripts/recipes.py write "$build/recipes/x86_64" --every 10
scripts/recipes.py compare "$build/recipes/x86_64" "$build/recipes/aarch64" || status=1
exit $status
