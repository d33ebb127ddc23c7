#!/bin/sh
# Puts what package.json names into a folder: restore.sh FOLDER [install]. Builds run it when something is missing there, or out of date.
# With "install", it installs npm where npm is missing and the user is root, and says so. It never asks for more rights.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)

fail() { echo "$*" >&2; exit 1; }

if ! command -v npm >/dev/null; then
  [ "${2:-}" = install ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || fail "npm is missing."
  echo "Installing npm by apt-get, to restore the page's charts."
  apt-get update -qq || fail "npm is missing, and the list of Debian's packages could not be fetched."
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends npm >/dev/null ||
    fail "npm is missing, and could not be installed."
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
