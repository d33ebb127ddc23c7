#!/usr/bin/env bash
# Builds everything once and runs the tests; with names of test projects (Stout.Tests, …) runs only those.
# The last line is "N passed, N failed", with ", N skipped" where some were; skipped tests say why.
# Without names, a few planted bugs are among them, drawn by the commit: each has to make its tests fail (tests/mutations).
# Needs the .NET 10 SDK; installs what else it needs where apt-get is there, and starts the servers that can be had (tests/servers).
# Stores that STOUT_POSTGRES, STOUT_PGBOUNCER, STOUT_SQLSERVER, STOUT_AZURE_TABLES, STOUT_COSMOS and STOUT_PROMETHEUS name are used as they are.
set -uo pipefail
cd "$(dirname "$0")/.."
configuration=Release
results=artifacts/test-results

. tests/install.sh

# Sums an attribute over the <assembly> elements of an xUnit report.
count() { grep -o '<assembly [^>]*' "$1" | grep -o " $2=\"[0-9]*\"" | tr -dc '0-9\n' | awk '{ n += $1 } END { print n + 0 }'; }

projects=("$@")
if [ ${#projects[@]} -eq 0 ]; then
  for project in tests/*.Tests/*.Tests.csproj; do projects+=("$(basename "$project" .csproj)"); done
fi
for name in "${projects[@]}"; do
  [ -f "tests/$name/$name.csproj" ] || fail "there is no test project $name."
done

command -v dotnet >/dev/null || fail "the .NET 10 SDK is needed: https://dotnet.microsoft.com/download"
case " ${projects[*]} " in
  *" SectionedDocuments.Tests "* | *" Stout.Sqlite.Tests "* | *" Stout.Argon.Tests "*) install strace "to trace the system calls of writes and acknowledgements" ;;
esac
case " ${projects[*]} " in *" SectionedDocuments.Page.Tests "*)
  install chromium "to drive the sample's page as a person would"
  install npm "to restore the page's charts"
  ;;
esac
case " ${projects[*]} " in *" Stout.Sqlite.Tests "*) install sqlite3 "to read a store's files as a person would" ;; esac

case " ${projects[*]} " in *".Tests "*) install uconv "for its ICU, by which tests run under several cultures" icu-devtools ;; esac

# serve VARIABLE SERVER PROJECT…: where one of the projects runs and the variable names no store, starts the server.
servers=$(mktemp -d)
serve() {
  local variable=$1 server=$2
  shift 2
  [ -z "${!variable:-}" ] || return 0
  for project; do
    case " ${projects[*]} " in *" $project "*) ;; *) continue ;; esac
    echo "Starting $server, since $variable names no store."
    export "$variable=$(bash "tests/servers/$server.sh" start "$servers/$server")"
    [ -n "${!variable}" ] || fail "$server did not start."
    return 0
  done
}
stop_servers() {
  for folder in "$servers"/*/; do
    [ ! -d "$folder" ] || bash "tests/servers/$(basename "$folder").sh" stop "$folder"
  done
  rm -rf "$servers"
}
trap stop_servers EXIT
serve STOUT_POSTGRES postgres Stout.PostgreSql.Tests Stout.Orleans.Tests Samples.Tests
serve STOUT_PGBOUNCER pgbouncer Stout.PostgreSql.Tests
serve STOUT_AZURE_TABLES azurite Stout.AzureTables.Tests Stout.Orleans.Tests
serve STOUT_COSMOS cosmos Stout.Cosmos.Tests
serve STOUT_PROMETHEUS prometheus Stout.Director.Tests

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
dotnet restore src/Packages.proj --locked-mode -v quiet ||
  fail "the packages are not those of the lock files: dotnet restore src/Packages.proj --force-evaluate writes them anew."
echo "Building ($configuration)."
if [ $# -eq 0 ]; then
  dotnet build Stout.sln -c $configuration -warnaserror -v quiet || fail "the build failed."
else
  for name in "${projects[@]}"; do
    dotnet build "tests/$name" -c $configuration -warnaserror -v quiet || fail "the build of $name failed."
  done
fi

rm -rf "$results"
mkdir -p "$results"
passed=0 failed=0 skipped=0
for name in "${projects[@]}"; do
  echo "== $name"
  report="$results/$name.xml"
  program=$(ls -d "tests/$name/bin/$configuration"/*/"$name.dll") || fail "$name has not been built."
  dotnet "$program" -noLogo -noColor -xml "$report" | tee "$results/$name.log"
  exit_code=${PIPESTATUS[0]}

  # A run that died, or whose report is missing or empty, is a failure whatever else it says.
  if [ ! -s "$report" ] || [ "$(count "$report" total)" -eq 0 ]; then
    echo "$name reported no tests (exit code $exit_code)."
    failed=$((failed + 1))
    continue
  fi
  project_failed=$(($(count "$report" failed) + $(count "$report" errors)))
  [ $exit_code -eq 0 ] || [ $project_failed -gt 0 ] || project_failed=1
  passed=$((passed + $(count "$report" passed)))
  failed=$((failed + project_failed))
  skipped=$((skipped + $(count "$report" skipped)))
  grep -o '<reason><!\[CDATA\[[^]]*' "$report" | sed 's/.*CDATA\[/skipped: /' | sort | uniq -c
done

# planted KIND: the number that the command's last line gives for passed, failed or skipped.
planted() { tail -n 1 "$results/planted.log" | grep -o "[0-9]* $1" | tr -dc 0-9; }
if [ $# -eq 0 ]; then
  echo "== planted bugs"
  tests/mutations/planted.sh --sample 3 --seed "$(git rev-parse HEAD)" 2>&1 | tee "$results/planted.log"
  caught=$(planted passed)
  passed=$((passed + ${caught:-0}))
  missed=$(planted failed)
  failed=$((failed + ${missed:-1}))
  not_run=$(planted skipped)
  skipped=$((skipped + ${not_run:-0}))
fi

# What failed once more, where it is found: at the end.
[ $failed -eq 0 ] || awk '/\[FAIL\]$/ { failed = 1; print; next } failed && /^      / { print; next } { failed = 0 }' "$results"/*.log
summary="$passed passed, $failed failed"
[ $skipped -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
