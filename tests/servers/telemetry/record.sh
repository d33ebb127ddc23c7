#!/usr/bin/env bash
# Records the sample history of stout-director: record.sh FOLDER [MINUTES]. One to three processes of the sample service run behind a load of thinking clients, and
# Debian's Prometheus scrapes them. A request holds one of 4 slots for 20 ms, so that a process serves 200 requests/s whatever the machine does.
# Prints the server's address; then: stout-director import --prometheus ADDRESS --last 12m --step 15s --select 'job="documents"' --out FILE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. ./install.sh
[ $# -ge 1 ] || fail "usage: record.sh FOLDER [MINUTES]"
folder=$(mkdir -p "$1" && cd "$1" && pwd)
minutes=${2:-12}
service=${STOUT_SERVICE:-ServiceUnderTest/bin/Release/net10.0/ServiceUnderTest.dll}
ports=(25081 25082 25083)
install wrk "to load the service"

printf 'global: { scrape_interval: 5s }\nscrape_configs:\n  - job_name: documents\n    static_configs: [ { targets: [ %s ] } ]\n' \
  "$(printf '"127.0.0.1:%s",' "${ports[@]}" | sed 's/,$//')" >"$folder/prometheus.yml"
# Clients think for 500 ms in the mean, and write once in five requests.
cat >"$folder/client.lua" <<'LUA'
local seed = 0
function setup(thread) end
function init() math.randomseed(os.time() + seed) end
function delay() return math.floor(-500 * math.log(1 - math.random())) end
function request()
  local path = "/documents/d" .. math.random(100) .. "/sections/s"
  if math.random() < 0.2 then return wrk.format("PUT", path, { ["Content-Type"] = "text/plain" }, "text") end
  return wrk.format("GET", path)
end
LUA

services=()
end_all() {
  for pid in "${services[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait
}
trap end_all EXIT
begin() {
  dotnet "$service" --urls="http://127.0.0.1:${ports[$1]}" --Stout:Store=InMemory --SectionedDocuments:Prometheus=true --SectionedDocuments:RequestsPerSecond=0 \
    --SectionedDocuments:RequestsAtOnce=100000 --Test:Slots=4 --Test:SlotMilliseconds=20 <"$folder/open" >"$folder/service$1.log" 2>&1 &
  services[$1]=$!
  until curl -sf "http://127.0.0.1:${ports[$1]}/health/live" >/dev/null; do sleep 0.2; done
}
rm -f "$folder/open"; mkfifo "$folder/open"; exec 9<>"$folder/open"
address=$(bash servers/prometheus.sh start "$folder")

# Half a minute each: a wave with a period of 4 min, and servers as a cautious operator would have them.
for ((i = 0; i < minutes * 2; i++)); do
  read -r clients servers < <(awk -v i="$i" 'BEGIN { load = 170 - 120 * cos(i * 3.14159 / 4); printf "%d %d\n", load, (load > 200 ? 3 : load > 90 ? 2 : 1) }')
  for ((s = 0; s < 3; s++)); do
    if [ "$s" -lt "$servers" ] && [ -z "${services[$s]:-}" ]; then begin "$s"; fi
    if [ "$s" -ge "$servers" ] && [ -n "${services[$s]:-}" ]; then kill "${services[$s]}"; wait "${services[$s]}" || true; unset "services[$s]"; fi
  done
  clients_of=()
  for ((s = 0; s < servers; s++)); do
    wrk -t1 -c$((clients / servers)) -d30s -s "$folder/client.lua" "http://127.0.0.1:${ports[$s]}" >>"$folder/load.log" 2>&1 &
    clients_of+=($!)
  done
  wait "${clients_of[@]}"
done
echo "$address"
