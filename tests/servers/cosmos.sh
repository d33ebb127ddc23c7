#!/usr/bin/env bash
# A server of Cosmos DB's protocol from npm, over https with a certificate of its own. It keeps its data in memory alone: started
# again, it is empty. It does point operations, ETags and single-partition queries; transactional batches fail.
# What each command does is said in README.md.
. "$(dirname "$0")/node/server.sh"
name="the Cosmos DB server" package=cosmosdb-server

# Its own command line closes every connection after one request. And every 64th database gets a resource id with a slash in it, which the
# server then does not find in the address of a query: such ids are left out.
run_server() {
  exec setsid node -e '
    const databases = require("@vercel/cosmosdb-server/lib/account/databases").default.prototype
    const rid = databases._rid
    databases._rid = n => rid.call(databases, 64 * Math.floor(n / 62) + n % 62)
    require("@vercel/cosmosdb-server").createHttpsServer({ keepAlive: true }).listen(Number(process.argv[1]), "127.0.0.1")' "$port"
}

# It asks for no key; this is the one that the emulator's documentation publishes.
print_connection() {
  local key="C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=="
  echo "AccountEndpoint=https://127.0.0.1:$port/;AccountKey=$key;"
}

serve "$@"
