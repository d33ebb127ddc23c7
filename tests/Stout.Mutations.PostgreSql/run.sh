#!/usr/bin/env bash
# Changes src/Stout.PostgreSql in small ways, one at a time, and reports whether a test fails; with names of files (Sweeper.cs BatchWriter.cs) only
# those. The report is in artifacts/mutations/postgresql. Tests use the server that
# STOUT_POSTGRES names; if it names none, one that this script starts.
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
server=
end() {
  rm -f "$config"
  [ -z "$server" ] || { ../servers/postgres.sh stop "$server"; rm -rf "$server"; }
}
trap end EXIT
if [ -z "${STOUT_POSTGRES:-}" ]; then
  server=$(mktemp -d)
  STOUT_POSTGRES=$(../servers/postgres.sh start "$server")
  export STOUT_POSTGRES
fi
sed "s#\"mutate\": .*#\"mutate\": [$mutate],#" stryker-config.json > "$config"
"$tools/dotnet-stryker" -f "$config" -O "$root/artifacts/mutations/postgresql"
