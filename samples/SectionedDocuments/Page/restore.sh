#!/bin/sh
# Puts what package.json names into a folder: restore.sh FOLDER. Builds run it when something is missing there, or out of date.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

fail() { echo "The page's packages can't be restored: $*" >&2; exit 1; }

if ! command -v npm >/dev/null; then
  as_root=""
  [ "$(id -u)" -eq 0 ] || as_root=sudo
  command -v apt-get >/dev/null && { [ -z "$as_root" ] || command -v sudo >/dev/null; } || fail "npm is needed, and can't be installed here."
  echo "Installing npm, to restore the page's charts."
  $as_root apt-get update -qq || fail "the list of Debian's packages could not be fetched."
  DEBIAN_FRONTEND=noninteractive $as_root apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends nodejs npm >/dev/null ||
    fail "npm could not be installed."
fi

# Builds may run side by side: each restores in a folder of its own, and puts whole files in their places.
own=$(mktemp -d "$folder/restore.XXXXXX")
trap 'rm -rf "$own"' EXIT
cp "$here/package.json" "$here/package-lock.json" "$here/.npmrc" "$own"
(cd "$own" && npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2) || fail "npm ci failed."
for file in uPlot.esm.js uPlot.min.css; do
  [ -s "$own/node_modules/uplot/dist/$file" ] || fail "the package has no $file."
  touch "$own/node_modules/uplot/dist/$file" # npm dates files to 1985
  mv -f "$own/node_modules/uplot/dist/$file" "$folder/$file"
done
