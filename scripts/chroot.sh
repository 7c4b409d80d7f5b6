# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by test-packages.sh, as root at the top of the tree:
# an empty Debian 12 in build/chroot/root.
root=$PWD/build/chroot/root

# fresh_root: debootstrap's smallest system, with the package sources of the host.
fresh_root() {
  local base=$PWD/build/chroot/base.tar log=$PWD/build/chroot/debootstrap.log
  mkdir -p build/chroot
  rm -rf --one-file-system "$root"
  if [ ! -e "$base" ]; then
    echo "-- debootstrap"
    debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$log" 2>&1 ||
      { tail -n 20 "$log" >&2; return 1; }
    cp /etc/resolv.conf "$root/etc/"
    rm "$root/etc/apt/sources.list"
    local file
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources; do
      [ ! -e "$file" ] || cp "$file" "$root$file"
    done
    in_root apt-get update -qq
    tar -C "$root" -cf "$base" .
  else
    mkdir -p "$root"
    tar -C "$root" -xf "$base"
  fi
}

# in_root COMMAND...: runs a shell command in it, in namespaces of its own, so
# that mounts and processes end with it.
in_root() {
  unshare --mount --pid --fork --kill-child bash -c '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind --make-rslave /dev "$root/dev"
    exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive APT_LISTCHANGES_FRONTEND=none \
      chroot "$root" bash -euo pipefail -c "$*"' _ "$root" "$@" </dev/null
}
