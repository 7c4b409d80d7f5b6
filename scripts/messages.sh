# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by scripts: what they say of their options, and of what they need.

# fail TEXT...: ends the script as wrong usage does.
fail() {
  echo "error: $*" >&2
  exit 2
}

# wrong_option OPTION USAGE: of one that the script does not take; --help is not wrong.
wrong_option() {
  case $1 in
    --help | -h) echo "usage: $2"; exit 0 ;;
    *) fail "$0 does not take '$1'; usage: $2" ;;
  esac
}

# no_options USAGE OPTION...: for scripts without any.
no_options() {
  [ $# -eq 1 ] || wrong_option "$2" "$1"
}

# number_of OPTION VALUE: of an option with a number of 1 or more.
number_of() {
  case ${2:-} in
    "" | *[!0-9]* | 0) fail "$1 takes a number of 1 or more, but got '${2:-}'" ;;
  esac
}

# need PROGRAM: that scripts/install-deps.sh installs.
need() {
  command -v "$1" >/dev/null || fail "there is no program $1; scripts/install-deps.sh installs it"
}

# new_environment FOLDER [--clear]: an environment of Debian's Python.
new_environment() {
  /usr/bin/python3 -m venv "${@:2}" "$1" ||
    fail "no Python environment can be made in $1; Debian's package for them is python3-venv: scripts/install-deps.sh --build installs it"
}

# pip_install PYTHON ARGUMENT...
pip_install() {
  "$1" -m pip install --quiet --disable-pip-version-check "${@:2}" ||
    fail "pip cannot install ${*:2} (above it says why); it needs the network, or an index of your own: PIP_INDEX_URL=URL $0"
}

# check_frameworks_python: of the variable, where it is set.
check_frameworks_python() {
  [ -z "${GAUDI_FRAMEWORKS_PYTHON:-}" ] || command -v "$GAUDI_FRAMEWORKS_PYTHON" >/dev/null ||
    fail "GAUDI_FRAMEWORKS_PYTHON is '$GAUDI_FRAMEWORKS_PYTHON', which is no program; name a Python that has the packages, or unset it"
}
