#!/usr/bin/env bash
# Changes src/Stout.Sqlite in small ways, one at a time, and reports whether a test fails; with names of files (Sweeper.cs Job.cs) only
# those. The report is in artifacts/mutations/sqlite. Most of the time goes into syncs of the disk.
set -euo pipefail
cd "$(dirname "$0")"
root=../..
tools=$PWD/$root/artifacts/tools
[ -x "$tools/dotnet-stryker" ] || dotnet tool install dotnet-stryker --version 5.1.0 --tool-path "$tools"

mutate='"**/*.cs"'
if [ $# -gt 0 ]; then
  mutate=$(printf '"**/%s", ' "$@")
  mutate=${mutate%, }
fi
config=stryker-config.$$.json
trap 'rm -f "$config"' EXIT
sed "s#\"mutate\": .*#\"mutate\": [$mutate],#" stryker-config.json > "$config"
"$tools/dotnet-stryker" -f "$config" -O "$root/artifacts/mutations/sqlite"
