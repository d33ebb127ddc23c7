# Sourced by the servers that come from npm, with their name and package (a folder beside this script) set: the commands of ../README.md.
# The server's script says how to run_server (from the folder "program", on "$port", in the foreground) and how to print_connection.
set -euo pipefail
servers=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$servers/../install.sh"

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
  fail "$name does not end."
}

# Once for all runs and every lock file, below artifacts/: exactly the packages that the lock file beside this script names, and none of their scripts.
install_package() {
  install node "to run $name" nodejs
  install npm "to install $name"
  mkdir -p "$program"
  (
    flock 9
    cmp -s "$lock/package-lock.json" "$program/package-lock.json" && [ -f "$program/installed" ] || {
      rm -f "$program/installed"
      cp "$lock/package.json" "$lock/package-lock.json" "$program"
      npm ci --prefix "$program" --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2 && touch "$program/installed"
    }
  ) 9>"$program/lock"
}

start() {
  install_package
  [ -f "$folder/port" ] ||
    node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })' >"$folder/port"
  port=$(cat "$folder/port")
  if ! runs; then
    (cd "$program" && run_server) >>"$folder/log" 2>&1 </dev/null &
    echo $! >"$folder/pid"
  fi
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    runs || { cat "$folder/log" >&2; fail "$name did not start."; }
    (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
    sleep 0.1
  done
  [ "$tries" -lt 600 ] || fail "$name does not answer."
  print_connection
}

# serve COMMAND FOLDER
serve() {
  lock="$servers/node/$package"
  program="$servers/../../artifacts/servers/$package"
  mkdir -p "$2"
  folder=$(cd "$2" && pwd)
  case $1 in
    start) start ;;
    kill) end KILL ;;
    stop) end INT ;;
    *) fail "start, kill or stop, and a folder." ;;
  esac
}
