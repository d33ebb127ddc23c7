#!/usr/bin/env bash
# Azurite, the emulator of Azure Tables, from npm. What it acknowledges it saves to its disk up to 5 s later.
# What each command does is said in README.md.
. "$(dirname "$0")/node/server.sh"
name=Azurite package=azurite

run_server() {
  exec setsid node node_modules/azurite/dist/src/table/main.js --tableHost 127.0.0.1 --tablePort "$port" \
    --location "$folder/data" --disableTelemetry --skipApiVersionCheck --silent
}

# The emulator's only account, with the key that its documentation publishes.
print_connection() {
  local key="Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
  echo "DefaultEndpointsProtocol=http;AccountName=devstoreaccount1;AccountKey=$key;TableEndpoint=http://127.0.0.1:$port/devstoreaccount1;"
}

serve "$@"
