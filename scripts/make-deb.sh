#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes the Debian packages gaudi-mlir and gaudi-mlir-dev from the release build:
# build/deb/*.deb. lintian judges them where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/messages.sh
no_options scripts/make-deb.sh "$@"

./scripts/build.sh installed
config=build/release/CPackConfig.cmake
setting() { sed -n "s/^set($1 \"\(.*\)\")$/\1/p" $config; }
# Equal sources give equal packages.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date -r CHANGELOG.md +%s)
export SOURCE_DATE_EPOCH
mkdir -p build/release/debian
gzip -9n >build/release/debian/changelog.Debian.gz <<EOF
gaudi-mlir ($(setting CPACK_PACKAGE_VERSION)-$(setting CPACK_DEBIAN_PACKAGE_RELEASE)) bookworm; urgency=medium

  * CHANGELOG.md says what changed.

 -- $(setting CPACK_PACKAGE_CONTACT)  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
EOF

rm -rf build/deb
umask 022
cpack=/usr/bin/cpack
[ -x $cpack ] || cpack=cpack
need $cpack
log=$(mktemp)
trap 'rm -f "$log"' EXIT
$cpack --config $config -B build/deb >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
rm -rf build/deb/_CPack_Packages
if command -v lintian >/dev/null; then
  lintian --no-cfg --fail-on error,warning build/deb/*.deb
fi
ls -s --block-size=KiB build/deb/*.deb
