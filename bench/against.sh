#!/usr/bin/env bash
# Compares this checkout with another commit: durable updates per second, processor time and bytes, on the instant store, SQLite and PostgreSQL.
#   bench/against.sh COMMIT [--stores sqlite] [--writers 1 64 512] [--rounds 15]
#   bench/against.sh COMMIT replicas [--replicas 6] [--callers 16]     # replicas that change one object and retry on conflict
# PostgreSQL is the server that STOUT_POSTGRES names, or one that this script starts and stops. SQLite's files go to the working directory.
set -euo pipefail
commit=${1:?name the commit to compare with}
shift
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
end() {
  [ ! -d "$work/server" ] || bash "$root/tests/servers/postgres.sh" stop "$work/server"
  git -C "$root" worktree remove --force "$work/former" 2>/dev/null || true
  rm -rf "$work"
}
trap end EXIT

git -C "$root" worktree add -q --detach "$work/former" "$commit"
# The same sources measure both commits.
rm -rf "$work/former/bench/Stout.Against" && cp -r "$root/bench/Stout.Against" "$work/former/bench/"
rm -rf "$work/former/bench/Stout.Against/"{bin,obj}
for checkout in "$work/former" "$root"; do
  echo "Building $(git -C "$checkout" log -1 --format='%h %s')."
  dotnet build "$checkout/bench/Stout.Against" -c Release -v quiet -p:RunAnalyzersDuringBuild=false
done
program=bench/Stout.Against/bin/Release/net10.0/Stout.Against.dll
if [ -z "${STOUT_POSTGRES:-}" ]; then
  STOUT_POSTGRES=$(bash "$root/tests/servers/postgres.sh" start "$work/server")
  export STOUT_POSTGRES
fi
what=compare
if [ "${1:-}" = replicas ]; then what=$1; shift; fi
dotnet "$root/$program" "$what" "$work/former/$program" "$root/$program" "$@"
