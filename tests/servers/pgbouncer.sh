#!/usr/bin/env bash
# PgBouncer for the tests (the contract is in README.md), as Debian ships it, before the PostgreSQL server of STOUT_POSTGRES. Its databases session
# and transaction are that server's database postgres, in these modes. It does not run as root; where this script does, it gets PostgreSQL's user.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ./install.sh

[ $# -eq 2 ] || fail "usage: start|kill|stop FOLDER"
folder=$(mkdir -p "$2" && cd "$2" && pwd)
log=$folder/pgbouncer.log

as_server() { if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi; }
is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
runs() { [ -s "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; }

# setting NAME: a setting of the connection string in STOUT_POSTGRES.
setting() { tr ';' '\n' <<<"$STOUT_POSTGRES" | sed -n "s/^ *$1 *= *//Ip" | head -1; }

configure() {
  local server="host=$(setting Host) port=$(setting Port) dbname=postgres"
  cat >"$folder/pgbouncer.ini" <<SETTINGS
[databases]
session = $server pool_mode=session
transaction = $server pool_mode=transaction
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $1
unix_socket_dir =
logfile = $log
pidfile = $folder/pid
auth_type = plain
auth_file = $folder/users
admin_users = $(setting Username)
max_client_conn = 200
default_pool_size = 100
ignore_startup_parameters = extra_float_digits,options
SETTINGS
  (umask 077 && printf '"%s" "%s"\n' "$(setting Username)" "$(setting Password)" >"$folder/users")
  if [ "$(id -u)" -eq 0 ]; then
    touch "$log"
    chown -R postgres "$folder"
    local step=$folder
    until as_server test -x "$folder" || [ "$step" = / ]; do chmod o+x "$step" && step=$(dirname "$step"); done
  fi
}

launch() {
  configure "$1"
  as_server pgbouncer -q -d "$folder/pgbouncer.ini" </dev/null >>"$folder/start.log" 2>&1 || return 1
  for _ in $(seq 200); do
    if ! is_free "$1"; then return 0; fi
    sleep 0.05
  done
  return 1
}

start() {
  [ -n "${STOUT_POSTGRES:-}" ] || fail "STOUT_POSTGRES has to name the server behind it."
  command -v pgbouncer >/dev/null || install_service pgbouncer "to test the store behind a pooler"
  if runs; then
    : # a second start finds it running, and prints where
  elif [ -s "$folder/port" ]; then
    launch "$(cat "$folder/port")" || fail "it did not start again: $(tail -3 "$log")"
  else
    local port
    for _ in $(seq 20); do
      port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
      if is_free "$port" && launch "$port"; then echo "$port" >"$folder/port"; break; fi
    done
    [ -s "$folder/port" ] || fail "it did not start: $(tail -3 "$folder/start.log" "$log")"
  fi
  echo "Host=127.0.0.1;Port=$(cat "$folder/port");Database=session;Username=$(setting Username);Password=$(setting Password)"
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
