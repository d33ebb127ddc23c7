#!/usr/bin/env bash
# Debian's Prometheus with an hour of a service's telemetry (the contract is in README.md). With a file prometheus.yml in the folder it scrapes what that says
# instead, and keeps it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. ./install.sh

[ $# -eq 2 ] || fail "usage: start|kill|stop FOLDER"
folder=$(mkdir -p "$2" && cd "$2" && pwd)
log=$folder/server.log

is_free() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
runs() { [ -s "$folder/pid" ] && kill -0 "$(cat "$folder/pid")" 2>/dev/null; }
answers() { curl -sf "http://127.0.0.1:$1/-/ready" >/dev/null 2>&1; }

# Two servers, "a:1" and "b:1", from 2026-11-01 00:00 on, with samples each 15 s. a serves 10 reads and 2 writes a second, and begins anew after 20 min. b serves 20
# reads a second from 10 min to 50 min. From 30 to 35 min there are no samples. Of the reads, 90 % are faster than 5 ms, 99 % than 10 ms, all than 100 ms.
series() {
  awk -v start="$(date -u -d 2026-11-01 +%s)" '
    function histogram(server, method, count, at,   i) {
      for (i = 1; i <= 4; i++)
        printf "http_server_request_duration_seconds_bucket{job=\"documents\",instance=\"%s\",http_request_method=\"%s\",http_route=\"/%s\",le=\"%s\"} %s %d\n", server, method, server, bound[i], count * share[i], at
      printf "http_server_request_duration_seconds_count{job=\"documents\",instance=\"%s\",http_request_method=\"%s\",http_route=\"/%s\"} %s %d\n", server, method, server, count, at
    }
    BEGIN {
      split("0.005 0.01 0.1 +Inf", bound); split("0.9 0.99 1 1", share)
      print "# TYPE http_server_request_duration_seconds histogram"
      for (second = 0; second <= 3600; second += 15) {
        if (second > 1800 && second < 2100) continue
        age = second <= 1200 ? second : second - 1200
        histogram("a:1", "GET", 10 * age, start + second)
        histogram("a:1", "POST", 2 * age, start + second)
        if (second >= 600 && second <= 3000) histogram("b:1", "GET", 20 * (second - 600), start + second)
      }
    }' | sort -s -t' ' -k1,1 | awk '
      # A series is written as a whole, and each family once.
      /^#/ { next } /_bucket/ { buckets = buckets $0 "\n"; next } { counts = counts $0 "\n" }
      END { printf "# TYPE http_server_request_duration_seconds histogram\n%s%s# EOF\n", buckets, counts }'
}

launch() {
  setsid prometheus --config.file="$folder/prometheus.yml" --storage.tsdb.path="$folder/data" --storage.tsdb.retention.time=100y --storage.tsdb.min-block-duration=2h \
    --web.listen-address="127.0.0.1:$1" --log.level=warn >"$log" 2>&1 </dev/null &
  echo $! >"$folder/pid"
  for _ in $(seq 200); do
    if answers "$1"; then return 0; fi
    runs || return 1
    sleep 0.05
  done
  return 1
}

start() {
  install_service prometheus "for telemetry as a user has it"
  command -v curl >/dev/null || install curl "to ask whether Prometheus is there"
  if [ ! -e "$folder/prometheus.yml" ]; then
    series >"$folder/series.txt"
    promtool tsdb create-blocks-from openmetrics "$folder/series.txt" "$folder/data" >"$log" 2>&1 || fail "the series were not taken: $(tail -3 "$log")"
    echo "global: {}" >"$folder/prometheus.yml"
  fi
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
  echo "http://127.0.0.1:$(cat "$folder/port")"
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
