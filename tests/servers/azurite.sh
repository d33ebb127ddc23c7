#!/usr/bin/env bash
# Azurite, the emulator of Azure Tables, from npm. What it acknowledges it saves to its disk up to 5 s later.
# What each command does is said in README.md. Installs Node.js where it is missing, and Azurite once below artifacts/.
set -euo pipefail
. "$(dirname "$0")/../install.sh"
version=3.35.0
program="$(cd "$(dirname "$0")/../.." && pwd)/artifacts/servers/azurite-$version"
command=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)

runs() { [ -f "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; }

# end SIGNAL: sends it, and waits until the process is gone.
end() {
  runs || return 0
  local tries
  kill "-$1" "$(cat "$folder/pid")" 2>/dev/null || true
  for ((tries = 0; tries < 200; tries++)); do
    runs || return 0
    [ "$tries" -ne 100 ] || kill -KILL "$(cat "$folder/pid")" 2>/dev/null || true
    sleep 0.1
  done
  fail "Azurite does not end."
}

start() {
  install node "to run Azurite" nodejs
  install npm "to install Azurite"
  mkdir -p "$program"
  (
    flock 9
    [ -f "$program/installed" ] ||
      { npm install --prefix "$program" --no-audit --no-fund --loglevel=error "azurite@$version" >&2 && touch "$program/installed"; }
  ) 9>"$program/lock"
  [ -f "$folder/port" ] ||
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })' >"$folder/port"
  local port tries
  port=$(cat "$folder/port")
  if ! runs; then
    setsid node "$program/node_modules/azurite/dist/src/table/main.js" --tableHost 127.0.0.1 --tablePort "$port" \
      --location "$folder/data" --disableTelemetry --skipApiVersionCheck --silent >>"$folder/log" 2>&1 </dev/null &
    echo $! >"$folder/pid"
  fi
  for ((tries = 0; tries < 600; tries++)); do
    runs || { cat "$folder/log" >&2; fail "Azurite did not start."; }
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    sleep 0.1
  done
  [ "$tries" -lt 600 ] || fail "Azurite does not answer."
  # The emulator's only account, with the key that its documentation publishes.
  local key="Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
  echo "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=$key;TableEndpoint=http://127.0.0.1:$port/devstoreaccount1;"
}

case $command in
  start) start ;;
  kill) end KILL ;;
  stop) end INT ;;
  *) fail "start, kill or stop, and a folder." ;;
esac
