#!/usr/bin/env bash
# Records the sample history of stout-director: record.sh FOLDER [MINUTES [SEED]], of 40 min by default, into FOLDER/sample.json.gz. An open-loop load that varies
# goes to one to four processes of the sample service, and Debian's Prometheus scrapes them. A request holds one of 4 slots for 40 ms, so that a process serves
# 100 requests/s on a machine that is otherwise idle.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. ./install.sh
[ $# -ge 1 ] || fail "usage: record.sh FOLDER [MINUTES [SEED]]"
folder=$(mkdir -p "$1" && cd "$1" && pwd)
minutes=${2:-40}
seed=${3:-1}
[ ! -e "$folder/data" ] || fail "$folder has an earlier recording."
for project in ServiceUnderTest ../bench/Stout.Director.Experiments ../src/Stout.Director.Tool; do
  dotnet build "$project" -c Release -v quiet >"$folder/build.log" 2>&1 || fail "$project can't be built: $folder/build.log"
done

printf 'global: { scrape_interval: 5s }\nscrape_configs:\n  - job_name: documents\n    static_configs: [ { targets: [ %s ] } ]\n' \
  '"127.0.0.1:25081","127.0.0.1:25082","127.0.0.1:25083","127.0.0.1:25084"' >"$folder/prometheus.yml"
address=$(bash servers/prometheus.sh start "$folder")
trap 'bash servers/prometheus.sh stop "$folder"' EXIT

dotnet ../bench/Stout.Director.Experiments/bin/Release/net10.0/Stout.Director.Experiments.dll director-record --minutes "$minutes" --seed "$seed" --port 25081
# Prometheus' own requests are no load of the service.
dotnet ../src/Stout.Director.Tool/bin/Release/net10.0/Stout.Director.Tool.dll import --prometheus "$address" --last "${minutes}m" --step 15s \
  --select 'job="documents",http_route=~"/documents.*"' --out "$folder/sample.json.gz"
