# Sourced by what needs programs of the system: install COMMAND REASON [PACKAGE]. Installs Debian's package of that name (by default
# the command's) where the command is missing, and says so. With STOUT_INSTALL=no nothing is installed. Where the command stays missing, the exit code is 3.

fail() { echo "$(basename "$0"): $*" >&2; exit 1; }

install() {
  command -v "$1" >/dev/null && return
  local package=${3:-$1} as_root=""
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  [ "${STOUT_INSTALL:-yes}" != no ] && command -v apt-get >/dev/null && { [ -z "$as_root" ] || command -v sudo >/dev/null; } ||
    { echo "$(basename "$0"): $1 is needed $2, and is not installed." >&2; exit 3; }
  echo "Installing $package, $2." >&2
  [ -n "${updated:-}" ] || $as_root apt-get update -qq >&2 || fail "the list of packages could not be fetched."
  updated=yes
  DEBIAN_FRONTEND=noninteractive $as_root apt-get -o DPkg::Lock::Timeout=300 install -y -qq "$package" >/dev/null || fail "$package could not be installed."
}

# install_service COMMAND REASON: as install, for a package that would start a server of its own. A policy that forbids it is there only while the package is
# installed.
install_service() {
  local policy=/usr/sbin/policy-rc.d made=""
  if [ "$(id -u)" -eq 0 ] && [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod +x "$policy" && made=yes
  fi
  (install "$1" "$2") || { [ -z "$made" ] || rm -f "$policy"; exit 1; }
  [ -z "$made" ] || rm -f "$policy"
}
