#!/usr/bin/env bash
# Starts a cluster of three silos on PostgreSQL: three-silos.sh [SETTING…]. Each silo gets the settings. Without ConnectionStrings__Documents it
# also starts a PostgreSQL server, as the tests do. Ctrl+C stops everything.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=artifacts/orleans-documents
mkdir -p "$folder"
silos=()

stop() {
  trap - EXIT
  for silo in "${silos[@]}"; do kill "$silo" 2>/dev/null || true; done
  wait
  [ -z "${server:-}" ] || bash tests/servers/postgres.sh stop "$server"
}
trap stop EXIT
trap exit INT TERM

if [ -z "${ConnectionStrings__Documents:-}" ]; then
  server=$folder/postgres
  ConnectionStrings__Documents=$(bash tests/servers/postgres.sh start "$server")
  export ConnectionStrings__Documents
fi

dotnet build -c Release samples/OrleansDocuments -v quiet
for number in 1 2 3; do
  dotnet samples/OrleansDocuments/bin/Release/net10.0/OrleansDocuments.dll \
    --urls "http://127.0.0.1:508$number" --OrleansDocuments:SiloPort="1111$number" "$@" >"$folder/silo-$number.log" 2>&1 &
  silos+=($!)
  echo $! >"$folder/silo-$number.pid"
done

for number in 1 2 3; do
  until grep -q "Application started" "$folder/silo-$number.log"; do
    kill -0 "${silos[number - 1]}" 2>/dev/null || { cat "$folder/silo-$number.log" >&2; exit 1; }
    sleep 0.2
  done
done
echo "Application started: http://127.0.0.1:5081, http://127.0.0.1:5082 and http://127.0.0.1:5083. Logs are in $folder."
wait
