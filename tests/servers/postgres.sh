#!/usr/bin/env bash
# PostgreSQL for the tests (the contract is in README.md): as Debian ships it, with fsync on. It does not run as root; where this script
# does, the server gets the user that comes with the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ./install.sh

[ $# -eq 2 ] || fail "usage: start|kill|stop FOLDER"
folder=$(mkdir -p "$2" && cd "$2" && pwd)
data=$folder/data log=$folder/server.log

as_server() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }

# Debian keeps the server's programs off the path.
find_programs() { PATH=$PATH:$({ ls -d /usr/lib/postgresql/*/bin 2>/dev/null || true; } | sort -V | tail -1); }

# The server's user has to get to the folder; temporary directories are closed to everyone but their owner.
open_way() {
  local step=$folder
  until as_server test -x "$folder" || [ "$step" = / ]; do chmod o+x "$step" && step=$(dirname "$step"); done
}

create() {
  (umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$folder/password")
  mkdir -p "$data" && touch "$log"
  if [ "$(id -u)" -eq 0 ]; then open_way; chown postgres "$data" "$log" "$folder/password"; fi
  as_server initdb -D "$data" -U postgres --pwfile="$folder/password" --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 >>"$log" 2>&1 ||
    fail "initdb failed: $(tail -3 "$log")"
  cat >>"$data/postgresql.conf" <<SETTINGS
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
fsync = on
max_connections = 200
SETTINGS
}

launch() { as_server pg_ctl start -D "$data" -w -t 60 -l "$log" -o "-p $1" </dev/null >>"$folder/pg_ctl.log" 2>&1; }

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

start() {
  find_programs
  command -v initdb >/dev/null || { install initdb "to run a PostgreSQL server" postgresql; find_programs; }
  [ -s "$data/PG_VERSION" ] || create
  if as_server pg_ctl status -D "$data" >/dev/null 2>&1; then
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
  echo "Host=127.0.0.1;Port=$(cat "$folder/port");Database=postgres;Username=postgres;Password=$(cat "$folder/password")"
}

kill_all() {
  command -v pgrep >/dev/null || install pgrep "to find a server's processes" procps
  local server processes
  server=$(head -1 "$data/postmaster.pid")
  # A server that stands still starts no process for a new connection between the listing and the kill.
  kill -STOP "$server" 2>/dev/null || true
  processes="$server $(pgrep -P "$server" || true)"
  kill -KILL $processes 2>/dev/null || true
  for process in $processes; do
    while kill -0 "$process" 2>/dev/null; do sleep 0.02; done
  done
}

stop() {
  find_programs
  [ ! -s "$data/postmaster.pid" ] || as_server pg_ctl stop -D "$data" -w -m fast >>"$folder/pg_ctl.log" 2>&1
}

case $1 in
  start) start ;;
  kill) kill_all ;;
  stop) stop ;;
  *) fail "usage: start|kill|stop FOLDER" ;;
esac
