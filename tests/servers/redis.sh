#!/usr/bin/env bash
# Redis for measurements (the contract is in README.md): durable before the reply, by appendfsync always.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ./install.sh

[ $# -eq 2 ] || fail "usage: start|kill|stop FOLDER"
folder=$(mkdir -p "$2" && cd "$2" && pwd)
log=$folder/server.log

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
runs() { [ -s "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; }
answers() { [ "$(redis-cli -h 127.0.0.1 -p "$1" ping 2>/dev/null)" = PONG ]; }

launch() {
  redis-server --bind 127.0.0.1 --port "$1" --dir "$folder" --pidfile "$folder/pid" --logfile "$log" --daemonize yes \
    --appendonly yes --appendfsync always --save "" >/dev/null
  for _ in $(seq 200); do
    if answers "$1"; then return 0; fi
    sleep 0.05
  done
  return 1
}

start() {
  command -v redis-server >/dev/null || install_service redis-server "to measure beside it"
  if runs; then
    : # a second start finds the server running, and prints where
  elif [ -s "$folder/port" ]; then
    launch "$(cat "$folder/port")" || fail "the server did not start again: $(tail -3 "$log")"
  else
    local port
    for _ in $(seq 20); do
      port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
      if is_free "$port" && launch "$port"; then echo "$port" >"$folder/port"; break; fi
    done
    [ -s "$folder/port" ] || fail "the server did not start: $(tail -3 "$log")"
  fi
  echo "127.0.0.1:$(cat "$folder/port")"
}

end() {
  runs || return 0
  local server
  server=$(cat "$folder/pid")
  kill "-$1" "$server" 2>/dev/null || true
  while kill -0 "$server" 2>/dev/null; do sleep 0.02; done
}

case $1 in
  start) start ;;
  kill) end KILL ;;
  stop) end TERM ;;
  *) fail "usage: start|kill|stop FOLDER" ;;
esac
