#!/usr/bin/env bash
# A server of Cosmos DB's protocol from npm, over https with a certificate of its own. It keeps its data in memory alone: started
# again, it is empty. It does point operations, ETags and single-partition queries; transactional batches fail.
# What each command does is said in README.md. Installs Node.js where it is missing, and the server once below artifacts/.
set -euo pipefail
. "$(dirname "$0")/../install.sh"
version=1.0.1
program="$(cd "$(dirname "$0")/../.." && pwd)/artifacts/servers/cosmosdb-server-$version"
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
  fail "the Cosmos DB server does not end."
}

start() {
  install node "to run the Cosmos DB server" nodejs
  install npm "to install the Cosmos DB server"
  mkdir -p "$program"
  (
    flock 9
    [ -f "$program/installed" ] ||
      { npm install --prefix "$program" --no-audit --no-fund --loglevel=error "@vercel/cosmosdb-server@$version" >&2 && touch "$program/installed"; }
  ) 9>"$program/lock"
  [ -f "$folder/port" ] ||
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })' >"$folder/port"
  local port tries
  port=$(cat "$folder/port")
  if ! runs; then
    # Its own command line closes every connection after one request.
    (cd "$program" && exec setsid node -e \
      'require("@vercel/cosmosdb-server").createHttpsServer({ keepAlive: true }).listen(Number(process.argv[1]), "127.0.0.1")' \
      "$port") >>"$folder/log" 2>&1 </dev/null &
    echo $! >"$folder/pid"
  fi
  for ((tries = 0; tries < 600; tries++)); do
    runs || { cat "$folder/log" >&2; fail "the Cosmos DB server did not start."; }
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    sleep 0.1
  done
  [ "$tries" -lt 600 ] || fail "the Cosmos DB server does not answer."
  # It asks for no key; this is the one that the emulator's documentation publishes.
  echo "AccountEndpoint=https://127.0.0.1:$port/;AccountKey=C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==;"
}

case $command in
  start) start ;;
  kill) end KILL ;;
  stop) end INT ;;
  *) fail "start, kill or stop, and a folder." ;;
esac
